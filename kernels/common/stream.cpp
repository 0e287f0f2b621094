#include "kernels/common/stream.hpp"

#include <map>
#include <mutex>
#include <utility>

#include "kernels/common/cuda_runtime.hpp"

namespace quadpair {
namespace {

constexpr std::pair<int, int> capability_of(Target target) {
  switch (target) {
    case Target::sm70: return {7, 0};
    case Target::sm80: return {8, 0};
    case Target::sm90: return {9, 0};
  }
  return {0, 0};
}

/// Some modules of sm90 have instructions (wgmma) that are in compute capability 9.0 alone; later GPUs run
/// sm80's.
bool runs(Target target, std::pair<int, int> device) {
  return device >= capability_of(target) && (target != Target::sm90 || device.first == 9);
}

/// Dynamic shared memory that a kernel may use without asking.
constexpr std::uint32_t default_shared = 48 * 1024;

/// A module on the device.
class Library {
 public:
  Library(const CudaRuntime& cuda, const Module& module, bool cubin) : cuda_(cuda) {
    const std::string ptx(cubin ? std::string_view{} : module.ptx);  // must end in NUL
    const void* code = cubin ? static_cast<const void*>(module.cubin.data()) : ptx.c_str();
    cuda_.check(cuda_.cudaLibraryLoadData(&library_, code, nullptr, nullptr, 0, nullptr, nullptr, 0),
                ("loading " + std::string(module.name)).c_str());
  }
  ~Library() { cuda_.check_no_throw(cuda_.cudaLibraryUnload(library_), "cudaLibraryUnload"); }
  Library(const Library&) = delete;
  Library& operator=(const Library&) = delete;

  /// A handle that cudaLaunchKernelExC takes; the kernel is on the device when this returns.
  const void* kernel(const std::string& entry, std::uint32_t dynamic_shared) {
    auto [found, fresh] = kernels_.try_emplace(entry);
    if (fresh) {
      try {
        load(entry, found->second);
      } catch (...) {
        kernels_.erase(found);
        throw;
      }
    }
    Kernel& kernel = found->second;
    if (dynamic_shared > kernel.shared_limit) {
      cuda_.check(cuda_.cudaFuncSetAttribute(kernel.handle, cudaFuncAttributeMaxDynamicSharedMemorySize,
                                             static_cast<int>(dynamic_shared)),
                  ("dynamic shared memory of " + entry).c_str());
      kernel.shared_limit = dynamic_shared;
    }
    return kernel.handle;
  }

 private:
  struct Kernel {
    const void* handle = nullptr;
    std::uint32_t shared_limit = default_shared;
  };

  void load(const std::string& entry, Kernel& kernel) {
    cudaKernel_t handle = nullptr;
    cuda_.check(cuda_.cudaLibraryGetKernel(&handle, library_, entry.c_str()), ("kernel " + entry).c_str());
    kernel.handle = static_cast<const void*>(handle);
    cudaFuncAttributes attributes{};  // asking for them loads a lazily loaded kernel
    cuda_.check(cuda_.cudaFuncGetAttributes(&attributes, kernel.handle), ("loading " + entry).c_str());
  }

  const CudaRuntime& cuda_;
  cudaLibrary_t library_ = nullptr;
  std::map<std::string, Kernel> kernels_;
};

}  // namespace

Target target_for_capability(int major, int minor) {
  const std::pair device{major, minor};
  for (Target target : {Target::sm90, Target::sm80, Target::sm70})
    if (runs(target, device)) return target;
  throw Refused("compute capability " + std::to_string(major) + "." + std::to_string(minor) +
                ": 7.0 or later is needed");
}

DeviceCode device_code(const Module& module, int major, int minor) {
  const auto [target_major, target_minor] = capability_of(module.target);
  if (!module.cubin.empty() && major == target_major && minor >= target_minor)
    return {true, module.cubin_sha256};
  return {false, module.ptx_sha256};
}

struct Launcher::Impl {
  const CudaRuntime& cuda = cuda_runtime();
  int device = 0, major = 0, minor = 0;
  std::mutex mutex;                          ///< guards libraries
  std::map<std::string, Library> libraries;  ///< by hash of the code that was loaded

  Impl() {
    cuda.check(cuda.cudaGetDevice(&device), "cudaGetDevice");
    cuda.check(cuda.cudaDeviceGetAttribute(&major, cudaDevAttrComputeCapabilityMajor, device),
               "compute capability");
    cuda.check(cuda.cudaDeviceGetAttribute(&minor, cudaDevAttrComputeCapabilityMinor, device),
               "compute capability");
  }

  const void* kernel(const Launch& launch) {
    require(launch.module != nullptr, "launch of " + launch.entry + " names no module");
    const Module& module = *launch.module;
    require(runs(module.target, {major, minor}),
            std::string(module.name) + " for " + std::string(to_string(module.target)) +
                " does not run on compute capability " + std::to_string(major) + "." + std::to_string(minor));
    const DeviceCode code = device_code(module, major, minor);
    const std::lock_guard lock(mutex);
    Library& library =
        libraries.try_emplace(std::string(code.sha256), cuda, module, code.cubin).first->second;
    return library.kernel(launch.entry, launch.dynamic_shared);
  }
};

Launcher::Launcher() : impl_(std::make_unique<Impl>()) {}
Launcher::~Launcher() = default;

Target Launcher::target() const {
  return target_for_capability(impl_->major, impl_->minor);
}

DeviceCode Launcher::code_of(const Module& module) const {
  return device_code(module, impl_->major, impl_->minor);
}

void Launcher::prepare(std::span<const Launch> launches) {
  for (const Launch& launch : launches) impl_->kernel(launch);
}

void Launcher::launch(std::span<const Launch> launches, CUstream_st* stream) {
  const CudaRuntime& cuda = impl_->cuda;
  for (const Launch& launch : launches) {
    const void* kernel = impl_->kernel(launch);
    std::vector<std::byte> bytes = launch.arguments.bytes();
    std::vector<void*> arguments;
    for (const Arguments::Slot& slot : launch.arguments.slots())
      arguments.push_back(bytes.data() + slot.offset);
    cudaLaunchAttribute early_start{};
    early_start.id = cudaLaunchAttributeProgrammaticStreamSerialization;
    early_start.val.programmaticStreamSerializationAllowed = 1;
    cudaLaunchConfig_t config{};
    config.gridDim = {launch.grid.x, launch.grid.y, launch.grid.z};
    config.blockDim = {launch.block.x, launch.block.y, launch.block.z};
    config.dynamicSmemBytes = launch.dynamic_shared;
    config.stream = stream;
    config.attrs = &early_start;
    config.numAttrs = launch.early_start ? 1 : 0;
    cuda.check(cuda.cudaLaunchKernelExC(&config, kernel, arguments.data()),
               ("launch of " + launch.entry).c_str());
  }
}

}  // namespace quadpair
