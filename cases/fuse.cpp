#include "cases/fuse.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "cases/error.hpp"

namespace quadpair::cases {
namespace {

constexpr std::uint32_t tile = 32, block = 128;

[[noreturn]] void refuse(const QuantizedMatrix& first, const QuantizedMatrix& second) {
  throw DataError(fmt::format("{}: '{}' and '{}' cannot be fused", first.source, first.name, second.name));
}

template <class T>
void append(std::vector<T>& to, const std::vector<T>& from) {
  to.insert(to.end(), from.begin(), from.end());
}

/// Puts `part` below `matrix`; globals are the caller's.
void stack(QuantizedMatrix& matrix, const QuantizedMatrix& part) {
  if (part.k != matrix.k || part.format != matrix.format || part.globals.size() > 1 ||
      (part.format == WeightFormat::fp8_block && matrix.n % block != 0))
    refuse(matrix, part);
  append(matrix.codes, part.codes);
  append(matrix.scales, part.scales);
  append(matrix.fp8_scales, part.fp8_scales);
  if (matrix.fp16.empty() || part.fp16.empty())
    matrix.fp16.clear();
  else
    append(matrix.fp16, part.fp16);
  matrix.n += part.n;
  if (matrix.source.find(part.source) == std::string::npos) matrix.source += ", " + part.source;
}

bool one_scale(const std::vector<QuantizedMatrix>& parts) {
  return std::all_of(parts.begin(), parts.end(),
                     [&](const QuantizedMatrix& part) { return part.globals == parts.front().globals; });
}

}  // namespace

QuantizedMatrix fuse_gate_up(std::string name, const QuantizedMatrix& gate, const QuantizedMatrix& up) {
  if (gate.n != up.n || gate.globals.size() > 1) refuse(gate, up);
  QuantizedMatrix fused = gate;
  stack(fused, up);
  fused.name = std::move(name);
  fused.halves = 2;
  if (gate.globals != up.globals) {
    const std::size_t tiles = (gate.n + tile - 1) / tile;
    fused.globals.assign(tiles, gate.globals[0]);
    fused.globals.insert(fused.globals.end(), tiles, up.globals[0]);
  }
  return fused;
}

QuantizedMatrix fuse_parts(std::string name, const std::vector<QuantizedMatrix>& parts) {
  QuantizedMatrix fused = parts.at(0);
  const bool own_scales = !one_scale(parts);
  for (std::size_t i = 1; i < parts.size(); ++i) {
    const QuantizedMatrix& part = parts[i];
    if (own_scales && part.globals != parts[i - 1].globals) {
      fused.n = (fused.n + tile - 1) / tile * tile;
      fused.codes.resize(std::size_t{fused.n} * fused.k / 2);
      fused.scales.resize(std::size_t{fused.n} * fused.k / 16);
      fused.globals.resize(fused.n / tile, parts[i - 1].globals.at(0));
    }
    stack(fused, part);
  }
  fused.name = std::move(name);
  if (own_scales) fused.globals.resize((fused.n + tile - 1) / tile, parts.back().globals.at(0));
  return fused;
}

}  // namespace quadpair::cases
