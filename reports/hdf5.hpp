// Raw samples and arrays in HDF5: groups /run and /cases/<n>, chunked and compressed.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include "reports/samples.hpp"

namespace quadpair::reports {

/// A file that cannot be written: names it and what HDF5 said.
struct Hdf5Error : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// FP16 bits [rows, columns], row-major; float16 in the file.
struct HalfMatrix {
  std::uint64_t rows = 0, columns = 0;
  std::vector<std::uint16_t> bits;
};

/// What is kept of one case; what is empty is left out of the file.
struct Hdf5Case {
  std::string id;
  std::vector<SampleRow> samples{};  ///< in the order of time
  std::optional<HalfMatrix> activations{}, expected{}, actual{};
  std::vector<std::byte> codes{}, scales{};
  std::vector<float> global_scale{};
};

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

  /// Adds /cases/<n>, n counting from 0. Throws Hdf5Error, also when a matrix has not rows x columns values.
  void add(const Hdf5Case& record);

  /// Copies the working file beside FILE, syncs it and renames it over FILE. Throws Hdf5Error; FILE is then
  /// as it was.
  void publish();

 private:
  struct Working;
  std::unique_ptr<Working> working_;
};

}  // namespace quadpair::reports
