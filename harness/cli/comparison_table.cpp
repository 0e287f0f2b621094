#include "harness/cli/comparison_table.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>

#include "harness/cli/results.hpp"
#include "harness/cli/table.hpp"

namespace quadpair::cli {
namespace {

using reports::Amount;
using reports::Bits;
using reports::CaseChange;
using reports::Comparison;
using reports::Speed;
using reports::TimeChange;

Table::Cell bits_cell(const CaseChange& c) {
  switch (c.bits) {
    case Bits::same: return {"same"};
    case Bits::alarm: return {"OTHER, SAME CODE", Tint::red};
    case Bits::other_code: return {"other, other code", Tint::yellow};
    case Bits::none: break;
  }
  return {"-"};
}

Table::Cell status_cell(const CaseChange& c) {
  if (c.base_status == c.status)
    return {std::string(to_string(c.status)), c.wrong() ? Tint::red : Tint::plain};
  return {fmt::format("{}, was {}", to_string(c.status), to_string(c.base_status)),
          c.wrong() ? Tint::red : Tint::yellow};
}

Table::Cell speed_cell(const TimeChange& time) {
  const std::string word(to_string(time.speed));
  switch (time.speed) {
    case Speed::same: return {word};
    case Speed::faster: return {word, Tint::green};
    case Speed::slower: return {word, Tint::red};
    case Speed::ambiguous: break;
  }
  return {word, Tint::yellow};
}

Table::Cell cost_cell(const CaseChange& c) {
  if (c.costs.empty()) return {"-"};
  const auto grew = std::ranges::count_if(c.costs, &Amount::grew);
  if (grew == 0) return {"less", Tint::green};
  return {grew == static_cast<std::ptrdiff_t>(c.costs.size()) ? "more" : "more and less", Tint::red};
}

bool worth_a_row(const CaseChange& c) {
  return !c.times.empty() || !c.costs.empty() || c.base_status != c.status || c.wrong() ||
         c.bits == Bits::other_code;
}

std::string table_text(const Comparison& comparison, const Style& style) {
  Table table({"case", "status", "bits", "cost", "time", "against", "by", "ratio", "interval"}, 7);
  const std::string flag = comparison.across.empty() ? "" : "across ";
  for (const CaseChange& c : comparison.cases) {
    if (!worth_a_row(c)) continue;
    const std::string id = c.id == c.base_id ? flag + c.id : fmt::format("{}{} <- {}", flag, c.id, c.base_id);
    if (c.times.empty())
      table.add({{id}, status_cell(c), bits_cell(c), cost_cell(c), {"-"}, {"-"}, {"-"}, {"-"}, {"-"}});
    for (const TimeChange& t : c.times)
      table.add({{id},
                 status_cell(c),
                 bits_cell(c),
                 cost_cell(c),
                 speed_cell(t),
                 {t.control},
                 {t.evidence.empty() ? "-" : t.evidence},
                 {t.ratio ? fmt::format("{:.3f}", *t.ratio) : "-"},
                 {t.low && t.high ? fmt::format("{:.3f}..{:.3f}", *t.low, *t.high) : "-"}});
  }
  return table.rows() == 0 ? "" : table.text(style) + "\n";
}

std::string amount_line(const std::string& what, const Amount& a, const Style& style) {
  const std::string change =
      a.base > 0
          ? fmt::format(" ({:+.2f} %)", 100.0 * (static_cast<double>(a.now) - static_cast<double>(a.base)) /
                                            static_cast<double>(a.base))
          : "";
  return fmt::format(
      "{}: {} {}\n", what, a.name,
      style(a.grew() ? Tint::red : Tint::green, fmt::format("{} -> {}{}", a.base, a.now, change)));
}

/// What a row has no room for.
std::string details(const Comparison& comparison, const Style& style) {
  std::string text;
  std::map<std::string, std::size_t> reasons;
  const std::string flag = comparison.across.empty() ? "" : "across ";
  for (const CaseChange& c : comparison.cases) {
    if (c.bits == Bits::alarm || c.bits == Bits::other_code)
      text += fmt::format("{}{}: other bits in {}\n", flag, c.id, fmt::join(c.differing, ", "));
    for (const Amount& amount : c.costs) text += amount_line(flag + c.id, amount, style);
    for (const TimeChange& t : c.times)
      if (!t.reason.empty()) ++reasons[t.reason];
  }
  for (const Amount& amount : comparison.ledger) text += amount_line("ledger", amount, style);
  for (const auto& [reason, count] : reasons)
    text += fmt::format("{} not judged: {}\n", counted(count), reason);
  return text;
}

std::string only_in_one(const std::vector<std::string>& ids, std::string_view what) {
  constexpr std::size_t shown = 20;
  std::string text;
  for (std::size_t i = 0; i < std::min(ids.size(), shown); ++i) text += fmt::format("{}: {}\n", what, ids[i]);
  if (ids.size() > shown) text += fmt::format("{}: and {} more\n", what, ids.size() - shown);
  return text;
}

std::string summary_line(const Comparison& comparison, const Style& style) {
  std::string text = fmt::format("{} compared", counted(comparison.compared()));
  const auto add = [&](std::ptrdiff_t n, std::string_view what, Tint tint) {
    if (n > 0) text += ", " + style(tint, fmt::format("{} {}", n, what));
  };
  const auto& cases = comparison.cases;
  add(std::ranges::count(cases, Bits::same, &CaseChange::bits), "with the same bits", Tint::plain);
  add(std::ranges::count(cases, Bits::alarm, &CaseChange::bits), "with other bits by the same code",
      Tint::red);
  add(std::ranges::count(cases, Bits::other_code, &CaseChange::bits), "with other bits by other code",
      Tint::yellow);
  add(std::ranges::count_if(cases, [](const auto& c) { return c.wrong() && c.bits != Bits::alarm; }),
      "failed or refused", Tint::red);
  add(std::ranges::count_if(cases, &CaseChange::slower), "slower", Tint::red);
  add(std::ranges::count_if(cases, &CaseChange::costlier), "costlier", Tint::red);
  add(std::ranges::count_if(cases,
                            [](const auto& c) {
                              return std::ranges::find(c.times, Speed::faster, &TimeChange::speed) !=
                                     c.times.end();
                            }),
      "faster", Tint::green);
  add(std::ranges::count_if(cases, &CaseChange::ambiguous), "ambiguous", Tint::yellow);
  add(static_cast<std::ptrdiff_t>(comparison.added.size()), "added", Tint::plain);
  add(static_cast<std::ptrdiff_t>(comparison.gone.size()), "gone", Tint::yellow);
  return text + "\n";
}

}  // namespace

std::string comparison_text(const Comparison& comparison, const Style& style) {
  std::string text;
  for (const std::string& what : comparison.across)
    text += style(Tint::yellow, fmt::format("not alike: {}", what)) + "\n";
  for (const std::string& note : comparison.notes) text += fmt::format("note: {}\n", note);
  text += table_text(comparison, style) + details(comparison, style);
  text += only_in_one(comparison.added, "added") + only_in_one(comparison.gone, "gone");
  return text + summary_line(comparison, style);
}

}  // namespace quadpair::cli
