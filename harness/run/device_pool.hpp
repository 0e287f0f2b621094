// Devices that are kept between cases, since a module is parsed or loaded once a device.
#pragma once

#include <map>
#include <memory>
#include <mutex>
#include <utility>
#include <vector>

#include "harness/run/options.hpp"

namespace quadpair::run {

/// Safe to call from several threads. A device that met an error is simply not given back.
class DevicePool {
 public:
  explicit DevicePool(DeviceFactory make) : make_(std::move(make)) {}

  /// An idle device, or a new one.
  std::unique_ptr<device::Device> take(reference::Model model, unsigned threads);

  void give_back(reference::Model model, unsigned threads, std::unique_ptr<device::Device> device);

 private:
  DeviceFactory make_;
  std::mutex mutex_;
  std::map<std::pair<reference::Model, unsigned>, std::vector<std::unique_ptr<device::Device>>> idle_;
};

}  // namespace quadpair::run
