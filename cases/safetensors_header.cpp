// The header of a safetensors file, every claim of it checked against the file.
#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "cases/error.hpp"
#include "cases/json_text.hpp"
#include "cases/safetensors.hpp"

namespace quadpair::cases {
namespace {

using Json = nlohmann::json;

constexpr std::uint64_t longest_header = 100'000'000;  // the format's own limit

std::optional<std::uint64_t> bytes_of(std::string_view dtype) {
  static constexpr std::pair<std::string_view, std::uint64_t> sizes[] = {
      {"BOOL", 1}, {"U8", 1},  {"I8", 1},  {"F8_E4M3", 1}, {"F8_E5M2", 1}, {"F8_E8M0", 1},
      {"U16", 2},  {"I16", 2}, {"F16", 2}, {"BF16", 2},    {"U32", 4},     {"I32", 4},
      {"F32", 4},  {"U64", 8}, {"I64", 8}, {"F64", 8},     {"C64", 8}};
  for (const auto& [name, size] : sizes)
    if (name == dtype) return size;
  return std::nullopt;
}

std::vector<std::uint64_t> unsigned_list(const Json& entry, const char* key, const std::string& where) {
  const auto found = entry.find(key);
  if (found == entry.end() || !found->is_array())
    throw DataError(where + ": '" + key + "' is not a list of numbers");
  std::vector<std::uint64_t> values;
  for (std::size_t i = 0; i < found->size(); ++i) {
    const Json& value = (*found)[i];
    if (!value.is_number_unsigned())
      throw DataError(where + ": " + key + "[" + std::to_string(i) + "] is " + value.dump() +
                      ", not an unsigned number");
    values.push_back(value.get<std::uint64_t>());
  }
  return values;
}

/// shape x element size, refused when it does not fit in 64 bits.
std::uint64_t byte_count(std::span<const std::uint64_t> shape, std::uint64_t element,
                         const std::string& where) {
  std::uint64_t count = element;
  for (std::uint64_t extent : shape) {
    if (extent != 0 && count > std::numeric_limits<std::uint64_t>::max() / extent)
      throw DataError(where + ": shape " + shape_text(shape) + " overflows");
    count *= extent;
  }
  return count;
}

Tensor read_entry(const Json& entry, std::span<const std::byte> data, const std::string& where) {
  if (!entry.is_object()) throw DataError(where + ": the entry is not an object");
  Tensor tensor;
  const auto dtype = entry.find("dtype");
  if (dtype == entry.end() || !dtype->is_string()) throw DataError(where + ": 'dtype' is not a string");
  tensor.dtype = dtype->get<std::string>();
  const auto element = bytes_of(tensor.dtype);
  if (!element) throw DataError(where + ": dtype '" + tensor.dtype + "' is not known");
  tensor.shape = unsigned_list(entry, "shape", where);
  const auto offsets = unsigned_list(entry, "data_offsets", where);
  if (offsets.size() != 2) throw DataError(where + ": data_offsets are not two numbers");
  if (offsets[0] > offsets[1] || offsets[1] > data.size())
    throw DataError(where + ": data_offsets " + shape_text(offsets) + " lie outside the " +
                    std::to_string(data.size()) + " bytes of data");
  const std::uint64_t expected = byte_count(tensor.shape, *element, where);
  if (offsets[1] - offsets[0] != expected)
    throw DataError(where + ": data_offsets " + shape_text(offsets) + " hold " +
                    std::to_string(offsets[1] - offsets[0]) + " bytes, but shape " +
                    shape_text(tensor.shape) + " of " + tensor.dtype + " needs " + std::to_string(expected));
  tensor.bytes = data.subspan(offsets[0], offsets[1] - offsets[0]);
  return tensor;
}

std::map<std::string, std::string, std::less<>> read_metadata(const Json& entry, const std::string& name) {
  if (!entry.is_object()) throw DataError(name + ": __metadata__ is not an object");
  std::map<std::string, std::string, std::less<>> metadata;
  for (const auto& [key, value] : entry.items()) {
    if (!value.is_string()) throw DataError(fmt::format("{}: __metadata__/{} is not a text", name, key));
    metadata.emplace(key, value.get<std::string>());
  }
  return metadata;
}

std::string place(const std::string& file, const std::string& tensor) {
  return file + ": tensor '" + tensor + "'";
}

void refuse_overlaps(const std::map<std::string, Tensor, std::less<>>& tensors, const std::byte* data,
                     const std::string& name) {
  std::vector<const std::pair<const std::string, Tensor>*> order;
  for (const auto& entry : tensors)
    if (!entry.second.bytes.empty()) order.push_back(&entry);
  std::sort(order.begin(), order.end(),
            [](const auto* a, const auto* b) { return a->second.bytes.data() < b->second.bytes.data(); });
  for (std::size_t i = 1; i < order.size(); ++i) {
    const auto& before = order[i - 1]->second.bytes;
    const auto& after = order[i]->second.bytes;
    if (after.data() < before.data() + before.size())
      throw DataError(place(name, order[i]->first) + ": data_offsets[0] = " +
                      std::to_string(after.data() - data) + " overlaps tensor '" + order[i - 1]->first +
                      "', which ends at " + std::to_string(before.data() + before.size() - data));
  }
}

}  // namespace

SafetensorsHeader read_safetensors_header(std::span<const std::byte> file, const std::string& name) {
  if (file.size() < 8)
    throw DataError(name + ": " + std::to_string(file.size()) + " bytes are too few for a header length");
  std::uint64_t length = 0;
  for (unsigned i = 0; i < 8; ++i) length |= std::to_integer<std::uint64_t>(file[i]) << (8 * i);
  if (length > longest_header)
    throw DataError(name + ": header length " + std::to_string(length) + " is beyond the format's limit of " +
                    std::to_string(longest_header));
  if (length > file.size() - 8)
    throw DataError(name + ": header length " + std::to_string(length) + " passes the end of the file (" +
                    std::to_string(file.size()) + " bytes)");

  const std::string_view text(reinterpret_cast<const char*>(file.data() + 8), length);
  const Json header = parse_json(text, name + ": header");
  if (!header.is_object()) throw DataError(name + ": the header is not a JSON object");

  const std::span<const std::byte> data = file.subspan(8 + length);
  SafetensorsHeader result;
  for (const auto& [key, entry] : header.items()) {
    if (key == "__metadata__")
      result.metadata = read_metadata(entry, name);
    else
      result.tensors.emplace(key, read_entry(entry, data, place(name, key)));
  }
  refuse_overlaps(result.tensors, data.data(), name);
  return result;
}

}  // namespace quadpair::cases
