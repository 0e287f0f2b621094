// verify --checkpoint, slice and ledger, of a model in NVFP4.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/cases/checkpoint/model.hpp"
#include "tests/harness/cli/ledger.hpp"
#include "tests/harness/cli/support.hpp"
#include "tests/reports/schema.hpp"

namespace quadpair::cli {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;
using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

/// One layer with Llama's names in compressed-tensors' form.
class Model : public ::testing::Test {
 protected:
  Model() {
    const std::string layer = "model.layers.0.";
    tensors_.add_packed(layer + "self_attn.q_proj", 256, 128, 2688);
    tensors_.add_packed(layer + "self_attn.k_proj", 32, 128, 2688);
    tensors_.add_packed(layer + "self_attn.v_proj", 32, 128, 1344);
    tensors_.add_packed(layer + "self_attn.o_proj", 128, 256, 2688);
    tensors_.add_packed(layer + "mlp.gate_proj", 256, 128, 2688);
    tensors_.add_packed(layer + "mlp.up_proj", 256, 128, 1344);
    tensors_.add_packed(layer + "mlp.down_proj", 128, 256, 2688);
    tensors_.add_dense("lm_head", 64, 128);
    write();
  }

  void write() {
    std::string config =
        R"({"architectures":["LlamaForCausalLM"],"hidden_size":128,"intermediate_size":256,"num_hidden_layers":1,
        "num_attention_heads":8,"num_key_value_heads":1,"head_dim":32,"vocab_size":64,)";
    config += cases::testing::packed_declaration;
    folder_.write("config.json", config + "}").write("model.safetensors", cases::safetensors_bytes(tensors_));
  }

  Result verify(std::vector<std::string> more) {
    std::vector<std::string> words{"verify",  "--checkpoint", folder_.path().string(), "--device", "emulator",
                                   "--model", "hopper"};
    words.insert(words.end(), more.begin(), more.end());
    return call(words);
  }

  cases::testing::Tensors tensors_;
  cases::testing::Folder folder_;
  const Folder out_;
};

TEST_F(Model, ShardsAreVerified) {
  const std::string file = out_ / "r.json";
  const Result result = verify({"--tp", "2", "--ranks", "1", "--m", "1,9", "--json", file});
  EXPECT_EQ(result.status, 0) << result.out << result.err;
  EXPECT_THAT(result.err, Not(HasSubstr("left out")));
  const json report = read_json(file);
  EXPECT_EQ(reports::violations(report), "");
  EXPECT_EQ(report["summary"]["passed"], 11);  // four slices and one gated, two M; the head, M 1
  const json& head = report["cases"].back();
  EXPECT_EQ(head["id"], "lm_head/lm_head@r1/m1/sm90/hopper/hidden/k21");
  EXPECT_EQ(head["shape"]["n"], 32);
  EXPECT_EQ(head["screening"]["rows"], 3);
  const json& last = report["cases"][9];
  EXPECT_EQ(last["id"], "qpn2_gemm/model.layers.0.mlp.down_proj@r1/m9/dual/s8.c2/sm90/hopper/heavy");
  EXPECT_EQ(last["slice"]["source"], "model.safetensors");
  EXPECT_EQ(last["slice"]["tp"], 2);
  EXPECT_THAT(last["repro"].get<std::string>(),
              AllOf(HasSubstr("--checkpoint "), HasSubstr("--tp 2 --ranks 1"), HasSubstr("--m 1,9")));
  EXPECT_THAT(report.dump(), Not(HasSubstr(" " + folder_.path().string())));  // "../" goes before it
}

TEST_F(Model, ReportsHoldTheLedgerOfTheWholeModel) {
  const std::string report = out_ / "r.json", ledger = out_ / "l.json";
  ASSERT_EQ(
      verify({"--tp", "2", "--ranks", "1", "--m", "1", "--filter", "down_proj", "--json", report}).status, 0);
  const json found = read_json(report)["ledger"];
  EXPECT_EQ(found["tp"], 2);
  EXPECT_EQ(found["policies"].size(), 3u);
  for (const char* policy : {"dual", "shared", "compact"}) {
    ASSERT_EQ(
        call({"ledger", folder_.path().string(), "--tp", "2", "--policy", policy, "--json", ledger}).status,
        0);
    EXPECT_EQ(found["policies"][policy], read_json(ledger)["policies"][policy]);
  }
}

