#include "cases/safetensors.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "cases/error.hpp"
#include "tests/cases/safetensors_writer.hpp"

namespace quadpair::cases {
namespace {

using ::testing::AllOf;
using testing::file_bytes;
using ::testing::HasSubstr;
using testing::TemporaryFile;

const char* const two_tensors =
    R"({"__metadata__":{"format":"np"},"a":{"dtype":"U8","shape":[2,3],"data_offsets":[0,6]},)"
    R"("b":{"dtype":"F32","shape":[],"data_offsets":[6,10]}})";

std::string refusal(const std::vector<std::byte>& bytes) {
  const TemporaryFile file(bytes);
  try {
    const Safetensors loaded(file.path());
  } catch (const DataError& error) {
    EXPECT_THAT(error.what(), HasSubstr(file.path().string()));
    return error.what();
  }
  return "accepted";
}

TEST(Safetensors, ReadsFileAndMemoryAlike) {
  const auto bytes = file_bytes(two_tensors, "abcdef\x01\x02\x03\x04");
  const TemporaryFile file(bytes);
  const Safetensors mapped(file.path()), in_memory(bytes, "memory");
  EXPECT_EQ(in_memory.name(), "memory");
  for (const Safetensors* loaded : {&mapped, &in_memory}) {
    EXPECT_EQ(loaded->tensors().size(), 2u);
    const Tensor& a = loaded->require("a", "U8", 2);
    EXPECT_EQ(a.shape, (std::vector<std::uint64_t>{2, 3}));
    ASSERT_EQ(a.bytes.size(), 6u);
    EXPECT_EQ(std::to_integer<char>(a.bytes[5]), 'f');
    const Tensor& b = loaded->require("b", "F32", 0);
    ASSERT_EQ(b.bytes.size(), 4u);
    EXPECT_EQ(std::to_integer<int>(b.bytes[3]), 4);
  }
}

TEST(Safetensors, RefusesMissingTensorsWrongDtypesAndShapes) {
  const auto bytes = file_bytes(two_tensors, "abcdef0123");
  const Safetensors file(bytes, "f");
  const auto message = [&](auto call) -> std::string {
    try {
      call();
    } catch (const DataError& error) {
      return error.what();
    }
    return "accepted";
  };
  EXPECT_EQ(message([&] { file.require("c", "U8", 2); }), "f: tensor 'c' is missing");
  EXPECT_EQ(message([&] { file.require("a", "F16", 2); }), "f: tensor 'a' has dtype U8, not F16");
  EXPECT_EQ(message([&] { file.require("a", "U8", 1); }), "f: tensor 'a' has shape [2, 3], not 1 dimensions");
  const std::vector<std::uint64_t> other = {3, 2};
  EXPECT_EQ(message([&] { file.require("a", "U8", other); }), "f: tensor 'a' has shape [2, 3], not [3, 2]");
}

TEST(Safetensors, RefusesHeadersThatCannotBe) {
  EXPECT_THAT(refusal({}), HasSubstr("0 bytes are too few"));
  EXPECT_THAT(refusal(std::vector<std::byte>(7)), HasSubstr("7 bytes are too few"));
  EXPECT_THAT(refusal(file_bytes("{}", "", 3)),
              HasSubstr("header length 3 passes the end of the file (10 bytes)"));
  EXPECT_THAT(refusal(file_bytes("{}", "", 1'000'000)), HasSubstr("1000000 passes the end"));
  EXPECT_THAT(refusal(file_bytes("{}", "", ~std::uint64_t{0})),
              HasSubstr("header length 18446744073709551615 is beyond the format's limit"));
  EXPECT_THAT(refusal(file_bytes("{\"a\":", "")), HasSubstr("header: not JSON"));
  EXPECT_THAT(refusal(file_bytes("[]", "")), HasSubstr("not a JSON object"));
  EXPECT_THAT(refusal(file_bytes(std::string(70, '[') + std::string(70, ']'), "")),
              HasSubstr("nested deeper than 64 levels"));
  const std::string entry = R"("a":{"dtype":"U8","shape":[0],"data_offsets":[0,0]})";
  EXPECT_THAT(refusal(file_bytes("{" + entry + "," + entry + "}", "")), HasSubstr("key \"a\" appears twice"));
}

/// A file with one tensor 'a' described by `entry`, over 8 bytes of data.
std::string entry_refusal(const std::string& entry) {
  return refusal(file_bytes("{\"a\":" + entry + "}", "01234567"));
}

TEST(Safetensors, RefusesEntriesThatDoNotMatchTheData) {
  EXPECT_THAT(entry_refusal("3"), HasSubstr("tensor 'a': the entry is not an object"));
  EXPECT_THAT(entry_refusal(R"({"shape":[8],"data_offsets":[0,8]})"), HasSubstr("'dtype' is not a string"));
  EXPECT_THAT(entry_refusal(R"({"dtype":"U9","shape":[8],"data_offsets":[0,8]})"),
              HasSubstr("dtype 'U9' is not known"));
  EXPECT_THAT(entry_refusal(R"({"dtype":"U8","data_offsets":[0,8]})"), HasSubstr("'shape' is not a list"));
  EXPECT_THAT(entry_refusal(R"({"dtype":"U8","shape":[4,-2],"data_offsets":[0,8]})"),
              HasSubstr("shape[1] is -2"));
  EXPECT_THAT(entry_refusal(R"({"dtype":"U8","shape":[8],"data_offsets":[0,8.5]})"),
              HasSubstr("data_offsets[1] is 8.5"));
  EXPECT_THAT(entry_refusal(R"({"dtype":"U8","shape":[8],"data_offsets":[0]})"),
              HasSubstr("not two numbers"));
  EXPECT_THAT(entry_refusal(R"({"dtype":"U8","shape":[9],"data_offsets":[0,9]})"),
              HasSubstr("tensor 'a': data_offsets [0, 9] lie outside the 8 bytes of data"));
  EXPECT_THAT(entry_refusal(R"({"dtype":"U8","shape":[0],"data_offsets":[5,4]})"), HasSubstr("lie outside"));
  EXPECT_THAT(entry_refusal(R"({"dtype":"F16","shape":[8],"data_offsets":[0,8]})"),
              HasSubstr("hold 8 bytes, but shape [8] of F16 needs 16"));
  EXPECT_THAT(entry_refusal(R"({"dtype":"U8","shape":[4294967296,4294967296],"data_offsets":[0,0]})"),
              HasSubstr("overflows"));
}

TEST(Safetensors, RefusesOverlaps) {
  const std::string header =
      R"({"a":{"dtype":"U8","shape":[5],"data_offsets":[0,5]},"b":{"dtype":"U8","shape":[4],"data_offsets":[4,8]}})";
  EXPECT_THAT(refusal(file_bytes(header, "01234567")),
              AllOf(HasSubstr("tensor 'b'"), HasSubstr("data_offsets[0] = 4"),
                    HasSubstr("overlaps tensor 'a'"), HasSubstr("ends at 5")));
}

TEST(Safetensors, RefusesFilesThatAreNotThere) {
  EXPECT_THROW(Safetensors{std::filesystem::path("no-such-file.safetensors")}, DataError);
  EXPECT_THROW(Safetensors{std::filesystem::temp_directory_path()}, DataError);
}

}  // namespace
}  // namespace quadpair::cases
