// The format says what a tensor means: conventions, declarations, FP8 in all its forms.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <bit>
#include <cmath>

#include "cases/checkpoint/matrix_reader.hpp"
#include "tests/cases/checkpoint/model.hpp"

namespace quadpair::cases {
namespace {

using ::testing::AllOf;
using testing::f32;
using testing::Folder;
using ::testing::HasSubstr;
using testing::refusal_of;
using testing::Tensors;

constexpr std::uint64_t n = 4, k = 64;

QuantizedMatrix read_all(const Folder& folder, Quantize quantize = Quantize::none) {
  const Checkpoint checkpoint(folder.path());
  const StoredShape shape = stored_matrix(checkpoint, "w").shape;
  return read_matrix(checkpoint, "w", whole(shape.n, shape.k), quantize);
}

/// One matrix "w" under a declaration, {} in place of its config.
QuantizedMatrix read_under(const Tensors& tensors, const std::string& config,
                           const std::string& hf_quant_config = "") {
  Folder folder;
  folder.write("model.safetensors", safetensors_bytes(tensors)).write("config.json", config);
  if (!hf_quant_config.empty()) folder.write("hf_quant_config.json", hf_quant_config);
  return read_all(folder);
}

const std::string packed_config = "{" + testing::packed_declaration + "}";
const std::string modelopt = R"({"quantization":{"quant_algo":"NVFP4","group_size":16}})";

/// The same matrix in compressed-tensors' and ModelOpt's form.
Tensors packed(float d) {
  Tensors tensors;
  tensors.add_packed("w", n, k, d);
  tensors["w.weight_scale"].bytes = testing::drawn(n * k / 16, RandomStream(2, "w"), 0x38);  // up to 1
  return tensors;
}

Tensors modelopt_of(Tensors tensors, float multiplier) {
  tensors["w.weight"] = tensors["w.weight_packed"];
  tensors["w.weight_scale_2"] = f32({}, {multiplier});
  tensors.erase("w.weight_packed");
  tensors.erase("w.weight_global_scale");
  return tensors;
}

TEST(Format, BothFormatsGiveTheSameBits) {
  const QuantizedMatrix a = read_under(packed(2688), packed_config);
  const QuantizedMatrix b = read_under(modelopt_of(packed(2688), 1.0f / 2688), "{}", modelopt);
  EXPECT_EQ(a.codes, b.codes);
  EXPECT_EQ(a.scales, b.scales);
  EXPECT_EQ(a.globals, b.globals);
  EXPECT_EQ(std::bit_cast<std::uint32_t>(a.globals.at(0)), 0x39C30C31u);  // 1/2688 to nearest, by hand
  EXPECT_EQ(b.source, "model.safetensors");
}

TEST(Format, ConventionIsTheDeclaredOneWhateverTheNumber) {
  EXPECT_EQ(read_under(packed(0.5f), packed_config).globals.at(0), 2.0f);
  EXPECT_EQ(read_under(modelopt_of(packed(1), 3.0f), "{}", modelopt).globals.at(0), 3.0f);
  // A multiplier of 2688 cannot be one: outside FP16 it is refused, never taken for a divisor.
  EXPECT_THAT(
      refusal_of([] { read_under(modelopt_of(packed(1), 2688), "{}", modelopt); }),
      AllOf(HasSubstr("model.safetensors: tensor 'w.weight_scale_2'[0] is 2688"), HasSubstr("infinite")));
}

TEST(Format, ModelOptIsDeclaredInConfigJsonToo) {
  const std::string config =
      R"({"quantization_config":{"quant_method":"modelopt","quant_algo":"W4A16_NVFP4","ignore":["lm_head"]}})";
  EXPECT_EQ(read_under(modelopt_of(packed(1), 0.25f), config).globals.at(0), 0.25f);
  const std::string mixed = R"({"quantization":{"quant_algo":"MIXED_PRECISION","quantized_layers":
      {"w":{"quant_algo":"NVFP4","group_size":16},"v":{"quant_algo":"FP8"}}}})";
  EXPECT_EQ(read_under(modelopt_of(packed(1), 0.25f), "{}", mixed).globals.at(0), 0.25f);
}

