#include "harness/device/cuda/cublas.hpp"

#include <dlfcn.h>

#include <cstddef>
#include <string>

#include "harness/device/cuda/graph.hpp"

namespace quadpair::device {
namespace {

/// The few declarations of cuBLAS that are used, by value as its documentation has them: the library need not
/// be there to build, and 12 and 13 agree on them.
struct Api {
  using Handle = struct cublasContext*;
  static constexpr int success = 0;
  static constexpr int not_transposed = 0, transposed = 1;  // cublasOperation_t
  static constexpr int half = 2;                            // CUDA_R_16F
  static constexpr int compute_float = 68;                  // CUBLAS_COMPUTE_32F
  static constexpr int any_algorithm = -1;                  // CUBLAS_GEMM_DEFAULT
  /// CUBLAS_MATH_DISALLOW_REDUCED_PRECISION_REDUCTION: partial sums are added in FP32 too.
  static constexpr int full_reductions = 16;

  int (*create)(Handle*);
  int (*destroy)(Handle);
  int (*set_stream)(Handle, cudaStream_t);
  int (*set_workspace)(Handle, void*, std::size_t);
  int (*set_math_mode)(Handle, int);
  int (*version)(Handle, int*);
  const char* (*status_text)(int);
  int (*gemm)(Handle, int trans_a, int trans_b, int m, int n, int k, const void* alpha, const void* a,
              int type_a, int lda, const void* b, int type_b, int ldb, const void* beta, void* c, int type_c,
              int ldc, int compute, int algorithm);
};

template <class Function>
void find(void* library, const char* name, Function& function) {
  function = reinterpret_cast<Function>(dlsym(library, name));
  if (function == nullptr) throw Unavailable(std::string("cuBLAS lacks ") + name);
}

/// Loaded once and kept for the life of the process, as CUDA's libraries do not survive unloading.
const Api& api() {
  static const Api loaded = [] {
    std::string reasons;
    void* library = nullptr;
    for (const char* name : {"libcublas.so.13", "libcublas.so.12"}) {
      library = dlopen(name, RTLD_NOW | RTLD_LOCAL);
      if (library != nullptr) break;
      reasons += std::string(reasons.empty() ? "" : "; ") + dlerror();
    }
    if (library == nullptr) throw Unavailable("no cuBLAS on this machine: " + reasons);
    Api found{};
    find(library, "cublasCreate_v2", found.create);
    find(library, "cublasDestroy_v2", found.destroy);
    find(library, "cublasSetStream_v2", found.set_stream);
    find(library, "cublasSetWorkspace_v2", found.set_workspace);
    find(library, "cublasSetMathMode", found.set_math_mode);
    find(library, "cublasGetVersion_v2", found.version);
    find(library, "cublasGetStatusString", found.status_text);
    find(library, "cublasGemmEx", found.gemm);
    return found;
  }();
  return loaded;
}

void check(int status, const char* what) {
  if (status != Api::success) throw DeviceError(std::string(what) + ": " + api().status_text(status));
}

class Cublas final : public GemmLibrary {
 public:
  Cublas(const CudaRuntime& cuda, const Stream& stream, Launcher& launcher)
      : cuda_(cuda), stream_(stream), launcher_(launcher) {
    const int status = api().create(&handle_);
    if (status != Api::success) throw Unavailable(std::string("cublasCreate: ") + api().status_text(status));
    try {
      set_up();
    } catch (...) {
      close();
      throw;
    }
  }
  ~Cublas() override { close(); }
  Cublas(const Cublas&) = delete;
  Cublas& operator=(const Cublas&) = delete;

  const std::string& name() const override { return name_; }

  void run(std::span<const LibraryGemm> products) override {
    enqueue(products);
    stream_.wait(name_);
  }

  std::unique_ptr<Graph> capture(std::span<const LibraryGemm> products) override {
    for (const LibraryGemm& p : products) launcher_.prepare(p.before);
    return std::make_unique<CudaGraph>(cuda_, stream_, name_, [&] { enqueue(products); });
  }

 private:
  /// What cuBLAS itself takes on Hopper; a captured product must not allocate.
  static constexpr std::size_t workspace_bytes = std::size_t{32} << 20;

  void set_up() {
    int version = 0;
    check(api().version(handle_, &version), "cublasGetVersion");
    name_ = "cublas " + std::to_string(version / 10000) + "." + std::to_string(version / 100 % 100) + "." +
            std::to_string(version % 100);
    check(api().set_stream(handle_, stream_.get()), "cublasSetStream");
    cuda_.check(cuda_.cudaMalloc(&workspace_, workspace_bytes), "workspace of cuBLAS");
    check(api().set_workspace(handle_, workspace_, workspace_bytes), "cublasSetWorkspace");
    check(api().set_math_mode(handle_, Api::full_reductions), "cublasSetMathMode");
  }

  void close() noexcept {
    api().destroy(handle_);
    if (workspace_ != nullptr) cuda_.check_no_throw(cuda_.cudaFree(workspace_), "cudaFree");
  }

  /// Row-major y = x . w^T is column-major y^T = w . x^T, with w's rows as columns to be transposed.
  void enqueue(std::span<const LibraryGemm> products) {
    const float one = 1, zero = 0;
    const auto pointer = [](DevicePtr address) { return reinterpret_cast<void*>(address); };
    for (const LibraryGemm& p : products) {
      launcher_.launch(p.before, stream_.get());
      check(api().gemm(handle_, Api::transposed, Api::not_transposed, static_cast<int>(p.n),
                       static_cast<int>(p.m), static_cast<int>(p.k), &one, pointer(p.w), Api::half,
                       static_cast<int>(p.k), pointer(p.x), Api::half, static_cast<int>(p.ldx), &zero,
                       pointer(p.y), Api::half, static_cast<int>(p.ldy), Api::compute_float,
                       Api::any_algorithm),
            "cublasGemmEx");
    }
  }

  const CudaRuntime& cuda_;
  const Stream& stream_;
  Launcher& launcher_;
  Api::Handle handle_ = nullptr;
  void* workspace_ = nullptr;
  std::string name_;
};

}  // namespace

void require_cublas() {
  api();
}

std::unique_ptr<GemmLibrary> make_cublas(const CudaRuntime& cuda, const Stream& stream, Launcher& launcher) {
  return std::make_unique<Cublas>(cuda, stream, launcher);
}

}  // namespace quadpair::device
