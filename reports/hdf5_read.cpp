#include "reports/hdf5_read.hpp"

#include <fmt/format.h>

#include <array>
#include <fstream>
#include <string_view>

#include "reports/hdf5_groups.hpp"
#include "reports/hdf5_types.hpp"

namespace quadpair::reports {
namespace {

/// Of a case: a broken file must not exhaust the memory.
constexpr hssize_t most_samples = hssize_t{1} << 24;

std::string read_text(hid_t object, const char* name) {
  const std::string what = fmt::format("reading the attribute {}", name);
  const AttributeHandle attribute(checked(H5Aopen(object, name, H5P_DEFAULT), what));
  const TypeHandle stored(checked(H5Aget_type(attribute), what));
  const SpaceHandle space(checked(H5Aget_space(attribute), what));
  if (checked(H5Tis_variable_str(stored), what) == 0 || H5Sget_simple_extent_npoints(space) != 1)
    throw Hdf5Error(what + ": no text");
  char* text = nullptr;
  checked(H5Aread(attribute, text_type(), &text), what);
  std::string copy(text == nullptr ? "" : text);
  checked(H5free_memory(text), what);
  return copy;
}

/// HDF5 would leave out what the file has not, and say nothing.
void require_fields(hid_t stored, hid_t wanted) {
  if (H5Tget_class(stored) != H5T_COMPOUND) throw Hdf5Error("samples: no compound");
  const int fields = checked(H5Tget_nmembers(wanted), "reading the type of samples");
  for (int i = 0; i < fields; ++i) {
    char* const name = H5Tget_member_name(wanted, static_cast<unsigned>(i));
    const std::string field(name);
    checked(H5free_memory(name), "reading the type of samples");
    if (H5Tget_member_index(stored, field.c_str()) < 0)
      throw Hdf5Error(fmt::format("samples: the field {} is missing", field));
  }
}

std::vector<SampleRow> read_rows(hid_t group) {
  const DatasetHandle dataset(checked(H5Dopen2(group, "samples", H5P_DEFAULT), "reading samples"));
  const TypeHandle stored(checked(H5Dget_type(dataset), "reading samples")), wanted = sample_type();
  require_fields(stored, wanted);
  const SpaceHandle space(checked(H5Dget_space(dataset), "reading samples"));
  if (H5Sget_simple_extent_ndims(space) != 1) throw Hdf5Error("samples: not one dimension");
  const hssize_t count = checked(H5Sget_simple_extent_npoints(space), "counting samples");
  if (count > most_samples) throw Hdf5Error(fmt::format("samples: {} are more than any run takes", count));
  std::vector<SampleRow> rows(static_cast<std::size_t>(count));
  checked(H5Dread(dataset, wanted, H5S_ALL, H5S_ALL, H5P_DEFAULT, rows.data()), "reading samples");
  return rows;
}

/// What `read` makes of the file. Throws Hdf5Error that names it.
template <class Read>
auto named(const std::filesystem::path& file, const Read& read) {
  begin_hdf5();
  try {
    return read(FileHandle(checked(H5Fopen(file.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT), "opening")));
  } catch (const Hdf5Error& e) {
    throw Hdf5Error(fmt::format("{}: {}", file.string(), e.what()));
  }
}

RunSamples samples(const FileHandle& opened) {
  RunSamples run{read_text(open_group(opened, "run"), "id"), {}};
  const GroupHandle cases = open_group(opened, "cases");
  for (const std::string& name : members(cases)) {
    const GroupHandle group = open_group(cases, name);
    if (checked(H5Lexists(group, "samples", H5P_DEFAULT), "looking for samples") > 0)
      run.cases.push_back({read_text(group, "id"), read_rows(group)});
  }
  return run;
}

}  // namespace

bool is_hdf5(const std::filesystem::path& file) {
  constexpr std::string_view signature = "\x89HDF\r\n\x1a\n";
  std::array<char, signature.size()> start{};
  std::ifstream(file, std::ios::binary).read(start.data(), start.size());
  return std::string_view(start.data(), start.size()) == signature;
}

RunSamples read_samples(const std::filesystem::path& file) {
  return named(file, samples);
}

std::string read_run_id(const std::filesystem::path& file) {
  return named(file, [](const FileHandle& opened) { return read_text(open_group(opened, "run"), "id"); });
}

}  // namespace quadpair::reports
