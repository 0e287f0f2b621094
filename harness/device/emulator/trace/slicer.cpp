#include "harness/device/emulator/trace/slicer.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <map>
#include <tuple>

#include "harness/device/emulator/ptx/source_place.hpp"
#include "harness/device/emulator/trace/access_shape.hpp"
#include "harness/device/emulator/trace/capture_index.hpp"
#include "harness/device/emulator/trace/fragments.hpp"
#include "harness/device/emulator/warpgroup.hpp"

namespace quadpair::emulator {
namespace {

using device::Node;
using device::Piece;

constexpr std::uint32_t kNone = ~0u;

class Slicer {
 public:
  Slicer(const ptx::Program& program, const ptx::Entry& entry, const Recording& recording,
         const Memory& memory)
      : program_(program), entry_(entry), recording_(recording), memory_(memory), index_(entry, recording) {
    history_.block = recording.block;
  }

  device::History slice(std::uint64_t address) {
    for (auto i = static_cast<std::uint32_t>(recording_.captures.size()); i-- > 0;) {
      const ptx::Instruction& code = index_.instruction(i);
      const AccessShape access = access_of(code);
      if (index_.capture(i).after || !access.store || access.space != AccessShape::Space::global) continue;
      for (std::uint32_t lane = kWarpLanes; lane-- > 0;) {
        if ((index_.capture(i).lanes >> lane & 1) == 0) continue;
        const std::uint64_t offset = address - index_.address({i, lane}, code.operands[0]);
        if (offset >= access.bytes()) continue;
        history_.stored_by = line_of(i);
        history_.stored = {
            operand(element_of(code.operands[1], static_cast<std::uint32_t>(offset / access.element)),
                    {i, lane}),
            static_cast<std::uint32_t>(offset % access.element) * 8};
        return std::move(history_);
      }
    }
    throw std::logic_error("the recorded block did not store to the address");
  }

 private:
  static const ptx::Operand& element_of(const ptx::Operand& operand, std::uint32_t element) {
    return operand.kind == ptx::OperandKind::vector ? operand.elements.at(element) : operand;
  }

  std::uint32_t line_of(std::uint32_t capture) {
    const std::uint32_t instruction = index_.capture(capture).instruction;
    const auto [at, is_new] = lines_.emplace(instruction, static_cast<std::uint32_t>(history_.code.size()));
    if (is_new) {
      const ptx::Instruction& code = entry_.instructions[instruction];
      history_.code.push_back({code.text, code.mnemonic, code.ptx_line,
                               ptx::source_place(program_.files, code.source_file, code.source_line),
                               ptx::source_place(program_.files, code.caller_file, code.caller_line)});
    }
    return at->second;
  }

  std::uint32_t add(Node::Kind kind, Moment at, std::uint64_t bits, std::vector<Piece> inputs = {}) {
    Node node;
    node.kind = kind;
    node.code = line_of(at.capture);
    node.warp = index_.capture(at.capture).warp;
    node.lane = at.lane;
    node.bits = bits;
    node.inputs = std::move(inputs);
    history_.nodes.push_back(std::move(node));
    return static_cast<std::uint32_t>(history_.nodes.size() - 1);
  }

  std::uint32_t add_load(Moment at, std::uint64_t bits, std::uint64_t address, std::uint32_t bytes) {
    const Region* region = memory_.find(address, bytes);
    const std::uint32_t node = add(region == nullptr ? Node::Kind::unwritten : Node::Kind::load, at, bits);
    if (region == nullptr) return node;
    const auto known = std::ranges::find(history_.buffers, region->name);
    history_.nodes[node].buffer = static_cast<std::uint32_t>(known - history_.buffers.begin());
    if (known == history_.buffers.end()) history_.buffers.push_back(region->name);
    history_.nodes[node].offset = address - region->begin;
    history_.nodes[node].bytes = bytes;
    return node;
  }

  /// What an operand of the instruction at `at` held.
  std::uint32_t operand(const ptx::Operand& operand, Moment at) {
    switch (operand.kind) {
      case ptx::OperandKind::reg: return register_at(operand.reg, at);
      case ptx::OperandKind::immediate: return add(Node::Kind::constant, at, operand.value);
      default: return add(Node::Kind::parameter, at, operand.value);
    }
  }

