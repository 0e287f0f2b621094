// Which buffers a policy keeps, and the production model's ledger.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <string>

#include "kernels/projection/policy.hpp"

namespace quadpair {
namespace {

using testing::ElementsAre;

TEST(Storage, BuffersOfEachPolicy) {
  // 128 rows of 64: 4096 bytes of codes, 512 groups, four tiles.
  EXPECT_THAT(storage(StoragePolicy::dual, 128, 64, 4),
              ElementsAre(StorageItem{"qpn2_codes", 4096}, StorageItem{"turbomind_codes", 4096},
                          StorageItem{"turbomind_scales", 1024}, StorageItem{"qpn2_scales", 512},
                          StorageItem{"global_scales", 8}));
  EXPECT_THAT(storage(StoragePolicy::shared, 128, 64, 1),
              ElementsAre(StorageItem{"turbomind_codes", 4096}, StorageItem{"turbomind_scales", 1024},
                          StorageItem{"qpn2_scales", 512}));
  EXPECT_THAT(storage(StoragePolicy::compact, 128, 64, 1),
              ElementsAre(StorageItem{"turbomind_codes", 4096}, StorageItem{"qpn2_scales", 512}));
}

TEST(Storage, NamesComeBack) {
  for (StoragePolicy policy : {StoragePolicy::dual, StoragePolicy::shared, StoragePolicy::compact})
    EXPECT_EQ(policy_from_string(to_string(policy)), policy);
  EXPECT_FALSE(policy_from_string("temporary"));
}

struct Production {
  std::uint32_t padded_n, k, per_model;
};

// The production shapes, one rank of four.
constexpr Production production[] = {{4128, 5120, 48}, {5120, 1536, 48}, {3584, 5120, 16},
                                     {5120, 1536, 16}, {8704, 5120, 64}, {5120, 4352, 64}};

std::map<std::string, std::size_t> ledger(StoragePolicy policy) {
  std::map<std::string, std::size_t> bytes;
  for (const Production& p : production)
    for (const StorageItem& item : storage(policy, p.padded_n, p.k, 1))
      bytes[std::string(item.name)] += item.bytes * p.per_model;
  return bytes;
}

TEST(Storage, LedgerOfTheProductionModel) {
  const auto dual = ledger(StoragePolicy::dual), shared = ledger(StoragePolicy::shared),
             compact = ledger(StoragePolicy::compact);
  EXPECT_EQ(dual.at("qpn2_codes"), 3'044'802'560u);
  EXPECT_EQ(dual.at("turbomind_codes"), 3'044'802'560u);
  EXPECT_EQ(dual.at("turbomind_scales"), 761'200'640u);
  EXPECT_EQ(dual.at("qpn2_scales"), 380'600'320u);
  EXPECT_EQ(shared.at("turbomind_scales"), 761'200'640u);
  EXPECT_FALSE(shared.contains("qpn2_codes"));
  EXPECT_FALSE(compact.contains("turbomind_scales"));
  EXPECT_EQ(compact.at("qpn2_scales"), 380'600'320u);
}

}  // namespace
}  // namespace quadpair
