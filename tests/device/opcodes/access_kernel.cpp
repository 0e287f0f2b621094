#include "tests/device/opcodes/access_kernel.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <random>

namespace quadpair::device {
namespace {

/// A loop over the window, 32 words of 64 bits a turn; `copy` moves %word between [%near] and [%far].
std::string copy_window(std::string_view label, std::string_view copy) {
  return fmt::format(
      "mov.u64 %near, window; mul.wide.u32 %i, %lane, 8; add.u64 %near, %near, %i; add.u64 %far, %bytes, "
      "%i;\n"
      "mov.u32 %t, 0;\n{0}: {1}\n"
      "add.u64 %near, %near, 256; add.u64 %far, %far, 256; add.u32 %t, %t, 1;\n"
      "setp.lt.u32 %more, %t, {2}; @%more bra {0};\nbar.sync 0;\n",
      label, copy, window_bytes / 256);
}

}  // namespace

std::string AccessShape::suffix() const {
  return count == 1 ? type : fmt::format("v{}.{}", count, type);
}

std::string AccessShape::registers() const {
  if (count == 1) return "%x0";
  return count == 2 ? "{%x0, %x1}" : "{%x0, %x1, %x2, %x3}";
}

std::vector<AccessShape> access_shapes() {
  std::vector<AccessShape> shapes;
  for (const char letter : {'u', 's', 'b'})
    for (const unsigned bits : {8u, 16u, 32u, 64u}) {
      const std::string type = fmt::format("{}{}", letter, bits);
      for (const unsigned count : {1u, 2u, 4u})
        if (count * bits <= 128 && (count == 1 || type != "s8"))
          shapes.push_back({type, bits, std::max(bits, 16u), count});
      if (bits <= 16) shapes.push_back({type, bits, 32, 1});
      if (bits <= 32) shapes.push_back({type, bits, 64, 1});
    }
  for (const unsigned count : {1u, 2u, 4u}) shapes.push_back({"f32", 32, 32, count});
  for (const unsigned count : {1u, 2u}) shapes.push_back({"f64", 64, 64, count});
  return shapes;
}

std::vector<std::uint32_t> access_places(unsigned bytes, bool in_order) {
  std::vector<std::uint32_t> all(in_order ? 32 : window_bytes / bytes);
  std::iota(all.begin(), all.end(), 0u);
  if (!in_order) {
    std::mt19937 random(bytes);
    std::shuffle(all.begin(), all.end(), random);
    all.resize(32);
  }
  for (std::uint32_t& one : all) one *= bytes;
  return all;
}

std::string access_prologue(const AccessShape& shape, const Space& space) {
  std::string text = fmt::format(
      ".reg .b64 %bytes, %at, %values, %i, %near, %far, %word; .reg .b32 %lane, %t; .reg .pred %off, %more;\n"
      ".reg .b{} %x<4>; .shared .align 16 .b8 window[{}];\n"
      "mov.u32 %lane, %laneid; ld.param.u64 %bytes, [bytes];\n"
      "ld.param.u64 %values, [values]; mul.wide.u32 %i, %lane, 32; add.u64 %values, %values, %i;\n"
      "mov.u32 %t, {}; shr.u32 %t, %t, %lane; and.b32 %t, %t, 1; setp.ne.u32 %off, %t, 0;\n",
      shape.register_bits, window_bytes, lanes_off);
  if (space.shared)
    text += copy_window("COPY_IN", "ld.global.b64 %word, [%far]; st.shared.b64 [%near], %word;");
  text +=
      "ld.param.u64 %at, [places]; mul.wide.u32 %i, %lane, 4; add.u64 %at, %at, %i; ld.global.u32 %t, "
      "[%at];\n"
      "cvt.u64.u32 %i, %t;\n";
  text += space.shared ? "mov.u64 %at, window;\n" : "mov.u64 %at, %bytes;\n";
  if (space.shared && space.generic) text += "cvta.shared.u64 %at, %at;\n";
  return text + "add.u64 %at, %at, %i; sub.u64 %at, %at, 48;\n";
}

std::string copy_back() {
  return "bar.sync 0;\n" +
         copy_window("COPY_OUT", "ld.shared.b64 %word, [%near]; st.global.b64 [%far], %word;");
}

}  // namespace quadpair::device
