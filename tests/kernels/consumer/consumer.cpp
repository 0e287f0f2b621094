// Plans a launch and, where there is a GPU, would run it; prints what was chosen.
#include <cstdio>
#include <quadpair/kernels/common/error.hpp>
#include <quadpair/kernels/common/stream.hpp>
#include <quadpair/kernels/qpn2/gemm.hpp>

int main() {
  using namespace quadpair;
  qpn2::GemmArguments arguments;
  arguments.m = 8, arguments.n = 5120, arguments.k = 1536, arguments.ldx = 1536, arguments.ldy = 5120;
  arguments.codes = arguments.scales = arguments.x = arguments.y = 0x1000;
  arguments.global.value = 0x3C00;
  const Target target = Target::sm90;
  const qpn2::Tuning tuning = qpn2::tuned(arguments.k, arguments.n, target, false);
  const Launch launch = qpn2::gemm(arguments, tuning, target).at(0);
  std::printf("%s grid %u block %u, cubin of %zu bytes\n", launch.entry.c_str(), launch.grid.x,
              launch.block.x, launch.module->cubin.size());
  try {
    const Launcher launcher;
    std::printf("device runs %s\n", std::string(to_string(launcher.target())).c_str());
  } catch (const DeviceError& error) {
    std::printf("no device: %s\n", error.what());
  }
  return launch.entry == "qpn2_gemm_s12_c1_r1_q2" && launch.grid.x == 320 && !launch.module->cubin.empty()
             ? 0
             : 1;
}
