// What must be caught before weights reach the kernels, which decode scales by shifting bits.
#include <array>
#include <cmath>
#include <cstdio>
#include <string>

#include "kernels/common/check.hpp"
#include "kernels/common/half.hpp"
#include "kernels/common/text.hpp"
#include "kernels/convert/pack_qpn2.hpp"
#include "kernels/qpn2/layout.hpp"

namespace quadpair::convert {
namespace {

std::string hex(std::uint8_t byte) {
  char buffer[8];
  std::snprintf(buffer, sizeof buffer, "0x%02X", byte);
  return buffer;
}

/// global_half() of an admitted g. `where` begins the message.
std::uint16_t tile_global(float g, const std::string& where) {
  if (!(g > 0) || !std::isfinite(g))
    throw RangeError(where + ": global scale " + text(g) + " is not positive and finite");
  const std::uint16_t global = global_half(g);
  if (!is_finite_half(global))
    throw RangeError(where + ": global scale " + text(g) + " times 2^14 overflows FP16");
  if (global == 0) throw RangeError(where + ": global scale " + text(g) + " times 2^14 is 0 in FP16");
  return global;
}

/// What a scale byte means under one G.
struct DecodedScale {
  const char* fault = nullptr;  ///< why the byte is not admitted
  std::uint8_t subnormal = 0;   ///< bit i: magnitude code i, not 0, gives a subnormal or zero weight
};

DecodedScale decode(std::uint8_t byte, std::uint16_t global) {
  if ((byte & 0x7F) == 0x7F) return {"is NaN", 0};
  if ((byte & 0x80) != 0) return {"is negative", 0};
  // byte << 7 is e4m3 . 2^-8 as FP16, exactly; 0x5C00 is 256.
  const std::uint16_t e4m3 = mul_half(static_cast<std::uint16_t>(byte << 7), 0x5C00);
  const std::uint16_t scale = mul_half(e4m3, global);
  if (!is_finite_half(scale)) return {"times the global scale overflows FP16", 0};
  DecodedScale decoded;
  for (std::uint16_t code = 1; code < 8; ++code)
    if (mul_half(static_cast<std::uint16_t>(code << 9), scale) < 0x400)
      decoded.subnormal = static_cast<std::uint8_t>(decoded.subnormal | 1u << code);
  return decoded;
}

std::array<DecodedScale, 256> decode_all(std::uint16_t global) {
  std::array<DecodedScale, 256> table;
  for (std::size_t byte = 0; byte < table.size(); ++byte)
    table[byte] = decode(static_cast<std::uint8_t>(byte), global);
  return table;
}

/// Codes of one group (8 bytes) whose magnitude is in the set.
std::uint32_t count_codes(const std::uint8_t* bytes, std::uint8_t magnitudes) {
  std::uint32_t count = 0;
  for (std::size_t i = 0; i < 8; ++i)
    count += (magnitudes >> (bytes[i] & 7) & 1u) + (magnitudes >> (bytes[i] >> 4 & 7) & 1u);
  return count;
}

}  // namespace

std::uint16_t global_half(float g) {
  return float_to_half(g * 0x1p14f);
}

Preparation prepare_qpn2(std::string_view tensor, std::uint32_t n, std::uint32_t k, std::uint32_t halves,
                         std::span<const std::uint8_t> codes, std::span<const std::uint8_t> scales,
                         std::span<const float> globals) {
  const std::string name = "tensor " + std::string(tensor);
  require(halves == 1 || halves == 2, name + ": halves=" + std::to_string(halves) + ": not 1 or 2");
  require(n != 0 && n % halves == 0,
          name + ": N=" + std::to_string(n) + ": not a positive multiple of " + std::to_string(halves));
  require(k != 0 && k % 64 == 0, name + ": K=" + std::to_string(k) + ": not a positive multiple of 64");
  const std::size_t groups = k / qpn2::group_k, elements = std::size_t{n} * k;
  require(codes.size() == elements / 2, name + ": " + std::to_string(codes.size()) + " bytes of codes, not " +
                                            std::to_string(elements / 2));
  require(scales.size() == n * groups, name + ": " + std::to_string(scales.size()) +
                                           " bytes of scales, not " + std::to_string(n * groups));
  const std::uint32_t rows = n / halves;
  const std::size_t half_tiles = qpn2::pad_to_tile(rows) / qpn2::tile_columns, tiles = half_tiles * halves;
  require(globals.size() == 1 || globals.size() == tiles,
          name + ": " + std::to_string(globals.size()) + " global scales, not 1 or " + std::to_string(tiles));

  Preparation result;
  std::array<DecodedScale, 256> table;
  for (std::size_t tile = 0; tile < tiles; ++tile) {
    const std::size_t half = tile / half_tiles, in_half = tile % half_tiles * qpn2::tile_columns;
    const std::size_t first_row = half * rows + in_half;
    const std::size_t last_row = half * rows + std::min<std::size_t>(rows, in_half + qpn2::tile_columns);
    const float g = globals.size() == 1 ? globals[0] : globals[tile];
    const std::uint16_t global = tile_global(g, name + ", row " + std::to_string(first_row));
    if (tile == 0 || global != result.tile_global.back()) table = decode_all(global);
    result.tile_global.push_back(global);
    for (std::size_t i = first_row * groups; i < last_row * groups; ++i) {
      const DecodedScale& scale = table[scales[i]];
      if (scale.fault != nullptr)
        throw RangeError(name + ", row " + std::to_string(i / groups) + ", group " +
                         std::to_string(i % groups) + ": block scale " + hex(scales[i]) + " " + scale.fault +
                         " (global scale " + text(g) + ")");
      if (scale.subnormal != 0) result.subnormal_weights += count_codes(&codes[i * 8], scale.subnormal);
    }
  }
  return result;
}

}  // namespace quadpair::convert
