// Which tensors form which projection.
#include "cases/checkpoint/family.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>

#include "cases/checkpoint/expression.hpp"
#include "cases/checkpoint/shard.hpp"
#include "tests/cases/checkpoint/model.hpp"

namespace quadpair::cases {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using testing::refusal_of;

ModelConfig config_of(const std::string& text) {
  return parse_model_config(text, "config.json");
}

std::vector<Projection> projections(const std::string& config) {
  const ModelConfig parsed = config_of(config);
  return projections_of(family_of(parsed, {}), parsed);
}

const Projection& named(const std::vector<Projection>& all, const std::string& name) {
  const auto found = std::find_if(all.begin(), all.end(), [&](const auto& p) { return p.name == name; });
  if (found == all.end()) throw std::out_of_range(name);
  return *found;
}

/// "tensor:rows" of each part.
std::vector<std::string> parts_of(const Projection& projection) {
  std::vector<std::string> parts;
  for (const Part& part : projection.parts) parts.push_back(part.tensor + ":" + std::to_string(part.rows()));
  return parts;
}

TEST(Family, Llama) {
  const auto all =
      projections(R"({"architectures":["LlamaForCausalLM"],"hidden_size":4096,"intermediate_size":14336,
      "num_hidden_layers":2,"num_attention_heads":32,"num_key_value_heads":8,"vocab_size":128256})");
  ASSERT_EQ(all.size(), 9u);
  const Projection& qkv = named(all, "model.layers.1.self_attn.qkv_proj");
  EXPECT_THAT(parts_of(qkv),
              ElementsAre("model.layers.1.self_attn.q_proj:4096", "model.layers.1.self_attn.k_proj:1024",
                          "model.layers.1.self_attn.v_proj:1024"));
  EXPECT_EQ(qkv.k, 4096u);
  EXPECT_EQ(qkv.layer, 1u);
  EXPECT_FALSE(qkv.by_k);
  const Projection& down = named(all, "model.layers.0.mlp.down_proj");
  EXPECT_TRUE(down.by_k);
  EXPECT_EQ(down.k, 14336u);
  EXPECT_TRUE(named(all, "model.layers.0.mlp.gate_up_proj").gated);
  EXPECT_TRUE(all.back().head);
  EXPECT_THAT(parts_of(all.back()), ElementsAre("lm_head:128256"));
}

TEST(Family, NamesOfOthers) {
  const std::string sizes =
      R"("hidden_size":64,"intermediate_size":128,"num_hidden_layers":1,"num_attention_heads":4,"vocab_size":100)";
  for (const char* name : {"MistralForCausalLM", "Qwen2ForCausalLM", "Qwen3ForCausalLM"})
    EXPECT_THAT(parts_of(projections("{\"architectures\":[\"" + std::string(name) + "\"],\"head_dim\":32," +
                                     sizes + "}")[0]),
                ElementsAre("model.layers.0.self_attn.q_proj:128", "model.layers.0.self_attn.k_proj:128",
                            "model.layers.0.self_attn.v_proj:128"));
  const auto bert = projections("{\"architectures\":[\"BertModel\"]," + sizes + "}");
  EXPECT_THAT(parts_of(bert[0]), ElementsAre("bert.encoder.layer.0.attention.self.query:64",
                                             "bert.encoder.layer.0.attention.self.key:64",
                                             "bert.encoder.layer.0.attention.self.value:64"));
  EXPECT_EQ(bert.size(), 4u);
  const auto whisper =
      projections(R"({"architectures":["WhisperForConditionalGeneration"],"d_model":64,"encoder_layers":1,
      "decoder_layers":1,"encoder_attention_heads":4,"decoder_attention_heads":4,"encoder_ffn_dim":128,
      "decoder_ffn_dim":256,"vocab_size":100})");
  EXPECT_THAT(parts_of(named(whisper, "model.decoder.layers.0.encoder_attn.kv_proj")),
              ElementsAre("model.decoder.layers.0.encoder_attn.k_proj:64",
                          "model.decoder.layers.0.encoder_attn.v_proj:64"));
  EXPECT_EQ(named(whisper, "model.decoder.layers.0.fc2").k, 256u);
  EXPECT_THAT(parts_of(whisper.back()), ElementsAre("model.decoder.embed_tokens:100"));  // tied
}

