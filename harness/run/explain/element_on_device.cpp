#include "harness/run/explain/element_on_device.hpp"

#include <algorithm>
#include <optional>
#include <utility>

#include "harness/run/explain/products.hpp"
#include "harness/run/explain/value_path.hpp"
#include "harness/run/explain/weight_places.hpp"
#include "harness/run/launches.hpp"
#include "harness/run/place.hpp"
#include "harness/run/weights_on_device.hpp"

namespace quadpair::run {
namespace {

using device::History;
using device::Node;
using device::Piece;

constexpr std::uint8_t poison = 0xA5;

/// The padded row of W whose codes a value was made of.
std::optional<std::uint32_t> weight_row(const Problem& problem, const History& history, std::uint32_t index) {
  const Node& node = history.nodes[index];
  if (node.kind == Node::Kind::load)
    if (const auto place = weight_place(problem, history.buffers[node.buffer], node.offset);
        place && holds_codes(history.buffers[node.buffer]))
      return place->row;
  for (const Piece& input : node.inputs)
    if (const auto row = weight_row(problem, history, input.node)) return row;
  return std::nullopt;
}

std::optional<std::uint32_t> weight_row(const Problem& problem, const History& history,
                                        const DeviceSum& sum) {
  for (const DeviceSum::Slice& slice : sum.slices)
    for (const DeviceSum::Chain& chain : slice.chains)
      if (!chain.steps.empty())
        return weight_row(
            problem, history,
            products_of(history, chain.steps[0], problem.op.plan->mma, problem.ldx).at(0).w_piece.node);
  return std::nullopt;
}

/// FP16 numbers in the workspace from which an epilogue made the stored one, in the order of its operands.
std::vector<std::uint64_t> workspace_operands(const History& history) {
  std::vector<std::uint64_t> offsets;
  std::vector<std::uint32_t> pending = {history.stored.node};
  std::vector<bool> seen(history.nodes.size());
  while (!pending.empty()) {
    const std::uint32_t index = pending.back();
    pending.pop_back();
    if (seen[index]) continue;
    seen[index] = true;
    const Node& node = history.nodes[index];
    if (node.kind == Node::Kind::load && history.buffers[node.buffer] == "workspace")
      if (std::ranges::find(offsets, node.offset) == offsets.end()) offsets.push_back(node.offset);
    for (auto input = node.inputs.rbegin(); input != node.inputs.rend(); ++input)
      pending.push_back(input->node);
  }
  return offsets;
}

class Element {
 public:
  Element(device::Device& device, const Problem& problem, const Matrix& matrix, const inputs::Inputs& inputs,
          const ModuleLookup& find_module)
      : device_(device), problem_(problem), buffers_(device) {
    const Execute execute = [&](std::span<const Launch> launches) {
      device_.run(looked_up({launches.begin(), launches.end()}, find_module));
    };
    weights_.emplace(pack_weights(problem, matrix, buffers_, execute));
    place_.emplace(buffers_, problem, inputs, poison);
    launches_ = looked_up(problem.op.launches(place_->operands(&*weights_)), find_module);
  }

  ElementHistory follow(std::uint32_t row, std::uint32_t column) {
    ElementHistory element;
    const std::uint64_t index = std::uint64_t{row} * problem_.ldy + column;
    element.stored = trace(place_->y_address() + index * sizeof(std::uint16_t));
    if (!element.stored) return element;
    add_sums(element.stored, element);
    if (element.sums.empty() && place_->workspace != nullptr)
      for (const std::uint64_t offset : workspace_operands(*element.stored))
        if (const auto history = trace(place_->workspace->address() + offset)) add_sums(history, element);
    if (element.sums.size() == 2 && weight_row(problem_, *element.sums[0].history, element.sums[0].sum) >=
                                        std::optional(problem_.padded_n / 2))
      std::swap(element.sums[0], element.sums[1]);
    return element;
  }

 private:
  static void add_sums(const std::shared_ptr<const History>& history, ElementHistory& element) {
    for (DeviceSum& sum : device_sums(*history)) element.sums.push_back({history, std::move(sum)});
  }

  std::shared_ptr<const History> trace(DevicePtr address) {
    auto history = device_.trace(launches_, address);
    return history ? std::make_shared<const History>(std::move(*history)) : nullptr;
  }

  device::Device& device_;
  const Problem& problem_;
  DeviceBuffers buffers_;
  std::optional<DeviceWeights> weights_;
  std::optional<Place> place_;
  std::vector<Launch> launches_;
};

}  // namespace

ElementHistory element_history(device::Device& device, const Problem& problem, const Matrix& matrix,
                               const inputs::Inputs& inputs, const ModuleLookup& find_module,
                               std::uint32_t row, std::uint32_t column) {
  return Element(device, problem, matrix, inputs, find_module).follow(row, column);
}

}  // namespace quadpair::run
