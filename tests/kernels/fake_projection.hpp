// Projections at made-up addresses: nothing is launched.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "kernels/projection/projection.hpp"

namespace quadpair {

/// What a projection asked of its surroundings.
struct Asked {
  std::map<std::string, std::size_t, std::less<>> bytes;       ///< of each buffer
  std::map<std::string, std::vector<std::uint16_t>> uploaded;  ///< FP16 numbers
  std::vector<Launch> launches;
};

class FakeMemory final : public DeviceMemory {
 public:
  FakeMemory(Asked& asked, std::string_view name, DevicePtr address)
      : asked_(asked), name_(name), address_(address) {}
  DevicePtr address() const override { return address_; }
  void upload(std::span<const std::byte> data) override {
    std::vector<std::uint16_t>& halves = asked_.uploaded[name_];
    for (std::size_t i = 0; i + 1 < data.size(); i += 2)
      halves.push_back(static_cast<std::uint16_t>(std::to_integer<unsigned>(data[i]) |
                                                  std::to_integer<unsigned>(data[i + 1]) << 8));
  }

 private:
  Asked& asked_;
  std::string name_;
  DevicePtr address_;
};

/// A checkpoint matrix of that shape at 0x10000 and 0x20000.
inline CheckpointMatrix fake_matrix(std::uint32_t n, std::uint32_t k, std::uint32_t halves,
                                    std::span<const float> globals) {
  CheckpointMatrix matrix;
  matrix.name = "fake";
  matrix.n = n;
  matrix.k = k;
  matrix.halves = halves;
  matrix.codes = 0x10000;
  matrix.scales = 0x20000;
  matrix.globals = globals;
  return matrix;
}

/// Buffers lie at 0x1000000, 0x2000000, ... in the order asked for.
inline Projection fake_projection(const CheckpointMatrix& matrix, StoragePolicy policy, Target target,
                                  Asked& asked) {
  return {matrix, policy, target,
          [&](std::string_view name, std::size_t bytes) {
            asked.bytes.emplace(name, bytes);
            return std::make_unique<FakeMemory>(asked, name, 0x1000000 * asked.bytes.size());
          },
          [&](std::span<const Launch> launches) {
            asked.launches.insert(asked.launches.end(), launches.begin(), launches.end());
          }};
}

}  // namespace quadpair
