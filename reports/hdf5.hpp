// Raw samples and arrays in HDF5: groups /run and /cases/<n>, chunked and compressed.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <string>
#include <vector>

#include "reports/arrays.hpp"
#include "reports/record.hpp"
#include "reports/samples.hpp"

namespace quadpair::reports {

/// A file that cannot be written: names it and what HDF5 said.
struct Hdf5Error : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// What is kept of one case; what is empty is left out of the file.
struct Hdf5Case {
  std::uint64_t index = 0;  ///< place in the suite: its group is /cases/<index>
  std::string id;
  nlohmann::json attributes{};       ///< further ones of its group, in the way of /run
  std::vector<SampleRow> samples{};  ///< in the order of time
  CaseArrays arrays{};
};

/// What the file says of a finished case, which knows its place in the suite: its record's scalars.
Hdf5Case hdf5_case(const CaseRecord& record);

/// A file in the making. Cases go to a working file beside it (`FILE.partial`, gone at the end), so that
/// arrays need not be kept in memory; publish() replaces FILE by what is there so far, whole or not at all.
/// The HDF5 library is not made for threads: use one at a time in a process.
class Hdf5File {
 public:
  /// Starts empty, or with what a former run published when `resume` and FILE exists. Throws Hdf5Error.
  explicit Hdf5File(std::filesystem::path file, bool resume = false);
  ~Hdf5File();
  Hdf5File(const Hdf5File&) = delete;
  Hdf5File& operator=(const Hdf5File&) = delete;

  /// The attributes of /run from the report's `run` object, replacing former ones: scalars under their dotted
  /// path (`git.revision`), arrays as JSON text, nulls left out. Throws Hdf5Error.
  void set_run(const nlohmann::json& run);

  /// Adds /cases/<index>, in place of what was there. Throws Hdf5Error, also when a matrix has not rows x
  /// columns values.
  void add(const Hdf5Case& record);

  /// Whether there is /cases/<index>.
  bool has(std::uint64_t index) const;

  /// Adds the cases of another such file as they are. Throws Hdf5Error, also when one is there already.
  void add_all(const std::filesystem::path& other);

  /// Copies the working file beside FILE, syncs it and renames it over FILE. Throws Hdf5Error; FILE is then
  /// as it was.
  void publish();

 private:
  struct Working;
  std::unique_ptr<Working> working_;
};

}  // namespace quadpair::reports
