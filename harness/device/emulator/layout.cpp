#include "harness/device/emulator/layout.hpp"

#include <map>

#include "harness/device/emulator/emitter.hpp"
#include "harness/device/emulator/trace/captures.hpp"
#include "harness/device/emulator/trace/fragments.hpp"
#include "harness/device/emulator/warpgroup.hpp"

namespace quadpair::emulator {
namespace {

/// The observers of registers that may be read before they are written.
class WatchedRegisters {
 public:
  WatchedRegisters(const ptx::Entry& entry, const std::vector<std::uint32_t>& undefined, Emitter& emitter)
      : emitter_(emitter) {
    Kernel& kernel = emitter.kernel();
    if (kernel.observation != Observation::faults) return;
    for (const std::uint32_t r : undefined) {
      numbers_[static_cast<int>(r)] = static_cast<std::uint32_t>(kernel.watched.size());
      kernel.watched.push_back({entry.registers[r].name, emitter.new_slot()});
      kernel.undefined.push_back({kernel.watched.back().written, 1, 0});  // at first nobody has written it
    }
  }

  void before(const std::vector<int>& uses) const { emit(&Observers::check_written, uses); }
  void after(const std::vector<int>& definitions) const { emit(&Observers::mark_written, definitions); }

 private:
  void emit(Handlers Observers::*handlers, const std::vector<int>& registers) const {
    for (const int reg : registers)
      if (const auto found = numbers_.find(reg); found != numbers_.end())
        emitter_.emit_when_watched(
            handlers, {.a = emitter_.kernel().watched[found->second].written, .site = found->second});
  }

  Emitter& emitter_;
  std::map<int, std::uint32_t> numbers_;  ///< of the watched ones
};

class Layout {
 public:
  Layout(const ptx::Entry& entry, const ptx::ControlFlow& flow, Emitter& emitter,
         const WatchedRegisters& watched, const FusedLayout* fused = nullptr)
      : entry_(entry), flow_(flow), emitter_(emitter), watched_(watched), fused_(fused) {
    joins_.resize(flow.blocks.size() + 1);
    starts_.resize(flow.blocks.size() + 1);
    for (std::size_t b = 0; b < flow.blocks.size(); ++b) {
      const ptx::Instruction& last = entry.instructions[flow.blocks[b].end - 1];
      if (jumps(last) && last.guard >= 0) joins_[flow.post_dominator[b]] = true;
    }
    joins_.back() = false;  // nothing runs after the exit
  }

  void emit_all() {
    for (std::size_t b = 0; b < flow_.blocks.size(); ++b) emit_block(b);
    starts_.back() = emitter_.next();
    emitter_.emit(emitter_.table().utilities().exit,
                  {.site = static_cast<std::uint32_t>(flow_.blocks.size())});
    emitter_.kernel().blocks.emplace_back();
    for (const Fix& fix : fixes_) resolve(fix);
    for (const auto& [from, to] : jumps_over_) resolve_jump_over(from, to);
  }

 private:
  struct Fix {
    std::uint32_t instruction;
    std::size_t target, join;  ///< blocks
  };

  static bool leaves(const ptx::Instruction& instruction) {
    return instruction.mnemonic == "ret" || instruction.mnemonic == "ret.uni" ||
           instruction.mnemonic == "exit";
  }
  static bool jumps(const ptx::Instruction& instruction) {
    return instruction.mnemonic == "bra" || instruction.mnemonic == "bra.uni";
  }

  void emit_block(std::size_t b) {
    const ptx::Block& block = flow_.blocks[b];
    const Utilities& utilities = emitter_.table().utilities();
    starts_[b] = emitter_.next();
    emitter_.at(block.first, fused_ ? fused_->instructions[block.first].origin : block.first);
    if (joins_[b]) emitter_.emit(utilities.join, {.join = starts_[b]});
    counts_ = {};
    bool ended = false;
    for (std::uint32_t i = block.first; i < block.end; ++i) {
      emitter_.at(i, fused_ ? fused_->instructions[i].origin : i);
      ++counts_.length;
      const ptx::Instruction& instruction = entry_.instructions[i];
      if (jumps(instruction) || leaves(instruction)) {
        count(Kind::branch);
        watched_.before(instruction.uses);
        emit_end(b, instruction);
        ended = true;
      } else {
        emit_any(instruction, i);
      }
    }
    if (!ended) fixes_.push_back({emitter_.emit(utilities.jump, end_of(b)), b + 1, flow_.blocks.size()});
    emitter_.kernel().blocks.push_back(fused_ ? fused_->blocks[b] : counts_);
  }

  void emit_any(const ptx::Instruction& instruction, std::size_t index) {
    if (fused_ && fused_->instructions[index].otherwise)
      emit_or_else(instruction, *fused_->instructions[index].otherwise);
    else if (instruction.guard >= 0)
      emit_guarded(instruction, guard_of(instruction.guard, instruction.guard_negated));
    else
      emit_watched(instruction);
  }

  /// Yields where the instruction itself begins.
  std::uint32_t emit_guarded(const ptx::Instruction& instruction, const Instruction& condition) {
    const Utilities& utilities = emitter_.table().utilities();
    if (instruction.guard >= 0) watched_.before({instruction.guard});
    const std::uint32_t guard = emitter_.emit(utilities.guard, condition);
    emit_watched(instruction);
    const std::uint32_t unguard = emitter_.emit(utilities.unguard, {});
    jumps_over_.push_back({guard, unguard + 1});
    return guard + 1;
  }

