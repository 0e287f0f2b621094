#include "cases/plan_text.hpp"

#include <charconv>

namespace quadpair::cases {

std::optional<qpn2::Tuning> plan_from_text(const std::string& text) {
  qpn2::Tuning plan;
  const char* const end = text.data() + text.size();
  if (!text.starts_with("s")) return std::nullopt;
  const auto split = std::from_chars(text.data() + 1, end, plan.split_k);
  if (split.ec != std::errc{} || end - split.ptr < 3 || split.ptr[0] != '.' || split.ptr[1] != 'c')
    return std::nullopt;
  const auto chains = std::from_chars(split.ptr + 2, end, plan.chains);
  if (chains.ec != std::errc{} || chains.ptr != end) return std::nullopt;
  return plan;
}

std::optional<Thresholds> thresholds_from_text(const std::string& text) {
  Thresholds thresholds;
  const char* const end = text.data() + text.size();
  if (!text.starts_with("q")) return std::nullopt;
  const auto qpn2 = std::from_chars(text.data() + 1, end, thresholds.qpn2_rows);
  if (qpn2.ec != std::errc{} || end - qpn2.ptr < 3 || qpn2.ptr[0] != '.' || qpn2.ptr[1] != 'd')
    return std::nullopt;
  const auto dense = std::from_chars(qpn2.ptr + 2, end, thresholds.dense_rows);
  if (dense.ec != std::errc{} || dense.ptr != end) return std::nullopt;
  return thresholds;
}

std::optional<std::uint64_t> workspace_from_text(const std::string& text) {
  std::uint64_t bytes = 0;
  const char* const end = text.data() + text.size();
  if (!text.starts_with("w")) return std::nullopt;
  const auto number = std::from_chars(text.data() + 1, end, bytes);
  if (number.ec != std::errc{} || number.ptr != end) return std::nullopt;
  return bytes;
}

}  // namespace quadpair::cases
