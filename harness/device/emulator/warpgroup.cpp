#include "harness/device/emulator/warpgroup.hpp"

#include <charconv>

#include <fmt/format.h>

namespace quadpair::emulator {

std::uint32_t warpgroup_columns(std::string_view mnemonic) {
  constexpr std::string_view before = "wgmma.mma_async.sync.aligned.m64n", after = "k16.f32.f16.f16";
  if (!mnemonic.starts_with(before)) return 0;
  std::uint32_t columns = 0;
  const char* const end = mnemonic.data() + mnemonic.size();
  const auto [rest, error] = std::from_chars(mnemonic.data() + before.size(), end, columns);
  if (error != std::errc() || std::string_view(rest, static_cast<std::size_t>(end - rest)) != after) return 0;
  return columns % 8 == 0 && columns <= 256 ? columns : 0;
}

bool group_has_issued(const Warp* warps, std::size_t count, std::uint32_t warp, std::uint64_t products) {
  const std::size_t first = warp / kGroupWarps * kGroupWarps;
  for (std::size_t w = first; w < first + kGroupWarps; ++w)
    if (w >= count || warps[w].mmas.issued() < products) return false;
  return true;
}

StagedMatrix::StagedMatrix(std::uint64_t descriptor)
    : start_(static_cast<std::uint32_t>(descriptor & 0x3FFF) << 4),
      stride_(static_cast<std::uint32_t>(descriptor >> 32 & 0x3FFF) << 4) {
  if (const std::uint64_t mode = descriptor >> 62; mode != 1)
    refusal_ =
        fmt::format("a matrix descriptor with swizzle mode {}: only 1, of 128 bytes, is supported", mode);
  else if ((descriptor >> 49 & 7) != 0 || start_ % 1024 >= 128)
    refusal_ = "a matrix that does not begin at a multiple of 1024 bytes is not supported";
  else if (start_ % 32 != 0)
    refusal_ = "a matrix that does not begin at a multiple of 16 k is not supported";
}

}  // namespace quadpair::emulator
