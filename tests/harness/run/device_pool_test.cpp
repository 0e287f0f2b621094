#include "harness/run/device_pool.hpp"

#include <gtest/gtest.h>

#include "harness/run/case_runner.hpp"
#include "tests/harness/run/support.hpp"

namespace quadpair::run {
namespace {

using reference::Model;

TEST(DevicePool, KeepsDevicesOfOneKindTogether) {
  DevicePool pool(emulator);
  auto device = pool.take(Model::volta, 1);
  const device::Device* const first = device.get();
  pool.give_back(Model::volta, 1, std::move(device));
  const auto other_model = pool.take(Model::hopper, 1), other_threads = pool.take(Model::volta, 2);
  EXPECT_NE(other_model.get(), first);
  EXPECT_NE(other_threads.get(), first);
  EXPECT_EQ(pool.take(Model::volta, 1).get(), first);
}

TEST(DevicePool, ADeviceThatFaultedIsNotUsedAgain) {
  int made = 0;
  Options options = emulator_options();
  options.make_device = [&](Model model, unsigned threads) {
    device::EmulatorOptions settings;
    settings.model = model;
    settings.threads = threads;
    settings.budget = ++made == 1 ? 100 : 1 << 24;
    return device::make_emulator(settings);
  };
  Resources resources(options);
  EXPECT_EQ(run_case(small_case(), options, resources, 1).status, reports::Status::failed);
  EXPECT_EQ(run_case(small_case(), options, resources, 1).status, reports::Status::passed);
  EXPECT_EQ(run_case(small_case(), options, resources, 1).status, reports::Status::passed);
  EXPECT_EQ(made, 2);
}

}  // namespace
}  // namespace quadpair::run
