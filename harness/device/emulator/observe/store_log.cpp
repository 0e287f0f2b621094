#include "harness/device/emulator/observe/store_log.hpp"

#include <algorithm>
#include <bit>

#include <fmt/format.h>

#include "harness/device/emulator/fault.hpp"
#include "harness/device/emulator/kernel.hpp"
#include "harness/device/emulator/observe/written_bytes.hpp"
#include "harness/device/emulator/run.hpp"

namespace quadpair::emulator {

bool StoreLog::block_stored(std::uint64_t address, std::uint64_t bytes) const {
  const std::uint64_t end = address + bytes;
  while (address < end) {
    const auto holds = [&](const Stored& one) { return one.address <= address && address < one.end(); };
    const auto begin = stored_.begin() + static_cast<std::ptrdiff_t>(block_begins_);
    const auto found = std::find_if(begin, stored_.end(), holds);
    if (found == stored_.end()) return false;
    address = found->end();
  }
  return true;
}

void settle_stores(std::span<const StoreLog* const> logs, const Kernel& kernel, const Dim3& grid,
                   const Memory& memory, Findings& findings) {
  std::vector<Stored> all;
  for (const StoreLog* log : logs) all.insert(all.end(), log->all().begin(), log->all().end());
  std::ranges::sort(all, [](const Stored& a, const Stored& b) {
    return a.address != b.address ? a.address < b.address : a.block < b.block;
  });
  const Stored* before = nullptr;  // of those seen, the one that reaches furthest
  const Stored* other = nullptr;   // the same among those of other blocks than before's
  const auto reaches = [](const Stored* one, const Stored& next) {
    return one != nullptr && one->end() > next.address;
  };
  for (const Stored& one : all) {
    const Region* region = memory.find(one.address, one.bytes);
    if (region != nullptr && region->written != nullptr)
      region->written->add(one.address - region->begin, one.bytes);
    const Stored* met = before != nullptr && before->block == one.block ? other : before;
    if (reaches(met, one)) {
      const Stored& later = one.block > met->block ? one : *met;
      const Stored& earlier = one.block > met->block ? *met : one;
      findings.add(later.instruction, FaultKind::two_writers, later.block, [&] {
        const Dim3 first = block_index(earlier.block, grid);
        return fmt::format("{}: write at address {:#x}, where block ({},{},{}) writes too, in no order: {}",
                           place_text(kernel, later.instruction, block_index(later.block, grid), later.warp,
                                      1u << later.lane),
                           one.address, first.x, first.y, first.z, memory.describe(one.address));
      });
    }
    if (before == nullptr || before->end() <= one.end()) {
      if (before != nullptr && before->block != one.block) other = before;
      before = &one;
    } else if (before->block != one.block && (other == nullptr || other->end() < one.end())) {
      other = &one;
    }
  }
}

}  // namespace quadpair::emulator
