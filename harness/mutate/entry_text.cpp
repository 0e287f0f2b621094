#include "harness/mutate/entry_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

#include "harness/device/emulator/ptx/parser.hpp"
#include "harness/device/emulator/ptx/source_place.hpp"

namespace quadpair::mutate {
namespace {

/// [begin, end) of the text of the entry whose ".entry" stands at `name`, from the begin of that line to the
/// brace that closes its body.
std::pair<std::size_t, std::size_t> extent(std::string_view ptx, std::size_t name) {
  const std::size_t begin = ptx.rfind('\n', name) + 1;
  int depth = 0;
  for (std::size_t i = ptx.find('{', name); i < ptx.size(); ++i) {
    if (ptx[i] == '{') ++depth;
    if (ptx[i] == '}' && --depth == 0) return {begin, i + 1};
  }
  throw std::invalid_argument("an entry does not end");
}

/// Lines before the entry.
std::uint32_t lines_before(std::string_view ptx, std::string_view entry) {
  const std::size_t name = ptx.find(fmt::format(".entry {}(", entry));
  if (name == std::string_view::npos) throw std::invalid_argument(fmt::format("no entry {}", entry));
  return static_cast<std::uint32_t>(std::ranges::count(ptx.substr(0, name), '\n'));
}

/// Everything of the module but other entries. Throws std::invalid_argument where there is no such entry.
std::string cut(std::string_view ptx, std::string_view entry) {
  lines_before(ptx, entry);
  std::string kept;
  std::size_t at = 0;
  for (;;) {
    const std::size_t name = ptx.find(".entry ", at);
    if (name == std::string_view::npos) break;
    const std::size_t word = name + std::string_view(".entry ").size();
    const std::string_view other = ptx.substr(word, ptx.find('(', word) - word);
    const auto [begin, end] = extent(ptx, name);
    kept += ptx.substr(at, (other == entry ? end : begin) - at);
    at = end;
  }
  // What follows is debug information, which names instructions of all entries.
  const std::size_t section = ptx.find("\n\t.section", at);
  return kept.append(ptx.substr(at, section - at));
}

/// Shared memory that no variable has, below all that have some: as on a GPU, an address that lost its base
/// is not right by chance. (From compute capability 8.0 on, CUDA keeps the first KiB of a block for itself.)
constexpr std::uint32_t reserved_shared = 1024;

void raise(ptx::Operand& operand, const ptx::Entry& entry) {
  const bool shared =
      std::ranges::find(entry.shared, operand.name, &ptx::SharedVariable::name) != entry.shared.end();
  if (!operand.name.empty() && shared) operand.value += reserved_shared;
  for (ptx::Operand& element : operand.elements) raise(element, entry);
}

void raise_shared(ptx::Entry& entry) {
  for (ptx::Instruction& instruction : entry.instructions)
    for (ptx::Operand& operand : instruction.operands) raise(operand, entry);
  for (ptx::SharedVariable& variable : entry.shared) variable.offset += reserved_shared;
  if (!entry.shared.empty()) entry.shared_bytes += reserved_shared;
}

}  // namespace

EntryText::EntryText(const Module& module, std::string_view entry)
    : ptx_(cut(module.ptx, entry)),
      sha256_(fmt::format("{} {}", module.ptx_sha256, entry)),
      module_(module),
      program_(ptx::parse(ptx_, module.name)),
      admitted_(admitted_of(module, this->entry())) {
  module_.ptx = ptx_;
  module_.ptx_sha256 = sha256_;
  const std::uint32_t cut_lines = lines_before(module.ptx, entry) - lines_before(ptx_, entry);
  raise_shared(program_.entries.front());
  for (const ptx::Instruction& i : this->entry().instructions)
    places_.push_back({i.text, i.ptx_line + cut_lines,
                       ptx::source_place(program_.files, i.source_file, i.source_line),
                       ptx::source_place(program_.files, i.caller_file, i.caller_line)});
}

DamagedEntry::DamagedEntry(const EntryText& sound)
    : sound_(sound), replacements_(sound.entry()), program_(sound.program()) {}

const ptx::Program& DamagedEntry::with(std::size_t place, std::string_view text) {
  const std::vector<ptx::Instruction>& sound = sound_.entry().instructions;
  ptx::Entry& entry = program_.entries.front();
  if (entry.instructions.size() == sound.size())
    entry.instructions[place_] = sound[place_];
  else
    entry = sound_.entry();
  place_ = place;
  if (text.empty())
    ptx::remove_instruction(entry, place);
  else
    entry.instructions[place] = replacements_.read(text, sound[place]);
  return program_;
}

const ptx::Instruction* DamagedEntry::damaged() const {
  const std::vector<ptx::Instruction>& now = program_.entries.front().instructions;
  return now.size() == sound_.entry().instructions.size() ? &now[place_] : nullptr;
}

}  // namespace quadpair::mutate
