// Devices that do something wrong around sound kernels: the run step must notice each.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>
#include <vector>

#include "harness/run/case_runner.hpp"
#include "tests/harness/run/support.hpp"

namespace quadpair::run {
namespace {

using reports::Status;
using testing::HasSubstr;

/// What a device does wrong.
struct Tampering {
  bool stale_replay = false;   ///< a replay leaves everything as it is
  bool old_inputs = false;     ///< a replay works on the inputs of the capture
  bool changes_input = false;  ///< each run flips a bit of x
  bool past_rows = false;      ///< each run writes the last element of y
  bool guard = false;          ///< each run damages a guard band of y
  bool extra_bit = false;      ///< the second run flips a bit of y
  bool unpacked = false;       ///< packing leaves a byte of the codes as it was
};

class TamperedBuffer final : public device::Buffer {
 public:
  TamperedBuffer(std::unique_ptr<device::Buffer> buffer, bool guard)
      : buffer_(std::move(buffer)), guard_(guard) {}
  DevicePtr address() const override { return buffer_->address(); }
  std::size_t bytes() const override { return buffer_->bytes(); }
  const std::string& name() const override { return buffer_->name(); }
  device::Access access() const override { return buffer_->access(); }
  void upload(std::span<const std::byte> data, std::size_t offset) override {
    if (!frozen) buffer_->upload(data, offset);
  }
  void download(std::span<std::byte> data, std::size_t offset) const override {
    buffer_->download(data, offset);
  }
  void fill(std::uint8_t pattern) override { buffer_->fill(pattern); }
  std::optional<std::int64_t> damaged_guard() const override {
    return guard_ ? std::optional<std::int64_t>(-2) : buffer_->damaged_guard();
  }

  void flip(std::size_t offset) {
    std::byte byte[1];
    buffer_->download(byte, offset);
    byte[0] ^= std::byte{1};
    buffer_->upload(byte, offset);
  }
  bool frozen = false;  ///< uploads are lost

 private:
  std::unique_ptr<device::Buffer> buffer_;
  bool guard_;
};

class TamperedDevice final : public device::Device {
 public:
  TamperedDevice(std::unique_ptr<device::Device> device, Tampering tampering)
      : device_(std::move(device)), tampering_(tampering) {}
  const device::DeviceInfo& info() const override { return device_->info(); }
  device::MemoryUse memory_use() const override { return device_->memory_use(); }
  std::unique_ptr<device::Buffer> allocate(std::string name, std::size_t bytes, device::Access access,
                                           std::uint8_t poison) override {
    const bool guard = tampering_.guard && name == "y";
    auto buffer = std::make_unique<TamperedBuffer>(device_->allocate(name, bytes, access, poison), guard);
    if (name == "x") x_ = buffer.get();
    if (name == "y") y_ = buffer.get();
    if (name == "qpn2_codes") packed_ = buffer.get();
    return buffer;
  }
  void run(std::span<const Launch> launches) override {
    std::byte before[1];
    const bool packing = y_ == nullptr && packed_ != nullptr;
    if (packing) packed_->download(before, 5);
    device_->run(launches);
    if (packing && tampering_.unpacked) packed_->upload(before, 5);
    tamper();
  }
  std::unique_ptr<device::Graph> capture(std::span<const Launch> launches) override {
    if (tampering_.old_inputs) x_->frozen = true;
    return std::make_unique<TamperedGraph>(*this, device_->capture(launches));
  }
  std::string_view code_sha256(const Module& module) const override { return device_->code_sha256(module); }
  std::optional<device::Cost> take_cost() override { return device_->take_cost(); }

 private:
  struct TamperedGraph final : device::Graph {
    TamperedGraph(TamperedDevice& owner, std::unique_ptr<device::Graph> graph)
        : device(owner), captured(std::move(graph)) {}
    void replay() override {
      if (!device.tampering_.stale_replay) captured->replay();
      device.tamper();
    }
    TamperedDevice& device;
    std::unique_ptr<device::Graph> captured;
  };

  void tamper() {
    if (y_ == nullptr) return;  // packing
    ++runs_;
    if (tampering_.changes_input) x_->flip(0);
    if (tampering_.past_rows) y_->flip(y_->bytes() - 1);
    if (tampering_.extra_bit && runs_ == 2) y_->flip(2 * 7);
  }

  std::unique_ptr<device::Device> device_;
  Tampering tampering_;
  TamperedBuffer* x_ = nullptr;
  TamperedBuffer* y_ = nullptr;
  TamperedBuffer* packed_ = nullptr;
  int runs_ = 0;
};

reports::CaseRecord run_tampered(Tampering tampering) {
  Options options = emulator_options();
  options.make_device = [=](reference::Model model, unsigned threads) {
    return std::make_unique<TamperedDevice>(emulator(model, threads), tampering);
  };
  cases::Case c = small_case();
  c.ldy_extra = 3;
  Resources resources(options);
  return run_case(c, options, resources, 1);
}

TEST(TamperedDevice, UntamperedPasses) {
  EXPECT_EQ(run_tampered({}).status, Status::passed);
}

TEST(TamperedDevice, ReplayThatWritesNothing) {
  const reports::CaseRecord r = run_tampered({.stale_replay = true});
  EXPECT_EQ(r.status, Status::failed);
  EXPECT_TRUE(check(r, "eager").passed());
  EXPECT_EQ(check(r, "replay 1").mismatches, check(r, "replay 1").elements);
}

TEST(TamperedDevice, ReplayOfOldInputs) {
  const reports::CaseRecord r = run_tampered({.old_inputs = true});
  EXPECT_EQ(r.status, Status::failed);
  EXPECT_FALSE(check(r, "replay 1").passed());
}

TEST(TamperedDevice, ChangedInput) {
  const reports::CaseRecord r = run_tampered({.changes_input = true});
  EXPECT_EQ(r.status, Status::failed);
  EXPECT_EQ(check(r, "inputs unchanged").mismatches, 2u);  // before each change; the fourth run flips it back
  EXPECT_THAT(r.notes, HasSubstr("input x changed at byte 0"));
}

TEST(TamperedDevice, WriteBetweenRows) {
  const reports::CaseRecord r = run_tampered({.past_rows = true});
  EXPECT_EQ(r.status, Status::failed);
  EXPECT_EQ(check(r, "bytes between outputs").mismatches, 4u);
  EXPECT_TRUE(check(r, "eager").passed());
}

TEST(TamperedDevice, DamagedGuard) {
  const reports::CaseRecord r = run_tampered({.guard = true});
  EXPECT_EQ(r.status, Status::failed);
  EXPECT_EQ(check(r, "guards").mismatches, 1u);
  EXPECT_THAT(r.notes, HasSubstr("offset -2"));
}

TEST(TamperedDevice, PackingThatLeavesAByte) {
  const reports::CaseRecord r = run_tampered({.unpacked = true});
  EXPECT_EQ(r.status, Status::failed);
  EXPECT_THAT(r.reason, HasSubstr("unwritten"));
}

TEST(TamperedDevice, OneBitInOneReplay) {
  const reports::CaseRecord r = run_tampered({.extra_bit = true});
  EXPECT_EQ(r.status, Status::failed);
  EXPECT_EQ(check(r, "replay 1").mismatches, 1u);
  EXPECT_EQ(check(r, "replay 1").first->index, 7u);
  EXPECT_TRUE(check(r, "replay 2").passed());
}

}  // namespace
}  // namespace quadpair::run
