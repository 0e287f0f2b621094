#include "kernels/qpn8/projection.hpp"

#include "kernels/qpn8/pack.hpp"

namespace quadpair::qpn8 {

std::vector<StorageItem> storage(ScaleKind kind, std::uint32_t padded_n, std::uint32_t k) {
  return {{"qpn8_codes", code_bytes(padded_n, k)}, {"qpn8_scales", scale_bytes(kind, padded_n, k)}};
}

Projection::Projection(const CheckpointMatrix& matrix, Target target, const Allocate& allocate,
                       const Execute& execute)
    : n_(matrix.n), k_(matrix.k), kind_(matrix.kind) {
  const std::vector<StorageItem> items = storage(kind_, qpn2::pad_to_tile(n_), k_);
  codes_ = allocate(items[0].name, items[0].bytes);
  scales_ = allocate(items[1].name, items[1].bytes);
  execute(pack({n_, k_, kind_, matrix.codes, matrix.scales, codes(), scales()}, target));
}

}  // namespace quadpair::qpn8
