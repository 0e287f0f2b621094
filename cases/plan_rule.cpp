#include "cases/plan_rule.hpp"

#include <charconv>

namespace quadpair::cases {

std::optional<qpn2::Tuning> plan_by_rule(std::uint32_t k, std::uint32_t padded_n) {
  struct Tuned {
    std::uint32_t k, padded_n;
    qpn2::Tuning plan;
  };
  static constexpr Tuned table[] = {{1536, 5120, {8, 2}},
                                    {4352, 5120, {16, 2}},
                                    {5120, 3584, {16, 2}},
                                    {5120, 4128, {16, 2}},
                                    {5120, 8704, {8, 2}}};
  for (const Tuned& entry : table)
    if (entry.k == k && entry.padded_n == padded_n) return entry.plan;
  for (std::uint32_t split_k : {16u, 8u})
    if (k / 16 % split_k == 0) return qpn2::Tuning{split_k, 2};
  return std::nullopt;
}

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
