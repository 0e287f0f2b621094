// Folders, indexes and single files: what is opened, and what is refused.
#include "cases/checkpoint/checkpoint.hpp"

#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <chrono>
#include <fstream>

#include "cases/checkpoint/matrix_reader.hpp"
#include "tests/cases/checkpoint/model.hpp"

namespace quadpair::cases {
namespace {

namespace fs = std::filesystem;
using testing::Folder;
using ::testing::HasSubstr;
using testing::Tensors;

std::string refusal(const fs::path& path) {
  return testing::refusal_of([&] { Checkpoint{path}; });
}

const std::string config = "{" + testing::packed_declaration + "}";

Tensors packed(const std::string& name) {
  Tensors tensors;
  tensors.add_packed(name, 2, 32, 2688);
  return tensors;
}

/// Codes of "a" in one shard, its scales in another.
Folder& sharded(Folder& folder, const std::string& second = "two.safetensors") {
  Tensors one = packed("a"), two;
  two["a.weight_scale"] = one["a.weight_scale"];
  one.erase("a.weight_scale");
  return folder.write("config.json", config)
      .write("one.safetensors", safetensors_bytes(one))
      .write("two.safetensors", safetensors_bytes(two))
      .write("model.safetensors.index.json",
             R"({"metadata":{"total_size":1},"weight_map":{"a.weight_packed":"one.safetensors",
                "a.weight_global_scale":"one.safetensors","a.weight_scale":")" +
                 second + "\"}}");
}

TEST(Checkpoint, ReadsAMatrixWhoseTensorsLieInTwoShards) {
  Folder in_shards, in_one;
  sharded(in_shards);
  in_one.write("config.json", config).write("any-name.safetensors", safetensors_bytes(packed("a")));
  const auto a = read_matrix(Checkpoint(in_shards.path()), "a", whole(2, 32), Quantize::none);
  const auto b = read_matrix(Checkpoint(in_one.path()), "a", whole(2, 32), Quantize::none);
  EXPECT_EQ(a.codes, b.codes);
  EXPECT_EQ(a.scales, b.scales);
  EXPECT_EQ(a.source, "one.safetensors");
  // A file alone takes its config from beside it.
  EXPECT_EQ(read_matrix(Checkpoint(in_one.path() / "any-name.safetensors"), "a", whole(2, 32), Quantize::none)
                .codes,
            b.codes);
}

TEST(Checkpoint, RefusesIndexesThatNameWhatIsNotThere) {
  Folder absent, lacking, outside, no_map;
  EXPECT_EQ(refusal(sharded(absent, "three.safetensors").path()),
            "model.safetensors.index.json: tensor 'a.weight_scale' is in three.safetensors, which is absent");
  EXPECT_EQ(refusal(sharded(lacking, "one.safetensors").path()),
            "model.safetensors.index.json: tensor 'a.weight_scale' is in one.safetensors, which lacks it");
  EXPECT_THAT(
      refusal(sharded(outside, "../two.safetensors").path()),
      HasSubstr("tensor 'a.weight_scale' is in \"../two.safetensors\", which is no file beside the index"));
  sharded(no_map).write("model.safetensors.index.json", R"({"weight_map":[]})");
  EXPECT_EQ(refusal(no_map.path()), "model.safetensors.index.json: /weight_map is missing");
}

TEST(Checkpoint, RefusesAShardShorterThanItsHeaderSays) {
  Folder folder;
  sharded(folder);
  const fs::path shard = folder.path() / "one.safetensors";
  fs::resize_file(shard, fs::file_size(shard) - 1);
  EXPECT_THAT(refusal(folder.path()), HasSubstr("one.safetensors: tensor 'a.weight_packed': data_offsets"));
  EXPECT_THAT(refusal(folder.path()), HasSubstr("lie outside"));
}

TEST(Checkpoint, RefusesWhatIsNoCheckpoint) {
  Folder empty, broken, list, two;
  EXPECT_THAT(refusal(empty.path() / "nothing"), HasSubstr("nothing: no such file or folder"));
  EXPECT_THAT(refusal(empty.path()), HasSubstr("0 safetensors files and no model.safetensors.index.json"));
  two.write("a.safetensors", "").write("b.safetensors", "");
  EXPECT_THAT(refusal(two.path()), HasSubstr("2 safetensors files"));
  broken.write("config.json", "{").write("model.safetensors", safetensors_bytes(packed("a")));
  EXPECT_THAT(refusal(broken.path()), HasSubstr("config.json: not JSON"));
  list.write("config.json", "[]").write("model.safetensors", safetensors_bytes(packed("a")));
  EXPECT_EQ(refusal(list.path()), "config.json: not a JSON object");
}

TEST(Checkpoint, MissingTensorsAreNamed) {
  Folder folder;
  Tensors tensors = packed("a");
  tensors.erase("a.weight_global_scale");
  folder.write("config.json", config).write("model.safetensors", safetensors_bytes(tensors));
  const Checkpoint checkpoint(folder.path());
  EXPECT_THAT(testing::refusal_of([&] { stored_matrix(checkpoint, "a"); }),
              HasSubstr("tensor 'a.weight_global_scale' is missing"));
  EXPECT_THAT(testing::refusal_of([&] { stored_matrix(checkpoint, "b"); }),
              HasSubstr("tensor 'b.weight' is missing"));
}

/// Bytes of memory that the process has touched.
std::uint64_t resident() {
  std::ifstream file("/proc/self/statm");
  std::uint64_t size = 0, pages = 0;
  file >> size >> pages;
  return pages * static_cast<std::uint64_t>(sysconf(_SC_PAGESIZE));
}

TEST(Checkpoint, AHugeFileOpensAtOnceAndCostsNoMemory) {
  constexpr std::uint64_t half = 50'000'000'000;
  const std::string rows = std::to_string(half / 1000);
  const std::string header = R"({"a.weight":{"dtype":"U8","shape":[)" + rows +
                             R"(,1000],"data_offsets":[0,50000000000]},)" +
                             R"("b.weight":{"dtype":"U8","shape":[)" + rows +
                             R"(,1000],"data_offsets":[50000000000,100000000000]}})";
  std::string bytes(8, '\0');
  bytes[0] = static_cast<char>(header.size());
  ASSERT_LT(header.size(), 256u);
  Folder folder;
  folder.write("model.safetensors", bytes + header);
  const fs::path file = folder.path() / "model.safetensors";
  const std::uint64_t size = 8 + header.size() + 2 * half;
  if (::truncate(file.c_str(), static_cast<off_t>(size)) != 0)
    GTEST_SKIP() << "the file system holds no file of 100 GB";
  struct stat status {};
  ASSERT_EQ(::stat(file.c_str(), &status), 0);
  if (status.st_blocks > 2048) GTEST_SKIP() << "the file system has no sparse files";

  const std::uint64_t before = resident();
  const auto begun = std::chrono::steady_clock::now();
  const Checkpoint checkpoint(folder.path());
  const Tensor& last = *checkpoint.find("b.weight");
  EXPECT_EQ(std::to_integer<int>(last.bytes[half - 1]), 0);
  EXPECT_EQ(copy_rows(last.bytes, std::vector<RowRun>{{half / 1000 - 1, 1}}, 1000, 0, 1000),
            std::vector<std::uint8_t>(1000));
  EXPECT_LT(std::chrono::steady_clock::now() - begun, std::chrono::seconds(5));
  EXPECT_LT(resident(), before + (std::uint64_t{16} << 20));
}

}  // namespace
}  // namespace quadpair::cases
