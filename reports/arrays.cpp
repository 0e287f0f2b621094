#include "reports/arrays.hpp"

#include <cstring>
#include <nlohmann/json.hpp>
#include <stdexcept>

namespace quadpair::reports {
namespace {

using Json = nlohmann::json;

template <class Value>
Json binary(const std::vector<Value>& values) {
  Json::binary_t bytes;
  bytes.resize(values.size() * sizeof(Value));
  if (!values.empty()) std::memcpy(bytes.data(), values.data(), bytes.size());
  return Json::binary(std::move(bytes));
}

template <class Value>
std::vector<Value> values(const Json& json) {
  const Json::binary_t& bytes = json.get_binary();
  std::vector<Value> values(bytes.size() / sizeof(Value));
  if (!values.empty()) std::memcpy(values.data(), bytes.data(), values.size() * sizeof(Value));
  return values;
}

Json matrix(const std::optional<HalfMatrix>& matrix) {
  if (!matrix) return nullptr;
  return {{"rows", matrix->rows}, {"columns", matrix->columns}, {"bits", binary(matrix->bits)}};
}

std::optional<HalfMatrix> matrix_from(const Json& json) {
  if (json.is_null()) return std::nullopt;
  return HalfMatrix{json.at("rows").get<std::uint64_t>(), json.at("columns").get<std::uint64_t>(),
                    values<std::uint16_t>(json.at("bits"))};
}

}  // namespace

std::string to_bytes(const CaseArrays& arrays) {
  std::string bytes;
  Json::to_cbor({{"output", arrays.output},
                 {"activations", matrix(arrays.activations)},
                 {"expected", matrix(arrays.expected)},
                 {"actual", matrix(arrays.actual)},
                 {"codes", binary(arrays.codes)},
                 {"scales", binary(arrays.scales)},
                 {"global_scale", binary(arrays.global_scale)},
                 {"fp8_scales", binary(arrays.fp8_scales)}},
                bytes);
  return bytes;
}

CaseArrays arrays_from_bytes(std::string_view bytes) try {
  const Json json = Json::from_cbor(bytes);
  return {json.at("output").get<std::string>(),   matrix_from(json.at("activations")),
          matrix_from(json.at("expected")),       matrix_from(json.at("actual")),
          values<std::byte>(json.at("codes")),    values<std::byte>(json.at("scales")),
          values<float>(json.at("global_scale")), values<float>(json.at("fp8_scales"))};
} catch (const Json::exception& e) {
  throw std::invalid_argument(e.what());
}

}  // namespace quadpair::reports
