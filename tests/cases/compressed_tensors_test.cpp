#include "cases/compressed_tensors.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <bit>
#include <cstring>
#include <limits>

#include "cases/error.hpp"
#include "tests/cases/safetensors_writer.hpp"

namespace quadpair::cases {
namespace {

using ::testing::HasSubstr;

/// A matrix "w" of 2 rows and 32 k: codes 0, 1, 2, ... by byte, scales 0x38 but where a test plants one.
struct Draft {
  std::string codes, scales = std::string(4, '\x38');
  float global = 3584;
  std::string packed_entry = R"("w.weight_packed":{"dtype":"U8","shape":[2,16],"data_offsets":[0,32]})";
  std::string scale_entry = R"("w.weight_scale":{"dtype":"F8_E4M3","shape":[2,2],"data_offsets":[32,36]})";
  std::string global_entry = R"("w.weight_global_scale":{"dtype":"F32","shape":[1],"data_offsets":[36,40]})";

  Draft() {
    for (int i = 0; i < 32; ++i) codes.push_back(static_cast<char>(i));
  }

  QuantizedMatrix load() const {
    std::string data = codes + scales + std::string(4, '\0');
    std::memcpy(&data[36], &global, 4);
    const auto bytes =
        testing::file_bytes("{" + packed_entry + "," + scale_entry + "," + global_entry + "}", data);
    return load_compressed_tensors(Safetensors(bytes, "draft"), "w");
  }

  std::string refusal() const {
    try {
      load();
    } catch (const DataError& error) {
      return error.what();
    }
    return "accepted";
  }
};

TEST(CompressedTensors, LoadsAMatrix) {
  const QuantizedMatrix w = Draft().load();
  EXPECT_EQ(w.name, "w");
  EXPECT_EQ(w.source, "draft");
  EXPECT_EQ(w.n, 2u);
  EXPECT_EQ(w.k, 32u);
  EXPECT_EQ(w.halves, 1u);
  ASSERT_EQ(w.codes.size(), 32u);
  EXPECT_EQ(w.codes[31], 31);
  EXPECT_EQ(w.scales, std::vector<std::uint8_t>(4, 0x38));
}

TEST(CompressedTensors, GlobalScaleIsADivisorWhateverItsSize) {
  Draft draft;
  draft.global = 3584;  // 1/3584 = 2^-12 * 8/7, to nearest: 0x39924925
  EXPECT_EQ(std::bit_cast<std::uint32_t>(draft.load().globals.at(0)), 0x39924925u);
  draft.global = 0.5f;  // looks like a multiplier, and is none
  EXPECT_EQ(draft.load().globals.at(0), 2.0f);
}

TEST(CompressedTensors, RefusesBadBlockScales) {
  for (const auto& [value, text] : {std::pair{'\x7F', "0x7F: NaN"},
                                    {'\xFF', "0xFF: NaN"},
                                    {'\x80', "0x80: negative"},
                                    {'\xB8', "0xB8: negative"}}) {
    Draft draft;
    draft.scales[3] = value;
    EXPECT_EQ(draft.refusal(), std::string("draft: tensor 'w.weight_scale'[1, 1] is ") + text);
  }
}

TEST(CompressedTensors, RefusesBadGlobalScales) {
  const float inf = std::numeric_limits<float>::infinity();
  for (const auto& [value, text] : {std::pair{0.0f, "is 0:"},
                                    {-3584.0f, "is -3584:"},
                                    {inf, "is inf:"},
                                    {std::numeric_limits<float>::quiet_NaN(), "nan:"},
                                    {1e-40f, "e-41:"}}) {  // its reciprocal is infinite
    Draft draft;
    draft.global = value;
    EXPECT_THAT(draft.refusal(), HasSubstr("draft: tensor 'w.weight_global_scale'[0] is"));
    EXPECT_THAT(draft.refusal(), HasSubstr(text));
  }
}

TEST(CompressedTensors, RefusesTensorsThatDoNotFitTogether) {
  Draft draft;
  draft.packed_entry = R"("w.weight_packed":{"dtype":"U8","shape":[4,8],"data_offsets":[0,32]})";
  EXPECT_EQ(draft.refusal(), "draft: tensor 'w.weight_scale' has shape [2, 2], not [4, 1]");
  draft = Draft();
  draft.packed_entry = R"("w.weight_packed":{"dtype":"U8","shape":[8,4],"data_offsets":[0,32]})";
  EXPECT_THAT(draft.refusal(), HasSubstr("'w.weight_packed' has shape [8, 4]"));
  draft = Draft();
  draft.packed_entry = R"("w.weight_packed":{"dtype":"U8","shape":[0,16],"data_offsets":[0,0]})";
  EXPECT_THAT(draft.refusal(), HasSubstr("'w.weight_packed' has shape [0, 16]"));
  draft = Draft();
  draft.scale_entry = R"("w.weight_scale":{"dtype":"U8","shape":[2,2],"data_offsets":[32,36]})";
  EXPECT_EQ(draft.refusal(), "draft: tensor 'w.weight_scale' has dtype U8, not F8_E4M3");
  draft = Draft();
  draft.global_entry = R"("w.weight_scale_2":{"dtype":"F32","shape":[1],"data_offsets":[36,40]})";
  EXPECT_EQ(draft.refusal(), "draft: tensor 'w.weight_global_scale' is missing");
}

}  // namespace
}  // namespace quadpair::cases
