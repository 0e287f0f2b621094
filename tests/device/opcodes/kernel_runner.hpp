// Small PTX kernels on the emulator.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "harness/device/device.hpp"
#include "harness/device/emulator/emulator.hpp"

namespace quadpair::device {

/// Calls `test` once for every SIMD target that the handlers are compiled for and this machine can run;
/// devices made within use that target.
void for_every_simd_target(const std::function<void()>& test);

/// A module of one entry "k" and the device that runs it.
class KernelRunner {
 public:
  static constexpr EmulatorOptions one_thread = {.threads = 1};

  /// For sm_70, by default with model volta. `body`: the entry's body without braces; `parameters`: PTX
  /// parameter declarations.
  KernelRunner(std::string_view parameters, std::string_view body,
               const EmulatorOptions& options = one_thread);
  /// A whole module, which declares an entry "k".
  explicit KernelRunner(std::string ptx, Target target = Target::sm70,
                        reference::Model model = reference::Model::volta);
  KernelRunner(std::string ptx, Target target, const EmulatorOptions& options);
  KernelRunner(const KernelRunner&) = delete;  // launches point to the module
  KernelRunner& operator=(const KernelRunner&) = delete;

  Launch launch(Dim3 grid, Dim3 block, const Arguments& arguments, std::uint32_t dynamic_shared = 0) const;

  Device& device() { return *device_; }

  /// A buffer that holds `values`.
  template <class T>
  std::unique_ptr<Buffer> input(const std::vector<T>& values) {
    return filled("input", values, Access::input);
  }

  /// A buffer of `count` values whose bytes are all 0xCD.
  template <class T>
  std::unique_ptr<Buffer> output(std::size_t count) {
    return device_->allocate("output", count * sizeof(T), Access::output, 0xCD);
  }

  template <class T>
  std::unique_ptr<Buffer> filled(const std::string& name, const std::vector<T>& values, Access access) {
    std::unique_ptr<Buffer> buffer = device_->allocate(name, values.size() * sizeof(T), access, 0xCD);
    buffer->upload(std::as_bytes(std::span(values)));
    return buffer;
  }

  void run(Dim3 grid, Dim3 block, const Arguments& arguments, std::uint32_t dynamic_shared = 0);

 private:
  std::string ptx_;
  Module module_{};
  std::unique_ptr<Device> device_;
};

template <class T>
std::vector<T> contents(const Buffer& buffer) {
  std::vector<T> values(buffer.bytes() / sizeof(T));
  buffer.download(std::as_writable_bytes(std::span(values)));
  return values;
}

}  // namespace quadpair::device
