// verify --checkpoint of models in FP8.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstring>
#include <limits>

#include "tests/cases/checkpoint/model.hpp"
#include "tests/harness/cli/support.hpp"
#include "tests/reports/schema.hpp"

namespace quadpair::cli {
namespace {

using nlohmann::json;
using ::testing::HasSubstr;

/// How FP8 weights of one layer with Llama's names are declared, and what their scales look like.
struct Fp8 {
  const char* name;
  const char* declaration;
  const char* scales;
  std::vector<std::uint64_t> (*shape)(std::uint64_t n, std::uint64_t k);
};

const Fp8 fp8_declarations[] = {
    {"Native", R"("quant_method":"fp8","weight_block_size":[128,128],"activation_scheme":"dynamic")",
     ".weight_scale_inv",
     [](std::uint64_t n, std::uint64_t k) -> std::vector<std::uint64_t> {
       return {n / 128, k / 128};
     }},
    {"Channel", R"("quant_method":"compressed-tensors","format":"float-quantized","config_groups":{"group_0":{
      "targets":["Linear"],"weights":{"num_bits":8,"type":"float","strategy":"channel"}}},"ignore":[])",
     ".weight_scale",
     [](std::uint64_t n, std::uint64_t) -> std::vector<std::uint64_t> {
       return {n, 1};
     }},
    {"Tensor", R"("quant_method":"compressed-tensors","format":"float-quantized","config_groups":{"group_0":{
      "targets":["Linear"],"weights":{"num_bits":8,"type":"float","strategy":"tensor"}}},"ignore":[])",
     ".weight_scale", [](std::uint64_t, std::uint64_t) -> std::vector<std::uint64_t> { return {1}; }},
    {"ModelOpt", R"("quant_method":"modelopt","quant_algo":"FP8")", ".weight_scale",
     [](std::uint64_t, std::uint64_t) -> std::vector<std::uint64_t> { return {}; }},
    {"ModelOptChannel", R"("quant_method":"modelopt","quant_algo":"FP8_PER_CHANNEL_PER_TOKEN")",
     ".weight_scale", [](std::uint64_t n, std::uint64_t) -> std::vector<std::uint64_t> { return {n}; }},
    {"ModelOptBlock", R"("quant_method":"modelopt","quant_algo":"FP8_PB_WO")", ".weight_scale",
     [](std::uint64_t n, std::uint64_t k) -> std::vector<std::uint64_t> {
       return {n / 128, 1, k / 128, 1};
     }},
};

class Fp8Model : public ::testing::TestWithParam<Fp8> {
 protected:
  Fp8Model() {
    const std::string layer = "model.layers.0.";
    add(layer + "self_attn.q_proj", 256, 128);
    add(layer + "self_attn.k_proj", 128, 128);
    add(layer + "self_attn.v_proj", 128, 128);
    add(layer + "self_attn.o_proj", 128, 256);
    add(layer + "mlp.gate_proj", 256, 128);
    add(layer + "mlp.up_proj", 256, 128);
    add(layer + "mlp.down_proj", 128, 256);
    const std::string config =
        R"({"architectures":["LlamaForCausalLM"],"hidden_size":128,"intermediate_size":256,"num_hidden_layers":1,
        "num_attention_heads":8,"num_key_value_heads":4,"head_dim":32,"vocab_size":64,"quantization_config":{)";
    folder_.write("config.json", config + GetParam().declaration + "}}");
  }

  void add(const std::string& name, std::uint64_t n, std::uint64_t k) {
    tensors_.add_fp8(name, n, k, GetParam().scales, GetParam().shape(n, k));
  }

  Result verify(const std::string& report) {
    folder_.write("model.safetensors", cases::safetensors_bytes(tensors_));
    return call({"verify", "--checkpoint", folder_.path().string(), "--device", "emulator", "--model",
                 "hopper", "--layers", "0", "--m", "17", "--json", report});
  }

  cases::testing::Tensors tensors_;
  cases::testing::Folder folder_;
  const Folder out_;
};

TEST_P(Fp8Model, ShardsAreVerified) {
  const std::string file = out_ / "r.json";
  const Result result = verify(file);
  EXPECT_EQ(result.status, 0) << result.out << result.err;
  const json report = read_json(file);
  EXPECT_EQ(reports::violations(report), "");
  EXPECT_EQ(report["summary"]["passed"], 4);  // qkv, o, gate and up, down
  EXPECT_EQ(report["cases"][2]["id"],
            "qpn8_gemm/model.layers.0.mlp.gate_up_proj/m17/s16.c2/sm90/hopper/subnormal");
  EXPECT_EQ(report["cases"][2]["shape"]["n"], 512);
}

TEST_P(Fp8Model, BadCodesAndScalesAreRefused) {
  const std::string down = "model.layers.0.mlp.down_proj";
  tensors_[down + ".weight"].bytes[300] = '\x7F';
  const float nan = std::numeric_limits<float>::quiet_NaN();
  std::memcpy(tensors_["model.layers.0.self_attn.o_proj" + std::string(GetParam().scales)].bytes.data(), &nan,
              sizeof nan);
  const Result result = verify(out_ / "r.json");
  EXPECT_EQ(result.status, 65);
  EXPECT_THAT(result.out, HasSubstr("tensor '" + down + ".weight'[1, 44] is 0x7F: NaN"));
  EXPECT_THAT(result.out, HasSubstr(std::string("o_proj") + GetParam().scales + "'[0] is nan"));
  EXPECT_THAT(result.out, HasSubstr("2 refused"));
}

// Scales that no weight can have: named as they are stored, by every command that reads them.
TEST_P(Fp8Model, ScalesThatMakeNoWeightsAreRefused) {
  const std::string o = "model.layers.0.self_attn.o_proj", down = "model.layers.0.mlp.down_proj",
                    scales(GetParam().scales);
  const auto set = [&](const std::string& name, float value) {
    std::memcpy(tensors_[name + scales].bytes.data(), &value, sizeof value);
  };
  set(o, 0.0F);
  set(down, 200.0F);  // times 256 it is still below 65504, times code 0x7E not
  tensors_[down + ".weight"].bytes[3] = '\x7E';
  const Result result = verify(out_ / "r.json");
  EXPECT_EQ(result.status, 65);
  EXPECT_THAT(result.out, HasSubstr("model.safetensors: tensor '" + o + scales + "'[0] is 0: "));
  EXPECT_THAT(result.out, HasSubstr("model.safetensors: tensor '" + down + scales +
                                    "'[0] is 200: its product with code 0x7E is outside FP16"));
  EXPECT_THAT(result.out, HasSubstr("2 refused"));
  const std::string file = out_ / "s.safetensors";
  const Result cut = call({"slice", "--checkpoint", folder_.path().string(), "--projection",
                           "self_attn.o_proj", "--layer", "0", "-o", file});
  EXPECT_EQ(cut.status, 65);
  EXPECT_THAT(cut.err, HasSubstr(o + scales + "'[0] is 0: "));
  EXPECT_FALSE(std::filesystem::exists(file));
}

INSTANTIATE_TEST_SUITE_P(Declared, Fp8Model, ::testing::ValuesIn(fp8_declarations),
                         [](const auto& declared) { return std::string(declared.param.name); });

}  // namespace
}  // namespace quadpair::cli
