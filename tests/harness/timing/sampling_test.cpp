#include "harness/timing/sampling.hpp"

#include <gtest/gtest.h>

#include <functional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace quadpair::timing {
namespace {

/// Writes its letter to a log whenever it is sampled.
class Scripted final : public Subject {
 public:
  Scripted(std::string name, std::string& log, std::function<double(std::size_t)> seconds)
      : name_(std::move(name)), log_(log), seconds_(std::move(seconds)) {}
  const std::string& name() const override { return name_; }
  double sample() override {
    log_ += name_;
    return seconds_(calls_++);
  }

 private:
  std::string name_;
  std::string& log_;
  std::function<double(std::size_t)> seconds_;
  std::size_t calls_ = 0;
};

/// Throttled at the given readings, counted from 0.
class ScriptedClock final : public ClockSource {
 public:
  explicit ScriptedClock(std::function<bool(std::size_t)> throttled) : throttled_(std::move(throttled)) {}
  std::optional<ClockReading> read() override {
    const std::size_t n = readings_++;
    return ClockReading{static_cast<std::uint32_t>(1000 + n), throttled_(n)};
  }
  void rest(std::chrono::milliseconds time) override { rests.push_back(static_cast<int>(time.count())); }

  std::vector<int> rests;  ///< milliseconds

 private:
  std::function<bool(std::size_t)> throttled_;
  std::size_t readings_ = 0;
};

struct Bench {
  std::string log;
  Scripted control{"A", log, [](std::size_t) { return 2e-6; }};
  Scripted candidate{"B", log, [](std::size_t) { return 3e-6; }};
  NoClock no_clock;
};

TEST(Measure, InterleavesAndKeepsEverySample) {
  Bench bench;
  const Measurement got = measure(bench.control, bench.candidate, bench.no_clock, {.rounds = 3});
  EXPECT_EQ(bench.log,
            "AABBA"
            "AABBA"
            "AABBA");
  ASSERT_EQ(got.samples.size(), 15u);
  for (std::size_t i = 0; i < got.samples.size(); ++i) {
    const Sample& sample = got.samples[i];
    EXPECT_EQ(sample.side == Side::control, bench.log[i] == 'A');
    EXPECT_EQ(sample.round, i / 5);
    EXPECT_EQ(sample.order, i % 5);
    EXPECT_EQ(sample.seconds, bench.log[i] == 'A' ? 2e-6 : 3e-6);
    EXPECT_EQ(sample.counted, i % 5 != 0);
    EXPECT_EQ(sample.sm_mhz, 0u);
  }
  EXPECT_EQ(got.rounds.size(), 3u);
  EXPECT_EQ(got.dropped, 0u);
  EXPECT_EQ(got.control, "A");
  EXPECT_EQ(got.candidate, "B");
  EXPECT_DOUBLE_EQ(got.ratio->ratio, 1.5);
  EXPECT_DOUBLE_EQ(got.aa->ratio, 1);
  EXPECT_EQ(got.verdict, Verdict::slower);
}

TEST(Measure, WarmUpsDoNotCount) {
  std::string log;
  Scripted control("A", log, [](std::size_t n) { return n % 3 == 0 ? 50e-6 : 2e-6; });
  Scripted candidate("B", log, [](std::size_t) { return 2e-6; });
  NoClock clock;
  EXPECT_DOUBLE_EQ(measure(control, candidate, clock).ratio->ratio, 1);
}

TEST(Measure, DropsAndCountsTheRoundsBesideAThrottledReading) {
  Bench bench;
  ScriptedClock clock([](std::size_t n) { return n == 2 || n == 3; });  // after round 1, after the rest
  const Measurement got = measure(bench.control, bench.candidate, clock, {.rounds = 2});
  EXPECT_EQ(got.dropped, 8u);
  EXPECT_EQ(got.rounds.size(), 2u);
  ASSERT_EQ(got.samples.size(), 20u);
  const std::uint32_t mhz[] = {1001, 1002, 1004, 1006};  // from round 2 on there is a reading before, too
  for (std::size_t i = 0; i < 20; ++i) {
    const std::size_t round = i / 5;
    const bool throttled = round == 1 || round == 2;
    EXPECT_EQ(got.samples[i].throttled, throttled) << i;
    EXPECT_EQ(got.samples[i].counted, i % 5 != 0 && !throttled) << i;
    EXPECT_EQ(got.samples[i].sm_mhz, mhz[round]) << i;
  }
}

TEST(Measure, RestsOnceThrottledAndLongerUntilTheClockRecovers) {
  Bench bench;
  ScriptedClock steady([](std::size_t) { return false; });
  measure(bench.control, bench.candidate, steady);
  EXPECT_TRUE(steady.rests.empty());

  ScriptedClock always([](std::size_t) { return true; });
  EXPECT_EQ(measure(bench.control, bench.candidate, always, {.rounds = 2, .most_rounds = 8}).dropped, 32u);
  EXPECT_EQ(always.rests, (std::vector{20, 40, 80, 160, 320, 320, 320}));
}

/// Held down by a cap on power unless the device idled long enough before the round.
class PowerCappedClock final : public ClockSource {
 public:
  explicit PowerCappedClock(int enough) : enough_(enough) {}
  std::optional<ClockReading> read() override { return ClockReading{1500, hot_, rested_ < enough_}; }
  void rest(std::chrono::milliseconds time) override { rested_ = time; }
  void heat() { hot_ = true; }

