// Devices that differ from run to run, or do not give memory back.
#include "harness/run/repeated_run.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>

#include "harness/run/case_runner.hpp"
#include "tests/harness/run/support.hpp"

namespace quadpair::run {
namespace {

using reports::Status;
using testing::HasSubstr;

/// What a device does after each run of launches, the first of all being 1; and what its driver counts free.
struct Habits {
  std::function<void(int run, device::Device& device, device::Buffer& y)> after_run;
  std::function<std::optional<std::uint64_t>(int asked)> free_bytes = [](int) { return std::nullopt; };
};

class HabitualDevice final : public device::Device {
 public:
  HabitualDevice(std::unique_ptr<device::Device> device, Habits habits)
      : device_(std::move(device)), habits_(std::move(habits)) {}
  const device::DeviceInfo& info() const override { return device_->info(); }
  std::string_view code_sha256(const Module& module) const override { return device_->code_sha256(module); }
  device::MemoryUse memory_use() const override {
    device::MemoryUse use = device_->memory_use();
    use.free_bytes = habits_.free_bytes(++asked_);
    return use;
  }
  std::unique_ptr<device::Buffer> allocate(std::string name, std::size_t bytes, device::Access access,
                                           std::uint8_t poison) override {
    const bool is_y = name == "y";
    if (name == "qpn2_codes") y_ = nullptr;  // the case starts again
    auto buffer = device_->allocate(name, bytes, access, poison);
    if (is_y) y_ = buffer.get();
    return buffer;
  }
  void run(std::span<const Launch> launches) override {
    device_->run(launches);
    ++runs_;
    if (habits_.after_run && y_ != nullptr) habits_.after_run(runs_, *device_, *y_);
  }
  std::unique_ptr<device::Graph> capture(std::span<const Launch> launches) override {
    return device_->capture(launches);
  }
  std::optional<device::Cost> take_cost() override { return device_->take_cost(); }

 private:
  std::unique_ptr<device::Device> device_;
  Habits habits_;
  device::Buffer* y_ = nullptr;
  int runs_ = 0;
  mutable int asked_ = 0;
};

/// Each time over, a case runs launches four times: packing twice, eager, eager again.
constexpr int runs_each = 4;

reports::CaseRecord run_with(const Habits& habits, unsigned repeats) {
  Options options = emulator_options();
  options.repeats = repeats;
  options.make_device = [&](reference::Model model, unsigned threads) {
    return std::make_unique<HabitualDevice>(emulator(model, threads), habits);
  };
  Resources resources(options);
  return run_case(small_case(), options, resources, 1);
}

TEST(RepeatedRun, ASoundDeviceRepeatsAndGivesBack) {
  const reports::CaseRecord r = run_with({}, 3);
  EXPECT_EQ(r.status, Status::passed) << r.reason;
  EXPECT_EQ(check(r, "repeats").elements, 2u * 4);  // eager, two replays, eager again
  EXPECT_EQ(check(r, "memory returned").elements, 3u);
  EXPECT_EQ(check(r, "eager").elements, 300u);
}

TEST(RepeatedRun, OnceHasNothingToRepeat) {
  const reports::CaseRecord r = run_with({}, 1);
  EXPECT_EQ(r.status, Status::passed) << r.reason;
  EXPECT_THROW(check(r, "repeats"), std::out_of_range);
  EXPECT_EQ(check(r, "memory returned").elements, 1u);
}

TEST(RepeatedRun, OneBitInALaterRunIsNoticed) {
  const Habits habits{[](int run, device::Device&, device::Buffer& y) {
    if (run != runs_each * 2 + 3) return;  // the third time's eager run
    std::byte byte[1];
    y.download(byte, 10);
    byte[0] ^= std::byte{1};
    y.upload(byte, 10);
  }};
  const reports::CaseRecord r = run_with(habits, 3);
  EXPECT_EQ(r.status, Status::failed);
  EXPECT_TRUE(check(r, "eager").passed());
  EXPECT_EQ(check(r, "repeats").mismatches, 1u);
  EXPECT_EQ(check(r, "repeats").first->index, 4u);
  EXPECT_THAT(r.notes, HasSubstr("eager differs in run 3"));
  EXPECT_EQ(run_with(habits, 2).status, Status::passed);
}

TEST(RepeatedRun, ABufferThatStaysIsALeak) {
  std::vector<std::unique_ptr<device::Buffer>> kept;
  const Habits habits{[&](int run, device::Device& device, device::Buffer&) {
    if (run == 3) kept.push_back(device.allocate("forgotten", 100, device::Access::scratch, 0));
  }};
  const reports::CaseRecord r = run_with(habits, 1);
  EXPECT_EQ(r.status, Status::failed);
  EXPECT_EQ(check(r, "memory returned").mismatches, 1u);
  EXPECT_THAT(r.notes, HasSubstr("1 buffers of 100 bytes live, 0 of 0 before"));
}

/// The driver's count before the first run, after it, and after the last.
reports::CaseRecord run_with_driver(std::uint64_t before, std::uint64_t warm, std::uint64_t last) {
  const std::vector<std::uint64_t> free{before, warm, last};
  return run_with({{}, [free](int asked) { return free.at(static_cast<std::size_t>(asked) - 1); }}, 2);
}

TEST(RepeatedRun, WhatTheDriverLosesIsALeakOnceItIsWarm) {
  constexpr std::uint64_t mebibyte = 1 << 20;
  EXPECT_EQ(run_with_driver(900 * mebibyte, 500 * mebibyte, 500 * mebibyte).status, Status::passed);
  EXPECT_EQ(run_with_driver(500 * mebibyte, 500 * mebibyte, 600 * mebibyte).status, Status::passed);
  EXPECT_EQ(run_with_driver(500 * mebibyte, 500 * mebibyte, 498 * mebibyte).status, Status::passed);
  const reports::CaseRecord r = run_with_driver(500 * mebibyte, 500 * mebibyte, 496 * mebibyte);
  EXPECT_EQ(r.status, Status::failed);
  EXPECT_THAT(r.notes, HasSubstr("the driver has 4194304 bytes less to give"));
}

}  // namespace
}  // namespace quadpair::run