  /// A load, in lanes whose guard holds; a constant in the others.
  void emit_or_else(const ptx::Instruction& instruction, const Otherwise& otherwise) {
    const Instruction condition = guard_of(otherwise.predicate, otherwise.negated);
    const std::uint32_t shortcut = emitter_.emit(emitter_.table().utilities().guard_all, condition);
    std::vector<std::uint32_t> offsets;
    for (const int reg : instruction.defs) offsets.push_back(emitter_.register_offset(reg, 32));
    emit_constants(emitter_, std::move(offsets), otherwise.value);
    jumps_over_.push_back({shortcut, emit_guarded(instruction, condition)});
  }

  void emit_watched(const ptx::Instruction& instruction) {
    // A fragment may have rows that do not exist: what a matrix instruction makes of them nobody reads.
    if (!instruction.mnemonic.starts_with("mma.") && !instruction.mnemonic.starts_with("wgmma."))
      watched_.before(instruction.uses);
    const bool traced = emitter_.kernel().observation == Observation::history;
    if (traced) emit_before(emitter_, entry_);
    count(decode_instruction(emitter_));
    if (traced) emit_after(emitter_, entry_);
    watched_.after(instruction.defs);
  }

  Instruction guard_of(int predicate, bool negated) const {
    return {.a = emitter_.register_offset(predicate, 1), .b = negated ? 1u : 0u};
  }

  void emit_end(std::size_t b, const ptx::Instruction& instruction) {
    const Utilities& utilities = emitter_.table().utilities();
    Instruction end = end_of(b);
    const bool guarded = instruction.guard >= 0;
    if (guarded) {
      const Instruction guard = guard_of(instruction.guard, instruction.guard_negated);
      end.a = guard.a;
      end.b = guard.b;
    }
    if (leaves(instruction)) {
      emitter_.emit(guarded ? utilities.guarded_exit : utilities.exit, end);
      return;
    }
    if (instruction.operands.size() != 1 || instruction.operands[0].kind != ptx::OperandKind::label)
      emitter_.refuse("branch without a label");
    const std::uint64_t label = instruction.operands[0].value;
    const std::size_t target =
        label < entry_.instructions.size() ? flow_.block_of[label] : flow_.blocks.size();
    const std::uint32_t at = emitter_.emit(guarded ? utilities.branch : utilities.jump, end);
    fixes_.push_back({at, target, flow_.post_dominator[b]});
  }

  Instruction end_of(std::size_t b) const {
    const std::uint32_t length = fused_ ? fused_->blocks[b].length : counts_.length;
    return {.immediate = length, .site = static_cast<std::uint32_t>(b), .join = kNoJoin};
  }

  void count(Kind kind) {
    if (kind != Kind::mma) {
      ++counts_.kinds[static_cast<std::size_t>(kind)];
      return;
    }
    const std::string& mnemonic = emitter_.current().mnemonic;
    if (const auto shape = mma_shape(mnemonic)) ++counts_.mma[static_cast<std::size_t>(*shape)];
    if (const std::uint32_t columns = warpgroup_columns(mnemonic); columns != 0)
      ++counts_.warpgroup[columns / 8 - 1];
  }

  void resolve(const Fix& fix) {
    Kernel& kernel = emitter_.kernel();
    // A full warp has nobody to wait for: it goes past the join.
    kernel.full[fix.instruction].target =
        kernel.full.data() + starts_[fix.target] + (joins_[fix.target] ? 1 : 0);
    kernel.masked[fix.instruction].target = kernel.masked.data() + starts_[fix.target];
    const std::uint32_t join = fix.join < flow_.blocks.size() ? starts_[fix.join] : kNoJoin;
    kernel.full[fix.instruction].join = kernel.masked[fix.instruction].join = join;
  }

  void resolve_jump_over(std::uint32_t from, std::uint32_t to) {
    Kernel& kernel = emitter_.kernel();
    kernel.full[from].target = kernel.full.data() + to;
    kernel.masked[from].target = kernel.masked.data() + to;
  }

  const ptx::Entry& entry_;
  const ptx::ControlFlow& flow_;
  Emitter& emitter_;
  const WatchedRegisters& watched_;
  const FusedLayout* fused_;  ///< of a fused entry
  std::vector<bool> joins_;
  std::vector<std::uint32_t> starts_;
  std::vector<Fix> fixes_;
  std::vector<std::pair<std::uint32_t, std::uint32_t>> jumps_over_;
  BlockCounts counts_;
};

}  // namespace

void lay_out(const ptx::Entry& entry, const ptx::ControlFlow& flow,
             const std::vector<std::uint32_t>& undefined, const OpcodeTable& table, Kernel& kernel,
             const FusedLayout* fused) {
  const ptx::Slots slots = ptx::allocate_slots(entry, flow);
  for (const std::uint32_t r : undefined)
    kernel.undefined.push_back({slots.offset[r], width_of(entry.registers[r].cls), kUndefined});
  Emitter emitter(entry, slots, table, kernel);
  const WatchedRegisters watched(entry, undefined, emitter);
  Layout layout(entry, flow, emitter, watched, fused);
  layout.emit_all();
}

}  // namespace quadpair::emulator
