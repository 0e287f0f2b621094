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

/// What is run, and how.
struct Watched {
  const char* operation;
  const char* output;          ///< a buffer that the operator writes
  const char* first;           ///< a buffer that each time over makes once, before its first run
  int runs;                    ///< of launches, each time over: preparation, eager, eager again
  std::uint64_t fingerprints;  ///< that each time over leaves
  std::string eager;           ///< an output's name in the first run after preparation
  std::uint64_t place;         ///< of its fingerprint
};

/// What a device does after each run of launches, the first of all being 1; and what its driver counts free.
struct Habits {
  std::function<void(int run, device::Device& device, device::Buffer& y)> after_run;
  std::function<std::optional<std::uint64_t>(int asked)> free_bytes = [](int) { return std::nullopt; };
};

class HabitualDevice final : public device::Device {
 public:
  HabitualDevice(std::unique_ptr<device::Device> device, const Watched& watched, Habits habits)
      : device_(std::move(device)), watched_(watched), habits_(std::move(habits)) {}
  const device::DeviceInfo& info() const override { return device_->info(); }
  std::string_view code_sha256(const Module& module) const override { return device_->code_sha256(module); }
  device::MemoryUse memory_use() const override {
    device::MemoryUse use = device_->memory_use();
    use.free_bytes = habits_.free_bytes(++asked_);
    return use;
  }
  std::unique_ptr<device::Buffer> allocate(std::string name, std::size_t bytes, device::Access access,
                                           std::uint8_t poison) override {
    const bool is_y = name == watched_.output;
    if (name == watched_.first) y_ = nullptr;  // the case starts again
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
  Watched watched_;
  Habits habits_;
  device::Buffer* y_ = nullptr;
  int runs_ = 0;
  mutable int asked_ = 0;
};

class RepeatedRun : public testing::TestWithParam<Watched> {
 protected:
  static reports::CaseRecord run_with(const Habits& habits, unsigned repeats) {
    Options options = emulator_options();
    options.repeats = repeats;
    options.make_device = [&](reference::Model model, unsigned threads) {
      return std::make_unique<HabitualDevice>(emulator(model, threads), GetParam(), habits);
    };
    cases::Case c = small_case();
    c.operation = GetParam().operation;
    if (c.operation.starts_with("lm_head")) {
      c.slice = "edge.head.zeros";
      c.promises_all_codes = false;
      c.top = 16;
    }
    Resources resources(options);
    return run_case(c, options, resources, 1);
  }

  /// The driver's count before the first run, after it, and after the last.
  static reports::CaseRecord run_with_driver(std::uint64_t before, std::uint64_t warm, std::uint64_t last) {
    const std::vector<std::uint64_t> free{before, warm, last};
    return run_with({{}, [free](int asked) { return free.at(static_cast<std::size_t>(asked) - 1); }}, 2);
  }
};

// Outputs are eager, two replays, eager again.
INSTANTIATE_TEST_SUITE_P(
    Kinds, RepeatedRun,
    testing::Values(Watched{"qpn2_gemm", "y", "qpn2_codes", 4, 4, "eager", 0},
                    Watched{"lm_head", "dense logits", "fp8_codes", 3, 4 * 5, "dense logits, eager", 4},
                    Watched{"lm_head_top1", "logits", "fp8_codes", 3, 4 * 3, "logits, eager", 0}),
    [](const auto& watched) { return std::string(watched.param.operation); });

TEST_P(RepeatedRun, ASoundDeviceRepeatsAndGivesBack) {
  const reports::CaseRecord r = run_with({}, 3);
  EXPECT_EQ(r.status, Status::passed) << r.reason;
  EXPECT_EQ(check(r, "repeats").elements, 2 * GetParam().fingerprints);
  EXPECT_EQ(check(r, "memory returned").elements, 3u);
  EXPECT_GE(check(r, GetParam().eager).elements, 300u);
}

TEST_P(RepeatedRun, OnceHasNothingToRepeat) {
  const reports::CaseRecord r = run_with({}, 1);
  EXPECT_EQ(r.status, Status::passed) << r.reason;
  EXPECT_THROW(check(r, "repeats"), std::out_of_range);
  EXPECT_EQ(check(r, "memory returned").elements, 1u);
}

TEST_P(RepeatedRun, OneBitInALaterRunIsNoticed) {
  const Habits habits{[](int run, device::Device&, device::Buffer& y) {
    if (run != GetParam().runs * 3 - 1) return;  // the third time's eager run
    std::byte byte[1];
    y.download(byte, 10);
    byte[0] ^= std::byte{1};
    y.upload(byte, 10);
  }};
  const reports::CaseRecord r = run_with(habits, 3);
  EXPECT_EQ(r.status, Status::failed);
  EXPECT_TRUE(check(r, GetParam().eager).passed());
  EXPECT_EQ(check(r, "repeats").mismatches, 1u);
  EXPECT_EQ(check(r, "repeats").first->index, GetParam().fingerprints + GetParam().place);
  EXPECT_THAT(r.notes, HasSubstr(GetParam().eager + " differs in run 3"));
  EXPECT_EQ(run_with(habits, 2).status, Status::passed);
}

TEST_P(RepeatedRun, AnotherSignInTheLastEagerRunIsNoticed) {
  const Habits habits{[](int run, device::Device&, device::Buffer& y) {
    if (run != GetParam().runs) return;
    std::byte byte[1];
    y.download(byte, 11);
    byte[0] ^= std::byte{0x80};
    y.upload(byte, 11);
  }};
  const reports::CaseRecord r = run_with(habits, 1);
  EXPECT_EQ(r.status, Status::failed);
  EXPECT_TRUE(check(r, GetParam().eager).passed());
  for (const char* what : {"", " equals replay 2", " within FP64 bound"})
    EXPECT_EQ(check(r, GetParam().eager + " again" + what).mismatches, 1u) << what;
}

TEST_P(RepeatedRun, ABufferThatStaysIsALeak) {
  std::vector<std::unique_ptr<device::Buffer>> kept;
  const Habits habits{[&](int run, device::Device& device, device::Buffer&) {
    if (run == GetParam().runs) kept.push_back(device.allocate("forgotten", 100, device::Access::scratch, 0));
  }};
  const reports::CaseRecord r = run_with(habits, 1);
  EXPECT_EQ(r.status, Status::failed);
  EXPECT_EQ(check(r, "memory returned").mismatches, 1u);
  EXPECT_THAT(r.notes, HasSubstr("1 buffers of 100 bytes live, 0 of 0 before"));
}

TEST_P(RepeatedRun, ABufferThatStaysForAWhileIsALeakToo) {
  std::vector<std::unique_ptr<device::Buffer>> kept;
  const Habits habits{[&](int run, device::Device& device, device::Buffer&) {
    if (run == GetParam().runs * 2) kept.push_back(device.allocate("late", 7, device::Access::scratch, 0));
    if (run == GetParam().runs * 3) kept.clear();
  }};
  const reports::CaseRecord r = run_with(habits, 3);
  EXPECT_EQ(r.status, Status::failed);
  EXPECT_EQ(check(r, "memory returned").first->index, 1u);
}

TEST_P(RepeatedRun, WhatTheDriverLosesIsALeakOnceItIsWarm) {
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
