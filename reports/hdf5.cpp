#include "reports/hdf5.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <nlohmann/json.hpp>
#include <system_error>
#include <utility>

#include "reports/atomic_file.hpp"
#include "reports/hdf5_groups.hpp"
#include "reports/hdf5_types.hpp"

namespace quadpair::reports {
namespace {

constexpr hsize_t kChunkBytes = 1u << 18;
constexpr unsigned kDeflateLevel = 4;

PropertiesHandle compressed(hsize_t count, const std::vector<hsize_t>& extents, std::size_t value_bytes) {
  PropertiesHandle properties(checked(H5Pcreate(H5P_DATASET_CREATE), "making properties"));
  if (count == 0) return properties;  // nothing to divide into chunks
  std::vector<hsize_t> chunk = extents;
  chunk.back() = std::min<hsize_t>(chunk.back(), kChunkBytes / value_bytes);
  if (chunk.size() == 2)
    chunk[0] = std::min(chunk[0], std::max<hsize_t>(kChunkBytes / value_bytes / chunk[1], 1));
  checked(H5Pset_chunk(properties, static_cast<int>(chunk.size()), chunk.data()), "choosing chunks");
  checked(H5Pset_shuffle(properties), "choosing the shuffle filter");
  checked(H5Pset_deflate(properties, kDeflateLevel), "choosing deflate");
  return properties;
}

void write_dataset(hid_t group, const char* name, hid_t type, const std::vector<hsize_t>& extents,
                   const void* data) {
  hsize_t count = 1;
  for (hsize_t extent : extents) count *= extent;
  const std::string what = std::string("writing ") + name;
  const SpaceHandle space(
      checked(H5Screate_simple(static_cast<int>(extents.size()), extents.data(), nullptr), what));
  const PropertiesHandle properties = compressed(count, extents, H5Tget_size(type));
  const DatasetHandle dataset(
      checked(H5Dcreate2(group, name, type, space, H5P_DEFAULT, properties, H5P_DEFAULT), what));
  if (count > 0) checked(H5Dwrite(dataset, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, data), what);
}

void write_matrix(hid_t group, const char* name, const std::optional<HalfMatrix>& matrix) {
  if (!matrix) return;
  if (matrix->bits.size() != matrix->rows * matrix->columns)
    throw Hdf5Error(
        fmt::format("{}: {} values for [{}, {}]", name, matrix->bits.size(), matrix->rows, matrix->columns));
  write_dataset(group, name, half_type(), {matrix->rows, matrix->columns}, matrix->bits.data());
}

template <class Value>
void write_vector(hid_t group, const char* name, hid_t type, const std::vector<Value>& values) {
  if (!values.empty()) write_dataset(group, name, type, {values.size()}, values.data());
}

void write_attribute(hid_t object, const std::string& name, hid_t type, const void* value) {
  const std::string what = "writing the attribute " + name;
  const SpaceHandle space(checked(H5Screate(H5S_SCALAR), what));
  const AttributeHandle attribute(
      checked(H5Acreate2(object, name.c_str(), type, space, H5P_DEFAULT, H5P_DEFAULT), what));
  checked(H5Awrite(attribute, type, value), what);
}

void write_attribute(hid_t object, const std::string& name, const std::string& text) {
  const char* const start = text.c_str();
  write_attribute(object, name, text_type(), &start);
}

void write_attributes(hid_t object, const std::string& name, const nlohmann::json& value) {
  if (value.is_object()) {
    for (const auto& [key, member] : value.items())
      write_attributes(object, name.empty() ? key : fmt::format("{}.{}", name, key), member);
  } else if (value.is_array()) {
    write_attribute(object, name, value.dump());
  } else if (value.is_string()) {
    write_attribute(object, name, value.get<std::string>());
  } else if (value.is_boolean()) {
    const std::uint8_t flag = value.get<bool>() ? 1 : 0;
    write_attribute(object, name, H5T_NATIVE_UINT8, &flag);
  } else if (value.is_number_float()) {
    const double number = value.get<double>();
    write_attribute(object, name, H5T_NATIVE_DOUBLE, &number);
  } else if (value.is_number_unsigned()) {
    const auto number = value.get<std::uint64_t>();
    write_attribute(object, name, H5T_NATIVE_UINT64, &number);
  } else if (value.is_number_integer()) {
    const auto number = value.get<std::int64_t>();
    write_attribute(object, name, H5T_NATIVE_INT64, &number);
  }
}

GroupHandle make_group(hid_t parent, const std::string& name) {
  return GroupHandle(checked(H5Gcreate2(parent, name.c_str(), H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT),
                             "making the group " + name));
}

}  // namespace

Hdf5Case hdf5_case(const CaseRecord& record) {
  Hdf5Case made{record.index.value(), record.id};
  made.attributes = {{"operator", record.operation},
                     {"target", record.target},
                     {"model", record.model},
                     {"slice", record.slice.name},
                     {"slice_sha256", record.slice.sha256},
                     {"m", record.shape.m},
                     {"n", record.shape.n},
                     {"k", record.shape.k},
                     {"layout", record.layout},
                     {"plan", record.plan},
                     {"route", record.route},
                     {"status", to_string(record.status)},
                     {"reason", record.reason}};
  return made;
}

struct Hdf5File::Working {
  std::filesystem::path published, partial;
  FileHandle file;

