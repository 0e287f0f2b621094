#include "reports/hdf5_read.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <fstream>
#include <nlohmann/json.hpp>

#include "reports/hdf5_handle.hpp"

namespace quadpair::reports {
namespace {

using testing::AllOf;
using testing::HasSubstr;

class Hdf5Read : public testing::Test {
 protected:
  Hdf5Read()
      : file_(std::filesystem::path(testing::TempDir()) / ("hdf5-read-" + std::to_string(getpid()) + ".h5")) {
  }
  ~Hdf5Read() override { std::filesystem::remove(file_); }

  std::string complaint() const {
    try {
      read_samples(file_);
    } catch (const Hdf5Error& e) {
      return e.what();
    }
    return "";
  }

  std::filesystem::path file_;
};

TEST_F(Hdf5Read, GivesWhatWasWritten) {
  Hdf5File out(file_);
  out.set_run({{"id", "run-1"}});
  out.add({.index = 2, .id = "without"});
  out.add({.index = 10, .id = "with", .samples = {{0, 3, 1, 2e-6, 1980, 1, 0}, {1, 3, 2, 3e-6, 0, 0, 1}}});
  out.publish();
  const RunSamples run = read_samples(file_);
  EXPECT_EQ(run.run, "run-1");
  ASSERT_EQ(run.cases.size(), 1u);
  EXPECT_EQ(run.cases[0].id, "with");
  ASSERT_EQ(run.cases[0].samples.size(), 2u);
  const SampleRow& first = run.cases[0].samples[0];
  EXPECT_EQ(first.side, 0);
  EXPECT_EQ(first.round, 3u);
  EXPECT_EQ(first.order, 1u);
  EXPECT_EQ(first.seconds, 2e-6);
  EXPECT_EQ(first.sm_mhz, 1980u);
  EXPECT_EQ(first.throttled, 1);
  EXPECT_EQ(first.counted, 0);
  EXPECT_EQ(run.cases[0].samples[1].side, 1);
}

TEST_F(Hdf5Read, ReadsARecordOfAGpu) {
  const RunSamples run = read_samples(QUADPAIR_TEST_DATA "/../reports/baselines/h200/bench-stream.h5");
  EXPECT_EQ(run.cases.size(), 21u);
  for (const CaseSamples& c : run.cases) EXPECT_GE(c.samples.size(), 40u) << c.id;
}

TEST_F(Hdf5Read, NamesTheFileAndWhatIsWrong) {
  EXPECT_THAT(complaint(), AllOf(HasSubstr(file_.string()), HasSubstr("opening")));
  std::ofstream(file_) << "{}";
  EXPECT_THAT(complaint(), HasSubstr("opening"));
  Hdf5File out(file_);
  out.publish();
  EXPECT_THAT(complaint(), HasSubstr("reading the attribute id"));
}

TEST_F(Hdf5Read, RefusesSamplesWithoutAField) {
  {
    Hdf5File out(file_);
    out.set_run({{"id", "run-1"}});
    out.add({.id = "case"});
    out.publish();
  }
  {
    const FileHandle file(checked(H5Fopen(file_.c_str(), H5F_ACC_RDWR, H5P_DEFAULT), "opening"));
    const TypeHandle type(checked(H5Tcreate(H5T_COMPOUND, 8), "type"));
    checked(H5Tinsert(type, "seconds", 0, H5T_NATIVE_DOUBLE), "field");
    const hsize_t one = 1;
    const SpaceHandle space(checked(H5Screate_simple(1, &one, nullptr), "space"));
    const DatasetHandle samples(checked(
        H5Dcreate2(file, "/cases/0/samples", type, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT), "samples"));
  }
  EXPECT_THAT(complaint(), HasSubstr("the field side is missing"));
}

}  // namespace
}  // namespace quadpair::reports
