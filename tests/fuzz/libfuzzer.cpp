#include "tests/fuzz/checkpoint_input.hpp"

extern "C" int LLVMFuzzerTestOneInput(const unsigned char* data, std::size_t size) {
  quadpair::fuzz::read_checkpoint_input(std::as_bytes(std::span(data, size)));
  return 0;
}
