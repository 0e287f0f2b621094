// A projection owns the buffers of its policy and fills each.
#include "kernels/projection/projection.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

#include "kernels/common/error.hpp"
#include "tests/kernels/fake_projection.hpp"

namespace quadpair {
namespace {

constexpr float one_global[] = {1.0f / 2688};
constexpr float two_globals[] = {0x1p-14f, 0x1p-14f, 0x1p-13f, 0x1p-13f};  // G = 1, 1, 2, 2

TEST(Projection, AsksForExactlyItsBuffers) {
  for (const StoragePolicy policy : {StoragePolicy::dual, StoragePolicy::shared, StoragePolicy::compact}) {
    Asked asked;
    const Projection projection =
        fake_projection(fake_matrix(100, 128, 1, one_global), policy, Target::sm80, asked);
    std::size_t bytes = 0;
    for (const StorageItem& item : storage(policy, 128, 128, 1)) {
      EXPECT_EQ(asked.bytes.at(std::string(item.name)), item.bytes);
      EXPECT_NE(projection.address(item.name), 0u);
      bytes += item.bytes;
    }
    EXPECT_EQ(asked.bytes.size(), storage(policy, 128, 128, 1).size());
    EXPECT_EQ(projection.bytes(), bytes);
    EXPECT_EQ(projection.padded_n(), 128u);
    EXPECT_EQ(projection.address("qpn2_codes") != 0, policy == StoragePolicy::dual);
    EXPECT_EQ(projection.address("turbomind_scales") != 0, policy != StoragePolicy::compact);
    EXPECT_EQ(projection.global().tiles, 0u);
    std::set<std::string> modules;
    for (const Launch& launch : asked.launches) modules.insert(std::string(launch.module->name));
    EXPECT_THAT(modules, testing::ElementsAre("convert/pack_qpn2", "convert/turbomind"));
  }
}

TEST(Projection, SeveralGlobalScalesGoAsABuffer) {
  Asked asked;
  const Projection projection =
      fake_projection(fake_matrix(128, 64, 1, two_globals), StoragePolicy::compact, Target::sm70, asked);
  EXPECT_EQ(asked.bytes.at("global_scales"), 8u);
  EXPECT_THAT(asked.uploaded.at("global_scales"), testing::ElementsAre(0x3C00, 0x3C00, 0x4000, 0x4000));
  EXPECT_EQ(projection.global().tiles, projection.address("global_scales"));
  EXPECT_EQ(projection.parts().end[0], 2u);
  EXPECT_EQ(projection.parts().g[1], 0x1p-13f);
}

TEST(Projection, EachHalfIsPaddedByItself) {
  Asked asked;
  const Projection projection =
      fake_projection(fake_matrix(160, 64, 2, one_global), StoragePolicy::shared, Target::sm90, asked);
  EXPECT_EQ(projection.padded_n(), 192u);
  EXPECT_TRUE(projection.fused());
}

TEST(Projection, RefusesByName) {
  const auto refusal = [](const CheckpointMatrix& matrix) -> std::string {
    Asked asked;
    try {
      fake_projection(matrix, StoragePolicy::dual, Target::sm90, asked);
    } catch (const Refused& refused) {
      return refused.what();
    }
    return "accepted";
  };
  EXPECT_THAT(refusal(fake_matrix(64, 96, 1, one_global)), testing::HasSubstr("K=96"));
  EXPECT_THAT(refusal(fake_matrix(64, 64, 3, one_global)), testing::HasSubstr("halves=3"));
  EXPECT_THAT(refusal(fake_matrix(64, 64, 1, two_globals)), testing::HasSubstr("4 global scales"));
  std::vector<float> nine(9);
  for (int i = 0; i < 9; ++i) nine[i] = 1.0f / static_cast<float>(100 + i);
  EXPECT_THAT(refusal(fake_matrix(288, 64, 1, nine)), testing::HasSubstr("more than 8 parts"));
}

}  // namespace
}  // namespace quadpair
