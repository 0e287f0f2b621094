// Which registers hold a value that may still be read, per block.
#pragma once

#include <cstdint>
#include <vector>

#include "harness/device/emulator/ptx/analysis.hpp"
#include "harness/device/emulator/ptx/ir.hpp"

namespace quadpair::ptx {

/// One bit for each register of each block.
class RegisterSets {
 public:
  RegisterSets(std::size_t blocks, std::size_t registers)
      : words_((registers + 63) / 64), bits_(blocks * words_) {}

  std::uint64_t* of(std::size_t block) { return bits_.data() + block * words_; }
  const std::uint64_t* of(std::size_t block) const { return bits_.data() + block * words_; }
  std::size_t words() const { return words_; }

 private:
  std::size_t words_;
  std::vector<std::uint64_t> bits_;
};

struct Liveness {
  RegisterSets in, out;  ///< live where a block begins and where it ends
};

/// As one thread sees it; a guarded definition does not end the life of the value before it.
Liveness liveness(const Entry& entry, const ControlFlow& flow);

}  // namespace quadpair::ptx
