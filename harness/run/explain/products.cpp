#include "harness/run/explain/products.hpp"

#include "harness/run/explain/value_path.hpp"

namespace quadpair::run {

namespace {

bool from_x(const device::History& history, const device::Piece& half) {
  const device::Node& node = history.nodes[source_of_half(history, half).node];
  return node.kind == device::Node::Kind::load && history.buffers[node.buffer] == "x";
}

/// Which factor of an instruction's products is x's: the second from m16n8k8 on, unless the first ones alone
/// were read from x.
std::size_t place_of_x(const device::History& history, const std::vector<device::Piece>& inputs,
                       MmaShape shape) {
  if (shape == MmaShape::m8n8k4) return 0;
  bool first = false, second = false;
  for (std::size_t i = 1; i + 1 < inputs.size(); i += 2) {
    first = first || from_x(history, inputs[i]);
    second = second || from_x(history, inputs[i + 1]);
  }
  return first && !second ? 0 : 1;
}

}  // namespace

std::vector<DeviceProduct> products_of(const device::History& history, std::uint32_t step, MmaShape shape,
                                       std::uint32_t ldx) {
  const std::vector<device::Piece>& inputs = history.nodes[step].inputs;
  const std::size_t x_first = place_of_x(history, inputs, shape);
  std::vector<DeviceProduct> all;
  for (std::size_t i = 1; i + 1 < inputs.size(); i += 2) {
    DeviceProduct one;
    one.x_piece = inputs[i + x_first];
    one.w_piece = inputs[i + 1 - x_first];
    one.x = half_of(history, one.x_piece);
    one.w = half_of(history, one.w_piece);
    const device::Piece source = source_of_half(history, one.x_piece);
    const device::Node& node = history.nodes[source.node];
    if (node.kind == device::Node::Kind::load && history.buffers[node.buffer] == "x") {
      const std::uint64_t element = (node.offset + source.shift / 8) / sizeof(std::uint16_t);
      one.row = static_cast<std::uint32_t>(element / ldx);
      one.k = static_cast<std::uint32_t>(element % ldx);
    }
    all.push_back(one);
  }
  return all;
}

}  // namespace quadpair::run
