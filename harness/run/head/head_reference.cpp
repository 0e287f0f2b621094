#include "harness/run/head/head_reference.hpp"

#include <algorithm>
#include <bit>
#include <limits>
#include <utility>

#include "kernels/lm_head/candidates.hpp"
#include "reference/lm_head/candidates.hpp"
#include "reference/lm_head/dot.hpp"

namespace quadpair::run {
namespace {

std::vector<std::uint32_t> bits_of(const std::vector<float>& numbers) {
  std::vector<std::uint32_t> bits(numbers.size());
  std::ranges::transform(numbers, bits.begin(), [](float x) { return std::bit_cast<std::uint32_t>(x); });
  return bits;
}

}  // namespace

HeadOutput HeadReference::top1_round(const std::vector<std::uint16_t>& x) const {
  const std::uint32_t m = problem_.m, n = head_.n;
  HeadOutput output;
  output.logits = prepared_.exact().gemm(x.data(), m, problem_.ldx, plan_, problem_.model);
  const auto first = reference::screened(output.logits.data(), m, n, n, n, 1);  // one chunk, one candidate
  for (std::uint32_t row = 0; row < m; ++row) {
    output.maxima.push_back(output.logits[std::size_t{row} * n + first[row]]);
    output.ids.push_back(head_.first_id + first[row]);
  }
  return output;
}

HeadOutput HeadReference::round(const std::vector<std::uint16_t>& x) {
  return problem_.top1 ? top1_round(x) : screened_round(x);
}

HeadExpected HeadReference::expect(const std::vector<std::uint16_t>& x) {
  const std::uint32_t m = problem_.m, ldx = problem_.ldx;
  const auto oracle = [&](const reference::GemmMatrix& weights) {
    return reference::oracle_gemm(weights, x.data(), m, ldx, plan_, problem_.model);
  };
  if (problem_.top1) return {round(x), oracle(prepared_.exact()), {}};
  return {round(x), oracle(prepared_.decoded()),
          reference::oracle_dense(prepared_.exact(), x.data(), m, ldx, DotPlan{})};
}

HeadOutput HeadReference::screened_round(const std::vector<std::uint16_t>& x) {
  const std::uint32_t m = problem_.m, n = head_.n, top = problem_.top;
  HeadOutput output;
  output.logits = prepared_.decoded().gemm(x.data(), m, problem_.ldx, plan_, problem_.model);
  output.candidates =
      reference::screened(output.logits.data(), m, n, n, lm_head::chunk_rows, lm_head::candidates_of_chunk);
  const std::vector<float> dense =
      reference::dense_logits(head_.weights, n, head_.k, x.data(), m, problem_.ldx, DotPlan{});
  output.dense = bits_of(dense);
  const std::size_t kept = m == 0 ? 0 : output.candidates.size() / m;
  for (std::uint32_t row = 0; row < m; ++row) {
    std::vector<reference::Scored> scored;
    for (const std::uint32_t id : std::span(output.candidates).subspan(row * kept, kept))
      if (id != lm_head::no_candidate)
        scored.push_back({dense[std::size_t{row} * n + id], head_.first_id + id});
    scored = reference::best(std::move(scored), top);
    scored.resize(top, {std::bit_cast<float>(reference::float_nan), lm_head::no_candidate});
    for (const reference::Scored& s : scored) {
      output.values.push_back(std::bit_cast<std::uint32_t>(s.value));
      output.ids.push_back(s.id);
    }
    judge_row(output, row, dense, std::span(x).subspan(std::size_t{row} * problem_.ldx, head_.k));
  }
  return output;
}

void HeadReference::judge_row(const HeadOutput& output, std::uint32_t row, const std::vector<float>& dense,
                              std::span<const std::uint16_t> x) {
  const std::size_t n = head_.n, kept = output.candidates.size() / problem_.m, first = row * problem_.top;
  std::vector<reference::Scored> all(n);
  for (std::uint32_t id = 0; id < n; ++id) all[id] = {dense[row * n + id], head_.first_id + id};
  all = reference::best(std::move(all), problem_.top);
  const auto ids = std::span(output.ids).subspan(first, problem_.top);
  const auto same = [&](std::size_t count) {
    return std::ranges::equal(ids.first(std::min(count, all.size())),
                              std::span(all).first(std::min(count, all.size())), {}, {},
                              &reference::Scored::id);
  };
  const double bound = reference::dropped_bound(
      std::span(output.logits).subspan(row * n, n), std::span(output.candidates).subspan(row * kept, kept),
      prepared_.errors(plan_, problem_.model), reference::row_norm(x));
  // False for a NaN. Where there are fewer results than asked for, nothing was dropped.
  const auto certain = [&](std::size_t place) {
    return bound == -std::numeric_limits<double>::infinity() ||
           double{std::bit_cast<float>(output.values[first + place])} > bound;
  };
  ++screening_.rows;
  screening_.top1_differs += same(1) ? 0 : 1;
  screening_.top_differs += same(problem_.top) ? 0 : 1;
  screening_.top1_certain += certain(0) ? 1 : 0;
  screening_.top_certain += certain(problem_.top - 1) ? 1 : 0;
}

}  // namespace quadpair::run
