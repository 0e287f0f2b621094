// Compilation targets of the kernels.
#pragma once

#include <optional>
#include <string_view>

namespace quadpair {

/// A code generation target: each embedded kernel module is compiled for exactly one.
/// `sm70` runs m8n8k4; `sm80` and `sm90` run the native m16n8k16. Modules of sm90 may have instructions of
/// compute capability 9.0 alone (wgmma).
enum class Target { sm70, sm80, sm90 };

constexpr std::string_view to_string(Target target) {
  switch (target) {
    case Target::sm70: return "sm70";
    case Target::sm80: return "sm80";
    case Target::sm90: return "sm90";
  }
  return "unknown";
}

constexpr std::optional<Target> target_from_string(std::string_view name) {
  for (Target target : {Target::sm70, Target::sm80, Target::sm90})
    if (to_string(target) == name) return target;
  return std::nullopt;
}

}  // namespace quadpair
