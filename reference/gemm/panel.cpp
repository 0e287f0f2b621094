#include "reference/gemm/panel.hpp"

#include <algorithm>
#include <cfenv>
#include <cstring>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "reference/gemm/panel.cpp"
#include <hwy/foreach_target.h>  // must come before highway.h
#include <hwy/highway.h>

#include "reference/gemm/lowered-inl.hpp"
#include "reference/gemm/truncating-inl.hpp"

#ifndef QUADPAIR_REFERENCE_ROUNDING
#define QUADPAIR_REFERENCE_ROUNDING
namespace quadpair::reference {
namespace {

/// Sets this thread's rounding mode for a scope. Scalar and vector units share it on the CPUs at hand. What
/// is computed under it lies in functions that are never inlined, so nothing moves across its borders.
class ScopedRounding {
 public:
  explicit ScopedRounding(int mode) : before_(std::fegetround()) { std::fesetround(mode); }
  ~ScopedRounding() { std::fesetround(before_); }
  ScopedRounding(const ScopedRounding&) = delete;
  ScopedRounding& operator=(const ScopedRounding&) = delete;

 private:
  int before_;
};

}  // namespace
}  // namespace quadpair::reference
#endif

HWY_BEFORE_NAMESPACE();
namespace quadpair::reference::HWY_NAMESPACE {
namespace {
namespace hn = hwy::HWY_NAMESPACE;

/// to[i] += from[i] in FP32, nearest even.
HWY_NOINLINE void add_to(float* to, const float* from, std::size_t count) {
  const hn::ScalableTag<float> df;
  for (std::size_t i = 0; i < count; i += hn::Lanes(df))
    hn::Store(hn::Add(hn::Load(df, to + i), hn::Load(df, from + i)), df, to + i);
}

void extend_block(const PanelJob& job, std::size_t first, std::size_t count, WeightBlock& block, float* c) {
  const Schedule& schedule = *job.schedule;
  const PackedRows& rows = *job.rows;
  const std::uint32_t* const k = schedule.k.data() + first;
  const std::size_t steps = count / schedule.width;
  const std::size_t following = std::min(count, schedule.k.size() - first - count);
  const std::size_t at = rows.m * first;
  const BlockRows a{rows.values.data() + at, rows.codes.data() + at, count, steps};
  if (schedule.model == Model::fma_lowered) {
    unpack_block<false>(job.weights, k, count, following, block);
    lowered_block(a.values, a.stride, steps, rows.m, block, c);
    return;
  }
  unpack_block<true>(job.weights, k, count, following, block);
  const ScopedRounding toward_zero(FE_TOWARDZERO);
  switch (schedule.model) {
    case Model::ampere: truncating_block<8, 24>(a, rows.m, block, c); break;
    case Model::hopper: truncating_block<16, 25>(a, rows.m, block, c); break;
    default: truncating_block<4, 23>(a, rows.m, block, c); break;
  }
}

void accumulate_panel(const PanelJob& job) {
  const Schedule& schedule = *job.schedule;
  const std::size_t elements = job.rows->m * panel_columns;
  const auto buffer = hwy::AllocateAligned<float>(3 * elements);
  float* const chain = buffer.get();
  float* const slice = chain + elements;
  float* const total = slice + elements;
  WeightBlock block;
  std::fill_n(total, elements, 0.0F);
  for (std::size_t stream = 0; stream < schedule.stream_count(); ++stream) {
    const bool first_chain = stream % schedule.chains == 0;
    float* const c = first_chain ? slice : chain;
    std::fill_n(c, elements, 0.0F);
    const std::size_t end = schedule.streams[stream + 1];
    for (std::size_t first = schedule.streams[stream]; first < end; first += block_products)
      extend_block(job, first, std::min(block_products, end - first), block, c);
    if (!first_chain) add_to(slice, chain, elements);
    if ((stream + 1) % schedule.chains == 0) add_to(total, slice, elements);
  }
  for (std::size_t row = 0; row < job.rows->m; ++row)
    std::copy_n(total + row * panel_columns, job.columns, job.sums + row * job.stride);
}

void round_to_half(const float* from, std::size_t count, Half* to) {
  std::size_t i = 0;
#if HWY_TARGET <= HWY_AVX2 && HWY_ARCH_X86  // Highway's portable DemoteTo does not round to nearest
  const hn::ScalableTag<float> df;
  const hn::Rebind<hwy::float16_t, decltype(df)> dh;
  for (; i + hn::Lanes(df) <= count; i += hn::Lanes(df))
    hn::StoreU(hn::DemoteTo(dh, hn::LoadU(df, from + i)), dh, reinterpret_cast<hwy::float16_t*>(to) + i);
#endif
  for (; i < count; ++i) to[i] = to_half(from[i]);
}

}  // namespace
}  // namespace quadpair::reference::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace quadpair::reference {

HWY_EXPORT(accumulate_panel);
HWY_EXPORT(round_to_half);

void accumulate_panel(const PanelJob& job) {
  HWY_DYNAMIC_DISPATCH(accumulate_panel)(job);
}

void round_to_half(const float* from, std::size_t count, Half* to) {
  HWY_DYNAMIC_DISPATCH(round_to_half)(from, count, to);
}

}  // namespace quadpair::reference
#endif
