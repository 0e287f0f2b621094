// Elements of small cases, explained.
#pragma once

#include "harness/inputs/inputs.hpp"
#include "harness/run/explain/explain.hpp"
#include "harness/run/problem.hpp"
#include "tests/harness/run/support.hpp"

namespace quadpair::run {

inline cases::Case case_of(const std::string& operation, const std::string& slice, std::uint32_t m,
                           const std::string& target, const std::string& model,
                           const std::string& layout = "dual") {
  cases::Case c = small_case(target, model);
  c.operation = operation;
  c.slice = slice;
  c.m = m;
  c.layout = layout;
  return c;
}

inline Explanation explained(const cases::Case& c, std::uint32_t row, std::uint32_t column,
                             const ModuleLookup& find = quadpair::find_module) {
  Options options = emulator_options();
  options.find_module = find;
  Resources resources(options);
  return explain(c, row, column, options, resources);
}

/// What an element is by the reference's own GEMM, which shares no code with the steps.
inline std::uint16_t by_gemm(const cases::Case& c, std::uint32_t row, std::uint32_t column) {
  const Options options = emulator_options();
  Resources resources(options);
  const auto weights = resources.matrices.slice(c.slice).weights;
  const Problem p = make_problem(c, *weights);
  const auto matrix = resources.matrices.matrix(c.slice, p.halves);
  return p.op.expect(*matrix, {inputs::make_inputs(c, weights, options.seed, 0)})
      .y.at(row * p.columns + column);
}

/// K = 256 over 8 slices: two groups a slice, so the loop for what is left of four runs, the entry's last
/// mma.
inline cases::Case damaged_case() {
  return case_of("qpn2_gemm", "edge.all_codes_2688", 3, "sm70", "volta");
}

}  // namespace quadpair::run