TEST_F(Model, BadWeightsAreRefusedCaseByCase) {
  tensors_["model.layers.0.mlp.down_proj.weight_scale"].bytes[17] = '\x7F';
  write();
  const Result result = verify({"--m", "2"});
  EXPECT_EQ(result.status, 65);
  EXPECT_THAT(
      result.out,
      HasSubstr("model.safetensors: tensor 'model.layers.0.mlp.down_proj.weight_scale'[1, 1] is 0x7F: NaN"));
  EXPECT_THAT(result.out, HasSubstr("1 refused"));
}

TEST_F(Model, BadFilesAreRefusedBeforeAnythingIsWritten) {
  fs::resize_file(folder_.path() / "model.safetensors", 1000);
  const Result result = verify({"--json", out_ / "r.json"});
  EXPECT_EQ(result.status, 65);
  EXPECT_THAT(result.err, HasSubstr("model.safetensors: header length"));
  EXPECT_FALSE(fs::exists(out_ / "r.json"));
  EXPECT_EQ(call({"verify", "--tp", "2"}).status, 64);  // of what?
  EXPECT_EQ(verify({"--suite", "default"}).status, 64);
  EXPECT_EQ(verify({"--ranks", "x"}).status, 64);
  EXPECT_EQ(call({"verify", "--checkpoint", "no-such-folder"}).status, 65);
}

TEST_F(Model, SlicesAreVerifiedAgain) {
  const std::string file = out_ / "slice.safetensors";
  const std::vector<std::string> slice{"slice",
                                       "--checkpoint",
                                       folder_.path().string(),
                                       "--projection",
                                       "mlp.gate_up_proj",
                                       "--layer",
                                       "0",
                                       "--tp",
                                       "2",
                                       "--rank",
                                       "1",
                                       "-o",
                                       file};
  const Result cut = call(slice);
  ASSERT_EQ(cut.status, 0) << cut.err;
  EXPECT_THAT(cut.out, HasSubstr("model.layers.0.mlp.gate_up_proj@r1: 256 x 128"));
  const std::string a = out_ / "a.json", b = out_ / "b.json";
  ASSERT_EQ(verify({"--tp", "2", "--m", "3", "--filter", "gated.*r1", "--json", a}).status, 0);
  ASSERT_EQ(call({"verify", "--checkpoint", file, "--device", "emulator", "--model", "hopper", "--m", "3",
                  "--filter", "gated", "--json", b})
                .status,
            0);
  const json whole = read_json(a)["cases"][0], again = read_json(b)["cases"][0];
  EXPECT_EQ(whole["slice"]["sha256"], again["slice"]["sha256"]);
  EXPECT_EQ(whole["slice"]["name"], again["slice"]["name"]);

  std::vector<std::string> anonymous = slice;
  anonymous.emplace_back("--anonymise");
  ASSERT_EQ(call(anonymous).status, 0);
  ASSERT_EQ(call({"verify", "--checkpoint", file, "--device", "emulator", "--model", "hopper", "--m", "3",
                  "--json", b})
                .status,
            0);
  EXPECT_NE(whole["slice"]["sha256"], read_json(b)["cases"][0]["slice"]["sha256"]);
}

TEST_F(Model, SlicesThatAreNotThereAreNamed) {
  const auto slice = [&](std::vector<std::string> words) {
    words.insert(words.begin(),
                 {"slice", "--checkpoint", folder_.path().string(), "-o", out_ / "s.safetensors"});
    return call(words);
  };
  Result result = slice({"--projection", "mlp.up", "--layer", "0"});
  EXPECT_EQ(result.status, 64);
  EXPECT_THAT(result.err,
              HasSubstr("--projection: \"mlp.up\" is none of model.layers.0.self_attn.qkv_proj, "));
  EXPECT_EQ(slice({"--projection", "mlp.down_proj", "--layer", "7"}).status, 65);
  result = slice({"--projection", "mlp.down_proj"});
  EXPECT_EQ(result.status, 64);
  EXPECT_THAT(result.err, HasSubstr("\"mlp.down_proj\" is one of each layer; --layer says which"));
  EXPECT_EQ(slice({"--tensor", "model.layers.0.mlp.up_proj.weightless"}).status, 65);
  EXPECT_EQ(slice({}).status, 64);
  EXPECT_FALSE(fs::exists(out_ / "s.safetensors"));
  result = slice({"--tensor", "model.layers.0.mlp.up_proj.weight_packed"});
  EXPECT_EQ(result.status, 0) << result.err;
  EXPECT_THAT(result.out, HasSubstr("model.layers.0.mlp.up_proj: 256 x 128"));
}