  std::uint32_t register_at(int reg, Moment at) {
    const auto definition = index_.definition(reg, at.capture, at.lane);
    if (!definition) return add(Node::Kind::unwritten, at, 0);
    const auto [known, is_new] = made_.emplace(std::tuple(*definition, reg, at.lane), kNone);
    if (is_new) {
      const std::uint32_t node = make(reg, {*definition, at.lane});
      made_[{*definition, reg, at.lane}] = node;
      return node;
    }
    return known->second;
  }

  /// The node of a register's definition.
  std::uint32_t make(int reg, Moment at) {
    const ptx::Instruction& code = index_.instruction(at.capture);
    const std::uint64_t bits = index_.value(at, reg);
    const AccessShape access = access_of(code);
    if (access.space == AccessShape::Space::parameter) return add(Node::Kind::parameter, at, bits);
    if (access.space != AccessShape::Space::none) return make_load(code, access, reg, at, bits);
    if (const auto shape = mma_shape(code.mnemonic)) return make_mma(code, *shape, reg, at, bits);
    if (warpgroup_columns(code.mnemonic) != 0) return make_product(code, reg, at, bits);
    if (code.mnemonic.starts_with("mov.") && code.operands.size() == 2 &&
        code.operands[0].kind == ptx::OperandKind::reg && code.operands[1].kind == ptx::OperandKind::reg)
      return register_at(code.operands[1].reg, at);
    std::vector<Piece> inputs;
    for (std::size_t i = 1; i < code.operands.size(); ++i) {
      const ptx::Operand& source = code.operands[i];
      if (source.kind != ptx::OperandKind::vector) inputs.push_back({operand(source, at)});
      for (const ptx::Operand& element : source.elements) inputs.push_back({operand(element, at)});
    }
    if (code.mnemonic.starts_with("mov.") && code.operands[1].kind == ptx::OperandKind::immediate)
      return add(Node::Kind::constant, at, bits);
    if (code.mnemonic.starts_with("mov.") && code.operands[1].kind == ptx::OperandKind::special)
      return add(Node::Kind::parameter, at, bits);
    const std::uint32_t node = add(Node::Kind::computed, at, bits, std::move(inputs));
    history_.nodes[node].result = place_in(code.operands[0], reg);
    return node;
  }

  static std::uint32_t place_in(const ptx::Operand& operand, int reg) {
    if (operand.kind != ptx::OperandKind::vector) return 0;
    return static_cast<std::uint32_t>(std::ranges::find(operand.elements, reg, &ptx::Operand::reg) -
                                      operand.elements.begin());
  }

  std::uint32_t make_load(const ptx::Instruction& code, const AccessShape& access, int reg, Moment at,
                          std::uint64_t bits) {
    const Moment before{index_.before(at.capture), at.lane};
    const std::uint64_t address =
        index_.address(before, code.operands[1]) + place_in(code.operands[0], reg) * access.element;
    if (access.space == AccessShape::Space::global && address < kSharedWindow)
      return add_load(at, bits, address, access.element);
    const std::uint64_t offset = address >= kSharedWindow ? address - kSharedWindow : address;
    return read_shared(offset, access.element, at, before.capture, bits);
  }

  /// What the instruction at `at` found in shared memory, of what captures before `before` had put there.
  std::uint32_t read_shared(std::uint64_t offset, std::uint32_t bytes, Moment at, std::uint32_t before,
                            std::uint64_t bits) {
    const auto writer = index_.shared_writer(offset, before);
    if (!writer || offset < writer->begin || offset + bytes > writer->begin + writer->bytes)
      return add(writer ? Node::Kind::computed : Node::Kind::unwritten, at, bits);
    const std::uint32_t source = shared_source(*writer, offset, bytes, bits);
    const auto shift = index_.instruction(writer->at.capture).mnemonic.starts_with("cp.")
                           ? 0
                           : static_cast<std::uint32_t>(offset - writer->begin) * 8;
    return add(Node::Kind::copy, at, bits, {{source, shift}});
  }

