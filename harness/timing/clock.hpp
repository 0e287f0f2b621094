// The clock of the device's multiprocessors, as a source that sampling asks.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <thread>

namespace quadpair::timing {

struct ClockReading {
  std::uint32_t sm_mhz = 0;
  bool throttled = false;     ///< the device was running slower than asked: heat, or a brake
  bool power_capped = false;  ///< the same to keep within its power
};

class ClockSource {
 public:
  virtual ~ClockSource() = default;
  /// Now, or a few milliseconds ago (drivers cache what they read: on an H200 a fresh reading through NVML
  /// took 4 ms, the next ones 1 us); nothing where the device does not tell.
  virtual std::optional<ClockReading> read() = 0;
  /// Lets the device idle for so long.
  virtual void rest(std::chrono::milliseconds time) { std::this_thread::sleep_for(time); }
};

/// Where no clock can be read: every sample is then taken as not throttled.
class NoClock final : public ClockSource {
 public:
  std::optional<ClockReading> read() override { return std::nullopt; }
};

}  // namespace quadpair::timing
