#include "harness/mutate/equivalence/half_function.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <span>

#include "harness/device/emulator/ptx/parser.hpp"

namespace quadpair::mutate {
namespace {

constexpr unsigned threads = 256, all_blocks = 65536 / threads;
constexpr unsigned few_blocks = 8;  ///< tried first: most damages show there

bool is_half(const ptx::Entry& entry, int reg) {
  return entry.registers[static_cast<std::size_t>(reg)].cls == ptx::RegisterClass::b16;
}

/// Whether the instruction's result depends on its registers and nothing else.
bool is_function(const ptx::Instruction& instruction) {
  const auto is_special = [](const ptx::Operand& o) { return o.kind == ptx::OperandKind::special; };
  return only_computes(instruction) && instruction.guard < 0 && instruction.defs.size() == 1 &&
         std::ranges::none_of(instruction.operands, is_special);
}

std::string_view type_of(ptx::RegisterClass cls) {
  switch (cls) {
    case ptx::RegisterClass::predicate: return ".pred";
    case ptx::RegisterClass::b16: return ".b16";
    case ptx::RegisterClass::b32: return ".b32";
    case ptx::RegisterClass::b64: return ".b64";
  }
  return "";
}

}  // namespace

HalfFunctions::HalfFunctions(const ptx::Entry& entry, const Facts& facts) : entry_(entry), facts_(facts) {
  device::EmulatorOptions options;
  options.threads = 1;
  options.variant = &variant_;
  device_ = device::make_emulator(options);
  out_ = device_->allocate("results", 2 * threads * all_blocks, device::Access::output, 0);
  module_.name = "halves";
  module_.target = Target::sm70;
}

/// The instructions that write the 16-bit numbers that the result of `index` has a part in, where it has one
/// in nothing else.
std::vector<std::size_t> HalfFunctions::ends_of(std::size_t index) const {
  std::set<int> reached;  // registers that the result has a part in, before any of these numbers
  std::vector<std::size_t> ends;
  const auto is_reached = [&](int reg) { return reached.contains(reg); };
  const std::size_t end = facts_.end_of_block(index);
  for (std::size_t i = index; i < end; ++i) {
    const ptx::Instruction& instruction = entry_.instructions[i];
    if (i != index && std::ranges::none_of(instruction.uses, is_reached)) continue;
    if (!is_function(instruction)) return {};
    if (is_half(entry_, instruction.defs.front()))
      ends.push_back(i);
    else
      reached.insert(instruction.defs.front());
  }
  const std::vector<bool> needed = facts_.needed_after(end - 1);
  const auto is_needed = [&](int reg) { return needed[static_cast<std::size_t>(reg)]; };
  return std::ranges::any_of(reached, is_needed) ? std::vector<std::size_t>{} : ends;
}

/// The instructions up to `end`, with `there` in the place of `index`, that the result of the last takes.
std::optional<HalfFunctions::Code> HalfFunctions::code(std::size_t index, const ptx::Instruction& there,
                                                       std::size_t end) const {
  Code code;
  std::set<int> wanted;
  bool given = false;  // what wrote the number has been passed
  for (std::size_t i = end + 1; i-- > facts_.first_of_block(index);) {
    const ptx::Instruction& instruction = i == index ? there : entry_.instructions[i];
    const auto is_wanted = [&](int reg) { return wanted.contains(reg); };
    if (i != end && std::ranges::none_of(instruction.defs, is_wanted)) continue;
    if (i != end && std::ranges::find(instruction.defs, code.from) != instruction.defs.end()) {
      wanted.erase(code.from);
      given = true;
      continue;
    }
    if (!is_function(instruction)) return std::nullopt;
    wanted.erase(instruction.defs.front());
    for (const int reg : instruction.uses) {
      if (is_half(entry_, reg) && (given || (code.from >= 0 && code.from != reg))) return std::nullopt;
      if (is_half(entry_, reg)) code.from = reg;
      wanted.insert(reg);
    }
    code.text = fmt::format("{};\n{}", instruction.text, code.text);
  }
  wanted.erase(code.from);
  return wanted.empty() && code.from >= 0 ? std::optional(std::move(code)) : std::nullopt;
}

/// Of the first blocks of threads, each of which has a number of its own; nothing where it does not run.
std::optional<HalfFunctions::Halves> HalfFunctions::results(const Code& code, int to, unsigned blocks) {
  std::string registers;
  for (const ptx::Register& reg : entry_.registers)
    if (code.text.find(reg.name) != std::string::npos)
      fmt::format_to(std::back_inserter(registers), ".reg {} {};\n", type_of(reg.cls), reg.name);
  const auto name = [&](int reg) { return entry_.registers[static_cast<std::size_t>(reg)].name; };
  const std::string text = fmt::format(
      ".version 8.0\n.target sm_70\n.address_size 64\n.visible .entry k(.param .u64 out) .maxntid {0}, 1, "
      "1\n{{\n"
      "{1}.reg .b32 %index, %block, %thread; .reg .b64 %out, %offset;\n"
      "mov.u32 %block, %ctaid.x; mov.u32 %thread, %tid.x; mad.lo.u32 %index, %block, {0}, %thread;\n"
      "mul.lo.u32 %block, %index, 40503; cvt.u16.u32 {2}, %block;\n{3}"
      "ld.param.u64 %out, [out]; mul.wide.u32 %offset, %index, 2; add.s64 %out, %out, %offset;\n"
      "st.global.u16 [%out], {4}; ret;\n}}\n",
      threads, registers, name(code.from), code.text, name(to));
  Halves halves(std::size_t{threads} * blocks);
  try {
    const ptx::Program program = ptx::parse(text, "halves");
    variant_.sha256 = fmt::format("halves {}", programs_++);
    variant_.program = &program;
    module_.ptx_sha256 = variant_.sha256;
    Launch launch;
    launch.module = &module_;
    launch.entry = "k";
    launch.grid = {blocks, 1, 1};
    launch.block = {threads, 1, 1};
    launch.arguments.add(out_->address());
    device_->run(std::vector{launch});
  } catch (const ptx::ParseError&) {
    return std::nullopt;
  } catch (const device::Fault&) {
    return std::nullopt;
  }
  out_->download(std::as_writable_bytes(std::span(halves)));
  return halves;
}

bool HalfFunctions::same(std::size_t index, const ptx::Instruction& damaged) {
  if (!is_function(damaged) || damaged.defs != entry_.instructions[index].defs) return false;
  const std::vector<std::size_t> ends = ends_of(index);
  return !ends.empty() &&
         std::ranges::all_of(ends, [&](std::size_t end) { return same_at(end, index, damaged); });
}

bool HalfFunctions::same_at(std::size_t end, std::size_t index, const ptx::Instruction& damaged) {
  const auto one = code(index, entry_.instructions[index], end), other = code(index, damaged, end);
  if (!one || !other || one->from != other->from) return false;
  const int to = entry_.instructions[end].defs.front();
  auto sound = sound_.find(one->text);
  if (sound == sound_.end()) {
    auto found = results(*one, to, all_blocks);
    if (!found) return false;
    sound = sound_.emplace(one->text, std::move(*found)).first;
  }
  for (const unsigned blocks : {few_blocks, all_blocks}) {
    const auto found = results(*other, to, blocks);
    if (!found || !std::ranges::equal(*found, std::span(sound->second).first(found->size()))) return false;
  }
  return true;
}

}  // namespace quadpair::mutate