  /// What a store or an asynchronous copy put at `offset` of shared memory; `bits` were found there.
  std::uint32_t shared_source(const SharedWriter& writer, std::uint64_t offset, std::uint32_t bytes,
                              std::uint64_t bits) {
    const ptx::Instruction& code = index_.instruction(writer.at.capture);
    const AccessShape access = access_of(code);
    if (!access.copy) {
      const std::uint32_t value = operand(element_of(code.operands[1], writer.element), writer.at);
      return add(Node::Kind::copy, writer.at, history_.nodes[value].bits, {{value}});
    }
    const bool sized = code.operands.size() == 4 && code.operands[3].reg >= 0;
    if (sized && index_.value(writer.at, code.operands[3].reg) == 0)
      return add(Node::Kind::constant, writer.at, bits);
    const std::uint64_t source = index_.address(writer.at, code.operands[1]);
    return add_load(writer.at, bits, source + (offset - writer.begin), bytes);
  }

  std::uint32_t make_mma(const ptx::Instruction& code, MmaShape shape, int reg, Moment at,
                         std::uint64_t bits) {
    const std::uint32_t element = place_in(code.operands[0], reg);
    std::vector<Piece> inputs = {{operand(code.operands.at(3).elements.at(element), at)}};
    const auto factor = [&](std::size_t fragment, const FragmentPlace& place) {
      inputs.push_back({operand(code.operands[fragment].elements.at(place.reg), {at.capture, place.lane}),
                        place.half * 16});
    };
    for (const FactorPlaces& places : factors_of(shape, at.lane, element)) {
      factor(1, places.a);
      factor(2, places.b);
    }
    return add(Node::Kind::mma, at, bits, std::move(inputs));
  }

  /// A wgmma, captured when it was performed: B, and A where it has a descriptor, as found in shared memory.
  std::uint32_t make_product(const ptx::Instruction& code, int reg, Moment at, std::uint64_t bits) {
    const std::uint32_t element = place_in(code.operands[0], reg), columns = warpgroup_columns(code.mnemonic);
    const ElementPlace place = native_element(at.lane, element % 4);
    const std::uint32_t row = index_.capture(at.capture).warp % kGroupWarps * 16 + place.row;
    const std::uint32_t column = element / 4 * 8 + place.column;
    const bool staged = code.operands[1].kind == ptx::OperandKind::reg;
    std::vector<Piece> inputs = {{operand(code.operands[0].elements[element], at)}};
    for (std::uint32_t k = 0; k < products(MmaShape::m16n8k16); ++k) {
      if (staged) {
        inputs.push_back({staged_factor(2, columns, row, k, at)});
      } else {
        const FragmentPlace a = factors_of(MmaShape::m16n8k16, at.lane, element % 4)[k].a;
        inputs.push_back({operand(code.operands[1].elements.at(a.reg), {at.capture, a.lane}), a.half * 16});
      }
      inputs.push_back({staged_factor(0, 0, column, k, at)});
    }
    return add(Node::Kind::mma, at, bits, std::move(inputs));
  }

  /// One of the 16 k of a row whose matrix's descriptor, and first row, stand so in the capture.
  std::uint32_t staged_factor(std::size_t descriptor, std::uint32_t first, std::uint32_t row, std::uint32_t k,
                              Moment at) {
    const auto word = [&](std::size_t i) { return std::uint64_t{index_.staged(at.capture, i)}; };
    const StagedMatrix matrix(word(descriptor + 1) << 32 | word(descriptor));
    const std::uint64_t bits = word(4 + (first + row) * 8 + k / 2) >> k % 2 * 16 & 0xFFFF;
    return read_shared(matrix.address(row, k), 2, at, at.capture, bits);
  }

  const ptx::Program& program_;
  const ptx::Entry& entry_;
  const Recording& recording_;
  const Memory& memory_;
  const CaptureIndex index_;
  device::History history_;
  std::map<std::uint32_t, std::uint32_t> lines_;  ///< by instruction of the entry
  std::map<std::tuple<std::uint32_t, int, std::uint32_t>, std::uint32_t> made_;
};

}  // namespace

device::History slice(const ptx::Program& program, const ptx::Entry& entry, const std::string& module,
                      const Recording& recording, const Memory& memory, std::uint64_t address) {
  device::History history = Slicer(program, entry, recording, memory).slice(address);
  history.kernel = fmt::format("{}:{}", module, entry.name);
  return history;
}

}  // namespace quadpair::emulator
