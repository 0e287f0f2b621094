#include "harness/bench/sides.hpp"

#include <fmt/format.h>

#include <cstring>

#include "kernels/common/error.hpp"

namespace quadpair::bench {
namespace {

/// Outputs [uses.m, columns] without what lies between rows.
std::vector<std::uint16_t> gather(const std::vector<std::byte>& bytes, const run::Problem& p) {
  std::vector<std::uint16_t> outputs;
  const std::size_t row_bytes = std::size_t{p.ldy} * sizeof(std::uint16_t);
  std::vector<std::uint16_t> row(p.columns());
  for (std::size_t start = 0; start < bytes.size(); start += row_bytes) {
    std::memcpy(row.data(), bytes.data() + start, row.size() * sizeof(std::uint16_t));
    outputs.insert(outputs.end(), row.begin(), row.end());
  }
  return outputs;
}

template <class T>
std::vector<T> repeated(const std::vector<T>& values, std::size_t times) {
  std::vector<T> all;
  for (std::size_t i = 0; i < times; ++i) all.insert(all.end(), values.begin(), values.end());
  return all;
}

Output output_of(const Workload& work, const run::Problem& p) {
  const std::vector<std::uint16_t>& x = work.inputs.x;
  std::vector<std::uint16_t> expected =
      p.gated ? work.matrix.reference.gated(x.data(), p.m, p.ldx, p.plan, p.model)
              : work.matrix.reference.gemm(x.data(), p.m, p.ldx, p.plan, p.model);
  const std::size_t bytes = std::size_t{p.m} * p.ldy * sizeof(std::uint16_t);
  return {work.device.allocate("y", bytes, device::Access::output, 0),
          [p, expected = std::move(expected)](const std::string& name, const std::vector<std::byte>& actual) {
            const std::vector<std::uint16_t> outputs = gather(actual, p);
            compare::Check check =
                compare::bitwise(name, repeated(expected, outputs.size() / expected.size()), outputs);
            check.columns = p.columns();
            return std::vector{check};
          }};
}

}  // namespace

std::vector<Launch> looked_up(std::vector<Launch> launches, const run::ModuleLookup& find_module) {
  for (Launch& launch : launches) launch.module = &find_module(launch.module->name, launch.module->target);
  return launches;
}

std::unique_ptr<Side> kernel_side(const Workload& work, const run::Problem& problem, bool early_start) {
  Output output = output_of(work, problem);
  qpn2::GemmArguments a = run::arguments_of(problem);
  a.global = work.tensors.global();
  a.x = work.x.address();
  a.y = output.buffer->address();
  a.early_start = early_start;
  std::vector<std::vector<Launch>> uses;
  for (std::uint32_t tensor = 0; tensor < work.tensors.count(); ++tensor) {
    a.codes = work.tensors.codes(tensor).address;
    a.scales = work.tensors.scales(tensor).address;
    uses.push_back(looked_up(run::launches(problem, a), work.find_module));
  }
  const Launch& first = uses.at(0).at(0);
  if (early_start && !first.early_start)
    throw Refused(fmt::format("{} kernels do not start early", to_string(problem.target)));
  std::string name = fmt::format("{}:{}@{}{}", first.module->name, first.entry,
                                 to_string(first.module->target), early_start ? ", early start" : "");
  return std::make_unique<KernelSide>(std::move(name), std::move(output), work.device, std::move(uses));
}

}  // namespace quadpair::bench
