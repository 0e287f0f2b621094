// What a ledger in JSON says.
#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace quadpair::cli {

/// Bytes of the items of that name, of rank `rank`.
inline std::vector<std::uint64_t> bytes_of(const nlohmann::json& ledger, const std::string& policy,
                                           std::size_t rank, const std::string& item) {
  std::vector<std::uint64_t> bytes;
  for (const nlohmann::json& entry : ledger["policies"][policy]["per_rank"][rank]["items"])
    if (entry["name"] == item) bytes.push_back(entry["bytes"].get<std::uint64_t>());
  return bytes;
}

}  // namespace quadpair::cli
