#include "harness/device/emulator/trace/capture_index.hpp"

#include <algorithm>
#include <stdexcept>

#include "harness/device/emulator/lanes.hpp"
#include "harness/device/emulator/trace/access_shape.hpp"

namespace quadpair::emulator {
namespace {

std::uint64_t key(std::uint32_t warp, int reg) {
  return std::uint64_t{warp} << 32 | static_cast<std::uint32_t>(reg);
}

}  // namespace

CaptureIndex::CaptureIndex(const ptx::Entry& entry, const Recording& recording)
    : entry_(entry), recording_(recording) {
  for (const ptx::Instruction& instruction : entry.instructions) {
    before_.push_back(captured_before(instruction));
    after_.push_back(instruction.defs);
  }
  for (std::uint32_t i = 0; i < recording.captures.size(); ++i) {
    const Capture& at = recording.captures[i];
    if (at.after)
      for (const int reg : after_[at.instruction]) definitions_[key(at.warp, reg)].push_back(i);
    else
      add_store(i);
  }
}

void CaptureIndex::add_store(std::uint32_t index) {
  const ptx::Instruction& code = instruction(index);
  const AccessShape access = access_of(code);
  if (access.space != AccessShape::Space::shared || !(access.store || access.copy)) return;
  for (std::uint32_t lane = 0; lane < kWarpLanes; ++lane) {
    if ((capture(index).lanes >> lane & 1) == 0) continue;
    const std::uint64_t first = address({index, lane}, code.operands[0]);
    for (std::uint32_t byte = 0; byte < access.bytes(); byte += std::min(access.element, 4u)) {
      const std::uint32_t element = access.copy ? 0 : byte / access.element;
      shared_[(first + byte) / 4].push_back(
          {{index, lane}, element, first + element * access.element, access.element});
    }
  }
}

std::optional<std::uint32_t> CaptureIndex::definition(int reg, std::uint32_t before,
                                                      std::uint32_t lane) const {
  const auto found = definitions_.find(key(capture(before).warp, reg));
  if (found == definitions_.end()) return std::nullopt;
  const std::vector<std::uint32_t>& all = found->second;
  for (auto at = std::ranges::lower_bound(all, before); at != all.begin();)
    if ((capture(*--at).lanes >> lane & 1) != 0) return *at;
  return std::nullopt;
}

const std::vector<int>& CaptureIndex::registers_of(const Capture& at) const {
  return (at.after ? after_ : before_)[at.instruction];
}

std::uint64_t CaptureIndex::value(Moment at, int reg) const {
  const Capture& from = capture(at.capture);
  std::size_t word = from.words;
  for (const int each : registers_of(from)) {
    const ptx::RegisterClass cls = entry_.registers[static_cast<std::size_t>(each)].cls;
    const bool wide = cls == ptx::RegisterClass::b64, predicate = cls == ptx::RegisterClass::predicate;
    if (each == reg) {
      if (predicate) return recording_.words[word] >> at.lane & 1;
      const std::uint64_t high = wide ? recording_.words[word + kWarpLanes + at.lane] : 0;
      return high << 32 | recording_.words[word + at.lane];
    }
    word += predicate ? 1 : wide ? 2 * kWarpLanes : kWarpLanes;
  }
  throw std::logic_error("a register that was not captured");
}

std::uint32_t CaptureIndex::staged(std::uint32_t index, std::size_t word) const {
  const Capture& from = capture(index);
  return recording_.words[from.words + kWarpLanes * after_[from.instruction].size() + word];
}

std::uint64_t CaptureIndex::address(Moment at, const ptx::Operand& operand) const {
  const std::uint64_t base = operand.reg < 0 ? 0 : value(at, operand.reg);
  const bool narrow = operand.reg >= 0 &&
                      entry_.registers[static_cast<std::size_t>(operand.reg)].cls == ptx::RegisterClass::b32;
  const std::uint64_t sum = base + operand.value;
  return narrow ? static_cast<std::uint32_t>(sum) : sum;
}

std::optional<SharedWriter> CaptureIndex::shared_writer(std::uint64_t address, std::uint32_t before) const {
  const auto found = shared_.find(address / 4);
  if (found == shared_.end()) return std::nullopt;
  for (auto writer = found->second.rbegin(); writer != found->second.rend(); ++writer)
    if (writer->at.capture < before) return *writer;
  return std::nullopt;
}

}  // namespace quadpair::emulator