TEST(Format, RefusesGlobalScales) {
  for (const float bad : {0.0f, -1.0f, std::nanf(""), HUGE_VALF}) {
    EXPECT_THAT(refusal_of([&] { read_under(packed(bad), packed_config); }),
                HasSubstr("model.safetensors: tensor 'w.weight_global_scale'[0] is "));
    EXPECT_THAT(refusal_of([&] { read_under(modelopt_of(packed(1), bad), "{}", modelopt); }),
                HasSubstr("model.safetensors: tensor 'w.weight_scale_2'[0] is "));
  }
  // 2^-39 . 2^14 = 2^-25 rounds to 0 in FP16 (a tie, to even); 2^-38 gives the least subnormal.
  EXPECT_THAT(refusal_of([] { read_under(modelopt_of(packed(1), 0x1p-39f), "{}", modelopt); }),
              HasSubstr("2^14 is 0"));
  EXPECT_EQ(read_under(modelopt_of(packed(1), 0x1p-38f), "{}", modelopt).globals.at(0), 0x1p-38f);
}

TEST(Format, RefusesBlockScalesByTheirIndexInTheFile) {
  for (const auto& [byte, text] :
       {std::pair{'\x7F', "0x7F: NaN"}, {'\xFF', "0xFF: NaN"}, {'\x81', "0x81: negative"}}) {
    Tensors tensors = packed(2688);
    tensors["w.weight_scale"].bytes[3 * 4 + 2] = byte;
    EXPECT_EQ(refusal_of([&] { read_under(tensors, packed_config); }),
              std::string("model.safetensors: tensor 'w.weight_scale'[3, 2] is ") + text);
  }
  // g = 1: G = 2^14; a scale of 4 (0x48) gives 65536, which FP16 lacks; 3.75 (0x47) gives 61440.
  Tensors tensors = packed(1);
  tensors["w.weight_scale"].bytes.assign(16, '\x47');
  EXPECT_EQ(read_under(tensors, packed_config).scales.at(0), 0x47);
  tensors["w.weight_scale"].bytes[5] = '\x48';
  EXPECT_EQ(refusal_of([&] { read_under(tensors, packed_config); }),
            "model.safetensors: tensor 'w.weight_scale'[1, 1] is 0x48: its product with the global scale, 1, "
            "is outside FP16");
  tensors["w.weight_scale"].bytes.assign(16, '\0');  // as old files hold: weights of zero
  EXPECT_EQ(read_under(tensors, packed_config).scales.at(0), 0);
}

/// An FP8 matrix "w" of 256 x 128: codes without NaN.
Tensors fp8(NewTensor scales, const std::string& name = "w.weight_scale") {
  Tensors tensors;
  tensors["w.weight"] = {"F8_E4M3", {256, 128}, testing::drawn(256 * 128, RandomStream(1, "w"), 0x7E)};
  tensors[name] = std::move(scales);
  return tensors;
}

const std::string float_quantized =
    R"({"quantization_config":{"quant_method":"compressed-tensors","format":"float-quantized"}})";
const std::string native =
    R"({"quantization_config":{"quant_method":"fp8","weight_block_size":[128,128],"fmt":"e4m3"}})";

std::string modelopt_fp8(const std::string& algorithm) {
  return R"({"quantization":{"quant_algo":")" + algorithm + "\"}}";
}

TEST(Format, Fp8ScalesOfRows) {
  std::vector<float> rows(256);
  for (std::size_t i = 0; i < rows.size(); ++i) rows[i] = 0.5f + 0.25f * static_cast<float>(i);
  const QuantizedMatrix a = read_under(fp8(f32({256, 1}, rows)), float_quantized);
  EXPECT_EQ(a.format, WeightFormat::fp8_channel);
  EXPECT_EQ(a.fp8_scales, rows);
  EXPECT_EQ(a.codes.size(), 256u * 128);
  EXPECT_TRUE(a.scales.empty() && a.globals.empty());
  const QuantizedMatrix b =
      read_under(fp8(f32({256}, rows)), "{}", modelopt_fp8("FP8_PER_CHANNEL_PER_TOKEN"));
  EXPECT_EQ(a.codes, b.codes);
  EXPECT_EQ(b.fp8_scales, rows);
  const NewTensor brain = {"BF16", {256, 1}, testing::bytes_of(std::vector<std::uint16_t>(256, 0x3F40))};
  EXPECT_EQ(read_under(fp8(brain), float_quantized).fp8_scales, std::vector<float>(256, 0.75f));
}

