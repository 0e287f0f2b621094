#include "tests/reports/large.hpp"

#include <fmt/format.h>

#include "tests/reports/example.hpp"

namespace quadpair::reports {

Report large_report(std::uint32_t cases) {
  const Report example = example_report();
  Report report{example.run};
  report.run.planned = cases;
  for (std::uint32_t i = 0; i < cases; ++i) {
    CaseRecord record = example.cases[0];
    record.operation = fmt::format("operator_{}", i % 200);
    record.shape.m = i % 4096;
    record.id = fmt::format("{}/slice/m{}/dual/s8.c2/sm70/volta/real{}", record.operation, i % 4096, i);
    record.status = i % 2 == 0 ? Status::failed : Status::passed;
    record.reason = std::string(500, 'r');
    record.repro = std::string(500, 'p');
    TimingRecord timing = example.timings[0];
    timing.id = record.id;
    report.timings.push_back(timing);
    if (i < 4096)
      report.weighted.push_back({i % 4096, fmt::format("projections{}", i % 100), 1.5, 1.25, 1.75});
    report.cases.push_back(std::move(record));
  }
  return report;
}

}  // namespace quadpair::reports
