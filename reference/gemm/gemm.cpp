#include "reference/gemm/gemm.hpp"

#include <fmt/format.h>
#include <oneapi/tbb/enumerable_thread_specific.h>
#include <oneapi/tbb/parallel_for.h>

#include <algorithm>
#include <stdexcept>

#include "reference/gemm/exact.hpp"
#include "reference/gemm/gated.hpp"
#include "reference/gemm/operands.hpp"
#include "reference/gemm/panel.hpp"
#include "reference/gemm/schedule.hpp"

namespace quadpair::reference {

struct GemmMatrix::Impl {
  std::uint32_t halves = 1;
  std::unique_ptr<const WeightPanels> panels;
};

GemmMatrix::GemmMatrix(const std::vector<Half>& weights, std::uint32_t n, std::uint32_t k,
                       std::uint32_t halves) {
  if (halves == 0 || n % halves != 0) throw std::invalid_argument("rows do not divide into the halves");
  impl_ = std::make_unique<Impl>(Impl{halves, std::make_unique<StoredPanels>(weights, n, k)});
}
GemmMatrix::GemmMatrix(const Nvfp4View& weights, const Nvfp4Rule& rule)
    : impl_(std::make_unique<Impl>(
          Impl{weights.halves, std::make_unique<Nvfp4Panels>(Nvfp4Weights(weights, rule))})) {}
GemmMatrix::~GemmMatrix() = default;
GemmMatrix::GemmMatrix(GemmMatrix&&) noexcept = default;
GemmMatrix& GemmMatrix::operator=(GemmMatrix&&) noexcept = default;

std::uint32_t GemmMatrix::n() const {
  return impl_->panels->n;
}
std::uint32_t GemmMatrix::k() const {
  return impl_->panels->k;
}

Panel GemmMatrix::panel(std::size_t index, PanelSpace& space) const {
  return impl_->panels->panel(index, space);
}

std::vector<Half> GemmMatrix::rows(std::uint32_t first, std::uint32_t count) const {
  const WeightPanels& panels = *impl_->panels;
  std::vector<Half> copy(std::size_t{count} * panels.k);
  for (std::uint32_t r = 0; r < count; ++r) panels.row(first + r, copy.data() + std::size_t{r} * panels.k);
  return copy;
}

std::vector<float> GemmMatrix::sums(const Half* x, std::uint32_t m, std::uint32_t ldx,
                                    const AccumulationPlan& plan, Model model) const {
  const WeightPanels& panels = *impl_->panels;
  const Schedule schedule = make_schedule(plan, model);
  if (plan.k() != panels.k)
    throw std::invalid_argument(fmt::format("the plan sums k {}, the matrix has {}", plan.k(), panels.k));
  if (ldx < panels.k) throw std::invalid_argument("ldx is less than k");
  std::vector<float> y(std::size_t{m} * panels.n);
  if (m == 0) return y;
  const PackedRows rows = pack_rows(x, m, ldx, schedule);
  tbb::enumerable_thread_specific<PanelSpace> spaces;
  tbb::parallel_for(std::size_t{0}, panels.count(), [&](std::size_t p) {
    const std::size_t first = p * panel_columns;
    const Panel panel = panels.panel(p, spaces.local());
    PanelJob job;
    job.schedule = &schedule;
    job.rows = &rows;
    job.weights = panel.weights;
    job.columns = panels.columns(p);
    job.sums = y.data() + first;
    job.stride = panels.n;
    accumulate_panel(job);
    for (std::size_t row = 0; row < m; ++row)
      for (std::size_t column = 0; column < job.columns; ++column)
        if (rows.finite[row] == 0 || panel.finite[column] == 0)
          job.sums[row * job.stride + column] = exact_sum(schedule, x + row * ldx, job.weights, column);
  });
  return y;
}

std::vector<Half> GemmMatrix::gemm(const Half* x, std::uint32_t m, std::uint32_t ldx,
                                   const AccumulationPlan& plan, Model model) const {
  const std::vector<float> unrounded = sums(x, m, ldx, plan, model);
  std::vector<Half> y(unrounded.size());
  round_to_half(unrounded.data(), unrounded.size(), y.data());
  return y;
}

std::vector<Half> GemmMatrix::gated(const Half* x, std::uint32_t m, std::uint32_t ldx,
                                    const AccumulationPlan& plan, Model model) const {
  if (impl_->halves != 2) throw std::invalid_argument("not a fused gate/up matrix");
  const std::vector<Half> both = gemm(x, m, ldx, plan, model);
  const std::size_t half = n() / 2;
  std::vector<Half> y(m * half);
  for (std::size_t row = 0; row < m; ++row)
    for (std::size_t column = 0; column < half; ++column)
      y[row * half + column] = gated_epilogue(both[row * n() + column], both[row * n() + half + column]);
  return y;
}

}  // namespace quadpair::reference
