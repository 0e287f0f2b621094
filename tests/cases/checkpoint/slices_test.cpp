// Shards of whole models: names, formats, fused parts, files of one shard.
#include "cases/checkpoint/checkpoint_slices.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>

#include "cases/checkpoint/checkpoint_suite.hpp"
#include "cases/checkpoint/slice_file.hpp"
#include "tests/cases/checkpoint/model.hpp"

namespace quadpair::cases {
namespace {

using ::testing::ElementsAre;
using testing::Folder;
using ::testing::HasSubstr;
using testing::Tensors;

constexpr const char* sizes =
    R"("architectures":["LlamaForCausalLM"],"hidden_size":128,"intermediate_size":256,"num_hidden_layers":2,
       "num_attention_heads":8,"num_key_value_heads":2,"head_dim":32,"vocab_size":64)";

Tensors llama() {
  Tensors tensors;
  for (const std::string layer : {"model.layers.0.", "model.layers.1."}) {
    tensors.add_packed(layer + "self_attn.q_proj", 256, 128, 2688);
    tensors.add_packed(layer + "self_attn.k_proj", 64, 128, 2688);
    tensors.add_packed(layer + "self_attn.v_proj", 64, 128, 1344);
    tensors.add_packed(layer + "self_attn.o_proj", 128, 256, 2688);
    tensors.add_packed(layer + "mlp.gate_proj", 256, 128, 2688);
    tensors.add_packed(layer + "mlp.up_proj", 256, 128, 1344);
    tensors.add_packed(layer + "mlp.down_proj", 128, 256, 2688);
  }
  tensors.add_dense("lm_head", 64, 128);
  return tensors;
}

std::shared_ptr<const CheckpointSlices> open(const Folder& folder, const ShardSelection& selection) {
  const auto checkpoint = std::make_shared<const Checkpoint>(folder.path());
  return std::make_shared<const CheckpointSlices>(
      checkpoint, family_of(checkpoint->config(), checkpoint->tensor_names()), selection);
}

Folder& write(Folder& folder, const Tensors& tensors) {
  return folder.write("config.json", "{" + std::string(sizes) + "," + testing::packed_declaration + "}")
      .write("model.safetensors", safetensors_bytes(tensors));
}

TEST(CheckpointSlices, AreNamedAfterLayerAndRank) {
  Folder folder;
  const auto slices = open(write(folder, llama()), {2, {1}, {0}, Quantize::none});
  EXPECT_THAT(slices->names(),
              ElementsAre("model.layers.0.self_attn.qkv_proj@r1", "model.layers.0.self_attn.o_proj@r1",
                          "model.layers.0.mlp.gate_up_proj@r1", "model.layers.0.mlp.down_proj@r1"));
  EXPECT_EQ(slices->shape("model.layers.0.mlp.gate_up_proj@r1"), (SliceShape{256, 128, 2, 1, 2}));
  EXPECT_EQ(slices->shape("model.layers.0.mlp.down_proj@r1"), (SliceShape{128, 128, 1, 1, 2}));
  EXPECT_FALSE(slices->shape("model.layers.0.mlp.down_proj"));
  EXPECT_EQ(open(folder, {1, {}, {1}, Quantize::none})->names()[3], "model.layers.1.mlp.down_proj");
}

TEST(CheckpointSlices, PartsKeepTheirGlobalScales) {
  Folder folder;
  const auto slices = open(write(folder, llama()), {4, {}, {}, Quantize::none});
  // q: 64 rows, k: 32 (one head for two ranks), v: 32 of another scale: tiles 0..2, then 3.
  const auto qkv = slices->load("model.layers.0.self_attn.qkv_proj@r3", 0);
  EXPECT_EQ(qkv->n, 128u);
  const float g = 1.0f / 2688, v = 1.0f / 1344;
  EXPECT_EQ(qkv->globals, (std::vector<float>{g, g, g, v}));
  const Tensors tensors = llama();
  const std::string& k_codes = tensors.at("model.layers.0.self_attn.k_proj.weight_packed").bytes;
  EXPECT_TRUE(std::equal(k_codes.begin() + 32 * 64, k_codes.end(), qkv->codes.begin() + 64 * 64,
                         [](char a, std::uint8_t b) { return static_cast<std::uint8_t>(a) == b; }));
  const auto fused = slices->load("model.layers.1.mlp.gate_up_proj@r2", 0);
  EXPECT_EQ(fused->halves, 2u);
  EXPECT_EQ(fused->globals, (std::vector<float>{g, g, v, v}));
  EXPECT_EQ(slices->outline("model.layers.1.mlp.gate_up_proj@r2").globals, fused->globals);
}

TEST(CheckpointSlices, DensePartsAreLeftOutOrQuantised) {
  Folder folder;
  const auto without = open(write(folder, llama()), {1, {}, {}, Quantize::none});
  EXPECT_THAT(without->left_out(), ElementsAre());  // a dense head is one
  EXPECT_THAT(without->names(), ::testing::Not(::testing::Contains("lm_head")));
  const auto with = open(folder, {1, {}, {}, Quantize::nvfp4});
  EXPECT_THAT(with->left_out(), ElementsAre());
  EXPECT_EQ(with->load("lm_head", 0)->n, 64u);
  Tensors dense;
  for (const char* part : {"q_proj", "k_proj", "v_proj"})
    dense.add_dense(std::string("model.layers.0.self_attn.") + part, part[0] == 'q' ? 256 : 64, 128);
  dense.add_dense("model.layers.0.self_attn.o_proj", 128, 256);
  dense.add_dense("model.layers.0.mlp.gate_proj", 256, 128);
  dense.add_dense("model.layers.0.mlp.up_proj", 256, 128);
  dense.add_dense("model.layers.0.mlp.down_proj", 128, 256);
  Folder all_dense;
  write(all_dense, dense);
  EXPECT_THAT(
      testing::refusal_of([&] {
        open(all_dense, {1, {}, {0}, Quantize::none});
      }),
      HasSubstr("no projection is quantised ('model.layers.0.self_attn.q_proj' and 6 more are dense)"));
  ShardSelection one{1, {}, {}, Quantize::none};
  one.tensor = "model.layers.0.mlp.down_proj";
  EXPECT_THAT(testing::refusal_of([&] { open(all_dense, one); }),
              HasSubstr("('model.layers.0.mlp.down_proj' and 0 more are dense)"));
  const auto fp8 = open(all_dense, {2, {}, {0}, Quantize::fp8});
  EXPECT_EQ(fp8->load("model.layers.0.mlp.down_proj@r1", 0)->format, WeightFormat::fp8_channel);
}

TEST(CheckpointSlices, RefusesShapesThatTheConfigDoesNotMean) {
  Folder folder;
  Tensors tensors = llama();
  tensors.add_packed("model.layers.1.mlp.down_proj", 128, 240, 2688);
  write(folder, tensors);
  EXPECT_EQ(testing::refusal_of([&] {
              open(folder, {1, {}, {}, Quantize::none});
            }),
            "model.safetensors: tensors of 'model.layers.1.mlp.down_proj' make a matrix of 128 x 240, but "
            "config.json "
            "means 128 x 256");
  EXPECT_EQ(testing::refusal_of([&] { open(folder, {1, {}, {0}, Quantize::none}); }), "accepted");
  EXPECT_EQ(testing::refusal_of([&] {
              open(folder, {1, {}, {2}, Quantize::none});
            }),
            "config.json: the model has no layer 2");
  EXPECT_EQ(testing::refusal_of([&] {
              open(folder, {2, {2}, {0}, Quantize::none});
            }),
            "there is no rank 2 of 2");
  ShardSelection unknown{1, {}, {}, Quantize::none};
  unknown.tensor = "model.layers.0.nope";
  EXPECT_THAT(testing::refusal_of([&] { open(folder, unknown); }),
              HasSubstr("'model.layers.0.nope' is in no projection of the family llama"));
}

TEST(CheckpointSlices, MakeASuite) {
  Folder folder;
  const auto slices = open(write(folder, llama()), {1, {}, {1}, Quantize::none});
  const Suite suite = checkpoint_suite(slices, "mine", {1, 8});
  EXPECT_EQ(suite.cases.size(), 5u * 2 * 5);  // slices and one gated, x M, x models
  EXPECT_EQ(suite.cases[0].id, "qpn2_gemm/model.layers.1.self_attn.qkv_proj/m1/dual/s8.c2/sm70/volta/heavy");
  EXPECT_EQ(std::count_if(suite.cases.begin(), suite.cases.end(),
                          [](const Case& c) { return c.operation == "qpn2_gated"; }),
            10);
  EXPECT_EQ(suite.slices->load(suite.cases[0].slice, 1)->n, 384u);
}

TEST(CheckpointSlices, AHeadIsSharedByTheVocabulary) {
  Folder folder;
  const auto slices = open(write(folder, llama()), {4, {1, 3}, {}, Quantize::none});
  ASSERT_EQ(slices->heads().size(), 2u);
  EXPECT_EQ(slices->shape("lm_head@r3"), (SliceShape{16, 128, 1, 3, 4}));
  const auto head = slices->load_lm_head("lm_head@r3", 0);
  EXPECT_EQ(head->first_id, 48u);
  EXPECT_EQ(head->vocabulary, 64u);
  EXPECT_EQ(head->source, "model.safetensors");
  ASSERT_EQ(head->weights.size(), std::size_t{16} * 128);
  const Tensors tensors = llama();
  const std::string& stored = tensors.at("lm_head.weight").bytes;  // BF16: exponents of 2^-7 to 1, 7 bits
  for (std::size_t i = 0; i < head->weights.size(); ++i) {
    std::uint16_t bf16 = 0;
    std::memcpy(&bf16, stored.data() + 2 * (48 * 128 + i), 2);
    const int exponent = (bf16 >> 7 & 0xFF) - 127 + 15;
    ASSERT_EQ(head->weights[i], (bf16 & 0x8000) | exponent << 10 | (bf16 & 0x7F) << 3) << i;
  }
  EXPECT_EQ(testing::refusal_of([&] { slices->load_lm_head("lm_head@r2", 0); }),
            "head 'lm_head@r2' is not known");
  EXPECT_TRUE(open(folder, {1, {}, {0}, Quantize::none})->heads().empty());
}

TEST(CheckpointSlices, HeadsAndFp8ShardsAreCases) {
  Folder folder;
  const auto heads = open(write(folder, llama()), {2, {1}, {}, Quantize::none});
  const Suite suite = checkpoint_suite(heads, "mine", {1, 8, 9});
  std::vector<std::string> ids;
  for (const Case& c : suite.cases)
    if (c.operation == "lm_head" && c.target == "sm80") ids.push_back(c.id);
  EXPECT_THAT(ids, ElementsAre("lm_head/lm_head@r1/m1/sm80/ampere/hidden/k21",
                               "lm_head/lm_head@r1/m8/sm80/ampere/hidden/k21"));
  const auto fp8 = open(folder, {1, {}, {}, Quantize::fp8});
  ids.clear();
  for (const Case& c : checkpoint_suite(fp8, "mine", {40}).cases)
    if (c.target == "sm80" && c.slice == "lm_head") ids.push_back(c.id);
  EXPECT_THAT(ids, ElementsAre("qpn8_gemm/lm_head/m40/s16.c2/sm80/ampere/normal"));
}

TEST(CheckpointSlices, Fp16RowsAreKeptForTheDeviceToQuantise) {
  Folder folder;
  Tensors tensors = llama();
  std::vector<std::uint16_t> halves(std::size_t{64} * 128);
  for (std::size_t i = 0; i < halves.size(); ++i) halves[i] = static_cast<std::uint16_t>(0x2C00 + i % 0x1000);
  tensors["lm_head.weight"] = {"F16", {64, 128}, testing::bytes_of(halves)};
  write(folder, tensors);
  const auto slices = open(folder, {1, {}, {}, Quantize::fp8});
  EXPECT_EQ(slices->load("lm_head", 0)->fp16, halves);
  EXPECT_TRUE(
      open(write(folder, llama()), {1, {}, {}, Quantize::fp8})->load("lm_head", 0)->fp16.empty());  // BF16
}

/// The slice of that name as a file of its own, read back.
QuantizedMatrix read_back(const CheckpointSlices& slices, const std::string& name,
                          std::optional<std::uint64_t> anonymous = std::nullopt) {
  Folder folder;
  folder.write("slice.safetensors", slice_file(slices, name, anonymous));
  return *open(folder, {})->load(name, 0);
}

bool same(const QuantizedMatrix& a, const QuantizedMatrix& b) {
  return a.name == b.name && a.n == b.n && a.k == b.k && a.halves == b.halves && a.format == b.format &&
         a.codes == b.codes && a.scales == b.scales && a.globals == b.globals && a.fp8_scales == b.fp8_scales;
}

TEST(SliceFile, ReadBackIsTheSameSlice) {
  Folder folder;
  write(folder, llama());
  for (const Quantize quantize : {Quantize::nvfp4, Quantize::fp8}) {
    const auto slices = open(folder, {2, {1}, {}, quantize});
    for (const std::string& name : slices->names())
      EXPECT_TRUE(same(read_back(*slices, name), *slices->load(name, 0))) << name;
  }
}

std::vector<std::uint8_t> sorted_nibbles(const QuantizedMatrix& matrix) {
  std::vector<std::uint8_t> nibbles;
  for (const std::uint8_t byte : matrix.codes)
    nibbles.insert(nibbles.end(),
                   {static_cast<std::uint8_t>(byte & 15), static_cast<std::uint8_t>(byte >> 4)});
  std::sort(nibbles.begin(), nibbles.end());
  return nibbles;
}

TEST(SliceFile, AnonymousSlicesKeepTheirHistogramsAlone) {
  Folder folder;
  const auto slices = open(write(folder, llama()), {2, {1}, {}, Quantize::none});
  const std::string name = "model.layers.1.mlp.down_proj@r1";
  const QuantizedMatrix plain = *slices->load(name, 0), hidden = read_back(*slices, name, 99);
  EXPECT_EQ(sorted_nibbles(plain), sorted_nibbles(hidden));
  std::vector<std::uint8_t> a = plain.scales, b = hidden.scales;
  std::sort(a.begin(), a.end());
  std::sort(b.begin(), b.end());
  EXPECT_EQ(a, b);
  EXPECT_EQ(plain.globals, hidden.globals);
  // Of uniformly drawn bytes one in 256 stays by chance.
  std::size_t equal = 0;
  for (std::size_t i = 0; i < plain.codes.size(); ++i) equal += plain.codes[i] == hidden.codes[i] ? 1 : 0;
  EXPECT_LT(equal, plain.codes.size() / 64);
  EXPECT_FALSE(same(hidden, read_back(*slices, name, 100)));
}

}  // namespace
}  // namespace quadpair::cases