TEST(Format, Fp8ScaleOfTheMatrixIsOneOfEachRow) {
  for (const std::vector<std::uint64_t>& shape : {std::vector<std::uint64_t>{}, {1}})
    EXPECT_EQ(read_under(fp8(f32(shape, {0.125f})), "{}", modelopt_fp8("FP8")).fp8_scales,
              std::vector<float>(256, 0.125f));
}

TEST(Format, Fp8ScalesOfBlocks) {
  const std::vector<float> blocks = {0.5f, 2.0f};
  const QuantizedMatrix a = read_under(fp8(f32({2, 1}, blocks)), float_quantized);
  EXPECT_EQ(a.format, WeightFormat::fp8_block);
  EXPECT_EQ(a.fp8_scales, blocks);
  EXPECT_EQ(read_under(fp8(f32({2, 1, 1, 1}, blocks)), "{}", modelopt_fp8("FP8_PB_WO")).fp8_scales, blocks);
  // Despite its name, weight_scale_inv multiplies.
  EXPECT_EQ(read_under(fp8(f32({2, 1}, blocks), "w.weight_scale_inv"), native).fp8_scales, blocks);
}

TEST(Format, RefusesFp8ThatDoesNotFit) {
  EXPECT_THAT(refusal_of([] {
                read_under(fp8(f32({1, 256}, std::vector<float>(256, 1))), float_quantized);
              }),
              HasSubstr("model.safetensors: tensor 'w.weight_scale' has shape [1, 256], which is neither one "
                        "scale, nor [256, 1] of rows, nor [2, 1] of blocks"));
  EXPECT_THAT(refusal_of([] {
                read_under(fp8(f32({256}, std::vector<float>(256, 1)), "w.weight_scale_inv"), native);
              }),
              HasSubstr("'w.weight_scale_inv' has shape [256]"));
  EXPECT_THAT(refusal_of([] {
                read_under(fp8({"I32", {2, 1}, std::string(8, '\0')}), float_quantized);
              }),
              HasSubstr("'w.weight_scale' has dtype I32"));
  for (const float bad : {-1.0f, std::nanf(""), HUGE_VALF})
    EXPECT_THAT(refusal_of([&] {
                  read_under(fp8(f32({2, 1}, {1, bad})), float_quantized);
                }),
                HasSubstr("tensor 'w.weight_scale'[1] is "));
  Tensors tensors = fp8(f32({}, {1}));
  tensors["w.weight"].bytes[3 * 128 + 7] = '\xFF';
  EXPECT_EQ(refusal_of([&] { read_under(tensors, float_quantized); }),
            "model.safetensors: tensor 'w.weight'[3, 7] is 0xFF: NaN");
}

TEST(Format, BlocksAreNotCut) {
  Folder folder;
  folder.write("model.safetensors", safetensors_bytes(fp8(f32({2, 1}, {0.5f, 2.0f}))))
      .write("config.json", float_quantized);
  const Checkpoint checkpoint(folder.path());
  const QuantizedMatrix second = read_matrix(checkpoint, "w", {{{128, 128}}, 0, 128}, Quantize::none);
  EXPECT_EQ(second.fp8_scales, std::vector<float>{2.0f});
  EXPECT_EQ(second.n, 128u);
  EXPECT_THAT(refusal_of([&] {
                read_matrix(checkpoint, "w", {{{64, 64}}, 0, 128}, Quantize::none);
              }),
              HasSubstr("from row 64 on would cut a block of 128 rows"));
  EXPECT_THAT(refusal_of([&] {
                read_matrix(checkpoint, "w", {{{0, 64}, {192, 64}}, 0, 128}, Quantize::none);
              }),
              HasSubstr("from row 192 on would cut a block"));
  EXPECT_THAT(refusal_of([&] {
                read_matrix(checkpoint, "w", {{{0, 128}}, 64, 64}, Quantize::none);
              }),
              HasSubstr("from k = 64 on would cut a block"));
}

