// Raw samples of timings, as values.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace quadpair::reports {

/// One row of a case's `samples`, a compound of these fields. `side` is an enumeration in the file.
struct SampleRow {
  std::uint8_t side;  ///< 0 control, 1 candidate
  std::uint32_t round, order;
  double seconds;                   ///< per launch
  std::uint32_t sm_mhz;             ///< 0: not known
  std::uint8_t throttled, counted;  ///< 0 or 1
};

struct CaseSamples {
  std::string id;
  std::vector<SampleRow> samples;  ///< in the order of time
};

/// The samples of a run, by its cases' order.
struct RunSamples {
  std::string run;  ///< id of the run, as in its report
  std::vector<CaseSamples> cases;
};

}  // namespace quadpair::reports
