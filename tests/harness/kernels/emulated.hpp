// Launches of the embedded kernels on the emulator.
#pragma once

#include <gtest/gtest.h>

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "harness/device/emulator/emulator.hpp"
#include "kernels/common/target.hpp"
#include "reference/tensor_core/model.hpp"

namespace quadpair::device {

/// A target with an arithmetic that it can have.
struct Machine {
  Target target{};
  reference::Model model{};
};

inline constexpr Machine all_machines[] = {{Target::sm70, reference::Model::volta},
                                           {Target::sm70, reference::Model::fma_lowered},
                                           {Target::sm80, reference::Model::ampere},
                                           {Target::sm90, reference::Model::hopper}};

/// One per target, for kernels without matrix instructions.
inline constexpr Machine one_a_target[] = {all_machines[0], all_machines[2], all_machines[3]};

inline std::string name_of(const testing::TestParamInfo<Machine>& info) {
  std::string name(to_string(info.param.target));
  name.append("_");
  for (const char c : to_string(info.param.model)) name += c == '-' ? '_' : c;
  return name;
}

/// The emulator with the parameter's arithmetic, and buffers by their content.
class Emulated : public testing::TestWithParam<Machine> {
 protected:
  Target target() const { return GetParam().target; }
  reference::Model model() const { return GetParam().model; }

  template <class T>
  DevicePtr in(const std::vector<T>& values) {
    return hold(device_->allocate("input", values.size() * sizeof(T), Access::input, 0xDB), values);
  }

  /// `count` elements whose bytes are all 0xA5.
  template <class T>
  Buffer& out(std::size_t count) {
    buffers_.push_back(device_->allocate("output", count * sizeof(T), Access::output, 0xA5));
    return *buffers_.back();
  }

  void run(std::span<const Launch> launches) {
    device_->run(launches);
    for (const auto& buffer : buffers_) EXPECT_FALSE(buffer->damaged_guard());
  }

  template <class T>
  static std::vector<T> content(const Buffer& buffer) {
    std::vector<T> values(buffer.bytes() / sizeof(T));
    buffer.download(std::as_writable_bytes(std::span(values)));
    return values;
  }

 private:
  template <class T>
  DevicePtr hold(std::unique_ptr<Buffer> buffer, const std::vector<T>& values) {
    buffer->upload(std::as_bytes(std::span(values)));
    buffers_.push_back(std::move(buffer));
    return buffers_.back()->address();
  }

  std::unique_ptr<Device> device_ = make_emulator({.model = GetParam().model, .threads = 1});
  std::vector<std::unique_ptr<Buffer>> buffers_;
};

}  // namespace quadpair::device
