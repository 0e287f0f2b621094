// The damaged kernels differ from the sound ones in code and in nothing else.
#include <gtest/gtest.h>

#include <algorithm>

#include "tests/kernels/damaged/damaged.hpp"

namespace quadpair::damaged {
namespace {

std::size_t count(std::string_view text, std::string_view word) {
  std::size_t found = 0;
  for (std::size_t at = text.find(word); at != std::string_view::npos; at = text.find(word, at + 1)) ++found;
  return found;
}

TEST(Damaged, SameEntriesOtherCode) {
  for (const Variant& variant : all_variants)
    for (Target target : {Target::sm70, Target::sm80, Target::sm90}) {
      const Module& sound = quadpair::find_module(variant.module, target);
      const Module& broken = damaged_module(variant, target);
      EXPECT_EQ(broken.name, sound.name);
      EXPECT_EQ(broken.target, target);
      EXPECT_NE(broken.ptx_sha256, sound.ptx_sha256) << label(variant);
      EXPECT_TRUE(std::equal(broken.kernels.begin(), broken.kernels.end(), sound.kernels.begin(),
                             sound.kernels.end(), [](const KernelInfo& a, const KernelInfo& b) {
                               return a.entry == b.entry && a.shared_bytes == b.shared_bytes;
                             }));
    }
}

TEST(Damaged, BarriersAreDroppedWhereTheySay) {
  for (const Variant& variant : all_variants)
    for (Target target : {Target::sm70, Target::sm80, Target::sm90}) {
      const std::size_t sound = count(quadpair::find_module(variant.module, target).ptx, "bar.sync");
      const std::size_t broken = count(damaged_module(variant, target).ptx, "bar.sync");
      EXPECT_EQ(broken < sound, variant.damage == Damage::dropped_barrier) << label(variant);
    }
}

}  // namespace
}  // namespace quadpair::damaged
