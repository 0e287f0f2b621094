#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <re2/re2.h>

#include "harness/device/cuda/cuda.hpp"
#include "tests/harness/cli/support.hpp"

namespace quadpair::cli {
namespace {

using nlohmann::json;
using testing::HasSubstr;
using testing::Not;

const std::string data = QUADPAIR_TEST_DATA "/data/";

TEST(Probe, DataAgainstEveryModelOfItsWidth) {
  const Folder folder;
  const Result result =
      call({"probe", "--data", data + "tensor-core/v100-f16-f32-k4.txt", "--json", folder / "p.json"});
  EXPECT_EQ(result.status, 0) << result.err;
  EXPECT_EQ(result.err, "");
  EXPECT_THAT(result.out, HasSubstr("2000 rows of 4 products: volta, turing\n"));
  const json found = read_json(folder / "p.json");
  ASSERT_EQ(found.size(), 1u);
  ASSERT_EQ(found["models"].size(), 3u);
  EXPECT_EQ(found["models"][0], json({{"model", "volta"}, {"rows", 2000}, {"matched", 2000}}));
  EXPECT_EQ(found["models"][1], json({{"model", "turing"}, {"rows", 2000}, {"matched", 2000}}));
  EXPECT_EQ(found["models"][2]["model"], "fma-lowered");
  EXPECT_EQ(found["models"][2]["rows"], 2000);
  EXPECT_LT(found["models"][2]["matched"], 2000);
}

TEST(Probe, DataThatNoModelExplainsIsOne) {
  const Folder folder;
  write(folder / "rows.txt", "3c00 0 0 0 3c00 0 0 0 3f800000 40000001\n");
  EXPECT_EQ(call({"probe", "--data", folder / "rows.txt"}).status, 65);
  write(folder / "rows.txt",
        "3c00 0000 0000 0000 3c00 0000 0000 0000 3f800000 40000000\n"
        "3c00 0000 0000 0000 3c00 0000 0000 0000 3f800000 40000001\n");
  const Result result = call({"probe", "--data", folder / "rows.txt", "--json", folder / "p.json"});
  EXPECT_EQ(result.status, 1);
  EXPECT_THAT(result.out, HasSubstr("2 rows of 4 products: no model explains them all"));
  const json found = read_json(folder / "p.json");
  for (const json& model : found["models"]) EXPECT_EQ(model["matched"], 1);
}

TEST(Probe, BadDataIsSixtyFiveAndNamed) {
  const Folder folder;
  write(folder / "rows.txt", "# a comment\n3c00 0000 0000 0000 3c00 0000 q 0000 3f800000 40000000\n");
  const Result result = call({"probe", "--data", folder / "rows.txt"});
  EXPECT_EQ(result.status, 65);
  EXPECT_THAT(result.err, HasSubstr(folder / "rows.txt: line 2, column 7, \"q\""));
  EXPECT_EQ(result.out, "");
  EXPECT_EQ(call({"probe", "--data", folder / "none.txt"}).status, 65);
}

TEST(Probe, TheEmulatorRecognisesItsModel) {
  const Folder folder;
  const auto explained = [&](const std::string& model) {
    const Result result = call({"probe", "--device", "emulator", "--model", model, "--seed", "5", "--json",
                                folder / "p.json", "--quiet"});
    EXPECT_EQ(result.status, 0) << model << result.out;
    EXPECT_EQ(result.err, "");
    const json found = read_json(folder / "p.json");
    EXPECT_EQ(found["device"]["kind"], "emulator");
    EXPECT_EQ(found["seed"], 5);
    json by_instruction = json::object();
    for (const json& i : found["instructions"]) by_instruction[i["instruction"]] = i["explained_by"];
    return by_instruction;
  };
  EXPECT_EQ(explained("volta"), json({{"m8n8k4", {"volta", "turing"}}}));
  EXPECT_EQ(explained("turing"), json({{"m8n8k4", {"volta", "turing"}}, {"m16n8k8", {"turing", "ampere"}}}));
  EXPECT_EQ(explained("ampere"), json({{"m8n8k4", json::array({"fma-lowered"})},
                                       {"m16n8k8", {"turing", "ampere"}},
                                       {"m16n8k16", json::array({"ampere"})}}));
  EXPECT_EQ(explained("hopper"), json({{"m8n8k4", json::array({"fma-lowered"})},
                                       {"m16n8k8", json::array({"hopper"})},
                                       {"m16n8k16", json::array({"hopper"})}}));
  EXPECT_EQ(explained("fma-lowered"), json({{"m8n8k4", json::array({"fma-lowered"})}}));
}

TEST(Probe, SaysWhatItAsks) {
  const Result result = call({"probe", "--device", "emulator", "--model", "hopper"});
  EXPECT_THAT(result.err, HasSubstr("model hopper): m16n8k8\n"));
  EXPECT_THAT(result.out, HasSubstr("m16n8k16: hopper\n"));
  EXPECT_THAT(result.out, Not(HasSubstr("\033")));
}

/// The kernel with one in place of every c.
const Module& wrong_c(std::string_view name, Target target) {
  static const std::string ptx = [] {
    std::string text(find_module("probe/mma", Target::sm70).ptx);
    RE2::GlobalReplace(&text, R"(ld\.global\.f32\s+(%f\d+), \[[^\]]+\];)", R"(mov.f32 \1, 0f3F800000;)");
    return text;
  }();
  static const Module module = [] {
    Module m = find_module("probe/mma", Target::sm70);
    m.ptx = ptx;
    return m;
  }();
  return name == "probe/mma" && target == Target::sm70 ? module : find_module(name, target);
}

TEST(Probe, ADeviceThatGivesOtherSumsIsOne) {
  const Result result = call({"probe", "--device", "emulator", "--model", "volta"}, wrong_c);
  EXPECT_EQ(result.status, 1) << result.err;
  EXPECT_THAT(result.out, HasSubstr("m8n8k4: no model\n  "));
  EXPECT_THAT(result.out, HasSubstr(" rows; the first: a "));
}

TEST(Probe, WrongOptionsAreSixtyFour) {
  const std::string file = data + "tensor-core/v100-f16-f32-k4.txt";
  EXPECT_EQ(call({"probe", "--model", "kepler"}).status, 64);
  EXPECT_EQ(call({"probe", "--device", "abacus"}).status, 64);
  EXPECT_EQ(call({"probe", "--data", file, "--model", "volta"}).status, 64);
  EXPECT_EQ(call({"probe", "--data", file, "--device", "emulator"}).status, 64);
  EXPECT_EQ(call({"probe", "--data", file, "--json", "no/such/folder/p.json"}).status, 64);
  EXPECT_EQ(call({"probe", "--data", file, "--json", file}).status, 64);  // would overwrite the rows
  EXPECT_EQ(call({"probe", "--json", ""}).status, 64);
}

TEST(Probe, AGpuThatIsNotThereIsSixtyNine) {
  const Result result = call({"probe", "--device", "cuda:999"});
  EXPECT_EQ(result.status, 69);
  EXPECT_THAT(result.err, HasSubstr("no GPU"));
}

TEST(Probe, OnAGpu) {
  if (device::cuda_devices().empty()) GTEST_SKIP() << "no GPU";
  const Result result = call({"probe", "--device", "cuda"});
  EXPECT_EQ(result.status, 0) << result.out;
  EXPECT_EQ(call({"probe", "--device", "cuda", "--model", "volta"}).status, 64);
}

TEST(Probe, HelpHasExamples) {
  const Result result = call({"probe", "--help"});
  EXPECT_EQ(result.status, 0);
  EXPECT_THAT(result.out, HasSubstr("quadpair probe --data measured.txt"));
}

}  // namespace
}  // namespace quadpair::cli
