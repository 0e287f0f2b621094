#include "harness/run/device_pool.hpp"

namespace quadpair::run {

std::unique_ptr<device::Device> DevicePool::take(reference::Model model, unsigned threads) {
  {
    const std::lock_guard lock(mutex_);
    auto& idle = idle_[{model, threads}];
    if (!idle.empty()) {
      auto device = std::move(idle.back());
      idle.pop_back();
      return device;
    }
  }
  return make_(model, threads);
}

void DevicePool::give_back(reference::Model model, unsigned threads, std::unique_ptr<device::Device> device) {
  const std::lock_guard lock(mutex_);
  idle_[{model, threads}].push_back(std::move(device));
}

}  // namespace quadpair::run
