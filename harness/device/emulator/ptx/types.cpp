#include "harness/device/emulator/ptx/types.hpp"

namespace quadpair::ptx {

std::uint8_t width_of(RegisterClass cls) {
  switch (cls) {
    case RegisterClass::predicate: return 1;
    case RegisterClass::b16: return 16;
    case RegisterClass::b32: return 32;
    case RegisterClass::b64: return 64;
  }
  return 0;
}

std::vector<std::string_view> parts_of(std::string_view mnemonic) {
  std::vector<std::string_view> parts;
  for (std::size_t begin = 0;;) {
    const std::size_t end = mnemonic.find('.', begin);
    parts.push_back(mnemonic.substr(begin, end - begin));
    if (end == std::string_view::npos) return parts;
    begin = end + 1;
  }
}

}  // namespace quadpair::ptx
