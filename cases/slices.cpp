#include "cases/slices.hpp"

#include <algorithm>
#include <cstring>
#include <iterator>

#include "cases/compressed_tensors.hpp"
#include "cases/embedded.hpp"
#include "cases/error.hpp"
#include "cases/fuse.hpp"
#include "cases/heads.hpp"
#include "cases/suite.hpp"

namespace quadpair::cases {
namespace {

struct RealSlice {
  std::string_view name;
  SliceShape shape;
  std::string_view gate, up;  ///< the tensors that are fused, or nothing
};

constexpr RealSlice real_slices[] = {
    {"minilm.0.qkv", {1152, 384, 1}, {}, {}},
    {"minilm.0.o", {384, 384, 1}, {}, {}},
    {"minilm.0.up", {1536, 384, 1}, {}, {}},
    {"minilm.0.down", {384, 1536, 1}, {}, {}},
    {"whisper.2.qkv", {2304, 768, 1}, {}, {}},
    {"whisper.2.o", {768, 768, 1}, {}, {}},
    {"whisper.2.down", {768, 3072, 1}, {}, {}},
    {"smollm2.15.gate", {1536, 640, 1}, {}, {}},
    {"smollm2.15.up", {1536, 640, 1}, {}, {}},
    {"smollm2.15.down", {576, 1536, 1}, {}, {}},
    {"smollm2.15.gate_up", {3072, 640, 2}, "smollm2.15.gate", "smollm2.15.up"},
};

const MadeUpFamily* const families[] = {&production_family, &sharded_family, &edge_family, &refused_family,
                                        &fp8_family};

const RealSlice* find_real(std::string_view name) {
  const auto* found = std::find_if(std::begin(real_slices), std::end(real_slices),
                                   [&](const RealSlice& slice) { return slice.name == name; });
  return found == std::end(real_slices) ? nullptr : found;
}

Safetensors real_file() {
  return {find_embedded(real_slices_file).value().bytes, std::string(real_slices_file)};
}

QuantizedMatrix load_real(const RealSlice& slice) {
  const Safetensors file = real_file();
  if (slice.gate.empty()) return load_compressed_tensors(file, std::string(slice.name));
  return fuse_gate_up(std::string(slice.name), load_compressed_tensors(file, std::string(slice.gate)),
                      load_compressed_tensors(file, std::string(slice.up)));
}

}  // namespace

std::optional<SliceShape> slice_shape(std::string_view name) {
  if (const RealSlice* real = find_real(name)) return real->shape;
  for (const MadeUpFamily* family : families)
    if (const auto shape = family->shape(name)) return shape;
  return head_shape(name);
}

bool has_activations(std::string_view name) {
  return real_file().contains(std::string(name) + ".activations");
}

std::vector<std::string_view> real_slice_names() {
  std::vector<std::string_view> names;
  for (const RealSlice& slice : real_slices) names.push_back(slice.name);
  return names;
}

std::shared_ptr<const QuantizedMatrix> load_slice(const std::string& slice, std::uint64_t seed) {
  if (const RealSlice* real = find_real(slice))
    return std::make_shared<const QuantizedMatrix>(load_real(*real));
  for (const MadeUpFamily* family : families)
    if (family->shape(slice)) return std::make_shared<const QuantizedMatrix>(family->make(slice, seed));
  throw DataError("slice '" + slice + "' is not known");
}

std::optional<Activations> load_activations(const std::string& slice) {
  const Safetensors file = real_file();
  const std::string name = slice + ".activations";
  if (!file.contains(name)) return std::nullopt;
  const Tensor& tensor = file.require(name, "F16", 2);
  Activations activations;
  activations.rows = static_cast<std::uint32_t>(tensor.shape[0]);
  activations.k = static_cast<std::uint32_t>(tensor.shape[1]);
  activations.values.resize(tensor.bytes.size() / 2);
  std::memcpy(activations.values.data(), tensor.bytes.data(), tensor.bytes.size());
  return activations;
}

namespace {

class BuiltInSlices : public SliceSource {
 public:
  std::optional<SliceShape> shape(const std::string& name) const override { return slice_shape(name); }
  std::shared_ptr<const QuantizedMatrix> load(const std::string& name, std::uint64_t seed) const override {
    return load_slice(name, seed);
  }
  std::shared_ptr<const HeadMatrix> load_lm_head(const std::string& name, std::uint64_t seed) const override {
    return load_head(name, seed);
  }
};

}  // namespace

std::shared_ptr<const SliceSource> built_in_slices() {
  static const auto slices = std::make_shared<const BuiltInSlices>();
  return slices;
}

}  // namespace quadpair::cases
