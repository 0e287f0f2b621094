#include <cstring>

#include "harness/bench/fold.hpp"
#include "harness/bench/sides.hpp"

namespace quadpair::bench {

std::unique_ptr<Side> stream_side(const Workload& work, Target target) {
  std::vector<std::uint8_t> expected = folded(work.matrix.packed_codes);
  const std::vector<std::uint8_t> of_scales = folded(work.matrix.packed_scales);
  expected.insert(expected.end(), of_scales.begin(), of_scales.end());
  Output output{work.device.allocate("sums", expected.size(), device::Access::output, 0), judge_of(expected)};
  std::vector<std::vector<Launch>> uses;
  for (std::uint32_t tensor = 0; tensor < work.tensors.count(); ++tensor)
    uses.push_back(looked_up(
        stream({work.tensors.codes(tensor), work.tensors.scales(tensor), output.buffer->address()}, target),
        work.find_module));
  return std::make_unique<KernelSide>("stream", std::move(output), work.device, std::move(uses));
}

}  // namespace quadpair::bench
