// Writes a small file for other programs to read: hdf5_example FILE.
#include <nlohmann/json.hpp>

#include "reports/hdf5.hpp"

int main(int, char** arguments) {
  using namespace quadpair::reports;
  Hdf5File out(arguments[1]);
  out.set_run({{"id", "run-1"}, {"git", {{"revision", "abc"}, {"dirty", true}}}});
  out.add({.id = "qpn2_gemm/example/m2",
           .samples = {{0, 0, 1, 2e-6, 1980, 0, 1}, {1, 0, 2, 3e-6, 1980, 0, 1}},
           .arrays = {.activations = HalfMatrix{2, 3, {0x3c00, 0xc000, 0x7bff, 0x0001, 0xfc00, 0x8000}},
                      .codes = {std::byte{0x21}, std::byte{0x43}},
                      .global_scale = {0.5f}}});
  out.publish();
}
