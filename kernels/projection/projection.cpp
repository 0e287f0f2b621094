#include "kernels/projection/projection.hpp"

#include <algorithm>

#include "kernels/common/check.hpp"
#include "kernels/convert/pack_qpn2.hpp"
#include "kernels/convert/turbomind.hpp"

namespace quadpair {
namespace {

std::uint32_t padded_rows(const CheckpointMatrix& matrix) {
  require(matrix.halves == 1 || matrix.halves == 2,
          matrix.name + ": halves=" + std::to_string(matrix.halves) + ": not 1 or 2");
  return matrix.halves == 2 ? qpn2::pad_gated(matrix.n) : qpn2::pad_to_tile(matrix.n);
}

std::vector<Launch> packing(const CheckpointMatrix& matrix, const Projection& projection) {
  convert::PackArguments a;
  a.n = matrix.n;
  a.k = matrix.k;
  a.halves = matrix.halves;
  a.codes = matrix.codes;
  a.scales = matrix.scales;
  a.packed_codes = projection.address("qpn2_codes");
  a.packed_scales = projection.address("qpn2_scales");
  std::vector<Launch> launches = convert::pack_qpn2(a, projection.target());

  convert::PackTurbomindArguments b;
  b.n = matrix.n;
  b.k = matrix.k;
  b.halves = matrix.halves;
  b.codes = matrix.codes;
  b.scales = matrix.scales;
  b.globals = projection.parts();
  b.packed_codes = projection.address("turbomind_codes");
  b.packed_scales = projection.address("turbomind_scales");
  const std::vector<Launch> more = convert::pack_turbomind(b, projection.target());
  launches.insert(launches.end(), more.begin(), more.end());
  return launches;
}

}  // namespace

Projection::Projection(const CheckpointMatrix& matrix, StoragePolicy policy, Target target,
                       const Allocate& allocate, const Execute& execute)
    : n_(matrix.n),
      k_(matrix.k),
      halves_(matrix.halves),
      padded_n_(padded_rows(matrix)),
      policy_(policy),
      target_(target),
      parts_(global_parts(matrix.globals, padded_n_ / qpn2::tile_columns)) {
  const auto globals = static_cast<std::uint32_t>(matrix.globals.size());
  for (const StorageItem& item : storage(policy, padded_n_, k_, globals))
    items_.push_back({item, allocate(item.name, item.bytes)});
  std::vector<std::uint16_t> tiles;
  for (const float g : matrix.globals) tiles.push_back(convert::global_half(g));
  if (globals == 1) {
    global_.value = tiles[0];
  } else {
    global_.tiles = address("global_scales");
    std::ranges::find(items_, "global_scales", [](const Item& item) {
      return item.storage.name;
    })->memory->upload(std::as_bytes(std::span(tiles)));
  }
  execute(packing(matrix, *this));
}

std::size_t Projection::bytes() const {
  std::size_t sum = 0;
  for (const Item& item : items_) sum += item.storage.bytes;
  return sum;
}

DevicePtr Projection::address(std::string_view item) const {
  for (const Item& held : items_)
    if (held.storage.name == item) return held.memory->address();
  return 0;
}

}  // namespace quadpair