TEST_F(Model, LedgerCountsFormatsAndGlobalScalesAsStored) {
  const std::string file = out_ / "l.json";
  ASSERT_EQ(call({"ledger", folder_.path().string(), "--policy", "compact", "--json", file}).status, 0);
  const json ledger = read_json(file);
  // qkv of 320 rows: 10 tiles; gate and up of 512: 16 tiles; FP16 each.
  EXPECT_EQ(bytes_of(ledger, "compact", 0, "global_scales"), std::vector<std::uint64_t>{(10 + 16) * 2});
  EXPECT_EQ(bytes_of(ledger, "compact", 0, "turbomind_codes"),
            std::vector<std::uint64_t>{(320 * 128 + 128 * 256 + 512 * 128 + 128 * 256) / 2});
  EXPECT_EQ(bytes_of(ledger, "compact", 0, "lm_head_fp16"), std::vector<std::uint64_t>{64 * 128 * 2});
}

TEST_F(Model, AHeadMayNotBePaddedInsideAShard) {
  tensors_.add_dense("lm_head", 66, 128);  // two rows that are no words
  write();
  const Result padded = verify({"--tp", "2", "--m", "1", "--filter", "^lm_head"});
  EXPECT_EQ(padded.status, 65);
  EXPECT_THAT(padded.out, AllOf(HasSubstr("1 passed"), HasSubstr("1 refused")));
  EXPECT_THAT(padded.out,
              HasSubstr("lm_head@r1: rows 33 to 65 reach past the vocabulary of 64: no padding is "
                        "admitted inside a shard"));
  // The vocabulary itself leaves a rest.
  tensors_.add_dense("lm_head", 64, 128);
  write();
  const Result rest = verify({"--tp", "3", "--ranks", "2", "--m", "1", "--filter", "^lm_head"});
  EXPECT_THAT(rest.err + rest.out, HasSubstr("which 3 ranks cannot share"));  // the layers' heads
  tensors_.add_dense("lm_head", 32, 128);
  write();
  EXPECT_THAT(verify({"--m", "1"}).err,
              HasSubstr("tensors of 'lm_head' make a matrix of 32 x 128, but config.json means 64 x 128"));
}

TEST_F(Model, AHeadBeyondFp16IsRefusedByItsPlace) {
  std::vector<float> numbers(std::size_t{64} * 128, 0.5F);
  numbers[3 * 128 + 7] = 70000;
  tensors_["lm_head.weight"] = cases::testing::f32({64, 128}, numbers);
  write();
  const Result result = verify({"--m", "1", "--filter", "^lm_head"});
  EXPECT_EQ(result.status, 65);
  EXPECT_THAT(result.out,
              HasSubstr("model.safetensors: tensor 'lm_head.weight'[3, 7] is 70000: beyond FP16"));
}

TEST_F(Model, ATiedHeadIsTheEmbedding) {
  tensors_.erase("lm_head.weight");
  tensors_.add_dense("model.embed_tokens", 64, 128);
  write();
  EXPECT_THAT(verify({"--m", "1"}).err, HasSubstr("lm_head.weight"));  // not tied: it is missing
  std::string config = R"({"tie_word_embeddings":true,"architectures":["LlamaForCausalLM"],"hidden_size":128,
      "intermediate_size":256,"num_hidden_layers":1,"num_attention_heads":8,"num_key_value_heads":1,"head_dim":32,
      "vocab_size":64,)";
  folder_.write("config.json", config + cases::testing::packed_declaration + "}");
  const Result result = verify({"--m", "1", "--filter", "^lm_head"});
  EXPECT_EQ(result.status, 0) << result.out << result.err;
  EXPECT_THAT(result.out, HasSubstr("1 case"));
  for (const std::string& path : {folder_.path().string(), folder_.path().string() + "/config.json"}) {
    const Result ledger = call({"ledger", path, "--policy", "compact"});
    EXPECT_THAT(ledger.out, testing::ContainsRegex("lm_head_fp16 +16384 "));
    EXPECT_THAT(ledger.out, HasSubstr("The head is tied: lm_head_fp16 is 'model.embed_tokens'")) << path;
  }
}

}  // namespace
}  // namespace quadpair::cli
