// A case that mutants must fail, made ready once for all threads.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "cases/suite.hpp"
#include "harness/inputs/inputs.hpp"
#include "harness/run/matrix.hpp"
#include "harness/run/problem.hpp"

namespace quadpair::mutate {

struct Subject {
  cases::Case c;
  run::Problem problem;
  std::shared_ptr<const run::Matrix> matrix;
  std::vector<inputs::Inputs> rounds;
  std::vector<std::vector<std::uint16_t>> expected;  ///< of each round, FP16 [rows, columns]
};

}  // namespace quadpair::mutate