TEST(Family, HeadIsTheEmbeddingOnlyWhereTheConfigSaysSo) {
  const auto head = [](const std::string& architecture, const std::string& more) {
    return parts_of(
        projections(
            "{\"architectures\":[\"" + architecture + "\"]," + more +
            R"("hidden_size":64,"intermediate_size":128,"num_hidden_layers":1,"num_attention_heads":4,"vocab_size":100})")
            .back())[0];
  };
  EXPECT_EQ(head("Qwen2ForCausalLM", R"("tie_word_embeddings":true,)"), "model.embed_tokens:100");
  EXPECT_EQ(head("Qwen2ForCausalLM", R"("tie_word_embeddings":false,)"), "lm_head:100");
  EXPECT_EQ(head("Qwen2ForCausalLM", ""), "lm_head:100");
  EXPECT_EQ(head("Gemma2ForCausalLM", ""), "model.embed_tokens:100");
  EXPECT_EQ(head("Gemma2ForCausalLM", R"("tie_word_embeddings":false,)"), "lm_head:100");
}

/// The table of the production shapes, one rank of four: layers, n, k.
TEST(Family, ProductionShapesOfOneRankOfFour) {
  std::ifstream file(QUADPAIR_TEST_DATA "/../cases/models/production-27b/config.json");
  const std::string text((std::istreambuf_iterator<char>(file)), {});
  std::map<std::vector<std::uint64_t>, int> seen;
  for (const Projection& projection : projections(text)) {
    std::uint64_t rows = 0;
    const std::vector<Cut> cuts = cuts_of(projection, 3, 4);
    for (const Cut& cut : cuts) rows += cut.row_count();
    ++seen[{cuts[0].k, rows}];
  }
  EXPECT_EQ(seen, (std::map<std::vector<std::uint64_t>, int>{{{5120, 4120}, 48},
                                                             {{1536, 5120}, 48 + 16},
                                                             {{5120, 3584}, 16},
                                                             {{5120, 8704}, 64},
                                                             {{4352, 5120}, 64},
                                                             {{5120, 62080}, 1}}));
}

const std::string gdn_sizes =
    R"("hidden_size":64,"intermediate_size":128,"num_hidden_layers":4,"full_attention_interval":4,"num_attention_heads":4,
       "head_dim":32,"linear_num_key_heads":2,"linear_num_value_heads":6,"linear_key_head_dim":4,"linear_value_head_dim":8,"vocab_size":100)";

TEST(Family, GatedDeltaNetIsSplitByHeads) {
  const auto next = projections("{\"architectures\":[\"Qwen3NextForCausalLM\"]," + gdn_sizes + "}");
  // A group of in_proj_qkvz is a key head: 4 of q, 4 of k, 3 x 8 of v, 3 x 8 of z.
  const Projection& fused = named(next, "model.layers.0.linear_attn.in_proj");
  const std::vector<Cut> second = cuts_of(fused, 1, 2);
  ASSERT_EQ(second.size(), 6u);
  const std::uint64_t rows[][2] = {{56, 4}, {60, 4}, {64, 24}, {88, 24}, {6, 3}, {9, 3}};
  for (std::size_t i = 0; i < 6; ++i)
    EXPECT_THAT(second[i].rows, ElementsAre(RowRun{rows[i][0], rows[i][1]})) << i;
  EXPECT_EQ(named(next, "model.layers.3.self_attn.qkv_proj").parts[0].rows(), 2u * 4 * 32);  // q has gates

  const auto five = projections("{\"architectures\":[\"Qwen3_5ForCausalLM\"]," + gdn_sizes + "}");
  const std::vector<Cut> first = cuts_of(named(five, "model.layers.2.linear_attn.in_proj"), 0, 2);
  const std::uint64_t begin[][2] = {{0, 4}, {8, 4}, {16, 24}, {0, 24}, {0, 3}, {0, 3}};
  for (std::size_t i = 0; i < 6; ++i)
    EXPECT_THAT(first[i].rows, ElementsAre(RowRun{begin[i][0], begin[i][1]})) << i;
  EXPECT_THROW(named(five, "model.layers.2.self_attn.qkv_proj"), std::out_of_range);
}

