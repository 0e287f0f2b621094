#include "harness/run/matrix.hpp"

#include <fmt/format.h>
#include <tbb/task_arena.h>

#include <cmath>
#include <memory>
#include <span>
#include <stdexcept>
#include <utility>

#include "harness/compare/sha256.hpp"
#include "harness/compare/trust.hpp"
#include "kernels/convert/pack_qpn2.hpp"
#include "kernels/qpn8/pack.hpp"
#include "reference/qpn2/weights.hpp"
#include "reference/qpn8/weights.hpp"
#include "reference/wide/weights.hpp"

namespace quadpair::run {
namespace {

reference::Nvfp4View view_of(const cases::QuantizedMatrix& w, std::uint32_t halves) {
  return {w.n, w.k, halves, w.codes, w.scales, w.globals};
}

bool is_fp8(const cases::QuantizedMatrix& w) {
  return w.format != cases::WeightFormat::nvfp4;
}

reference::Fp8View fp8_view(const cases::QuantizedMatrix& w) {
  const bool channel = w.format == cases::WeightFormat::fp8_channel;
  return {w.n, w.k, channel ? reference::Fp8Scales::channel : reference::Fp8Scales::block, w.codes,
          w.fp8_scales};
}

reference::GemmMatrix decode(const cases::QuantizedMatrix& w, const reference::Nvfp4View& view,
                             DecodeRule rule) {
  switch (rule) {
    case DecodeRule::qpn2: return {view, reference::qpn2_rule};
    case DecodeRule::turbomind: return {view, reference::turbomind_rule};
    case DecodeRule::qpn8: break;
  }
  return {reference::decode_qpn8(fp8_view(w)), w.n, w.k};
}

reports::Coverage coverage_of_fp8(const cases::QuantizedMatrix& w) {
  constexpr auto blocks = [](std::uint32_t extent) {
    return (extent + qpn8::scale_block - 1) / qpn8::scale_block;
  };
  const bool channel = scale_kind(w) == qpn8::ScaleKind::channel;
  qpn8::prepare(w.name, w.n, w.k, scale_kind(w), w.codes, w.fp8_scales, channel ? w.n : blocks(w.n),
                channel ? 1 : blocks(w.k));
  return compare::cover_fp8(w.codes, reference::decode_qpn8(fp8_view(w)));
}

reports::Coverage coverage_of(const cases::QuantizedMatrix& w, std::uint32_t halves) {
  if (is_fp8(w)) return coverage_of_fp8(w);
  const convert::Preparation preparation =
      convert::prepare_qpn2(w.name, w.n, w.k, halves, w.codes, w.scales, w.globals);
  return compare::cover(w.codes, w.scales, preparation.subnormal_weights);
}

/// Work of many threads by one that holds a lock: while it waits for the others, it must take up nothing
/// else, which may want the lock.
template <class Work>
void alone(const Work& work) {
  tbb::this_task_arena::isolate(work);
}

/// FP16 G = h(g . 2^14) of each global scale.
std::vector<reference::Half> pack_globals(const reference::Nvfp4View& w) {
  std::vector<reference::Half> halves;
  for (const float g : w.globals)
    halves.push_back(reference::to_half(std::ldexp(static_cast<double>(g), 14)));
  return halves;
}

}  // namespace

Matrix::Packed Matrix::pack(std::string_view item) const {
  if (item == "qpn2_codes") return reference::pack_qpn2_codes(view);
  if (item == "qpn2_scales") return reference::pack_qpn2_scales(view);
  if (item == "turbomind_codes") return reference::pack_turbomind_codes(view);
  if (item == "turbomind_scales") return reference::pack_turbomind_scales(view);
  if (item == "global_scales") return pack_globals(view);
  if (item == "qpn8_codes") return reference::pack_qpn8_codes(fp8_view(*weights));
  if (item == "qpn8_scales") return reference::pack_qpn8_scales(fp8_view(*weights));
  if (item == "fp8_codes") return weights->codes;
  if (item == "fp8_scales") return weights->fp8_scales;
  throw std::invalid_argument(fmt::format("no buffer is called {}", item));
}

Matrix::Matrix(std::shared_ptr<const cases::QuantizedMatrix> slice, std::uint32_t halves)
    : weights(std::move(slice)),
      view(view_of(*weights, halves)),
      padded_n(is_fp8(*weights) ? qpn2::pad_to_tile(weights->n) : reference::padded_rows(view)),
      coverage(coverage_of(*weights, halves)) {}

const reference::GemmMatrix& Matrix::decoded(DecodeRule rule) const {
  const std::lock_guard lock(mutex_);
  std::optional<reference::GemmMatrix>& decoded = decoded_[static_cast<std::size_t>(rule)];
  if (!decoded) alone([&] { decoded.emplace(decode(*weights, view, rule)); });
  return *decoded;
}

std::span<const std::uint8_t> Matrix::packed(std::string_view item) const {
  const std::lock_guard lock(mutex_);
  auto found = packed_.find(item);
  if (found == packed_.end()) {
    Packed made;
    alone([&] { made = pack(item); });
    found = packed_.emplace(item, std::move(made)).first;
  }
  return std::visit(
      [](const auto& values) {
        const auto bytes = std::as_bytes(std::span(values));
        return std::span(reinterpret_cast<const std::uint8_t*>(bytes.data()), bytes.size());
      },
      found->second);
}

std::size_t Matrix::bytes() const {
  const std::size_t padded = std::size_t{padded_n} * view.k;
  if (is_fp8(*weights))
    return std::size_t{view.n} * view.k * sizeof(reference::Half) +
           2 * padded;                               // decoded, packed, as it came
  return 2 * padded / 2 + padded / 8 + padded / 16;  // two sets of codes, FP16 and FP8 scales
}

qpn8::ScaleKind scale_kind(const cases::QuantizedMatrix& fp8) {
  return fp8.format == cases::WeightFormat::fp8_channel ? qpn8::ScaleKind::channel : qpn8::ScaleKind::block;
}

std::string fingerprint(const cases::QuantizedMatrix& slice) {
  return compare::sha256({std::as_bytes(std::span(slice.codes)), std::as_bytes(std::span(slice.scales)),
                          std::as_bytes(std::span(slice.globals)),
                          std::as_bytes(std::span(slice.fp8_scales))});
}

}  // namespace quadpair::run
