#include <fmt/format.h>

#include <set>

#include "reports/html/sections.hpp"
#include "reports/ledger_table.hpp"
#include "reports/text.hpp"

namespace quadpair::reports::html {
namespace {

using enum Table::Column;

Html ledger(const From<Ledger>& from) {
  const LedgerTable ledger = ledger_table(from.value);
  std::vector<Table::Head> heads{{text("buffer")}};
  for (std::size_t p = 0; p < ledger.policies.size(); ++p) {
    heads.push_back({text(ledger.policies[p] + ", bytes"), number});
    heads.push_back({text("GiB"), number});
    if (p != ledger.base)
      heads.push_back(
          {text(fmt::format("{} − {}, GiB", ledger.policies[p], ledger.policies[ledger.base])), number});
  }
  Table table(fmt::format("Storage over {} ({})", counted(from.value.tp, "rank"), from.file), heads);
  for (const LedgerTable::Row& row : ledger.rows) {
    std::vector<Table::Cell> cells{{code(row.name)}};
    for (std::size_t p = 0; p < ledger.policies.size(); ++p) {
      cells.push_back({text(grouped(row.bytes[p]))});
      cells.push_back({text(gibibytes(static_cast<std::int64_t>(row.bytes[p])))});
      if (p == ledger.base) continue;
      const std::int64_t change = row.difference(p, ledger.base);
      cells.push_back({text(change == 0 ? "0" : gibibytes(change))});
    }
    table.add(std::move(cells));
  }
  return table.html();
}

Html runs(const Collection& collection) {
  Table table("Runs", {{text("run")},
                       {text("file")},
                       {text("device")},
                       {text("arithmetic")},
                       {text("driver, runtime")},
                       {text("clocks MHz")},
                       {text("host")},
                       {text("build")},
                       {text("started, finished (UTC)")},
                       {text("seed"), number},
                       {text("command")}});
  for (std::size_t i = 0; i < collection.runs.size(); ++i) {
    const RunRecord& run = collection.runs[i].value.run;
    std::string clocks, arithmetic;
    for (const auto& [name, mhz] : run.device.clocks_mhz)
      clocks += fmt::format("{}{} {:.0f}", clocks.empty() ? "" : ", ", name, mhz);
    for (const auto& [model, chosen_by] : run.device.arithmetic)
      arithmetic += fmt::format("{}{} (by {})", arithmetic.empty() ? "" : ", ", model, chosen_by);
    table.add({{text(std::to_string(i + 1))},
               {code(collection.runs[i].file)},
               {text(run.device.name)},
               {text(arithmetic)},
               {text(run.device.driver.empty() ? "–" : run.device.driver + ", " + run.device.runtime)},
               {text(clocks.empty() ? "–" : clocks)},
               {text(fmt::format("{}, {} cores, {}", run.host.cpu, run.host.cores, run.host.os))},
               {text(fmt::format("{} ", run.version)) + code(run.git.revision.substr(0, 12)) +
                text(run.git.dirty ? ", changed" : "")},
               {text(fmt::format("{}, {}", run.started, run.finished.empty() ? "–" : run.finished))},
               {text(std::to_string(run.seed))},
               {code(run.command)}});
  }
  return table.html();
}

Html kernels(const Collection& collection) {
  std::set<KernelRecord> all;
  for (const auto& [file, report] : collection.runs)
    for (const KernelRecord& kernel : kernels_of(report)) all.insert(kernel);
  if (all.empty()) return {};
  Table table("Kernels", {{text("kernel")},
                          {text("target")},
                          {text("registers"), number},
                          {text("spill bytes"), number},
                          {text("SHA-256 of the code")},
                          {text("compiler")}});
  for (const KernelRecord& kernel : all)
    table.add({{code(kernel.name)},
               {text(kernel.target)},
               {text(std::to_string(kernel.registers))},
               {text(std::to_string(kernel.spill_bytes))},
               {code(kernel.sha256)},
               {text(kernel.toolkit)}});
  return {fmt::format("<details>\n<summary>{}</summary>\n{}</details>\n", counted(all.size(), "kernel"),
                      table.html().markup)};
}

}  // namespace

Html notices(const Collection& collection) {
  Html items;
  for (const std::string& notice : reports::notices(collection))
    items += {"<li>" + escaped(notice) + "</li>\n"};
  return items;
}

Html storage(const Collection& collection) {
  Html html;
  for (const From<Ledger>& from : ledgers_of(collection)) html += ledger(from);
  return html;
}

Html environment(const Collection& collection) {
  return collection.runs.empty() ? Html{} : runs(collection) + kernels(collection);
}

}  // namespace quadpair::reports::html
