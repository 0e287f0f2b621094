// wgmma: sums, layouts and the moment at which operands are read; what is refused, and misuse of registers.
#include <gmock/gmock.h>

#include <cstring>
#include <random>

#include "tests/device/opcodes/float_reference.hpp"
#include "tests/device/opcodes/warpgroup_kernel.hpp"

namespace quadpair::device {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Pair;

std::uint32_t bits(float value) {
  std::uint32_t word;
  std::memcpy(&word, &value, sizeof word);
  return word;
}

/// FP16 of a small integer.
std::uint32_t half_bits(int value) {
  return value == 0 ? 0 : (value < 0 ? 0x8000u : 0u) | [&] {
    const int magnitude = std::abs(value), exponent = 31 - __builtin_clz(static_cast<unsigned>(magnitude));
    return static_cast<std::uint32_t>((exponent + 15) << 10 | (magnitude << 10 >> exponent & 0x3FF));
  }();
}

/// Puts an FP16 number at k (0..63) of row `column` of b: rows of 128 bytes whose eight chunks of 8 k are
/// exchanged by the row's number modulo 8.
void put_b(std::vector<std::uint32_t>& b, std::uint32_t column, std::uint32_t k, std::uint32_t half) {
  const std::uint32_t byte = column * 128 + ((k / 8) ^ (column % 8)) * 16 + k % 8 * 2;
  std::uint32_t& word = b[byte / 4];
  const std::uint32_t shift = byte % 4 * 8;
  word = (word & ~(0xFFFFu << shift)) | half << shift;
}

/// Of element (row, k) of a: the thread, and which of its 8 halves (PTX ISA, "Register Fragments for
/// wgmma.mma_async.m64nNk16").
void put_a(std::vector<std::uint32_t>& a, std::uint32_t row, std::uint32_t k, std::uint32_t half) {
  const std::uint32_t thread = row / 16 * 32 + row % 8 * 4 + k % 8 / 2;
  std::uint32_t& word = a[thread * 4 + (row % 16 >= 8 ? 1 : 0) + (k >= 8 ? 2 : 0)];
  const std::uint32_t shift = k % 2 * 16;
  word = (word & ~(0xFFFFu << shift)) | half << shift;
}

/// Element (row, column) of the sums in `c` or the result.
std::size_t place_d(std::uint32_t row, std::uint32_t column, std::uint32_t columns) {
  const std::uint32_t thread = row / 16 * 32 + row % 8 * 4 + column % 8 / 2;
  return thread * columns / 2 + column / 8 * 4 + (row % 16 >= 8 ? 2 : 0) + column % 2;
}

struct Integers {
  std::vector<int> a, b, c;  ///< [64][16], [columns][64], [64][columns]
};

/// Fills a kernel with small integers.
Integers fill(WarpgroupKernel& kernel, std::uint32_t columns, unsigned seed) {
  std::mt19937 random(seed);
  const auto numbers = [&](std::size_t count) {
    std::vector<int> all(count);
    for (int& one : all) one = static_cast<int>(random() % 17) - 8;
    return all;
  };
  Integers in{numbers(64 * 16), numbers(std::size_t{columns} * 64), numbers(std::size_t{64} * columns)};
  kernel.a.assign(128 * 4, 0), kernel.b.assign(columns * 32, 0), kernel.c.assign(64 * columns, 0);
  for (std::uint32_t row = 0; row < 64; ++row)
    for (std::uint32_t k = 0; k < 16; ++k) put_a(kernel.a, row, k, half_bits(in.a[row * 16 + k]));
  for (std::uint32_t column = 0; column < columns; ++column)
    for (std::uint32_t k = 0; k < 64; ++k) put_b(kernel.b, column, k, half_bits(in.b[column * 64 + k]));
  for (std::uint32_t row = 0; row < 64; ++row)
    for (std::uint32_t column = 0; column < columns; ++column)
      kernel.c[place_d(row, column, columns)] = bits(static_cast<float>(in.c[row * columns + column]));
  return in;
}

/// c + times . a . b[k from `first`].
std::vector<std::uint32_t> expected(const Integers& in, std::uint32_t columns, std::uint32_t first,
                                    int times = 1) {
  std::vector<std::uint32_t> d(std::size_t{64} * columns);
  for (std::uint32_t row = 0; row < 64; ++row)
    for (std::uint32_t column = 0; column < columns; ++column) {
      int sum = 0;
      for (std::uint32_t k = 0; k < 16; ++k) sum += in.a[row * 16 + k] * in.b[column * 64 + first + k];
      d[place_d(row, column, columns)] = bits(static_cast<float>(in.c[row * columns + column] + times * sum));
    }
  return d;
}

TEST(Warpgroup, SumsProducts) {
  for (const std::uint32_t columns : {8u, 64u, 96u, 128u, 152u, 192u, 256u})
    for (const std::uint32_t step : {0u, 1u, 2u, 3u}) {
      WarpgroupKernel kernel(columns);
      const Integers in = fill(kernel, columns, 5 + step);
      kernel.descriptor += 2 * step;
      EXPECT_EQ(kernel.run(), expected(in, columns, 16 * step)) << columns << " columns, step " << step;
    }
}

/// A in shared memory lies there as B does.
TEST(Warpgroup, MultipliesAInSharedMemory) {
  for (const std::uint32_t columns : {8u, 128u, 192u})
    for (const std::uint32_t step : {0u, 1u, 2u, 3u}) {
      WarpgroupKernel kernel(columns, 128, true);
      Integers in = fill(kernel, columns, 5 + step);
      std::mt19937 random(step);
      kernel.a.assign(64 * 32, 0);
      for (std::uint32_t row = 0; row < 64; ++row)
        for (std::uint32_t k = 0; k < 64; ++k) {
          const int value = static_cast<int>(random() % 17) - 8;
          put_b(kernel.a, row, k, half_bits(value));
          if (k / 16 == step) in.a[row * 16 + k % 16] = value;
        }
      kernel.descriptor += 2 * step;
      EXPECT_EQ(kernel.run(), expected(in, columns, 16 * step)) << columns << " columns, step " << step;
    }
}

TEST(Warpgroup, BlocksOfEightRowsLieWhereTheDescriptorSays) {
  WarpgroupKernel kernel(16);
  const Integers in = fill(kernel, 16, 3);
  kernel.descriptor = (kernel.descriptor & ~(0x3FFFull << 32)) | 0ull << 32;  // the same block twice
  const std::vector<std::uint32_t> d = kernel.run(), plain = expected(in, 16, 0);
  for (std::uint32_t row = 0; row < 64; ++row)
    for (std::uint32_t column = 0; column < 8; ++column) {
      int sum = in.c[row * 16 + 8 + column];
      for (std::uint32_t k = 0; k < 16; ++k) sum += in.a[row * 16 + k] * in.b[column * 64 + k];
      EXPECT_EQ(d[place_d(row, column, 16)], plain[place_d(row, column, 16)]);
      EXPECT_EQ(d[place_d(row, 8 + column, 16)], bits(static_cast<float>(sum)));
    }
}

/// Vectors that tell hopper's fused step of 16 from all others; measured on GPUs (docs/arithmetic.md).
TEST(Warpgroup, RoundsAsHopperDoes) {
  struct Vector {
    std::vector<std::pair<std::uint32_t, std::uint32_t>> products;  ///< a, b at k 0, 8
    std::uint32_t c, d;
  };
  const Vector vectors[] = {{{{0x0C00, 0x8800}}, 0x3F800000, 0x3F7FFFFF},
                            {{{0x0E00, 0x0C00}}, 0x3F800000, 0x3F800000},
                            {{{0x3C00, 0xBC00}, {0x0200, 0x0200}}, 0x3F800000, 0x00000000},
                            {{{0x8000, 0x3C00}}, 0x80000000, 0x00000000},
                            {{{0x7C00, 0x0000}}, 0x00000000, 0x7FFFFFFF}};
  for (const Vector& v : vectors) {
    WarpgroupKernel kernel(8);
    kernel.a.assign(128 * 4, 0), kernel.b.assign(8 * 32, 0), kernel.c.assign(64 * 8, 0);
    for (std::uint32_t i = 0; i < v.products.size(); ++i) {
      put_a(kernel.a, 37, 8 * i, v.products[i].first);
      put_b(kernel.b, 5, 8 * i, v.products[i].second);
    }
    kernel.c[place_d(37, 5, 8)] = v.c;
    EXPECT_EQ(kernel.run()[place_d(37, 5, 8)], v.d) << std::hex << v.d;
  }
}

TEST(Warpgroup, ProductsExtendOneAnother) {
  WarpgroupKernel kernel(64);
  const Integers in = fill(kernel, 64, 8);
  kernel.text.after_product = kernel.text.product + kernel.text.commit + kernel.text.product;
  EXPECT_EQ(kernel.run(), expected(in, 64, 0, 3));
  ASSERT_TRUE(kernel.cost.has_value());
  EXPECT_THAT(kernel.cost->mma, ElementsAre(Pair("m64n64k16", 3)));
}

// B is read when somebody waits: a kernel that waits too late for what it overwrites finds the new contents.
TEST(Warpgroup, ReadsBWhenItIsWaitedFor) {
  WarpgroupKernel kernel(8);
  Integers in = fill(kernel, 8, 8);
  const std::string clear =
      "bar.sync 0; mov.u32 %v, 0; st.shared.u32 [%s+1024], %v; st.shared.u32 [%s+1536], %v; bar.sync 0;";
  kernel.text.before_wait = clear;
  Integers zero = in;
  std::ranges::fill(zero.b, 0);
  EXPECT_EQ(kernel.run(), expected(zero, 8, 0));
  kernel.text.before_wait = kernel.text.wait + clear;
  EXPECT_EQ(kernel.run(), expected(in, 8, 0));
  // Of two groups the first is waited for in time.
  kernel.text.before_wait =
      kernel.text.product + kernel.text.commit + "wgmma.wait_group.sync.aligned 1;" + clear;
  EXPECT_EQ(kernel.run(), expected(in, 8, 0));
}

// ---- what is refused ----

std::string fault_with(const std::function<void(WarpgroupKernel&)>& change, std::uint32_t threads = 128) {
  WarpgroupKernel kernel(8, threads);
  change(kernel);
  return kernel.fault();
}

TEST(WarpgroupRefusal, NothingOfThePlainKernel) {
  EXPECT_EQ(fault_with([](WarpgroupKernel&) {}), "no fault");
}

TEST(WarpgroupRefusal, Variants) {
  const auto operands = [](const char* text) {
    return fault_with([&](WarpgroupKernel& kernel) { kernel.text.product = kernel.product(text); });
  };
  EXPECT_THAT(operands("%d, %d, 1, 1, 1, 0"), HasSubstr("only products whose A is four registers or a"));
  EXPECT_THAT(operands("%d, %d, 1, 1, 1, 1, 0"), HasSubstr("a transposed A or B"));
  EXPECT_THAT(operands("{%a0, %a1, %a2, %a3}, %d, 0, 1, 1, 0"), HasSubstr("operand 3 must be 1"));
  EXPECT_THAT(operands("{%a0, %a1, %a2, %a3}, %d, 1, -1, 1, 0"), HasSubstr("operand 4 must be 1"));
  EXPECT_THAT(operands("{%a0, %a1, %a2, %a3}, %d, 1, 1, 1, 1"), HasSubstr("a transposed A or B"));
  EXPECT_THAT(fault_with([](WarpgroupKernel& kernel) {
                kernel.text.product =
                    "wgmma.mma_async.sync.aligned.m64n8k16.f32.bf16.bf16 {%f0, %f1, %f2, %f3}, "
                    "{%a0, %a1, %a2, %a3}, %d, 1, 1, 1, 0;";
              }),
              HasSubstr("unknown instruction"));
}

TEST(WarpgroupRefusal, Descriptors) {
  const auto with = [](std::uint64_t descriptor) {
    return fault_with([&](WarpgroupKernel& kernel) { kernel.descriptor = descriptor; });
  };
  EXPECT_THAT(with(64ull << 32 | 64), HasSubstr("swizzle mode 0"));
  EXPECT_THAT(with(3ull << 62 | 64ull << 32 | 64), HasSubstr("swizzle mode 3"));
  EXPECT_THAT(with(1ull << 62 | 64ull << 32 | 72), HasSubstr("multiple of 1024 bytes"));
  EXPECT_THAT(with(1ull << 62 | 64ull << 32 | 65), HasSubstr("multiple of 16 k"));
  EXPECT_THAT(with(1ull << 62 | 64ull << 32 | 128), HasSubstr("column of B 0 at shared address 0x800, past"));
  WarpgroupKernel kernel(8, 128, true);
  kernel.text.fence += "add.u64 %e, %e, 64;";
  EXPECT_THAT(kernel.fault(),
              HasSubstr("row of A 56 at shared address 0x2800, past the end of shared memory"));
}

TEST(WarpgroupRefusal, OtherModels) {
  EXPECT_THAT(fault_with([](WarpgroupKernel& kernel) { kernel.model = reference::Model::ampere; }),
              HasSubstr("multiplies with wgmma, which the model ampere does not define"));
}

TEST(WarpgroupRefusal, WarpsThatDoNotMeet) {
  EXPECT_THAT(fault_with([](WarpgroupKernel&) {}, 96),
              HasSubstr("not all four warps of the warpgroup issue"));
  EXPECT_THAT(fault_with([](WarpgroupKernel& kernel) {
                kernel.text.product = "setp.eq.u32 %q, %w, 2; @%q bra OVER;\n" + kernel.product() + "\nOVER:";
              }),
              HasSubstr("not all four warps of the warpgroup issue"));
  EXPECT_THAT(fault_with([](WarpgroupKernel& kernel) {
                kernel.text.product = "setp.eq.u32 %q, %w, 2; @%q bra OTHER;\n" + kernel.product() +
                                      "\nbra OVER;\nOTHER: " + kernel.product() + "\nOVER:";
              }),
              HasSubstr("have issued different products"));
  EXPECT_THAT(fault_with([](WarpgroupKernel& kernel) {
                kernel.text.product =
                    "setp.eq.u32 %q, %t, 70; @%q bra OVER;\n" + kernel.product() + "\nOVER:";
              }),
              HasSubstr("wgmma reached by a part of the warp"));
  EXPECT_THAT(fault_with([](WarpgroupKernel& kernel) {
                kernel.text.product = "mul.wide.u32 %i, %t, 2; add.u64 %d, %d, %i;\n" + kernel.product();
              }),
              HasSubstr("descriptors that differ between lanes"));
}

// ---- registers, looked at when the kernel is loaded ----

TEST(WarpgroupRegisters, AFenceComesBetweenThemAndTheProduct) {
  EXPECT_THAT(
      fault_with([](WarpgroupKernel& kernel) { kernel.text.fence = ""; }),
      AllOf(HasSubstr("takes register %f0, touched since the last wgmma.fence"), HasSubstr("PTX line")));
  EXPECT_THAT(fault_with([](WarpgroupKernel& kernel) { kernel.text.fence += "mov.b32 %a2, %a1;"; }),
              HasSubstr("takes register %a1, touched"));
  EXPECT_EQ(fault_with([](WarpgroupKernel& kernel) { kernel.text.fence += "mov.b32 %v, %s;"; }), "no fault");
}

TEST(WarpgroupRegisters, SumsAreNotReadBeforeTheWait) {
  const auto reading = [](const std::string& before, const std::string& wait) {
    return fault_with([&](WarpgroupKernel& kernel) {
      kernel.text.commit = before;
      kernel.text.wait = wait;
    });
  };
  const char* const commit = "wgmma.commit_group.sync.aligned;";
  EXPECT_THAT(reading(commit, ""), HasSubstr("reads register %f0, a sum of a wgmma not waited for"));
  EXPECT_THAT(reading("", "wgmma.wait_group.sync.aligned 0;"), HasSubstr("reads register %f0"));
  EXPECT_THAT(reading(commit, "wgmma.wait_group.sync.aligned 1;"), HasSubstr("reads register %f0"));
  EXPECT_EQ(reading(std::string(commit) + commit, "wgmma.wait_group.sync.aligned 1;"), "no fault");
}

TEST(WarpgroupRegisters, FragmentsAndSumsAreNotWrittenBeforeTheWait) {
  const auto writing = [](const std::string& before, const std::string& after) {
    return fault_with([&](WarpgroupKernel& kernel) {
      kernel.text.before_wait = before;
      kernel.text.after_wait = after;
    });
  };
  EXPECT_THAT(writing("mov.u32 %a3, 0;", ""), HasSubstr("writes register %a3 of a wgmma not waited for"));
  EXPECT_THAT(writing("mov.f32 %f1, 0f00000000;", ""), HasSubstr("writes register %f1"));
  EXPECT_EQ(writing("mov.u32 %v, %a3;", "mov.u32 %a3, 0; mov.f32 %f1, 0f00000000;"), "no fault");
}

TEST(WarpgroupRegisters, OnAnyWay) {
  // A loop whose second turn writes what the first one's product still multiplies.
  const auto loop = [](const char* wait) {
    return fault_with([&](WarpgroupKernel& kernel) {
      kernel.text.fence = "mov.u32 %s, 2;\nAGAIN: mov.u32 %a0, %s; wgmma.fence.sync.aligned;";
      kernel.text.before_wait =
          std::string(wait) + "\nsub.u32 %s, %s, 1; setp.ne.u32 %q, %s, 0; @%q bra AGAIN;";
    });
  };
  EXPECT_THAT(loop(""), HasSubstr("writes register %a0"));
  EXPECT_EQ(loop("wgmma.wait_group.sync.aligned 0;"), "no fault");
}

}  // namespace
}  // namespace quadpair::device
