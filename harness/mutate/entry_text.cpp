#include "harness/mutate/entry_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

#include "harness/device/emulator/ptx/parser.hpp"
#include "harness/device/emulator/ptx/source_place.hpp"

namespace quadpair::mutate {
namespace {

/// Begins of lines, the first one at 0.
std::vector<std::size_t> lines_of(std::string_view text) {
  std::vector<std::size_t> begins = {0};
  for (std::size_t i = 0; i < text.size(); ++i)
    if (text[i] == '\n') begins.push_back(i + 1);
  return begins;
}

/// [begin, end) of the entry's text, from ".visible .entry NAME(" to the brace that closes its body.
std::pair<std::size_t, std::size_t> extent(std::string_view ptx, std::string_view entry) {
  const std::size_t name = ptx.find(fmt::format(".entry {}(", entry));
  if (name == std::string_view::npos) throw std::invalid_argument(fmt::format("no entry {}", entry));
  const std::size_t begin = ptx.rfind('\n', name) + 1;
  int depth = 0;
  for (std::size_t i = ptx.find('{', name); i < ptx.size(); ++i) {
    if (ptx[i] == '{') ++depth;
    if (ptx[i] == '}' && --depth == 0) return {begin, i + 1};
  }
  throw std::invalid_argument(fmt::format("entry {} does not end", entry));
}

/// Everything of the module but other entries.
std::string cut(std::string_view ptx, std::string_view entry) {
  std::string kept;
  std::size_t at = 0;
  for (;;) {
    const std::size_t name = ptx.find(".entry ", at);
    if (name == std::string_view::npos) break;
    const std::size_t word = name + std::string_view(".entry ").size();
    const std::string_view other = ptx.substr(word, ptx.find('(', word) - word);
    const auto [begin, end] = extent(ptx, other);
    kept += ptx.substr(at, (other == entry ? end : begin) - at);
    at = end;
  }
  // What follows is debug information, which names instructions of all entries.
  const std::size_t section = ptx.find("\n\t.section", at);
  return kept.append(ptx.substr(at, section - at));
}

/// Without line information and comments: less to read for every mutant.
std::string without_locations(std::string_view ptx) {
  std::string kept;
  for (std::size_t at = 0; at < ptx.size();) {
    const std::size_t end = std::min(ptx.find('\n', at), ptx.size() - 1) + 1;
    const std::string_view line = ptx.substr(at, end - at);
    const std::size_t first = line.find_first_not_of(" \t");
    const std::string_view word = first == std::string_view::npos ? "" : line.substr(first);
    if (!word.starts_with(".loc") && !word.starts_with("//") && !word.starts_with("\n")) kept += line;
    at = end;
  }
  return kept;
}

const ptx::Entry& find_entry(const ptx::Program& program, std::string_view entry) {
  const auto found = std::ranges::find(program.entries, entry, &ptx::Entry::name);
  if (found == program.entries.end()) throw std::invalid_argument(fmt::format("no entry {}", entry));
  return *found;
}

}  // namespace

EntryText::EntryText(const Module& module, std::string_view entry) {
  const std::string located = cut(module.ptx, entry);
  ptx_ = without_locations(located);
  const ptx::Program program = ptx::parse(located, module.name), bare = ptx::parse(ptx_, module.name);
  const std::vector<ptx::Instruction>& with_source = find_entry(program, entry).instructions;
  const std::vector<ptx::Instruction>& in_text = find_entry(bare, entry).instructions;
  const auto line_of_entry = [&](std::string_view text) {
    const std::string_view before = text.substr(0, extent(text, entry).first);
    return static_cast<std::uint32_t>(std::ranges::count(before, '\n'));
  };
  const std::uint32_t cut_lines = line_of_entry(module.ptx) - line_of_entry(located);
  const std::vector<std::size_t> lines = lines_of(ptx_);
  for (std::size_t i = 0; i < in_text.size(); ++i) {
    const ptx::Instruction& source = with_source.at(i);
    Place place;
    place.text = source.text;
    place.ptx_line = source.ptx_line + cut_lines;
    place.source = ptx::source_place(program.files, source.source_file, source.source_line);
    place.caller = ptx::source_place(program.files, source.caller_file, source.caller_line);
    place.defs = source.defs;
    // One instruction a line, which white space may begin.
    place.begin = ptx_.find_first_not_of(" \t", lines.at(in_text[i].ptx_line - 1));
    place.end = ptx_.find(';', place.begin) + 1;
    const std::string_view rest =
        std::string_view(ptx_).substr(place.end, ptx_.find('\n', place.end) - place.end);
    if (place.end > lines.at(in_text[i].ptx_line) || rest.find(';') != std::string_view::npos)
      throw std::invalid_argument(fmt::format("not one instruction in PTX line {}", place.ptx_line));
    places_.push_back(std::move(place));
  }
}

std::string EntryText::with(std::size_t place, std::string_view text) const {
  const Place& at = places_.at(place);
  std::string ptx;
  ptx.reserve(ptx_.size() + text.size());
  ptx.append(ptx_, 0, at.begin);
  if (!text.empty()) ptx.append(text).append(";");
  return ptx.append(ptx_, at.end);
}

}  // namespace quadpair::mutate
