#include "kernels/bench/stream.hpp"

#include <limits>
#include <string>

#include "kernels/common/check.hpp"

namespace quadpair::bench {
namespace {

void require_range(const StreamRange& range, const char* name) {
  if (range.bytes == 0) return;
  require(range.address != 0 && range.address % 16 == 0,
          std::string("stream: ") + name + " is null or not 16-byte aligned");
  require(range.bytes % 16 == 0, std::string("stream: ") + name + ": " + std::to_string(range.bytes) +
                                     " bytes are not a multiple of 16");
}

}  // namespace

std::vector<Launch> stream(const StreamArguments& a, Target target) {
  require_range(a.first, "the first buffer");
  require_range(a.second, "the second buffer");
  const std::uint64_t blocks = a.first.blocks() + a.second.blocks();
  if (blocks == 0) return {};
  require(a.sums != 0 && a.sums % 4 == 0, "stream: sums are null or not 4-byte aligned");
  constexpr std::uint64_t warps = 8;
  const std::uint64_t grid = (blocks + warps - 1) / warps;
  require(grid <= std::numeric_limits<std::int32_t>::max(),
          "stream: " + std::to_string(blocks) + " blocks are too many for one grid");

  Launch launch;
  launch.module = &find_module("bench/stream", target);
  launch.entry = "stream";
  launch.grid = {static_cast<std::uint32_t>(grid), 1, 1};
  launch.block = {warps * 32, 1, 1};
  launch.arguments.add(a.first.address)
      .add(a.first.bytes)
      .add(a.second.address)
      .add(a.second.bytes)
      .add(a.sums);
  return {launch};
}

}  // namespace quadpair::bench
