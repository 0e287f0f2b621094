#include "harness/run/base64.hpp"

#include <openssl/evp.h>

#include <algorithm>
#include <stdexcept>

namespace quadpair::run {
namespace {

constexpr std::size_t piece = std::size_t{3} << 20;  ///< bytes at a time: OpenSSL counts in int

const unsigned char* raw(std::string_view text) {
  return reinterpret_cast<const unsigned char*>(text.data());
}

}  // namespace

std::string to_base64(std::string_view bytes) {
  std::string text((bytes.size() + 2) / 3 * 4 + 1, '\0');  // OpenSSL ends it with a zero
  auto* out = reinterpret_cast<unsigned char*>(text.data());
  for (; !bytes.empty(); bytes.remove_prefix(std::min(piece, bytes.size())))
    out += EVP_EncodeBlock(out, raw(bytes), static_cast<int>(std::min(piece, bytes.size())));
  text.pop_back();
  return text;
}

std::string from_base64(std::string_view text) {
  constexpr std::size_t piece_text = piece / 3 * 4;
  if (text.size() % 4 != 0) throw std::invalid_argument("no base64: its length is no multiple of 4");
  const std::size_t padding = text.size() - (text.find_last_not_of('=') + 1);
  if (padding > 2) throw std::invalid_argument("no base64: too much padding");
  std::string bytes(text.size() / 4 * 3, '\0');
  auto* out = reinterpret_cast<unsigned char*>(bytes.data());
  for (; !text.empty(); text.remove_prefix(std::min(piece_text, text.size()))) {
    const int made = EVP_DecodeBlock(out, raw(text), static_cast<int>(std::min(piece_text, text.size())));
    if (made < 0) throw std::invalid_argument("no base64");
    out += made;
  }
  bytes.resize(bytes.size() - padding);
  return bytes;
}

}  // namespace quadpair::run
