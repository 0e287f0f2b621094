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
  for (Damage damage : all_damages)
    for (Target target : {Target::sm70, Target::sm80, Target::sm90}) {
      const Module& sound = find_module("qpn2/gemm", target);
      const Module& broken = damaged_module(damage, target);
      EXPECT_EQ(broken.name, sound.name);
      EXPECT_EQ(broken.target, target);
      EXPECT_NE(broken.ptx_sha256, sound.ptx_sha256) << to_string(damage);
      EXPECT_TRUE(std::equal(broken.kernels.begin(), broken.kernels.end(), sound.kernels.begin(),
                             sound.kernels.end(), [](const KernelInfo& a, const KernelInfo& b) {
                               return a.entry == b.entry && a.shared_bytes == b.shared_bytes;
                             }));
    }
}

TEST(Damaged, BarriersAreDroppedWhereTheySay) {
  for (Target target : {Target::sm70, Target::sm80, Target::sm90}) {
    const std::string_view sound = find_module("qpn2/gemm", target).ptx;
    EXPECT_LT(count(damaged_module(Damage::dropped_barrier, target).ptx, "bar.sync"),
              count(sound, "bar.sync"));
    EXPECT_EQ(count(damaged_module(Damage::wrong_shift, target).ptx, "bar.sync"), count(sound, "bar.sync"));
  }
}

}  // namespace
}  // namespace quadpair::damaged
