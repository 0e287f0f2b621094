// Files that the library carries in itself: the real slices, suites and families with their schemas, the
// production model's config.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string_view>

namespace quadpair::cases {

struct EmbeddedFile {
  std::string_view name;  ///< relative to the source tree, e.g. "cases/suites/default.json"
  std::span<const std::byte> bytes;

  std::string_view text() const { return {reinterpret_cast<const char*>(bytes.data()), bytes.size()}; }
};

/// The embedded file of that name, or nothing.
std::optional<EmbeddedFile> find_embedded(std::string_view name);

/// The trained weights and activations (see cases/real/README.md).
inline constexpr std::string_view real_slices_file = "cases/real/real-slices.safetensors";

}  // namespace quadpair::cases
