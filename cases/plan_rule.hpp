// The plan that a case runs when its suite leaves S and C to the tuning rule.
#pragma once

#include <cstdint>
#include <optional>

#include "kernels/qpn2/tuning.hpp"

namespace quadpair::cases {

/// S and C by the contract's rule: the tuned choice for the production shapes, keyed (K, padded N); else the
/// largest S <= 16 that divides the K/16 groups, and C = 2. Nothing when no S does. The rule is the same on
/// every target, so a case's id holds one plan; a test compares it with the kernels' own on sm70.
std::optional<qpn2::Tuning> plan_by_rule(std::uint32_t k, std::uint32_t padded_n);

/// The plan written "s16.c2", or nothing when the text is not of that form.
std::optional<qpn2::Tuning> plan_from_text(const std::string& text);

}  // namespace quadpair::cases
