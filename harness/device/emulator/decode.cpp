#include "harness/device/emulator/decode.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "harness/device/emulator/emitter.hpp"
#include "harness/device/emulator/ptx/analysis.hpp"
#include "harness/device/emulator/ptx/liveness.hpp"
#include "harness/device/emulator/ptx/source_place.hpp"
#include "harness/device/emulator/trace/captures.hpp"

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

/// Lays the blocks out one after another, each with its end, which counts it.
class Layout {
 public:
  Layout(const ptx::Entry& entry, const ptx::ControlFlow& flow, Emitter& emitter,
         const WatchedRegisters& watched)
      : entry_(entry), flow_(flow), emitter_(emitter), watched_(watched) {
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
    for (const auto& [guard, after] : guards_) resolve_guard(guard, after);
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
    emitter_.at(block.first);
    if (joins_[b]) emitter_.emit(utilities.join, {.join = starts_[b]});
    counts_ = {};
    length_ = 0;
    bool ended = false;
    for (std::uint32_t i = block.first; i < block.end; ++i) {
      emitter_.at(i);
      ++length_;
      const ptx::Instruction& instruction = entry_.instructions[i];
      if (jumps(instruction) || leaves(instruction)) {
        count(Kind::branch);
        watched_.before(instruction.uses);
        emit_end(b, instruction);
        ended = true;
      } else {
        emit_guarded(instruction);
      }
    }
    if (!ended) fixes_.push_back({emitter_.emit(utilities.jump, end_of(b)), b + 1, flow_.blocks.size()});
    emitter_.kernel().blocks.push_back(counts_);
  }

  void emit_guarded(const ptx::Instruction& instruction) {
    if (instruction.guard < 0) {
      emit_watched(instruction);
      return;
    }
    const Utilities& utilities = emitter_.table().utilities();
    watched_.before({instruction.guard});
    const std::uint32_t guard = emitter_.emit(utilities.guard, guard_of(instruction));
    emit_watched(instruction);
    const std::uint32_t unguard = emitter_.emit(utilities.unguard, {});
    guards_.push_back({guard, unguard + 1});
  }

  void emit_watched(const ptx::Instruction& instruction) {
    // A fragment may have rows that do not exist: what a matrix instruction makes of them nobody reads.
    if (!instruction.mnemonic.starts_with("mma.")) watched_.before(instruction.uses);
    const bool traced = emitter_.kernel().observation == Observation::history;
    if (traced) emit_before(emitter_, entry_);
    count(decode_instruction(emitter_));
    if (traced) emit_after(emitter_, entry_);
    watched_.after(instruction.defs);
  }

  Instruction guard_of(const ptx::Instruction& instruction) const {
    ptx::Operand predicate;
    predicate.kind = ptx::OperandKind::reg;
    predicate.reg = instruction.guard;
    return {.a = emitter_.register_offset(predicate, 1), .b = instruction.guard_negated ? 1u : 0u};
  }

  void emit_end(std::size_t b, const ptx::Instruction& instruction) {
    const Utilities& utilities = emitter_.table().utilities();
    Instruction end = end_of(b);
    const bool guarded = instruction.guard >= 0;
    if (guarded) {
      const Instruction guard = guard_of(instruction);
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
    return {.immediate = length_, .site = static_cast<std::uint32_t>(b), .join = kNoJoin};
  }

  void count(Kind kind) {
    if (kind != Kind::mma) {
      ++counts_.kinds[static_cast<std::size_t>(kind)];
      return;
    }
    for (const MmaShape shape : all_mma_shapes)
      if (emitter_.current().mnemonic.find(to_string(shape)) != std::string::npos)
        ++counts_.mma[static_cast<std::size_t>(shape)];
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

  void resolve_guard(std::uint32_t guard, std::uint32_t after) {
    Kernel& kernel = emitter_.kernel();
    kernel.full[guard].target = kernel.full.data() + after;
    kernel.masked[guard].target = kernel.masked.data() + after;
  }

  const ptx::Entry& entry_;
  const ptx::ControlFlow& flow_;
  Emitter& emitter_;
  const WatchedRegisters& watched_;
  std::vector<bool> joins_;
  std::vector<std::uint32_t> starts_;
  std::vector<Fix> fixes_;
  std::vector<std::pair<std::uint32_t, std::uint32_t>> guards_;
  BlockCounts counts_;
  std::uint64_t length_ = 0;
};

/// Registers that live where the entry begins: they may be read before they are written, and their values are
/// made the same for every block. All others are written on every way to a read.
std::vector<std::uint32_t> undefined_registers(const ptx::Entry& entry, const ptx::ControlFlow& flow) {
  std::vector<std::uint32_t> undefined;
  if (flow.blocks.empty()) return undefined;
  const ptx::Liveness liveness = ptx::liveness(entry, flow);
  const std::uint64_t* live = liveness.in.of(0);
  for (std::uint32_t r = 0; r < entry.registers.size(); ++r)
    if (live[r / 64] >> (r % 64) & 1) undefined.push_back(r);
  return undefined;
}

}  // namespace

Kernel decode(const ptx::Entry& entry, const std::vector<ptx::SourceFile>& files, const std::string& module,
              const OpcodeTable& table, Observation observation) {
  Kernel kernel;
  kernel.observation = observation;
  kernel.module = module;
  kernel.name = entry.name;
  kernel.parameter_bytes = entry.parameter_bytes;
  kernel.shared_bytes = entry.shared_bytes;
  kernel.max_threads = entry.max_threads;
  for (const ptx::Instruction& instruction : entry.instructions)
    kernel.lines.push_back({instruction.ptx_line, instruction.text,
                            ptx::source_place(files, instruction.source_file, instruction.source_line)});
  kernel.lines.push_back({0, "end of the entry"});
  const ptx::ControlFlow flow = ptx::control_flow(entry);
  const ptx::Slots slots = ptx::allocate_slots(entry, flow);
  const std::vector<std::uint32_t> undefined = undefined_registers(entry, flow);
  for (const std::uint32_t r : undefined)
    kernel.undefined.push_back({slots.offset[r], width_of(entry.registers[r].cls), kUndefined});
  Emitter emitter(entry, slots, table, kernel);
  const WatchedRegisters watched(entry, undefined, emitter);
  Layout layout(entry, flow, emitter, watched);
  layout.emit_all();
  return kernel;
}

}  // namespace quadpair::emulator
