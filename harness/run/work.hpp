// A case's work on a device: kernels, or kernels with a library's products between them.
#pragma once

#include <memory>
#include <vector>

#include "harness/device/device.hpp"
#include "harness/run/problem.hpp"

namespace quadpair::run {

class Work {
 public:
  /// Kernels alone.
  Work(device::Device& device, std::vector<Launch> launches)
      : device_(device), launches_(std::move(launches)) {}

  /// Each product with the kernels ahead of it. Throws device::Unavailable where there is no library.
  Work(device::Device& device, std::vector<device::LibraryGemm> products)
      : device_(device), library_(device.gemm_library()), products_(std::move(products)) {}

  void run();
  std::unique_ptr<device::Graph> capture();

  /// The project's own, in order.
  std::vector<Launch> launches() const;

 private:
  device::Device& device_;
  std::vector<Launch> launches_;
  std::unique_ptr<device::GemmLibrary> library_;
  std::vector<device::LibraryGemm> products_;
};

/// The problem's chunks as products over weights that kernels decode.
std::vector<device::LibraryGemm> library_products(const Problem& problem, const Operands& operands);

/// The same products, without kernels, over weights [n, k] that lie at `weights`.
std::vector<device::LibraryGemm> control_products(const Problem& problem, const Operands& operands,
                                                  DevicePtr weights);

}  // namespace quadpair::run
