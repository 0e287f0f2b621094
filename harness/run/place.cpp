#include "harness/run/place.hpp"

#include <algorithm>
#include <variant>

namespace quadpair::run {

Place::Place(DeviceBuffers& buffers, const Problem& p, const inputs::Inputs& inputs, std::uint8_t poison) {
  x = &buffers.input("x", bytes_of(inputs.x));
  // With no rows there is still one row of memory that must stay as it is.
  const std::size_t rows = std::max(p.rows, 1u);
  y_offset = p.y_before * sizeof(std::uint16_t);
  y = &buffers.output("y", y_offset + rows * p.ldy * sizeof(std::uint16_t), poison);
  if (p.op.workspace_bytes > 0) workspace = &buffers.scratch("workspace", p.op.workspace_bytes, poison);
}

Operands Place::operands(const DeviceWeights* weights) const {
  Operands operands;
  if (weights != nullptr) {
    operands.projection = std::get_if<Projection>(&weights->packed);
    operands.fp8 = std::get_if<qpn8::Projection>(&weights->packed);
  }
  operands.x = x->address();
  operands.y = y_address();
  operands.workspace = workspace == nullptr ? 0 : workspace->address();
  return operands;
}

}  // namespace quadpair::run
