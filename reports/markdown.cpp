#include "reports/markdown.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "reports/ledger_table.hpp"
#include "reports/markdown_table.hpp"
#include "reports/matrix.hpp"
#include "reports/ratios.hpp"
#include "reports/text.hpp"

namespace quadpair::reports {
namespace {

/// Shares of the parts, in bytes. With headings and folds they stay below the limit.
struct Shares {
  std::size_t notices = 4'000, not_passed = 14'000, weighted = 9'000, comparisons = 13'000, matrix = 11'000,
              ledger = 6'000, runs = 5'000;
};
constexpr Shares shares;

/// A comparison across is readable up to here; more go into further tables.
constexpr std::size_t columns_across = 6;
constexpr std::size_t matrix_columns = 16;

std::string folded(const std::string& summary, const std::string& text) {
  return fmt::format("\n<details>\n<summary>{}</summary>\n\n{}\n</details>\n", escaped(summary), text);
}

std::string mark(Status status) {
  switch (status) {
    case Status::passed: return "✅";
    case Status::failed:
    case Status::refused: return "❌";
    case Status::mistrusted: return "⚠️";
    case Status::skipped: break;
  }
  return "⏭️";
}

std::string heading(const Collection& collection) {
  const Summary summary = collection.summary();
  std::string text;
  if (!collection.runs.empty()) {
    text = fmt::format("### {} Quadpair: {}\n", mark(worst(summary)), summary_text(summary));
    if (std::ranges::any_of(collection.runs, [](const auto& run) { return !run.value.timings.empty(); }))
      text += fmt::format("\n{}.\n", comparisons_text(collection));
  } else {
    text = "### Quadpair: storage ledger\n";
  }
  return text;
}

std::string notices_text(const Collection& collection) {
  std::string text;
  const std::vector<std::string> all = notices(collection);
  for (std::size_t i = 0; i < all.size(); ++i) {
    const std::string line = fmt::format("- {}\n", markdown_text(shortened(all[i], 400)));
    if (text.size() + line.size() > shares.notices)
      return fmt::format("\n{}- {} not shown here.\n", text, counted(all.size() - i, "remark"));
    text += line;
  }
  return text.empty() ? "" : fmt::format("\n{}", text);
}

std::string not_passed_text(const Collection& collection) {
  std::vector<const CaseRecord*> cases;
  for (const Status status : {Status::failed, Status::refused, Status::mistrusted})
    for (const auto& [file, report] : collection.runs)
      for (const CaseRecord& record : report.cases)
        if (record.status == status) cases.push_back(&record);
  if (cases.empty()) return "";
  const MarkdownTable table{{"status", "case", "reason", "repeat"}, cases.size(), [&](std::size_t i) {
                              const CaseRecord& c = *cases[i];
                              return std::vector<std::string>{std::string(to_string(c.status)),
                                                              markdown_code(c.id), markdown_code(c.reason),
                                                              markdown_code(c.repro, 400)};
                            }};
  return fmt::format("\n#### Not passed\n\n{}", markdown(table, shares.not_passed, "case"));
}

std::string weighted_part(const WeightedTable& weighted, std::size_t first, std::size_t last,
                          std::size_t limit) {
  MarkdownTable table{
      {">M"}, weighted.rows.size(), [&](std::size_t i) {
        const auto& [m, columns] = *std::next(weighted.rows.begin(), static_cast<std::ptrdiff_t>(i));
        std::vector<std::string> cells{std::to_string(m)};
        for (std::size_t c = first; c < last; ++c) {
          const auto found = columns.find(c);
          cells.push_back(found == columns.end() ? ""
                                                 : fmt::format("{} ({})", ratio_text(found->second->ratio),
                                                               interval_text(found->second->ratio_low,
                                                                             found->second->ratio_high)));
        }
        return cells;
      }};
  for (std::size_t c = first; c < last; ++c)
    table.heads.push_back(fmt::format(">{}", markdown_code(weighted.names[c])));
  return markdown(table, limit, "row") + "\n";
}

std::string weighted_text(const Collection& collection) {
  const WeightedTable weighted = weighted_table(collection);
  if (weighted.names.empty()) return "";
  std::string text;
  const std::size_t tables = (weighted.names.size() + columns_across - 1) / columns_across;
  for (std::size_t t = 0; t < tables; ++t) {
    const std::size_t first = t * columns_across;
    const std::size_t last = std::min(first + columns_across, weighted.names.size());
    const std::string part = weighted_part(weighted, first, last, shares.weighted - text.size());
    if (text.size() + part.size() > shares.weighted) {
      text += fmt::format("{} not shown here.\n", counted(weighted.names.size() - first, "column"));
      break;
    }
    text += part;
  }
  return fmt::format("\nWeighted by how often a model calls each projection, with 99 % intervals:\n\n{}",
                     text);
}

std::string comparisons_table(const Collection& collection) {
  struct Place {
    std::size_t run;
    const TimingRecord* timing;
  };
  std::vector<Place> places;
  for (std::size_t run = 0; run < collection.runs.size(); ++run)
    for (const TimingRecord& timing : collection.runs[run].value.timings) places.push_back({run, &timing});
  if (places.empty()) return "";
  const MarkdownTable table{
      {"case", "against", "verdict", ">ratio", ">99 % interval", ">A/A", ">candidate", ">control", ">samples",
       ">dropped", ">bandwidth"},
      places.size(),
      [&](std::size_t i) {
        const TimingRecord& t = *places[i].timing;
        const std::string label = run_label(collection, places[i].run);
        return std::vector<std::string>{
            markdown_code(t.id),
            markdown_code(t.control) + (label.empty() ? "" : fmt::format(" ({})", label)),
            markdown_text(t.verdict),
            ratio_text(t.ratio),
            interval_text(t.ratio_low, t.ratio_high),
            ratio_text(t.aa_ratio),
            median_text(t, t.candidate_median),
            median_text(t, t.control_median),
            grouped(t.samples),
            grouped(t.dropped),
            percent_text(t.bandwidth_fraction)};
      }};
  return folded(comparisons_text(collection), markdown(table, shares.comparisons, "comparison"));
}

std::string ratios_text(const Collection& collection) {
  const std::string weighted = weighted_text(collection), each = comparisons_table(collection);
  if (weighted.empty() && each.empty()) return "";
  return fmt::format("\n#### Ratios, candidate / control\n\nBelow 1 the candidate takes less.\n{}{}",
                     weighted, each);
}

std::string cell_text(const MatrixCell& cell) {
  const Summary& s = cell.summary;
  const Status status = worst(s);
  if (status == Status::skipped) return "–";
  if (status == Status::passed) return grouped(s.passed);
  return fmt::format("**{} of {} {}**", grouped(count_of(s, status)), grouped(s.total()), to_string(status));
}

std::string matrix_text(const Collection& collection) {
  const Matrix matrix = matrix_of(collection, matrix_columns);
  if (matrix.rows.empty()) return "";
  MarkdownTable table{{"operator, target/model"}, matrix.rows.size(), [&](std::size_t i) {
                        const MatrixRow& row = matrix.rows[i];
                        std::vector<std::string> cells{markdown_code(to_string(row.key))};
                        if (!matrix.one_device) cells[0].append(" ").append(markdown_code(row.key.device));
                        for (std::size_t c = 0; c < matrix.columns.size(); ++c) {
                          const auto found = row.cells.find(c);
                          cells.push_back(found == row.cells.end() ? "" : cell_text(found->second));
                        }
                        return cells;
                      }};
  for (const Rows& column : matrix.columns) table.heads.push_back(fmt::format(">M {}", to_string(column)));
  const Summary summary = collection.summary();
  const std::string skipped = summary.skipped == 0 ? ""
                                                   : fmt::format("\n{} skipped, not counted above.\n",
                                                                 counted(summary.skipped, "case"));
  return folded(fmt::format("Correctness, bit for bit: {}", summary_text(summary)),
                fmt::format("Passed cases by operator and rows M.\n\n{}{}",
                            markdown(table, shares.matrix, "row"), skipped));
}

std::string ledger_text(const Ledger& ledger, std::size_t limit) {
  const LedgerTable table = ledger_table(ledger);
  const auto row = [&](std::size_t i) {
    const LedgerTable::Row& of = table.rows[i];
    std::vector<std::string> cells{markdown_code(of.name)};
    for (std::size_t p = 0; p < table.policies.size(); ++p) {
      cells.push_back(gibibytes(static_cast<std::int64_t>(of.bytes[p])));
      if (p == table.base) continue;
      const std::int64_t change = of.difference(p, table.base);
      cells.push_back(change == 0 ? "0" : fmt::format("{} ({})", signed_grouped(change), gibibytes(change)));
    }
    return cells;
  };
  MarkdownTable text{{"over all ranks"}, table.rows.size(), row};
  for (std::size_t p = 0; p < table.policies.size(); ++p) {
    text.heads.push_back(fmt::format(">{} GiB", markdown_code(table.policies[p])));
    if (p != table.base)
      text.heads.push_back(fmt::format(">{} − {} bytes (GiB)", markdown_code(table.policies[p]),
                                       markdown_code(table.policies[table.base])));
  }
  return markdown(text, limit, "item");
}

std::string ledgers_text(const Collection& collection) {
  std::string text;
  const std::vector<From<Ledger>> ledgers = ledgers_of(collection);
  for (std::size_t i = 0; i < ledgers.size(); ++i) {
    const auto& [file, ledger] = ledgers[i];
    const std::string part = fmt::format("\n{} ({}):\n\n", markdown_code(file), counted(ledger.tp, "rank")) +
                             ledger_text(ledger, shares.ledger / 2);
    if (text.size() + part.size() > shares.ledger) {
      text += fmt::format("\n{} not shown here.\n", counted(ledgers.size() - i, "ledger"));
      break;
    }
    text += part;
  }
  return text.empty() ? "" : fmt::format("\n#### Storage of the weights\n{}", text);
}

std::string environment_text(const Collection& collection) {
  if (collection.runs.empty()) return "";
  const MarkdownTable table{
      {"", "file", "device", "driver, runtime", "clocks MHz", "host", "build", "started", "command"},
      collection.runs.size(),
      [&](std::size_t i) {
        const RunRecord& run = collection.runs[i].value.run;
        std::string clocks;
        for (const auto& [name, mhz] : run.device.clocks_mhz)
          clocks += fmt::format("{}{} {:.0f}", clocks.empty() ? "" : ", ", name, mhz);
        return std::vector<std::string>{
            fmt::format("run {}", i + 1),
            markdown_code(collection.runs[i].file),
            markdown_code(run.device.name),
            markdown_code(run.device.driver.empty() ? "" : run.device.driver + ", " + run.device.runtime),
            markdown_code(clocks),
            markdown_code(fmt::format("{}, {} cores, {}", run.host.cpu, run.host.cores, run.host.os)),
            markdown_code(fmt::format("{} git {}{}", run.version, run.git.revision.substr(0, 12),
                                      run.git.dirty ? ", changed" : "")),
            markdown_code(run.started),
            markdown_code(run.command, 400)};
      }};
  return folded("Environment", markdown(table, shares.runs, "run"));
}

}  // namespace

std::string to_markdown(const Collection& collection) {
  return heading(collection) + notices_text(collection) + not_passed_text(collection) +
         ratios_text(collection) + matrix_text(collection) + ledgers_text(collection) +
         environment_text(collection);
}

}  // namespace quadpair::reports
