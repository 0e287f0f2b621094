#include "harness/run/matrix.hpp"

#include <fmt/format.h>
#include <openssl/evp.h>

#include <array>
#include <memory>
#include <span>
#include <stdexcept>

namespace quadpair::run {
namespace {

reference::Nvfp4View view_of(const cases::QuantizedMatrix& w, std::uint32_t halves) {
  return {w.n, w.k, halves, w.codes, w.scales, w.globals};
}

convert::Preparation prepare(const cases::QuantizedMatrix& w, std::uint32_t halves) {
  return convert::prepare_qpn2(w.name, w.n, w.k, halves, w.codes, w.scales, w.globals);
}

}  // namespace

Matrix::Matrix(std::shared_ptr<const cases::QuantizedMatrix> slice, std::uint32_t halves)
    : weights(std::move(slice)),
      view(view_of(*weights, halves)),
      padded_n(reference::padded_rows(view)),
      preparation(prepare(*weights, halves)),
      coverage(compare::cover(view.codes, view.scales, preparation.subnormal_weights)),
      reference(reference::decode_qpn2(view), view.n, view.k, view.halves),
      packed_codes(reference::pack_qpn2_codes(view)),
      packed_scales(reference::pack_qpn2_scales(view)) {}

std::size_t Matrix::bytes() const {
  const std::size_t elements = std::size_t{weights->n} * weights->k;
  return packed_codes.size() + packed_scales.size() + elements * sizeof(reference::Half);
}

std::string fingerprint(const cases::QuantizedMatrix& slice) {
  const std::unique_ptr<EVP_MD_CTX, void (*)(EVP_MD_CTX*)> context(EVP_MD_CTX_new(), EVP_MD_CTX_free);
  std::array<unsigned char, 32> digest{};
  bool good = context && EVP_DigestInit_ex(context.get(), EVP_sha256(), nullptr) == 1;
  for (const std::span<const std::byte> part :
       {std::as_bytes(std::span(slice.codes)), std::as_bytes(std::span(slice.scales)),
        std::as_bytes(std::span(slice.globals)), std::as_bytes(std::span(slice.fp8_scales))})
    good = good && EVP_DigestUpdate(context.get(), part.data(), part.size()) == 1;
  good = good && EVP_DigestFinal_ex(context.get(), digest.data(), nullptr) == 1;
  if (!good) throw std::runtime_error("SHA-256 is not available");
  std::string hex;
  for (const unsigned char byte : digest) hex += fmt::format("{:02x}", byte);
  return hex;
}

}  // namespace quadpair::run
