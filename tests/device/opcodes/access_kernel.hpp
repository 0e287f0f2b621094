// Kernels of one load or store a lane, in any space.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace quadpair::device {

/// "v2.u8" into registers of 16 bits, and the like.
struct AccessShape {
  std::string type;
  unsigned bits, register_bits, count;

  unsigned bytes() const { return count * bits / 8; }
  std::string suffix() const;     ///< "v2.u8"
  std::string registers() const;  ///< "{%x0, %x1}"
};

/// Every element type and vector that fits 16 bytes, in registers of its width; single integers also in wider
/// registers. Without vectors of signed bytes, which compilers do not make and the emulator refuses.
std::vector<AccessShape> access_shapes();

struct Space {
  const char* name;    ///< for messages
  const char* prefix;  ///< in mnemonics: "shared."
  bool shared;         ///< whether the bytes lie in shared memory
  bool generic;
};
inline constexpr Space spaces[] = {{"global", "global.", false, false},
                                   {"shared", "shared.", true, false},
                                   {"generic, of global memory", "", false, true},
                                   {"generic, of shared memory", "", true, true}};

inline constexpr std::size_t window_bytes = 2048;

/// Bit l: whether lane l's access is off where there is a guard.
inline constexpr std::uint32_t lanes_off = 0x6C9A35D2;

/// Where the lanes' accesses go in the window, aligned and apart: in order, or in a random order with gaps.
std::vector<std::uint32_t> access_places(unsigned bytes, bool in_order);

inline constexpr const char* access_parameters = ".param .u64 bytes, .param .u64 places, .param .u64 values";

/// Text that leaves the lane's address in %at (48 too low), its guard in %off, and the address of its four
/// 64-bit values in %values. The window's bytes are the buffer's, copied to shared memory where the space
/// says so.
std::string access_prologue(const AccessShape& shape, const Space& space);

/// Text that copies shared memory back to the buffer.
std::string copy_back();

}  // namespace quadpair::device
