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

}  // namespace quadpair::cases
