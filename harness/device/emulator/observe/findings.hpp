// The faults of a launch that does not stop at the first.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <utility>

namespace quadpair::emulator {

enum class FaultKind : std::uint8_t {
  refused_access,  ///< outside, misaligned, to an input
  unwritten_memory,
  unwritten_register,
  race,         ///< of shared memory
  in_flight,    ///< touches what a cp.async has still to write
  unfenced,     ///< a wgmma reads what it may not see
  two_writers,  ///< of one place in global memory
  early_store   ///< while the launch ahead may still run
};

/// One entry for each instruction and kind of fault, which tells of the first in the order of blocks: the
/// same for any number of workers.
class Findings {
 public:
  /// `describe()` gives the text where it is wanted.
  template <class Describe>
  void add(std::uint32_t instruction, FaultKind kind, std::uint64_t block, Describe describe) {
    Found& found = found_[{instruction, kind}];
    if (found.times++ != 0 && found.block <= block) return;
    found.block = block;
    found.text = describe();
  }

  void merge(const Findings& other);
  void clear() { found_.clear(); }
  bool empty() const { return found_.empty(); }

  /// How many there are in all, and the first ones up to `last_block`, a line each.
  std::string text(std::uint64_t last_block) const;

 private:
  struct Found {
    std::uint64_t times = 0, block = 0;
    std::string text;
  };
  std::map<std::pair<std::uint32_t, FaultKind>, Found> found_;
};

}  // namespace quadpair::emulator
