#include "cases/fuse.hpp"

#include <utility>

#include "cases/error.hpp"

namespace quadpair::cases {

QuantizedMatrix fuse_gate_up(std::string name, const QuantizedMatrix& gate, const QuantizedMatrix& up) {
  if (gate.n != up.n || gate.k != up.k || gate.globals.size() != 1 || up.globals.size() != 1)
    throw DataError(gate.source + ": '" + gate.name + "' and '" + up.name + "' cannot be fused");
  QuantizedMatrix fused = gate;
  fused.name = std::move(name);
  fused.n = 2 * gate.n;
  fused.halves = 2;
  fused.codes.insert(fused.codes.end(), up.codes.begin(), up.codes.end());
  fused.scales.insert(fused.scales.end(), up.scales.begin(), up.scales.end());
  if (gate.globals != up.globals) {
    const std::size_t tiles = (gate.n + 31) / 32;
    fused.globals.assign(tiles, gate.globals[0]);
    fused.globals.insert(fused.globals.end(), tiles, up.globals[0]);
  }
  return fused;
}

}  // namespace quadpair::cases