TEST(Family, TextModelInsideAnother) {
  const ModelConfig config = config_of(
      "{\"architectures\":[\"Qwen3_5ForConditionalGeneration\"],\"text_config\":{" + gdn_sizes + "}}");
  const auto has = [](const std::string& module) {
    return module.starts_with("model.language_model.layers.");
  };
  EXPECT_EQ(projections_of(family_of(config, {}), config, has)[0].name,
            "model.language_model.layers.0.linear_attn.in_proj");
}

TEST(Family, UnknownArchitecturesAreNamedWithTheirTensors) {
  const std::string message = refusal_of([] {
    family_of(config_of(R"({"architectures":["FooForBar"]})"), {"a.weight", "b.weight"});
  });
  EXPECT_THAT(message, HasSubstr("config.json: architecture FooForBar is in no family (bert, gemma"));
  EXPECT_THAT(message, HasSubstr("It has 2 tensors: a.weight, b.weight"));
  EXPECT_THAT(
      refusal_of([] { family_of(config_of(R"({"vocab_size":1})"), std::vector<std::string>(20, "t")); }),
      HasSubstr("architecture (none given) is in no family"));
  EXPECT_THAT(refusal_of([] { family_of(config_of("{}"), {}); }), HasSubstr("config.json: missing or empty"));
}

TEST(Family, RefusesNumbersThatDoNotFit) {
  const auto refused = [](const std::string& more) {
    return refusal_of([&] { projections("{\"architectures\":[\"LlamaForCausalLM\"]" + more + "}"); });
  };
  EXPECT_THAT(refused(""),
              HasSubstr("config.json: num_hidden_layers is missing, which cases/families/llama.json needs"));
  const std::string rest = R"(,"intermediate_size":128,"vocab_size":100,"num_attention_heads":3)";
  EXPECT_THAT(refused(rest + R"(,"num_hidden_layers":1,"hidden_size":64)"),
              HasSubstr("divides 64 by 3, which leaves a rest"));
  EXPECT_THAT(refused(rest + R"(,"num_hidden_layers":-1,"hidden_size":63)"),
              HasSubstr("num_hidden_layers is -1"));
  EXPECT_THAT(refused(rest + R"(,"num_hidden_layers":99999,"hidden_size":63)"),
              HasSubstr("99999 layers are too many"));
  EXPECT_THAT(refused(rest + R"(,"num_hidden_layers":1,"hidden_size":"63")"),
              HasSubstr("hidden_size is \"63\""));
}

TEST(Family, UsersFamilyIsCheckedByTheSchema) {
  nlohmann::json mine = load_family("bert").json;
  EXPECT_EQ(parse_family(mine.dump(), "mine.json").name(), "bert");
  mine["stacks"][0]["projections"][0]["split"] = "columns";
  EXPECT_THAT(refusal_of([&] { parse_family(mine.dump(), "mine.json"); }),
              HasSubstr("mine.json: /stacks/0/projections/0/split: "));
}

TEST(Family, Expressions) {
  const auto value = [](const std::string& text) {
    return evaluate(text, "f", [](std::string_view name) { return name.size(); });
  };
  EXPECT_EQ(value("aa*3+bbb/3"), 7u);
  EXPECT_EQ(value("12/4*aa"), 6u);
  for (const char* bad : {"", "+", "a*", "a**b", "7/2", "1/0", "65536*65536", "3x", "99999999999"})
    EXPECT_THAT(refusal_of([&] { value(bad); }), HasSubstr("f: \"")) << bad;
}

}  // namespace
}  // namespace quadpair::cases