 private:
  std::chrono::milliseconds enough_, rested_{0};
  bool hot_ = false;
};

TEST(Measure, ADeviceAtItsPowerCapIsMeasuredBetweenRests) {
  Bench bench;
  PowerCappedClock clock(100);
  const Measurement got = measure(bench.control, bench.candidate, clock);
  EXPECT_EQ(got.rounds.size(), Protocol{}.rounds);
  EXPECT_EQ(got.dropped, 16u);  // before the rests of 20, 40, 80 and 160 ms were found
  EXPECT_EQ(got.verdict, Verdict::slower);
  EXPECT_FALSE(got.power_capped);
}

TEST(Measure, APowerCapThatNoRestLiftsIsTheDevicesOwn) {
  Bench bench;
  PowerCappedClock clock(10'000);
  const Measurement got = measure(bench.control, bench.candidate, clock);
  EXPECT_EQ(got.rounds.size(), Protocol{}.rounds);
  EXPECT_EQ(got.dropped, 36u);  // five rounds that lengthen the rest, four that show that it is in vain
  EXPECT_TRUE(got.power_capped);
  EXPECT_TRUE(got.samples.back().throttled);
  EXPECT_TRUE(got.samples.back().counted);
}

TEST(Measure, HeatIsNeverTheDevicesOwn) {
  Bench bench;
  PowerCappedClock clock(10'000);
  clock.heat();
  const Measurement got = measure(bench.control, bench.candidate, clock);
  EXPECT_TRUE(got.rounds.empty());
  EXPECT_FALSE(got.power_capped);
}

TEST(Measure, AReadingBeforeTheFirstRoundCounts) {
  Bench bench;
  ScriptedClock clock([](std::size_t n) { return n == 0; });
  const Measurement got = measure(bench.control, bench.candidate, clock, {.rounds = 2});
  EXPECT_EQ(got.dropped, 4u);
  EXPECT_TRUE(got.samples[1].throttled);
  EXPECT_FALSE(got.samples[6].throttled);
}

TEST(Measure, ReadsTheClockOnlyBetweenRounds) {
  std::string log;
  Scripted control("A", log, [](std::size_t) { return 2e-6; });
  Scripted candidate("B", log, [](std::size_t) { return 2e-6; });
  ScriptedClock clock([&log](std::size_t) { return log += '|', false; });
  measure(control, candidate, clock, {.rounds = 2});
  EXPECT_EQ(log, "|AABBA|AABBA|");
}

TEST(Measure, AlwaysThrottledIsAmbiguousWithoutARatio) {
  Bench bench;
  ScriptedClock clock([](std::size_t) { return true; });
  const Measurement got = measure(bench.control, bench.candidate, clock, {.rounds = 2, .most_rounds = 5});
  EXPECT_EQ(got.verdict, Verdict::ambiguous);
  EXPECT_FALSE(got.ratio);
  EXPECT_FALSE(got.aa);
  EXPECT_EQ(got.dropped, 20u);
  EXPECT_EQ(got.samples.size(), 25u);
}

TEST(Measure, GoesOnUntilNarrowOrTheMostRounds) {
  std::string log;
  std::size_t calls = 0;
  // Times that jump by 2 hold the interval wide; they are calm from the 20th round on.
  const auto noisy_until = [&](std::size_t end) {
    return [&calls, end](std::size_t) { return calls++ < end && calls * 2654435761u >> 7 & 1 ? 4e-6 : 2e-6; };
  };
  NoClock clock;
  Scripted control("A", log, noisy_until(1000)), candidate("B", log, noisy_until(1000));
  const Measurement wide = measure(control, candidate, clock, {.rounds = 4, .most_rounds = 20});
  EXPECT_EQ(wide.rounds.size(), 20u);
  EXPECT_EQ(wide.verdict, Verdict::ambiguous);

  calls = 0;
  Scripted calm_control("A", log, noisy_until(10)), calm_candidate("B", log, noisy_until(10));
  const Measurement calm = measure(calm_control, calm_candidate, clock, {.rounds = 4, .most_rounds = 64});
  EXPECT_LT(calm.rounds.size(), 64u);
  EXPECT_GT(calm.rounds.size(), 4u);
  EXPECT_LT(calm.ratio->relative_width(), 0.02);
  EXPECT_EQ(calm.verdict, Verdict::equal_within);
}

TEST(Measure, AControlThatDiffersFromItselfMakesItAmbiguous) {
  std::string log;
  Scripted control("A", log, [](std::size_t n) { return n % 3 == 1 ? 3e-6 : 2e-6; });  // the first A is slow
  Scripted candidate("B", log, [](std::size_t) { return 9e-6; });
  NoClock clock;
  const Measurement got = measure(control, candidate, clock);
  EXPECT_DOUBLE_EQ(got.aa->ratio, 2.0 / 3);
  EXPECT_EQ(got.verdict, Verdict::ambiguous);
}

TEST(Measure, RefusesRoundsThatGiveNoInterval) {
  Bench bench;
  EXPECT_THROW(measure(bench.control, bench.candidate, bench.no_clock, {.rounds = 1}), std::invalid_argument);
  EXPECT_THROW(measure(bench.control, bench.candidate, bench.no_clock, {.rounds = 9, .most_rounds = 8}),
               std::invalid_argument);
  EXPECT_EQ(bench.log, "");
}

TEST(Protocol, IsPrintable) {
  EXPECT_EQ(
      to_string(Protocol{}),
      "W A B B A, 8 to 64 rounds, until the 99 % interval of 2000 resamples (seed 1) is narrower than 2 %, "
      "equal within 2 %");
}

}  // namespace
}  // namespace quadpair::timing
