#include "reports/hdf5.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <nlohmann/json.hpp>
#include <system_error>
#include <utility>

#include "reports/atomic_file.hpp"
#include "reports/hdf5_handle.hpp"
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

GroupHandle open_group(hid_t parent, const std::string& name) {
  return GroupHandle(checked(H5Gopen2(parent, name.c_str(), H5P_DEFAULT), "opening the group " + name));
}

}  // namespace

struct Hdf5File::Working {
  std::filesystem::path published, partial;
  FileHandle file;
  std::size_t cases = 0;

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
  H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);  // the library would print what is thrown here
  working_->published = std::move(file);
  working_->partial = working_->published.string() + ".partial";
  const std::string partial = working_->partial.string();
  try {
    if (resume && exists(working_->published)) {
      copy_file(working_->published, working_->partial, std::filesystem::copy_options::overwrite_existing);
      working_->reopen();
      H5G_info_t info;
      checked(H5Gget_info(open_group(working_->file, "cases"), &info), "counting the cases");
      working_->cases = info.nlinks;
      return;
    }
  } catch (const std::filesystem::filesystem_error& error) {
    throw Hdf5Error(error.what());
  }
  working_->file = FileHandle(
      checked(H5Fcreate(partial.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT), "making " + partial));
  make_group(working_->file, "run");
  make_group(working_->file, "cases");
}

Hdf5File::~Hdf5File() = default;

void Hdf5File::set_run(const nlohmann::json& run) {
  checked(H5Ldelete(working_->file, "run", H5P_DEFAULT), "replacing the run");
  write_attributes(make_group(working_->file, "run"), "", run);
}

void Hdf5File::add(const Hdf5Case& record) {
  const GroupHandle group = make_group(open_group(working_->file, "cases"), std::to_string(working_->cases));
  ++working_->cases;
  write_attribute(group, "id", record.id);
  write_vector(group, "samples", sample_type(), record.samples);
  write_matrix(group, "activations", record.activations);
  write_vector(group, "codes", H5T_STD_U8LE, record.codes);
  write_vector(group, "scales", H5T_STD_U8LE, record.scales);
  write_vector(group, "global_scale", H5T_NATIVE_FLOAT, record.global_scale);
  write_matrix(group, "expected", record.expected);
  write_matrix(group, "actual", record.actual);
}

void Hdf5File::publish() {
  working_->file = FileHandle();  // everything reaches the disk, and the copy is a closed file
  try {
    copy_atomically(working_->partial, working_->published);
  } catch (const std::system_error& error) {
    working_->reopen();
    throw Hdf5Error(fmt::format("writing {}: {}", working_->published.string(), error.what()));
  }
  working_->reopen();
}

}  // namespace quadpair::reports
