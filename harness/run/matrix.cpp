#include "harness/run/matrix.hpp"

#include <fmt/format.h>

#include <cmath>
#include <cstring>
#include <memory>
#include <span>
#include <stdexcept>
#include <utility>

#include "harness/compare/sha256.hpp"
#include "harness/compare/trust.hpp"
#include "kernels/convert/pack_qpn2.hpp"
#include "reference/qpn2/weights.hpp"
#include "reference/wide/weights.hpp"

namespace quadpair::run {
namespace {

reference::Nvfp4View view_of(const cases::QuantizedMatrix& w, std::uint32_t halves) {
  return {w.n, w.k, halves, w.codes, w.scales, w.globals};
}

reports::Coverage coverage_of(const cases::QuantizedMatrix& w, std::uint32_t halves) {
  const convert::Preparation preparation =
      convert::prepare_qpn2(w.name, w.n, w.k, halves, w.codes, w.scales, w.globals);
  return compare::cover(w.codes, w.scales, preparation.subnormal_weights);
}

template <class T>
std::vector<std::uint8_t> as_bytes(const std::vector<T>& values) {
  std::vector<std::uint8_t> bytes(values.size() * sizeof(T));
  std::memcpy(bytes.data(), values.data(), bytes.size());
  return bytes;
}

/// FP16 G = h(g . 2^14) of each global scale.
std::vector<std::uint8_t> pack_globals(const reference::Nvfp4View& w) {
  std::vector<reference::Half> halves;
  for (const float g : w.globals)
    halves.push_back(reference::to_half(std::ldexp(static_cast<double>(g), 14)));
  return as_bytes(halves);
}

std::vector<std::uint8_t> pack(const reference::Nvfp4View& w, std::string_view item) {
  if (item == "qpn2_codes") return reference::pack_qpn2_codes(w);
  if (item == "qpn2_scales") return reference::pack_qpn2_scales(w);
  if (item == "turbomind_codes") return as_bytes(reference::pack_turbomind_codes(w));
  if (item == "turbomind_scales") return as_bytes(reference::pack_turbomind_scales(w));
  if (item == "global_scales") return pack_globals(w);
  throw std::invalid_argument(fmt::format("no buffer is called {}", item));
}

}  // namespace

Matrix::Matrix(std::shared_ptr<const cases::QuantizedMatrix> slice, std::uint32_t halves)
    : weights(std::move(slice)),
      view(view_of(*weights, halves)),
      padded_n(reference::padded_rows(view)),
      coverage(coverage_of(*weights, halves)) {}

const reference::GemmMatrix& Matrix::decoded(DecodeRule rule) const {
  const std::lock_guard lock(mutex_);
  std::optional<reference::GemmMatrix>& decoded = decoded_[static_cast<std::size_t>(rule)];
  if (!decoded)
    decoded.emplace(
        rule == DecodeRule::qpn2 ? reference::decode_qpn2(view) : reference::decode_turbomind(view), view.n,
        view.k, view.halves);
  return *decoded;
}

const std::vector<std::uint8_t>& Matrix::packed(std::string_view item) const {
  const std::lock_guard lock(mutex_);
  const auto found = packed_.find(item);
  return found != packed_.end() ? found->second : packed_.emplace(item, pack(view, item)).first->second;
}

std::size_t Matrix::bytes() const {
  const std::size_t elements = std::size_t{view.n} * view.k, padded = std::size_t{padded_n} * view.k;
  // Weights by two rules; two sets of codes, FP16 and FP8 scales.
  return 2 * elements * sizeof(reference::Half) + 2 * padded / 2 + padded / 8 + padded / 16;
}

std::string fingerprint(const cases::QuantizedMatrix& slice) {
  return compare::sha256({std::as_bytes(std::span(slice.codes)), std::as_bytes(std::span(slice.scales)),
                          std::as_bytes(std::span(slice.globals)),
                          std::as_bytes(std::span(slice.fp8_scales))});
}

}  // namespace quadpair::run
