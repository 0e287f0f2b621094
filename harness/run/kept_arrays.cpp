#include "harness/run/kept_arrays.hpp"

#include <algorithm>

namespace quadpair::run {
namespace {

std::vector<std::byte> bytes_of(const std::vector<std::uint8_t>& values) {
  const auto bytes = std::as_bytes(std::span(values));
  return {bytes.begin(), bytes.end()};
}

/// [m, k] without what lies past a row's end.
std::optional<reports::HalfMatrix> activations_of(const inputs::Inputs& inputs, std::uint32_t k) {
  if (inputs.x.empty() || inputs.m == 0) return std::nullopt;
  reports::HalfMatrix x{inputs.m, k, {}};
  for (std::size_t row = 0; row < inputs.m; ++row) {
    const auto begin = inputs.x.begin() + static_cast<std::ptrdiff_t>(row * inputs.ldx);
    x.bits.insert(x.bits.end(), begin, begin + k);
  }
  return x;
}

}  // namespace

bool kept(SaveArrays save, reports::Status status) {
  return save == SaveArrays::always || (save == SaveArrays::failures && status == reports::Status::failed);
}

std::shared_ptr<const reports::CaseArrays> arrays_of(const Problem& problem,
                                                     const std::vector<inputs::Inputs>& rounds,
                                                     const cases::QuantizedMatrix& weights,
                                                     std::span<const std::uint16_t> expected_y,
                                                     const std::vector<Output>& outputs) {
  auto arrays = std::make_shared<reports::CaseArrays>();
  arrays->codes = bytes_of(weights.codes);
  arrays->scales = bytes_of(weights.scales);
  arrays->global_scale = weights.globals;
  arrays->fp8_scales = weights.fp8_scales;
  const std::size_t elements = std::size_t{problem.rows} * problem.columns;
  const auto expected_of = [&](const Output& output) {
    return expected_y.subspan(output.round * elements, elements);
  };
  if (outputs.empty() || elements == 0) return arrays;
  const auto wrong = std::ranges::find_if(
      outputs, [&](const Output& output) { return !std::ranges::equal(output.y, expected_of(output)); });
  const Output& shown = wrong == outputs.end() ? outputs.front() : *wrong;
  const auto expected = expected_of(shown);
  arrays->output = shown.name;
  arrays->activations = activations_of(rounds.at(shown.round), problem.k);
  arrays->expected = reports::HalfMatrix{problem.rows, problem.columns, {expected.begin(), expected.end()}};
  arrays->actual = reports::HalfMatrix{problem.rows, problem.columns, shown.y};
  return arrays;
}

}  // namespace quadpair::run
