// What one run of an LM head gives.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "harness/run/head/head_launches.hpp"

namespace quadpair::run {

/// Of screening, rerank and dense head; of top-1, logits, maxima and ids.
struct HeadOutput {
  std::string name;                       ///< "eager", "replay 1", ...
  std::size_t round = 0;                  ///< of the inputs
  std::vector<std::uint16_t> logits;      ///< of the tensor cores, FP16 [m, n]
  std::vector<std::uint32_t> candidates;  ///< [m][chunks][64]
  std::vector<std::uint32_t> values;      ///< FP32 bits [m, top]
  std::vector<std::uint32_t> ids;         ///< [m, top]
  std::vector<std::uint32_t> dense;       ///< FP32 bits [m, n]
  std::vector<std::uint16_t> maxima;      ///< FP16 [m]
};

/// Calls `visit(name, array, columns)` for each array that outputs of the problem have: its name in checks,
/// the member of HeadOutput, and the length of its rows.
template <class Visit>
void each_array(const HeadProblem& p, const Visit& visit) {
  if (p.top1) {
    visit("logits", &HeadOutput::logits, p.n);
    visit("values", &HeadOutput::maxima, 1U);
    visit("ids", &HeadOutput::ids, 1U);
    return;
  }
  visit("screening logits", &HeadOutput::logits, p.n);
  visit("candidates", &HeadOutput::candidates, p.candidates());
  visit("values", &HeadOutput::values, p.top);
  visit("ids", &HeadOutput::ids, p.top);
  visit("dense logits", &HeadOutput::dense, p.n);
}

}  // namespace quadpair::run
