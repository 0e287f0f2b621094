#include <numeric>

#include "harness/bench/sides.hpp"
#include "harness/run/device_buffers.hpp"
#include "reference/oracle/oracle.hpp"

namespace quadpair::bench {
namespace {

/// One chain over all of k. A sum cut into parts, in whatever way, has no longer chain of roundings, so the
/// error bound of this plan holds for every order that a library may choose.
AccumulationPlan one_chain(std::uint32_t k, MmaShape mma) {
  AccumulationPlan plan;
  plan.mma = mma;
  plan.unit_k = products(mma);
  FusedStep step{0, std::vector<std::uint16_t>(plan.unit_k)};
  std::iota(step.k.begin(), step.k.end(), std::uint16_t{0});
  plan.steps = {step};
  plan.slices = {0, k / plan.unit_k};
  return plan;
}

Output output_of(const Workload& work, const run::Problem& p) {
  const reference::OracleResult oracle = reference::oracle_gemm(
      work.matrix.reference, work.inputs.x.data(), p.m, p.ldx, one_chain(p.k, p.plan.mma), p.model);
  const std::size_t bytes = std::size_t{p.m} * p.n * sizeof(std::uint16_t);
  return {work.device.allocate("y", bytes, device::Access::output, 0),
          [oracle, n = p.n](const std::string& name, const std::vector<std::byte>& actual) {
            const auto* halves = reinterpret_cast<const std::uint16_t*>(actual.data());
            std::vector<compare::Check> checks;
            for (std::size_t start = 0; start < actual.size() / sizeof(std::uint16_t);
                 start += oracle.value.size()) {
              checks.push_back(compare::within_bound(name, oracle.value, oracle.bound,
                                                     {halves + start, oracle.value.size()}));
              checks.back().columns = n;
            }
            return checks;
          }};
}

}  // namespace

std::unique_ptr<Side> library_side(const Workload& work, const run::Problem& p) {
  auto library = work.device.gemm_library();
  Output output = output_of(work, p);
  const std::vector<reference::Half> decoded = work.matrix.reference.rows(0, p.n);
  std::vector<std::unique_ptr<device::Buffer>> weights;
  std::vector<std::vector<device::LibraryGemm>> uses;
  for (std::uint32_t tensor = 0; tensor < work.tensors.count(); ++tensor) {
    weights.push_back(input_buffer(work.device, "FP16 weights", run::bytes_of(decoded)));
    uses.push_back(
        {{p.m, p.n, p.k, work.x.address(), weights.back()->address(), output.buffer->address(), p.ldx, p.n}});
  }
  return std::make_unique<LibrarySide>(std::move(output), std::move(library), std::move(uses),
                                       std::move(weights));
}

}  // namespace quadpair::bench
