#include "reference/lm_head/dot.hpp"

#include <hwy/aligned_allocator.h>
#include <oneapi/tbb/blocked_range.h>
#include <oneapi/tbb/parallel_for.h>

#include <bit>
#include <cmath>
#include <stdexcept>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "reference/lm_head/dot.cpp"
#include <hwy/foreach_target.h>  // must come before highway.h
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace quadpair::reference::HWY_NAMESPACE {
namespace {
namespace hn = hwy::HWY_NAMESPACE;

constexpr std::size_t lane_count = 32;

/// sums[l] = fma(a[s][l], b[s][l], sums[l]) for s = 0..steps - 1. A product of two FP16 numbers is exact in
/// FP32, so targets whose MulAdd is not fused give the same bits.
void add_steps(const float* a, const float* b, std::size_t steps, float* sums) {
  const hn::CappedTag<float, lane_count> d;
  const std::size_t width = hn::Lanes(d);
  for (std::size_t lane = 0; lane < lane_count; lane += width) {
    auto sum = hn::Zero(d);
    for (std::size_t s = 0; s < steps; ++s)
      sum = hn::MulAdd(hn::Load(d, a + s * lane_count + lane), hn::Load(d, b + s * lane_count + lane), sum);
    hn::Store(sum, d, sums + lane);
  }
}

/// The first of `count` FP16 numbers as FP32, as many as whole vectors hold; returns how many.
std::size_t promote(const std::uint16_t* halves, std::size_t count, float* numbers) {
  const hn::ScalableTag<float> d;
  const hn::Rebind<std::uint16_t, decltype(d)> of_bits;
  const hn::Rebind<hwy::float16_t, decltype(d)> of_halves;
  const std::size_t width = hn::Lanes(d), whole = count / width * width;
  for (std::size_t i = 0; i < whole; i += width)
    hn::StoreU(hn::PromoteTo(d, hn::BitCast(of_halves, hn::LoadU(of_bits, halves + i))), d, numbers + i);
  return whole;
}

}  // namespace
}  // namespace quadpair::reference::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace quadpair::reference {

HWY_EXPORT(add_steps);
HWY_EXPORT(promote);

namespace {

constexpr std::size_t lanes = 32;

std::size_t steps_of(std::uint32_t k, std::uint32_t vector) {
  return (k + lanes * vector - 1) / (lanes * vector) * vector;
}

/// A row of k numbers as [step][lane]: what each lane takes one after another. Zeros stand past k: adding
/// their products changes no sum, since none is -0. `numbers` is room for as many.
void by_lanes(const Half* row, std::uint32_t k, std::uint32_t vector, float* numbers, float* to) {
  const std::size_t size = steps_of(k, vector) * lanes;
  for (std::size_t i = HWY_DYNAMIC_DISPATCH(promote)(row, k, numbers); i < k; ++i)
    numbers[i] = to_float(row[i]);
  for (std::size_t i = k; i < size; ++i) numbers[i] = 0;
  for (std::size_t first = 0; first < size; first += lanes * vector)
    for (std::size_t lane = 0; lane < lanes; ++lane)
      for (std::size_t i = 0; i < vector; ++i)
        to[first + i * lanes + lane] = numbers[first + lane * vector + i];
}

/// Lane l += lane l ^ 16, ^ 8, ^ 4, ^ 2, ^ 1: every lane ends with the same sum.
float add_tree(float* sums) {
  for (std::size_t distance = lanes / 2; distance > 0; distance /= 2)
    for (std::size_t lane = 0; lane < distance; ++lane) sums[lane] += sums[lane + distance];
  return std::isnan(sums[0]) ? std::bit_cast<float>(float_nan) : sums[0];
}

}  // namespace

std::vector<float> dense_logits(std::span<const Half> head, std::uint32_t n, std::uint32_t k, const Half* x,
                                std::uint32_t m, std::uint32_t ldx, const DotPlan& plan) {
  if (head.size() != std::size_t{n} * k)
    throw std::invalid_argument("the head does not have the shape [n, k]");
  if (plan.lanes != lanes) throw std::invalid_argument("a dot product has 32 lanes");
  if (m == 0) return {};
  const std::size_t steps = steps_of(k, plan.vector), size = steps * lanes;
  const auto rows = hwy::AllocateAligned<float>(m * size);
  {
    const auto numbers = hwy::AllocateAligned<float>(size);
    for (std::size_t row = 0; row < m; ++row)
      by_lanes(x + row * ldx, k, plan.vector, numbers.get(), &rows[row * size]);
  }
  std::vector<float> logits(std::size_t{m} * n);
  tbb::parallel_for(tbb::blocked_range<std::size_t>(0, n, 64), [&](const auto& range) {
    const auto numbers = hwy::AllocateAligned<float>(size), word = hwy::AllocateAligned<float>(size);
    alignas(64) float sums[lanes];
    for (std::size_t id = range.begin(); id != range.end(); ++id) {
      by_lanes(&head[id * k], k, plan.vector, numbers.get(), word.get());
      for (std::size_t row = 0; row < m; ++row) {
        HWY_DYNAMIC_DISPATCH(add_steps)(&rows[row * size], word.get(), steps, sums);
        logits[row * n + id] = add_tree(sums);
      }
    }
  });
  return logits;
}

}  // namespace quadpair::reference
#endif
