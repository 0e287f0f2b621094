#include "harness/timing/nvml.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <string>

namespace quadpair::timing {
namespace {

using testing::HasSubstr;
using Opened = std::variant<std::unique_ptr<ClockSource>, NoNvml>;

class Nvml : public testing::Test {
 protected:
  void SetUp() override {
    for (const char* name : {"INIT", "SHUT_DOWN", "MHZ", "REASONS", "LOST"})
      unsetenv((std::string("FAKE_NVML_") + name).c_str());
  }
  static Opened open(const std::string& pci_bus_id = "0000:1b:00.0") {
    return open_nvml(pci_bus_id, QUADPAIR_FAKE_NVML);
  }
};

TEST_F(Nvml, AbsentLibraryIsReported) {
  const Opened opened = open_nvml("0000:1b:00.0", "libquadpair-no-such-library.so.1");
  EXPECT_THAT(std::get<NoNvml>(opened).reason, HasSubstr("libquadpair-no-such-library.so.1"));
}

TEST_F(Nvml, ALibraryThatIsAnotherIsReported) {
  const Opened opened = open_nvml("0000:1b:00.0", "libm.so.6");
  EXPECT_THAT(std::get<NoNvml>(opened).reason, HasSubstr("lacks nvmlInit_v2"));
}

TEST_F(Nvml, WhatTheLibrarySaysIsReported) {
  setenv("FAKE_NVML_INIT", "9", 1);
  EXPECT_THAT(std::get<NoNvml>(open()).reason, HasSubstr("nvmlInit failed: Driver Not Loaded"));
  EXPECT_EQ(std::getenv("FAKE_NVML_SHUT_DOWN"), nullptr) << "not initialised, so not to be shut down";
  setenv("FAKE_NVML_INIT", "0", 1);
  EXPECT_THAT(std::get<NoNvml>(open("0000:ff:00.0")).reason, HasSubstr("0000:ff:00.0"));
  EXPECT_NE(std::getenv("FAKE_NVML_SHUT_DOWN"), nullptr);
}

TEST_F(Nvml, ReadsTheClockAndShutsDown) {
  setenv("FAKE_NVML_MHZ", "1755", 1);
  {
    const Opened opened = open();
    const auto reading = std::get<std::unique_ptr<ClockSource>>(opened)->read();
    ASSERT_TRUE(reading);
    EXPECT_EQ(reading->sm_mhz, 1755u);
    EXPECT_FALSE(reading->throttled);
    EXPECT_EQ(std::getenv("FAKE_NVML_SHUT_DOWN"), nullptr);
  }
  EXPECT_NE(std::getenv("FAKE_NVML_SHUT_DOWN"), nullptr);
}

// The bits of NVML's documentation, "NvmlClocksEventReasons".
TEST_F(Nvml, OnlyHeatAndBrakesAreThrottlingAndPowerIsTold) {
  const Opened opened = open();
  ClockSource& clock = *std::get<std::unique_ptr<ClockSource>>(opened);
  for (const char* wanted : {"0x0", "0x1", "0x2", "0x10", "0x100"}) {
    setenv("FAKE_NVML_REASONS", wanted, 1);
    EXPECT_FALSE(clock.read()->throttled) << wanted;
    EXPECT_FALSE(clock.read()->power_capped) << wanted;
  }
  for (const char* held_down : {"0x8", "0x20", "0x40", "0x80", "0x9"}) {
    setenv("FAKE_NVML_REASONS", held_down, 1);
    EXPECT_TRUE(clock.read()->throttled) << held_down;
    EXPECT_FALSE(clock.read()->power_capped) << held_down;
  }
  for (const char* capped : {"0x4", "0x5"}) {
    setenv("FAKE_NVML_REASONS", capped, 1);
    EXPECT_FALSE(clock.read()->throttled) << capped;
    EXPECT_TRUE(clock.read()->power_capped) << capped;
  }
}

TEST_F(Nvml, ALostDeviceReadsNothing) {
  const Opened opened = open();
  setenv("FAKE_NVML_LOST", "1", 1);
  EXPECT_FALSE(std::get<std::unique_ptr<ClockSource>>(opened)->read());
}

}  // namespace
}  // namespace quadpair::timing
