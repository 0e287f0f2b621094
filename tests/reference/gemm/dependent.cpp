// What the independence test must notice: code that calls into the kernels' library, or into CUDA.
namespace quadpair::qpn2 {
int gemm();
}
extern "C" int cudaMalloc(void**, unsigned long);

namespace quadpair::reference::test {
int dependent() {
#ifdef DEPEND_ON_CUDA
  return cudaMalloc(nullptr, 0);
#else
  return qpn2::gemm();
#endif
}
}  // namespace quadpair::reference::test
