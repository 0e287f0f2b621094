// Reads the file back through the C API, as another program would.
#include "reports/hdf5.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <hdf5.h>
#include <unistd.h>

#include <cmath>
#include <cstdint>
#include <fstream>
#include <limits>
#include <nlohmann/json.hpp>

#include "reports/hdf5_handle.hpp"

namespace quadpair::reports {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::UnorderedElementsAre;

class Hdf5 : public testing::Test {
 protected:
  void SetUp() override {
    folder_ =
        std::filesystem::path(testing::TempDir()) /
        ("hdf5-" + std::to_string(getpid()) + testing::UnitTest::GetInstance()->current_test_info()->name());
    std::filesystem::create_directories(folder_);
    file_ = folder_ / "raw.h5";
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }

  std::vector<std::string> names_in_folder() const {
    std::vector<std::string> names;
    for (const auto& entry : std::filesystem::directory_iterator(folder_))
      names.push_back(entry.path().filename());
    return names;
  }

  std::filesystem::path folder_, file_;
};

FileHandle open_file(const std::filesystem::path& file) {
  return FileHandle(checked(H5Fopen(file.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT), "opening"));
}

std::string text_attribute(hid_t object, const char* name) {
  const AttributeHandle attribute(checked(H5Aopen(object, name, H5P_DEFAULT), name));
  const TypeHandle type(H5Aget_type(attribute));
  char* start = nullptr;
  checked(H5Aread(attribute, type, &start), name);
  std::string text = start;
  H5free_memory(start);
  return text;
}

template <class Value>
Value number_attribute(hid_t object, const char* name, hid_t memory_type) {
  const AttributeHandle attribute(checked(H5Aopen(object, name, H5P_DEFAULT), name));
  Value value{};
  checked(H5Aread(attribute, memory_type, &value), name);
  return value;
}

template <class Value>
std::vector<Value> read(hid_t object, const char* name, hid_t memory_type,
                        std::vector<hsize_t>* extents = nullptr) {
  const DatasetHandle dataset(checked(H5Dopen2(object, name, H5P_DEFAULT), name));
  const SpaceHandle space(H5Dget_space(dataset));
  if (extents) {
    extents->resize(static_cast<std::size_t>(H5Sget_simple_extent_ndims(space)));
    H5Sget_simple_extent_dims(space, extents->data(), nullptr);
  }
  std::vector<Value> values(static_cast<std::size_t>(H5Sget_simple_extent_npoints(space)));
  checked(H5Dread(dataset, memory_type, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data()), name);
  return values;
}

GroupHandle open_group(hid_t file, const char* name) {
  return GroupHandle(checked(H5Gopen2(file, name, H5P_DEFAULT), name));
}

TEST_F(Hdf5, RunAttributesAreFlattened) {
  Hdf5File out(file_);
  out.set_run({{"id", "old"}, {"gone", 1}});
  out.set_run({{"id", "run-1"},
               {"seed", 18446744073709551615u},
               {"offset", -3},
               {"git", {{"revision", "abc"}, {"dirty", true}}},
               {"device", {{"arithmetic", {{{"model", "hopper"}}}}, {"clocks_mhz", 1755.5}}},
               {"finished", nullptr},
               {"command", ""},
               {"os", std::string(100'000, 'x')}});
  out.publish();
  const FileHandle file = open_file(file_);
  const GroupHandle run = open_group(file, "/run");
  EXPECT_EQ(text_attribute(run, "id"), "run-1");
  EXPECT_EQ(number_attribute<std::uint64_t>(run, "seed", H5T_NATIVE_UINT64), 18446744073709551615u);
  EXPECT_EQ(number_attribute<std::int64_t>(run, "offset", H5T_NATIVE_INT64), -3);
  EXPECT_EQ(text_attribute(run, "git.revision"), "abc");
  EXPECT_EQ(number_attribute<int>(run, "git.dirty", H5T_NATIVE_INT), 1);
  EXPECT_EQ(text_attribute(run, "device.arithmetic"), R"([{"model":"hopper"}])");
  EXPECT_EQ(number_attribute<double>(run, "device.clocks_mhz", H5T_NATIVE_DOUBLE), 1755.5);
  EXPECT_EQ(text_attribute(run, "command"), "");
  EXPECT_EQ(text_attribute(run, "os"), std::string(100'000, 'x'));
  EXPECT_EQ(H5Aexists(run, "finished"), 0);
  EXPECT_EQ(H5Aexists(run, "gone"), 0);
}

TEST_F(Hdf5, SamplesComeBackInOrder) {
  Hdf5File out(file_);
  out.add({.id = "a/b/m8",
           .samples = {
               {0, 3, 0, 1.5e-6, 1980, 0, 0}, {0, 3, 1, 1.25e-6, 1980, 0, 1}, {1, 3, 2, 2.5e-6, 345, 1, 0}}});
  out.publish();
  const FileHandle file = open_file(file_);
  const GroupHandle group = open_group(file, "/cases/0");
  EXPECT_EQ(text_attribute(group, "id"), "a/b/m8");
  EXPECT_EQ(H5Lexists(group, "actual", H5P_DEFAULT), 0);

  const auto field = [&](const char* name, hid_t type) {
    TypeHandle one(H5Tcreate(H5T_COMPOUND, sizeof(double)));
    H5Tinsert(one, name, 0, type);
    return one;
  };
  EXPECT_THAT(read<double>(group, "samples", field("seconds", H5T_NATIVE_DOUBLE)),
              ElementsAre(1.5e-6, 1.25e-6, 2.5e-6));
  EXPECT_THAT(read<std::uint64_t>(group, "samples", field("round", H5T_NATIVE_UINT64)), ElementsAre(3, 3, 3));
  EXPECT_THAT(read<std::uint64_t>(group, "samples", field("order", H5T_NATIVE_UINT64)), ElementsAre(0, 1, 2));
  EXPECT_THAT(read<std::uint64_t>(group, "samples", field("sm_mhz", H5T_NATIVE_UINT64)),
              ElementsAre(1980, 1980, 345));
  EXPECT_THAT(read<std::uint64_t>(group, "samples", field("throttled", H5T_NATIVE_UINT64)),
              ElementsAre(0, 0, 1));
  EXPECT_THAT(read<std::uint64_t>(group, "samples", field("counted", H5T_NATIVE_UINT64)),
              ElementsAre(0, 1, 0));

  const DatasetHandle samples(H5Dopen2(group, "samples", H5P_DEFAULT));
  const TypeHandle row(H5Dget_type(samples));
  const TypeHandle side(H5Tget_member_type(row, static_cast<unsigned>(H5Tget_member_index(row, "side"))));
  std::uint8_t value = 9;
  ASSERT_GE(H5Tenum_valueof(side, "candidate", &value), 0);
  EXPECT_EQ(value, 1);
}

TEST_F(Hdf5, HalvesAreIeeeNumbers) {
  Hdf5File out(file_);
  // 1, -2, the largest finite 65504, the smallest subnormal 2^-24, minus infinity, and a NaN.
  const std::vector<std::uint16_t> bits{0x3c00, 0xc000, 0x7bff, 0x0001, 0xfc00, 0x7fff};
  out.add({.id = "halves",
           .arrays = {.output = "replay 1",
                      .activations = HalfMatrix{2, 3, bits},
                      .expected = HalfMatrix{3, 2, bits},
                      .actual = HalfMatrix{0, 4, {}}}});
  out.publish();
  const FileHandle file = open_file(file_);
  const GroupHandle group = open_group(file, "/cases/0");
  EXPECT_EQ(text_attribute(group, "output"), "replay 1");
  std::vector<hsize_t> extents;
  const auto values = read<double>(group, "activations", H5T_NATIVE_DOUBLE, &extents);
  EXPECT_THAT(extents, ElementsAre(2, 3));
  EXPECT_THAT(std::vector<double>(values.begin(), values.begin() + 4), ElementsAre(1, -2, 65504, 0x1p-24));
  EXPECT_EQ(values[4], -std::numeric_limits<double>::infinity());
  EXPECT_TRUE(std::isnan(values[5]));
  const DatasetHandle expected(H5Dopen2(group, "expected", H5P_DEFAULT));
  const TypeHandle half(H5Dget_type(expected));
  EXPECT_EQ(H5Tget_size(half), 2u);
  EXPECT_THAT(read<std::uint16_t>(group, "expected", half, &extents), testing::ElementsAreArray(bits));
  EXPECT_THAT(extents, ElementsAre(3, 2));
  EXPECT_TRUE(read<double>(group, "actual", H5T_NATIVE_DOUBLE, &extents).empty());
  EXPECT_THAT(extents, ElementsAre(0, 4));
}

TEST_F(Hdf5, BytesAndScalesComeBackChunkedAndCompressed) {
  std::vector<std::byte> codes(1 << 20);
  for (std::size_t i = 0; i < codes.size(); ++i) codes[i] = static_cast<std::byte>(i % 251);
  Hdf5File out(file_);
  out.add({.id = "bytes",
           .arrays = {.codes = codes,
                      .scales = {std::byte{0x38}, std::byte{0x7e}},
                      .global_scale = {0.5f, 3e-4f},
                      .fp8_scales = {2}}});
  out.publish();
  const FileHandle file = open_file(file_);
  const GroupHandle group = open_group(file, "/cases/0");
  EXPECT_EQ(read<std::byte>(group, "codes", H5T_NATIVE_UINT8), codes);
  EXPECT_THAT(read<std::byte>(group, "scales", H5T_NATIVE_UINT8),
              ElementsAre(std::byte{0x38}, std::byte{0x7e}));
  EXPECT_THAT(read<float>(group, "global_scale", H5T_NATIVE_FLOAT), ElementsAre(0.5f, 3e-4f));
  EXPECT_THAT(read<float>(group, "fp8_scales", H5T_NATIVE_FLOAT), ElementsAre(2));
  const DatasetHandle dataset(H5Dopen2(group, "codes", H5P_DEFAULT));
  const PropertiesHandle properties(H5Dget_create_plist(dataset));
  EXPECT_EQ(H5Pget_layout(properties), H5D_CHUNKED);
  EXPECT_GT(H5Pget_nfilters(properties), 0);
  EXPECT_LT(H5Dget_storage_size(dataset), codes.size() / 10);
}

TEST_F(Hdf5, APublishedFileStaysWholeWhileMoreIsAdded) {
  Hdf5File out(file_);
  out.add({.id = "first"});
  EXPECT_FALSE(exists(file_));
  out.publish();
  out.add({.index = 1, .id = "second"});
  {
    const FileHandle file = open_file(file_);
    EXPECT_GT(H5Lexists(file, "/cases/0", H5P_DEFAULT), 0);
    EXPECT_EQ(H5Lexists(file, "/cases/1", H5P_DEFAULT), 0);
  }
  out.publish();
  const FileHandle file = open_file(file_);
  EXPECT_EQ(text_attribute(open_group(file, "/cases/1"), "id"), "second");
}

TEST_F(Hdf5, NothingIsLeftBesideTheFile) {
  {
    Hdf5File out(file_);
    out.publish();
    out.add({.id = "never published"});
  }
  EXPECT_THAT(names_in_folder(), ElementsAre("raw.h5"));
}

TEST_F(Hdf5, ResumesWhatWasPublished) {
  {
    Hdf5File out(file_);
    out.set_run({{"id", "one"}});
    out.add({.id = "first"});
    out.publish();
  }
  Hdf5File again(file_, true);
  again.set_run({{"id", "two"}});
  EXPECT_TRUE(again.has(0));
  EXPECT_FALSE(again.has(1));
  again.add({.index = 1, .id = "second"});
  again.publish();
  const FileHandle file = open_file(file_);
  EXPECT_EQ(text_attribute(open_group(file, "/cases/0"), "id"), "first");
  EXPECT_EQ(text_attribute(open_group(file, "/cases/1"), "id"), "second");
  EXPECT_EQ(text_attribute(open_group(file, "/run"), "id"), "two");
}

TEST_F(Hdf5, CasesOfAnotherFileAreAddedAsTheyAre) {
  CaseRecord record;
  record.id = "odd";
  record.index = 1;
  record.status = Status::failed;
  record.shape = {17, 4120, 576, 4128};
  {
    Hdf5Case odd = hdf5_case(record);
    odd.arrays.actual = HalfMatrix{1, 2, {0x3c00, 0x7fff}};
    Hdf5File other(folder_ / "other.h5");
    other.add(odd);
    other.publish();
  }
  Hdf5File out(file_);
  out.add({.index = 0, .id = "even"});
  out.add_all(folder_ / "other.h5");
  EXPECT_THROW(out.add_all(folder_ / "other.h5"), Hdf5Error);
  out.publish();
  const FileHandle file = open_file(file_);
  EXPECT_EQ(text_attribute(open_group(file, "/cases/0"), "id"), "even");
  const GroupHandle group = open_group(file, "/cases/1");
  EXPECT_EQ(text_attribute(group, "id"), "odd");
  EXPECT_EQ(text_attribute(group, "status"), "failed");
  EXPECT_EQ(number_attribute<int>(group, "n", H5T_NATIVE_INT), 4120);
  EXPECT_THAT(
      read<std::uint16_t>(group, "actual",
                          TypeHandle(H5Dget_type(DatasetHandle(H5Dopen2(group, "actual", H5P_DEFAULT))))),
      ElementsAre(0x3c00, 0x7fff));
}

TEST_F(Hdf5, RefusalsNameTheFileOrTheMatrix) {
  const auto message = [](const auto& action) -> std::string {
    try {
      action();
    } catch (const Hdf5Error& error) {
      return error.what();
    }
    return "nothing thrown";
  };
  EXPECT_THAT(message([&] { Hdf5File(folder_ / "absent" / "raw.h5"); }), HasSubstr("raw.h5"));
  std::ofstream(file_) << "not HDF5";
  EXPECT_THAT(message([&] { Hdf5File(file_, true); }), HasSubstr("raw.h5"));
  Hdf5File out(folder_ / "other.h5");
  EXPECT_THAT(message([&] {
                out.add({.id = "x", .arrays = {.actual = HalfMatrix{2, 2, {0}}}});
              }),
              HasSubstr("actual: 1 values"));

  std::filesystem::create_directories(folder_ / "taken.h5" / "by a folder");
  Hdf5File taken(folder_ / "taken.h5");
  EXPECT_THAT(message([&] { taken.publish(); }), HasSubstr("taken.h5"));
  EXPECT_THAT(names_in_folder(),
              UnorderedElementsAre("other.h5.partial", "raw.h5", "taken.h5", "taken.h5.partial"));
  taken.add({.id = "still usable"});
}

}  // namespace
}  // namespace quadpair::reports
