#include "harness/bench/fold.hpp"
#include "harness/bench/sides.hpp"
#include "harness/run/launches.hpp"
#include "kernels/common/check.hpp"

namespace quadpair::bench {

std::unique_ptr<Side> stream_side(const Workload& work, const run::Problem& problem) {
  const std::vector<std::string_view>& reads = problem.op.reads;
  require(reads.size() == 2, "a plain read stands for codes and scales");
  std::vector<std::uint8_t> expected;
  for (const std::string_view item : reads) {
    const std::vector<std::uint8_t> of_item = folded(work.matrix.packed(item));
    expected.insert(expected.end(), of_item.begin(), of_item.end());
  }
  Output output{work.device.allocate("sums", expected.size(), device::Access::output, 0), judge_of(expected)};
  std::vector<std::vector<Launch>> uses;
  for (std::uint32_t tensor = 0; tensor < work.tensors.count(); ++tensor)
    uses.push_back(run::looked_up(stream({work.tensors.range(tensor, reads[0]),
                                          work.tensors.range(tensor, reads[1]), output.buffer->address()},
                                         problem.target),
                                  work.find_module));
  return std::make_unique<KernelSide>("stream", std::move(output), work.device, std::move(uses));
}

}  // namespace quadpair::bench
