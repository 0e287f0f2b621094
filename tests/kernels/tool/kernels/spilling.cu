// Keeps more numbers alive than a thread of a full block has registers: the build tool must refuse it.
extern "C" __global__ void __launch_bounds__(1024) spilling(float* data) {
  float kept[128];
#pragma unroll
  for (int i = 0; i < 128; ++i) kept[i] = data[i * 1024 + threadIdx.x];
  __syncthreads();
#pragma unroll
  for (int i = 0; i < 128; ++i) data[i * 1024 + threadIdx.x] = kept[i] * kept[127 - i];
}