TEST(Format, DeclarationsThatAreNotReadAreNamed) {
  const auto under = [](const std::string& config) {
    return refusal_of([&] { parse_quantization_config(nlohmann::json::parse(config), "config.json"); });
  };
  EXPECT_THAT(under(R"({"quant_method":"gptq"})"),
              HasSubstr("config.json: /quantization_config/quant_method is \"gptq\""));
  EXPECT_THAT(under(R"({"quant_method":"compressed-tensors","format":"pack-quantized"})"),
              HasSubstr("/format is \"pack-quantized\""));
  EXPECT_THAT(under(R"({"quant_method":"compressed-tensors","format":"nvfp4-pack-quantized","config_groups":
      {"g":{"weights":{"num_bits":4,"type":"float","group_size":32}}}})"),
              HasSubstr("/config_groups/g/weights/group_size is 32; only 16"));
  EXPECT_THAT(under(R"({"quant_method":"compressed-tensors","format":"nvfp4-pack-quantized","config_groups":
      {"g":{"weights":{"num_bits":4,"type":"int"}}}})"),
              HasSubstr("/type is \"int\""));
  EXPECT_THAT(under(R"({"quant_method":"compressed-tensors","format":"float-quantized","config_groups":
      {"g":{"weights":{"num_bits":8,"type":"float","strategy":"group"}}}})"),
              HasSubstr("/strategy is \"group\""));
  EXPECT_THAT(under(R"({"quant_method":"fp8","weight_block_size":[64,64]})"),
              HasSubstr("weight_block_size is [64,64]"));
  EXPECT_THAT(under(R"({"quant_method":"modelopt"})"), HasSubstr("quant_algo is missing"));
  EXPECT_THAT(under(R"({"quant_method":"modelopt","quant_algo":"INT4_AWQ"})"), HasSubstr("INT4_AWQ"));
  EXPECT_THAT(under(R"({"quant_method":7})"), HasSubstr("quant_method is 7, no text"));
}

TEST(Format, ContradictionsAreRefused) {
  EXPECT_THAT(refusal_of([] { read_under(packed(2688), packed_config, modelopt); }),
              AllOf(HasSubstr("config.json: compressed-tensors"),
                    HasSubstr("hf_quant_config.json: ModelOpt NVFP4"), HasSubstr("contradict")));
  EXPECT_THAT(refusal_of([] { read_under(packed(2688), "{}"); }),
              HasSubstr("model.safetensors: tensor 'w.weight_packed' has dtype U8, but no config declares"));
  EXPECT_THAT(
      refusal_of([] { read_under(packed(2688), "{}", modelopt); }),
      HasSubstr("tensor 'w.weight_packed' has dtype U8, but hf_quant_config.json: ModelOpt NVFP4 says"));
  for (const char* entry : {"w", "*", "re:[vw]$"}) {
    const std::string config =
        R"({"quantization_config":{"quant_method":"compressed-tensors","format":"nvfp4-pack-quantized","ignore":[")" +
        std::string(entry) + R"("]}})";
    EXPECT_THAT(refusal_of([&] { read_under(packed(2688), config); }), HasSubstr("says otherwise")) << entry;
  }
}

TEST(Format, IgnoredModules) {
  QuantFormat format;
  format.declared = "config.json";
  format.ignored = {"lm_head", "model.layers.*.mlp.gate", R"(re:.*visual.*)", R"(re:a\.b$)"};
  for (const char* module :
       {"lm_head", "lm_head.x", "model.layers.11.mlp.gate", "model.visual.blocks.1", "a.b"})
    EXPECT_TRUE(format.ignores(module)) << module;
  for (const char* module : {"lm_heads", "model.lm_head", "model.layers.11.mlp.gate_proj", "x.a.b", "a.b.c"})
    EXPECT_FALSE(format.ignores(module)) << module;
  format.ignored = {"re:(("};
  EXPECT_THAT(refusal_of([&] { format.ignores("w"); }), HasSubstr("config.json: \"re:((\" is no expression"));
}

}  // namespace
}  // namespace quadpair::cases
