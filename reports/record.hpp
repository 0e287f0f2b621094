// What a run leaves behind, as values: the report "quadpair.report/1" before it becomes a file.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "reports/arrays.hpp"
#include "reports/check.hpp"
#include "reports/ledger.hpp"
#include "reports/status.hpp"

namespace quadpair::reports {

using Counts = std::vector<std::pair<std::string, std::uint64_t>>;

struct GitRevision {
  std::string revision;  ///< commit id, "unknown" outside a checkout
  bool dirty = false;    ///< built from files that differ from the commit's
};

struct Host {
  std::string cpu;
  std::uint32_t cores = 0;
  std::string os;
};

struct Arithmetic {
  std::string model, chosen_by;
  friend bool operator==(const Arithmetic&, const Arithmetic&) = default;
};

struct DeviceRecord {
  std::string kind, name;  ///< kind: "emulator" or "cuda"
  std::vector<Arithmetic> arithmetic;
  std::string driver, runtime;                 ///< empty on the emulator
  std::map<std::string, double> clocks_mhz{};  ///< seen while timing, by name
};

/// A kernel that ran.
struct KernelRecord {
  std::string name;  ///< module:entry
  std::string target;
  std::string sha256;  ///< of the code that the device loaded
  std::uint32_t registers = 0, spill_bytes = 0;
  std::string toolkit, options;  ///< the compiler and what it was given
  friend auto operator<=>(const KernelRecord&, const KernelRecord&) = default;
};

struct SliceRecord {
  std::string name, source;
  std::uint32_t rank = 0, tp = 1;
  std::string sha256;  ///< of codes, scales and globals; empty when the slice could not be loaded
};

struct Shape {
  std::uint32_t m = 0, n = 0, k = 0, padded_n = 0;
};

/// What a matrix exercises of the weight formats.
struct Coverage {
  std::uint32_t codes_seen = 0;         ///< of codes_there
  std::uint32_t scale_bytes_seen = 0;   ///< of the 256 E4M3FN bytes
  std::uint64_t subnormal_weights = 0;  ///< nonzero codes that decode to an FP16 subnormal or zero
  std::uint32_t codes_there = 16;       ///< in the format: 254 of FP8, its two NaN apart
};

/// Exact counts of one run of the case's launches; nothing where the device does not count.
struct CostRecord {
  Counts warp_instructions;  ///< by kind, mma apart
  Counts mma;                ///< by shape
  std::optional<std::uint64_t> global_sectors, fewest_sectors, shared_conflicts, divergent_branches;
};

/// Wall time, all runs of the case together.
struct Seconds {
  double device = 0, reference = 0;
};

/// What screening an LM head lost over all rows of a case, and what was certain beforehand (docs/lm-head.md).
struct ScreeningRecord {
  std::uint64_t rows = 0;
  std::uint64_t top1_differs = 0, top_differs = 0;  ///< rows whose reranked results are not the dense ones
  std::uint64_t top1_certain = 0, top_certain = 0;  ///< rows proved to have the dense results
  friend bool operator==(const ScreeningRecord&, const ScreeningRecord&) = default;
};

struct CaseRecord {
  std::string id, operation, target, model;
  std::optional<std::uint64_t> index;  ///< place in the suite, from 0; absent from files of older versions
  SliceRecord slice;
  Shape shape;
  std::string layout;
  std::string plan;  ///< the printed accumulation plan
  std::uint32_t split_k = 0, chains = 0;
  std::string route;                  ///< the kernels that were launched: "name@target + name@target"
  std::uint64_t workspace_bytes = 0;  ///< of device memory beside weights, inputs and outputs, at its peak
  Status status = Status::skipped;
  std::string reason;  ///< empty when passed, unless a refusal was wanted
  std::string notes;   ///< on what checks of memory found; part of the reason in the report
  std::string repro;   ///< a shell command that repeats just this case
  std::vector<Check> checks;
  Coverage coverage;
  std::optional<CostRecord> cost;
  std::optional<ScreeningRecord> screening;  ///< of an LM head
  Seconds seconds;
  std::vector<KernelRecord> kernels;           ///< listed once for the whole run in the report
  std::shared_ptr<const CaseArrays> arrays{};  ///< kept for an HDF5 file; null where they are not wanted
};

/// Which cases a run is of, all its shards together.
struct SuiteRecord {
  std::string name;
  std::uint64_t cases = 0;
  std::string sha256;  ///< of the cases' descriptions, in order
  friend bool operator==(const SuiteRecord&, const SuiteRecord&) = default;
};

/// A part of a suite.
struct Shard {
  std::uint32_t index = 1;  ///< 1 to `of`
  std::uint32_t of = 1;
  friend bool operator==(const Shard&, const Shard&) = default;
};

struct Interruption {
  std::string signal;  ///< e.g. "SIGTERM"
  std::int64_t sender_pid = 0;
};

struct RunRecord {
  std::string id;                 ///< unique
  std::string started, finished;  ///< UTC, ISO 8601; finished is empty while the run goes on
  std::string command;            ///< without absolute paths
  std::string version;
  GitRevision git;
  std::optional<SuiteRecord> suite;                           ///< absent from files of older versions
  std::optional<std::map<std::string, std::string>> options;  ///< that change what is checked; as for suite
  std::uint64_t seed = 0, planned = 0;                        ///< planned: cases of this shard
  Shard shard;
  std::optional<Interruption> interrupted;
  std::string hdf5;  ///< the file of its samples and arrays, relative to the report's folder; empty: none
  Host host;
  DeviceRecord device;
  std::vector<KernelRecord> kernels{};  ///< known to have run, beside those that cases name
};

struct Summary {
  std::uint64_t passed = 0, failed = 0, skipped = 0, refused = 0, mistrusted = 0;
  std::uint64_t total() const { return passed + failed + skipped + refused + mistrusted; }
};

/// Counts one more case.
void count(Summary& summary, Status status);

/// A candidate held against a control on one case. Values that could not be measured are absent.
struct TimingRecord {
  std::string id;  ///< of the case
  std::string candidate, control;
  std::optional<std::string> control_route;  ///< kernels, or the library, of the control; nothing: not told
  std::string unit;                          ///< "seconds", or "warp instructions" where cost is counted
  std::string sampling;                      ///< temperature of the cache, and how a sample was made
  std::optional<double> candidate_median, control_median;  ///< in the unit
  std::optional<double> ratio, ratio_low, ratio_high;      ///< candidate over control
  std::optional<double> aa_ratio;                          ///< control over itself
  std::uint64_t samples = 0, dropped = 0;                  ///< counted; not counted, warm-ups aside
  std::uint64_t bytes = 0;                                 ///< of one use, by the operator's contract
  std::optional<double> ceiling;             ///< bytes a second that the device streams at that temperature
  std::optional<double> bandwidth_fraction;  ///< of that ceiling, reached by the candidate
  std::string verdict;
};

/// Ratio over a model's projections, each weighted by how often the model calls it.
struct WeightedRecord {
  std::uint32_t m = 0;
  std::string name;
  double ratio = 0, ratio_low = 0, ratio_high = 0;
};

struct Report {
  RunRecord run;
  std::vector<CaseRecord> cases{};  ///< those finished, in the suite's order
  std::vector<TimingRecord> timings{};
  std::vector<WeightedRecord> weighted{};
  std::optional<Ledger> ledger{};  ///< of the model whose slices the cases are, where it is known
};

Summary summarize(const std::vector<CaseRecord>& cases);

/// Whether a route names the kernel.
bool route_names(std::string_view route, const KernelRecord& kernel);

/// Those of the case's kernels that its route names, in the route's order.
std::vector<KernelRecord> route_kernels(const CaseRecord& record);

/// The kernels of the run and of all its cases, each once, sorted.
std::vector<KernelRecord> kernels_of(const Report& report);

}  // namespace quadpair::reports
