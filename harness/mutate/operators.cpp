#include "harness/mutate/operators.hpp"

#include <array>
#include <utility>

namespace quadpair::mutate {
namespace {

std::string replaced(std::string_view text, std::string_view from, std::string_view to) {
  std::string result(text);
  if (const std::size_t at = result.find(from); at != std::string::npos) result.replace(at, from.size(), to);
  return result;
}

/// By beginnings of mnemonics.
constexpr std::array<std::pair<std::string_view, std::string_view>, 22> operations = {{
    {"add.rn.f32", "sub.rn.f32"},
    {"sub.rn.f32", "add.rn.f32"},
    {"add.", "sub."},
    {"sub.", "add."},
    {"and.", "or."},
    {"or.", "and."},
    {"or.", "xor."},
    {"xor.", "or."},
    {"shl.b32", "shr.u32"},
    {"shl.b64", "shr.u64"},
    {"shr.u32", "shl.b32"},
    {"shr.s32", "shl.b32"},
    {"shr.u64", "shl.b64"},
    {"min.", "max."},
    {"max.", "min."},
    {"mul.lo.s32", "add.s32"},
    {"mul.lo.s64", "add.s64"},
    {"mul.rn.f16x2", "add.rn.f16x2"},
    {"mul.rn.f16", "add.rn.f16"},
    {"mul.rn.f32", "add.rn.f32"},
    {"div.rn.f32", "mul.rn.f32"},
    {"neg.f32", "abs.f32"},
}};

constexpr std::array<std::string_view, 6> comparisons = {".eq.", ".ne.", ".lt.", ".le.", ".gt.", ".ge."};

}  // namespace

std::vector<std::string> other_operations(std::string_view mnemonic) {
  std::vector<std::string> others;
  if (mnemonic.starts_with("setp.")) {
    for (const std::string_view from : comparisons)
      if (mnemonic.find(from) != std::string_view::npos)
        for (const std::string_view to : comparisons)
          if (to != from) others.push_back(replaced(mnemonic, from, to));
    return others;
  }
  for (const auto& [from, to] : operations)
    if (mnemonic.starts_with(from) && !(from == "add." && mnemonic.starts_with("add.rn.f32")) &&
        !(from == "sub." && mnemonic.starts_with("sub.rn.f32")))
      others.push_back(replaced(mnemonic, from, to));
  return others;
}

std::vector<std::string> other_roundings(std::string_view mnemonic) {
  std::vector<std::string> others;
  if (mnemonic.starts_with("cvt.rn.f16.f32")) others.push_back("cvt.rz.f16.f32");
  if (mnemonic.starts_with("mul.wide.u32")) others.push_back("mul.wide.s32");
  if (mnemonic.starts_with("shr.s32")) others.push_back("shr.u32");
  if (mnemonic.ends_with(".u8")) others.push_back(replaced(mnemonic, ".u8", ".s8"));
  if (mnemonic.starts_with("ld.") && mnemonic.ends_with(".u16"))
    others.push_back(replaced(mnemonic, ".u16", ".s16"));
  if (mnemonic.starts_with("setp.") && mnemonic.ends_with(".u32"))
    others.push_back(replaced(mnemonic, ".u32", ".s32"));
  if (mnemonic.starts_with("setp.") && mnemonic.ends_with(".s32"))
    others.push_back(replaced(mnemonic, ".s32", ".u32"));
  return others;
}

}  // namespace quadpair::mutate
