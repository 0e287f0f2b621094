#include "reports/record.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>

namespace quadpair::reports {
namespace {

std::size_t place_in(std::string_view route, const KernelRecord& kernel) {
  return fmt::format(" + {} + ", route).find(fmt::format(" + {}@{} + ", kernel.name, kernel.target));
}

}  // namespace

void count(Summary& summary, Status status) {
  switch (status) {
    case Status::passed: ++summary.passed; return;
    case Status::failed: ++summary.failed; return;
    case Status::skipped: ++summary.skipped; return;
    case Status::refused: ++summary.refused; return;
    case Status::mistrusted: ++summary.mistrusted; return;
  }
}

Summary summarize(const std::vector<CaseRecord>& cases) {
  Summary summary;
  for (const CaseRecord& record : cases) count(summary, record.status);
  return summary;
}

bool route_names(std::string_view route, const KernelRecord& kernel) {
  return place_in(route, kernel) != std::string::npos;
}

std::vector<KernelRecord> route_kernels(const CaseRecord& record) {
  std::vector<KernelRecord> kernels;
  for (const KernelRecord& kernel : record.kernels)
    if (route_names(record.route, kernel)) kernels.push_back(kernel);
  std::ranges::sort(kernels, {}, [&](const KernelRecord& k) { return place_in(record.route, k); });
  return kernels;
}

std::vector<KernelRecord> kernels_of(const Report& report) {
  std::set<KernelRecord> kernels(report.run.kernels.begin(), report.run.kernels.end());
  for (const CaseRecord& record : report.cases) kernels.insert(record.kernels.begin(), record.kernels.end());
  return {kernels.begin(), kernels.end()};
}

}  // namespace quadpair::reports