  ~Working() {
    file = FileHandle();
    std::error_code ignored;
    std::filesystem::remove(partial, ignored);
  }

  void reopen() {
    file = FileHandle(
        checked(H5Fopen(partial.c_str(), H5F_ACC_RDWR, H5P_DEFAULT), "opening " + partial.string()));
  }
};

Hdf5File::Hdf5File(std::filesystem::path file, bool resume) : working_(std::make_unique<Working>()) {
  begin_hdf5();
  working_->published = std::move(file);
  working_->partial = working_->published.string() + ".partial";
  const std::string partial = working_->partial.string();
  try {
    if (resume && exists(working_->published)) {
      copy_file(working_->published, working_->partial, std::filesystem::copy_options::overwrite_existing);
      working_->reopen();
      open_group(working_->file, "cases");  // says so where there is none
      remove_leftovers(working_->published);
      return;
    }
  } catch (const std::filesystem::filesystem_error& error) {
    throw Hdf5Error(error.what());
  }
  working_->file = FileHandle(
      checked(H5Fcreate(partial.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT), "making " + partial));
  make_group(working_->file, "run");
  make_group(working_->file, "cases");
  remove_leftovers(working_->published);
}

Hdf5File::~Hdf5File() = default;

void Hdf5File::set_run(const nlohmann::json& run) {
  checked(H5Ldelete(working_->file, "run", H5P_DEFAULT), "replacing the run");
  write_attributes(make_group(working_->file, "run"), "", run);
}

void Hdf5File::add(const Hdf5Case& record) {
  const GroupHandle cases = open_group(working_->file, "cases");
  const std::string name = std::to_string(record.index);
  if (has(record.index)) checked(H5Ldelete(cases, name.c_str(), H5P_DEFAULT), "replacing case " + name);
  const GroupHandle group = make_group(cases, name);
  write_attribute(group, "id", record.id);
  write_attributes(group, "", record.attributes);
  write_vector(group, "samples", sample_type(), record.samples);
  const CaseArrays& arrays = record.arrays;
  if (!arrays.output.empty()) write_attribute(group, "output", arrays.output);
  write_matrix(group, "activations", arrays.activations);
  write_vector(group, "codes", H5T_STD_U8LE, arrays.codes);
  write_vector(group, "scales", H5T_STD_U8LE, arrays.scales);
  write_vector(group, "global_scale", H5T_NATIVE_FLOAT, arrays.global_scale);
  write_vector(group, "fp8_scales", H5T_NATIVE_FLOAT, arrays.fp8_scales);
  write_matrix(group, "expected", arrays.expected);
  write_matrix(group, "actual", arrays.actual);
}

bool Hdf5File::has(std::uint64_t index) const {
  return checked(H5Lexists(open_group(working_->file, "cases"), std::to_string(index).c_str(), H5P_DEFAULT),
                 "looking for a case") > 0;
}

void Hdf5File::add_all(const std::filesystem::path& other) {
  const FileHandle file(
      checked(H5Fopen(other.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT), "opening " + other.string()));
  const GroupHandle from = open_group(file, "cases"), to = open_group(working_->file, "cases");
  for (const std::string& name : members(from))
    checked(H5Ocopy(from, name.c_str(), to, name.c_str(), H5P_DEFAULT, H5P_DEFAULT),
            fmt::format("copying case {} of {}", name, other.string()));
}

void Hdf5File::publish() {
  checked(H5Fflush(working_->file, H5F_SCOPE_LOCAL), "writing " + working_->partial.string());
  working_->file = FileHandle();  // the copy is a closed file
  try {
    copy_atomically(working_->partial, working_->published);
  } catch (const std::system_error& error) {
    working_->reopen();
    throw Hdf5Error(fmt::format("writing {}: {}", working_->published.string(), error.what()));
  }
  working_->reopen();
}

}  // namespace quadpair::reports
