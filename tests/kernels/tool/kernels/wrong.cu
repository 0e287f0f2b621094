// Does not compile: the build tool must show the compiler's message.
extern "C" __global__ void wrong(float* data) {
  data[0] = undeclared;
}
