// What suites know of operators.
#pragma once

#include <optional>
#include <string_view>

#include "cases/suite.hpp"

namespace quadpair::cases {

/// How the plan part of a case is written.
enum class PlanKind {
  none,
  qpn2,       ///< "s16.c2"
  qpn8,       ///< the same, by another rule
  wide,       ///< "64x128.s1"
  workspace,  ///< "w65536": bytes of decoded weights at a time; "cublas": products by that library
  dispatch    ///< "q8.d64": rows up to which QPN2 serves, and from which dense prefill does
};

struct OperatorTraits {
  std::string_view name;
  PlanKind plan = PlanKind::none;
  bool gated = false;    ///< needs a fused gate/up matrix
  bool weights = true;   ///< multiplies or converts weights, which have a layout
  bool has_rows = true;  ///< takes activations, which have rows and a fill
  bool head = false;     ///< works on an LM head
  bool top = false;      ///< gives the best few of each row
  bool fp8 = false;      ///< takes FP8 weights, which have but one layout
};

/// Nothing for an unknown name.
std::optional<OperatorTraits> operator_traits(std::string_view name);

/// False for an operator that works on the weights alone, whose cases have neither rows nor a fill.
bool takes_activations(const Case& c);

}  // namespace quadpair::cases
