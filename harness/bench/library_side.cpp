#include "harness/bench/sides.hpp"
#include "harness/compare/check.hpp"
#include "harness/run/device_buffers.hpp"
#include "harness/run/launches.hpp"
#include "harness/run/product.hpp"
#include "harness/run/work.hpp"
#include "reference/oracle/oracle.hpp"

namespace quadpair::bench {
namespace {

Output output_of(const Workload& work, const run::Problem& p) {
  const reference::OracleResult oracle =
      reference::oracle_gemm(work.matrix.decoded(p.op.rule), work.inputs.x.data(), p.m, p.ldx,
                             run::one_chain(p.k, p.op.plan.value().mma), p.model);
  const std::size_t bytes = std::size_t{p.m} * p.n * sizeof(std::uint16_t);
  return {work.device.allocate("y", bytes, device::Access::output, 0),
          [oracle, n = p.n](const std::string& name, const std::vector<std::byte>& actual) {
            const auto* halves = reinterpret_cast<const std::uint16_t*>(actual.data());
            std::vector<reports::Check> checks;
            for (std::size_t start = 0; start < actual.size() / sizeof(std::uint16_t);
                 start += oracle.value.size()) {
              checks.push_back(compare::within_bound(name, oracle.value, oracle.bound,
                                                     {halves + start, oracle.value.size()}));
              checks.back().columns = n;
            }
            return checks;
          },
          workspace_of(work, p)};
}

/// Products over chunks of weights, each decoded ahead of its product.
std::vector<device::LibraryGemm> chunked(const Workload& work, const run::Problem& p,
                                         const run::Operands& operands) {
  std::vector<device::LibraryGemm> products = run::library_products(p, operands);
  for (device::LibraryGemm& product : products) {
    product.ldy = p.n;
    product.before = run::looked_up(std::move(product.before), work.find_module);
  }
  return products;
}

}  // namespace

std::unique_ptr<Side> library_side(const Workload& work, const run::Problem& p) {
  auto library = work.device.gemm_library();
  Output output = output_of(work, p);
  std::vector<std::unique_ptr<device::Buffer>> weights;
  std::vector<std::vector<device::LibraryGemm>> uses;
  const auto decoded =
      p.op.chunks ? std::vector<std::uint16_t>{} : work.matrix.decoded(p.op.rule).rows(0, p.n);
  for (std::uint32_t tensor = 0; tensor < work.tensors.count(); ++tensor) {
    const DevicePtr x = work.x.address(), y = output.buffer->address();
    if (p.op.chunks) {
      uses.push_back(chunked(work, p, operands_of(work, tensor, output)));
      continue;
    }
    weights.push_back(input_buffer(work.device, "FP16 weights", run::bytes_of(decoded)));
    uses.push_back({{p.m, p.n, p.k, x, weights.back()->address(), y, p.ldx, p.n, {}}});
  }
  return std::make_unique<LibrarySide>(std::move(output), std::move(library), std::move(uses),
                                       std::move(weights));
}

}  // namespace quadpair::bench
