#include "tests/device/opcodes/kernel_runner.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <utility>

#include "harness/device/emulator/opcodes/targets.hpp"
#include "hwy/highway.h"

namespace quadpair::device {

void for_every_simd_target(const std::function<void()>& test) {
  for (const std::int64_t target : hwy::SupportedAndGeneratedTargets()) {
    const testing::ScopedTrace trace(__FILE__, __LINE__, hwy::TargetName(target));
    hwy::SetSupportedTargetsForTest(target);
    test();
    hwy::SetSupportedTargetsForTest(0);
  }
}

KernelRunner::KernelRunner(std::string_view parameters, std::string_view body, const EmulatorOptions& options)
    : KernelRunner(
          fmt::format(".version 8.7\n.target sm_70\n.address_size 64\n.visible .entry k({})\n{{\n{}\n}}\n",
                      parameters, body),
          Target::sm70, options) {}

KernelRunner::KernelRunner(std::string ptx, Target target, reference::Model model)
    : KernelRunner(std::move(ptx), target, {.model = model, .threads = 1}) {}

KernelRunner::KernelRunner(std::string ptx, Target target, const EmulatorOptions& options)
    : ptx_(std::move(ptx)), device_(make_emulator(options)) {
  module_.name = "test/kernel";
  module_.target = target;
  module_.ptx = ptx_;
}

Launch KernelRunner::launch(Dim3 grid, Dim3 block, const Arguments& arguments,
                            std::uint32_t dynamic_shared) const {
  return {.module = &module_,
          .entry = "k",
          .grid = grid,
          .block = block,
          .dynamic_shared = dynamic_shared,
          .arguments = arguments};
}

void KernelRunner::run(Dim3 grid, Dim3 block, const Arguments& arguments, std::uint32_t dynamic_shared) {
  const Launch one = launch(grid, block, arguments, dynamic_shared);
  device_->run({&one, 1});
}

}  // namespace quadpair::device
