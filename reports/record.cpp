#include "reports/record.hpp"

#include <set>

namespace quadpair::reports {

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

std::vector<KernelRecord> kernels_of(const Report& report) {
  std::set<KernelRecord> kernels(report.run.kernels.begin(), report.run.kernels.end());
  for (const CaseRecord& record : report.cases) kernels.insert(record.kernels.begin(), record.kernels.end());
  return {kernels.begin(), kernels.end()};
}

}  // namespace quadpair::reports
