// Internal to the library: numbers as messages show them.
#pragma once

#include <cstdio>
#include <string>

namespace quadpair {

/// Enough digits to tell any two FP32 numbers apart.
inline std::string text(float value) {
  char buffer[32];
  std::snprintf(buffer, sizeof buffer, "%.9g", static_cast<double>(value));
  return buffer;
}

}  // namespace quadpair
