#include "harness/timing/graph_subject.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <stdexcept>

namespace quadpair::timing {
namespace {

using testing::ElementsAre;

/// A device that remembers what was captured; its graphs take a millisecond a launch, or have no clock.
class FakeDevice final : public device::Device {
 public:
  explicit FakeDevice(bool clock) : clock_(clock) {}
  std::vector<std::string> captured;

  const device::DeviceInfo& info() const override { return info_; }
  std::unique_ptr<device::Buffer> allocate(std::string, std::size_t, device::Access, std::uint8_t) override {
    throw std::logic_error("not used");
  }
  device::MemoryUse memory_use() const override { throw std::logic_error("not used"); }
  void run(std::span<const Launch>) override { throw std::logic_error("not used"); }
  std::unique_ptr<device::Graph> capture(std::span<const Launch> launches) override {
    for (const Launch& launch : launches) captured.push_back(launch.entry);
    return std::make_unique<FakeGraph>(launches.size(), clock_);
  }
  std::string_view code_sha256(const Module&) const override { throw std::logic_error("not used"); }
  std::optional<device::Cost> take_cost() override { return std::nullopt; }

 private:
  struct FakeGraph final : device::Graph {
    FakeGraph(std::size_t launches, bool clock) : launches_(launches), clock_(clock) {}
    void replay() override {}
    std::optional<double> timed_replays(unsigned times) override {
      if (!clock_) return std::nullopt;
      return 1e-3 * static_cast<double>(launches_) * times;
    }
    std::size_t launches_;
    bool clock_;
  };

  device::DeviceInfo info_;
  bool clock_;
};

Launch launch(const char* entry) {
  Launch made;
  made.entry = entry;
  return made;
}

std::unique_ptr<GraphSubject> subject(FakeDevice& device, const std::vector<std::vector<Launch>>& uses,
                                      const SamplePlan& plan) {
  return std::make_unique<GraphSubject>("dual", device.capture(rotation(uses, plan)), plan);
}

TEST(GraphSubject, RotatesTheTensorsThroughOneGraph) {
  FakeDevice device(true);
  const auto made = subject(device, {{launch("a")}, {launch("b")}, {launch("c")}}, {3, 6, 10});
  EXPECT_THAT(device.captured, ElementsAre("a", "b", "c", "a", "b", "c"));
  EXPECT_EQ(made->name(), "dual");
}

TEST(GraphSubject, SecondsAreThoseOfOneUse) {
  FakeDevice device(true);
  EXPECT_DOUBLE_EQ(subject(device, {{launch("a")}}, {1, 16, 10})->sample(), 1e-3);
  EXPECT_DOUBLE_EQ(subject(device, {{launch("gemm"), launch("silu")}}, {1, 16, 10})->sample(), 2e-3);
}

TEST(GraphSubject, RefusesAnotherNumberOfTensorsAndADeviceWithoutAClock) {
  FakeDevice device(false);
  EXPECT_THROW(subject(device, {{launch("a")}}, {2, 16, 10}), std::invalid_argument);
  EXPECT_THROW(subject(device, {{launch("a")}}, {1, 16, 10})->sample(), std::runtime_error);
}

}  // namespace
}  // namespace quadpair::timing
