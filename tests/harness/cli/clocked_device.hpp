// A GPU that is none: the emulator with a clock whose times a test writes.
#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "harness/cli/devices.hpp"
#include "harness/cli/gpu_arithmetic.hpp"
#include "harness/device/emulator/emulator.hpp"

namespace quadpair::cli {

/// What a test decides.
struct Script {
  /// Seconds of the n-th timed sample of a graph, for each launch of that entry; ", early start" is added to
  /// its name where its launches may.
  std::function<double(const std::string& entry, unsigned sample)> seconds;
  bool throttled = false;
  bool spoils_replays = false;  ///< replays of qpn2 kernels leave wrong outputs behind
  std::uint64_t l2_bytes = 64 << 10;
};

class ClockedDevice final : public device::Device {
 public:
  ClockedDevice(std::unique_ptr<device::Device> emulator, Script script)
      : emulator_(std::move(emulator)), script_(std::move(script)) {
    info_ = {"cuda", "a GPU with a scripted clock", {}, "0.0", "0.0", script_.l2_bytes, "0000:00:00.0"};
  }
  const device::DeviceInfo& info() const override { return info_; }
  device::MemoryUse memory_use() const override { return emulator_->memory_use(); }
  std::unique_ptr<device::Buffer> allocate(std::string name, std::size_t bytes, device::Access access,
                                           std::uint8_t poison) override {
    return emulator_->allocate(std::move(name), bytes, access, poison);
  }
  void run(std::span<const Launch> launches) override { emulator_->run(launches); }
  std::unique_ptr<device::Graph> capture(std::span<const Launch> launches) override {
    return std::make_unique<ClockedGraph>(emulator_->capture(launches), launches, script_);
  }
  std::string_view code_sha256(const Module& module) const override { return module.cubin_sha256; }
  std::optional<device::Cost> take_cost() override { return std::nullopt; }

 private:
  struct ClockedGraph final : device::Graph {
    ClockedGraph(std::unique_ptr<device::Graph> graph, std::span<const Launch> launches, const Script& s)
        : captured(std::move(graph)),
          entry(launches.front().entry + (launches.back().early_start ? ", early start" : "")),
          nodes(launches.size()),
          script(s) {}
    void replay() override { captured->replay(); }
    std::optional<double> timed_replays(unsigned times) override {
      const bool spoilt = script.spoils_replays && entry.starts_with("qpn2");
      if (sample == 0 && !spoilt) captured->replay();
      return script.seconds(entry, sample++) * static_cast<double>(nodes) * times;
    }
    std::unique_ptr<device::Graph> captured;
    std::string entry;
    std::size_t nodes;
    const Script& script;
    unsigned sample = 0;
  };

  std::unique_ptr<device::Device> emulator_;
  Script script_;
  device::DeviceInfo info_;
};

class ScriptedClock final : public timing::ClockSource {
 public:
  explicit ScriptedClock(bool throttled) : throttled_(throttled) {}
  std::optional<timing::ClockReading> read() override { return timing::ClockReading{1500, throttled_}; }
  void rest(std::chrono::milliseconds) override {}

 private:
  bool throttled_;
};

/// Chooses a device of compute capability 9.0 with the scripted clock, whatever its name.
inline std::function<ChosenDevice(const std::string&, unsigned)> clocked(const Script& script) {
  return [script](const std::string&, unsigned) {
    ChosenDevice chosen;
    chosen.record = {"cuda", "a GPU with a scripted clock", {}, "0.0", "0.0"};
    chosen.make = [script](reference::Model model, unsigned threads) {
      device::EmulatorOptions options;
      options.model = model;
      options.threads = threads;
      return std::make_unique<ClockedDevice>(device::make_emulator(options), script);
    };
    chosen.why_skipped = [](const cases::Case& c) {
      return c.model == "hopper" ? std::nullopt : std::optional<std::string>("no such arithmetic");
    };
    chosen.target = Target::sm90;
    chosen.arithmetic = [](Target target, reference::Model) { return gpu_arithmetic(9, 0, target); };
    chosen.open_clock = [script] { return std::make_unique<ScriptedClock>(script.throttled); };
    return chosen;
  };
}

}  // namespace quadpair::cli
