// Runs one memory access of one warp a launch, for a profiler to count. Each line of the file says "KERNEL
// PLACES": byte offsets of the 32 lanes, -1 for a lane that takes no part; for copies 64, in global and then
// in shared memory. Built and run by access_patterns.py.
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <map>
#include <sstream>
#include <string>

using Kernel = void (*)(const int* places, char* memory, unsigned* results);
std::map<std::string, Kernel> kernels;

#define KERNEL(name, to, access)                                                                            \
  __global__ void name(const int* places, char* memory, unsigned* results) {                                \
    extern __shared__ char shared[];                                                                        \
    const int place = places[threadIdx.x];                                                                  \
    const auto base = static_cast<unsigned>(__cvta_generic_to_shared(shared));                              \
    unsigned result;                                                                                        \
    asm volatile(                                                                                           \
        "{.reg .pred p; .reg .b32 v<4>; mov.b32 v0, 0; mov.b32 v1, 0; mov.b32 v2, 0; mov.b32 v3, 0; "       \
        "setp.ge.s32 p, %1, 0; @p " access "; xor.b32 v0, v0, v1; xor.b32 v2, v2, v3; xor.b32 %0, v0, v2;}" \
        : "=r"(result)                                                                                      \
        : "r"(place), "l"(memory + place), "r"(base + place), "r"(to)                                       \
        : "memory");                                                                                        \
    results[threadIdx.x] = result;                                                                          \
  }                                                                                                         \
  const bool name##_is_listed = kernels.emplace(#name, name).second;

KERNEL(load_shared_4, base, "ld.shared.u32 v0, [%3]")
KERNEL(load_shared_8, base, "ld.shared.v2.u32 {v0, v1}, [%3]")
KERNEL(load_shared_16, base, "ld.shared.v4.u32 {v0, v1, v2, v3}, [%3]")
KERNEL(store_shared_4, base, "st.shared.u32 [%3], v0")
KERNEL(store_shared_8, base, "st.shared.v2.u32 [%3], {v0, v1}")
KERNEL(store_shared_16, base, "st.shared.v4.u32 [%3], {v0, v1, v2, v3}")
KERNEL(load_global_4, base, "ld.global.u32 v0, [%2]")
KERNEL(load_global_8, base, "ld.global.v2.u32 {v0, v1}, [%2]")
KERNEL(load_global_16, base, "ld.global.v4.u32 {v0, v1, v2, v3}, [%2]")
KERNEL(store_global_4, base, "st.global.u32 [%2], v0")
KERNEL(store_global_8, base, "st.global.v2.u32 [%2], {v0, v1}")
KERNEL(store_global_16, base, "st.global.v4.u32 [%2], {v0, v1, v2, v3}")
KERNEL(copy_4, base + places[threadIdx.x + 32], "cp.async.ca.shared.global [%4], [%2], 4; cp.async.wait_all")
KERNEL(copy_8, base + places[threadIdx.x + 32], "cp.async.ca.shared.global [%4], [%2], 8; cp.async.wait_all")
KERNEL(copy_16, base + places[threadIdx.x + 32],
       "cp.async.cg.shared.global [%4], [%2], 16; cp.async.wait_all")

void check(cudaError_t error) {
  if (error == cudaSuccess) return;
  std::fprintf(stderr, "CUDA: %s\n", cudaGetErrorString(error));
  std::exit(1);
}

int main(int argc, char** argv) {
  std::ifstream file(argc == 2 ? argv[1] : "");
  if (!file) {
    std::fprintf(stderr, "usage: access_patterns FILE\n");
    return 1;
  }
  char* memory = nullptr;
  int* places = nullptr;
  unsigned* results = nullptr;
  check(cudaMalloc(&memory, 16384));
  check(cudaMalloc(&places, 64 * sizeof(int)));
  check(cudaMalloc(&results, 32 * sizeof(unsigned)));
  for (std::string line; std::getline(file, line);) {
    std::istringstream words(line);
    std::string name;
    words >> name;
    int each[64] = {};
    for (int& place : each) words >> place;
    check(cudaMemcpy(places, each, sizeof each, cudaMemcpyHostToDevice));
    kernels.at(name)<<<1, 32, 16384>>>(places, memory, results);
    check(cudaGetLastError());
    check(cudaDeviceSynchronize());
  }
}
