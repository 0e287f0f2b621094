#include "harness/bench/sides.hpp"
#include "harness/compare/check.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstring>

#include "harness/run/launches.hpp"
#include "kernels/common/error.hpp"

namespace quadpair::bench {
namespace {

/// Outputs [uses.m, columns] without what lies between rows.
std::vector<std::uint16_t> gather(const std::vector<std::byte>& bytes, const run::Problem& p) {
  std::vector<std::uint16_t> outputs;
  const std::size_t row_bytes = std::size_t{p.ldy} * sizeof(std::uint16_t);
  std::vector<std::uint16_t> row(p.columns);
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

std::size_t output_bytes(const run::Problem& p) {
  return std::size_t{p.rows} * p.ldy * sizeof(std::uint16_t);
}

Output output_of(const Workload& work, const run::Problem& p) {
  std::vector<std::uint16_t> expected = p.op.expect(work.matrix, {work.inputs}).y;
  return {work.device.allocate("y", output_bytes(p), device::Access::output, 0),
          [p, expected = std::move(expected)](const std::string& name, const std::vector<std::byte>& actual) {
            const std::vector<std::uint16_t> outputs = gather(actual, p);
            reports::Check check =
                compare::bitwise(name, repeated(expected, outputs.size() / expected.size()), outputs);
            check.columns = p.columns;
            return std::vector{check};
          },
          workspace_of(work, p)};
}

/// The kernels, each once.
std::string name_of(const std::vector<Launch>& use) {
  std::vector<std::string> names;
  for (const Launch& launch : use) {
    std::string name =
        fmt::format("{}:{}@{}", launch.module->name, launch.entry, to_string(launch.module->target));
    if (std::ranges::find(names, name) == names.end()) names.push_back(std::move(name));
  }
  return fmt::format("{}", fmt::join(names, " + "));
}

}  // namespace

std::unique_ptr<device::Buffer> workspace_of(const Workload& work, const run::Problem& problem) {
  if (problem.op.workspace_bytes == 0) return nullptr;
  return work.device.allocate("workspace", problem.op.workspace_bytes, device::Access::scratch, 0);
}

DevicePtr workspace_address(const Output& output) {
  return output.workspace ? output.workspace->address() : 0;
}

run::Operands operands_of(const Workload& work, std::uint32_t tensor, const Output& output) {
  run::Operands operands = work.tensors.operands(tensor);
  operands.x = work.x.address();
  operands.y = output.buffer->address();
  operands.workspace = workspace_address(output);
  return operands;
}

std::unique_ptr<Side> kernel_side(const Workload& work, const run::Problem& problem, bool early_start) {
  Output output = output_of(work, problem);
  std::vector<std::vector<Launch>> uses;
  for (std::uint32_t tensor = 0; tensor < work.tensors.count(); ++tensor) {
    run::Operands operands = operands_of(work, tensor, output);
    operands.early_start = early_start;
    uses.push_back(run::looked_up(problem.op.launches(operands), work.find_module));
  }
  if (early_start && !uses.at(0).at(0).early_start)
    throw Refused(fmt::format("{} kernels do not start early", to_string(problem.target)));
  std::string name = name_of(uses.at(0));
  if (early_start) name += ", early start";
  return std::make_unique<KernelSide>(std::move(name), std::move(output), work.device, std::move(uses));
}

}  // namespace quadpair::bench
