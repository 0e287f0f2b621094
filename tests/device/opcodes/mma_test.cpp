// mma with small integers, whose sums are exact in any order, against plain matrix products; the fragments'
// layouts are those of the PTX ISA. (The order and rounding of sums is the tensor-core models' own test.)
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cstring>
#include <functional>
#include <random>

#include "tests/device/opcodes/float_reference.hpp"
#include "tests/device/opcodes/kernel_runner.hpp"

namespace quadpair::device {
namespace {

struct Place {
  int row, column;
};

/// How one lane holds the elements of a fragment; `unit` tells the independent products of m8n8k4 apart.
struct Layout {
  const char* shape;
  Target target;
  reference::Model model;
  int m, n, k, units;
  int a, b, c;  ///< elements a lane
  Place (*place_a)(int lane, int i);
  Place (*place_b)(int lane, int i);
  Place (*place_c)(int lane, int i);
  int (*unit)(int lane);
};

const Layout m8n8k4 = {
    "m8n8k4",
    Target::sm70,
    reference::Model::volta,
    8,
    8,
    4,
    4,
    4,
    4,
    8,
    [](int lane, int i) {
      return Place{lane % 4 + (lane < 16 ? 0 : 4), i};
    },
    [](int lane, int i) {
      return Place{i, lane % 4 + (lane < 16 ? 0 : 4)};
    },
    [](int lane, int i) {
      return Place{(lane & 1) + (i & 2) + (lane < 16 ? 0 : 4), (i & 4) + (lane & 2) + (i & 1)};
    },
    [](int lane) { return lane % 16 / 4; }};

const Layout m16n8k16 = {
    "m16n8k16",
    Target::sm90,
    reference::Model::hopper,
    16,
    8,
    16,
    1,
    8,
    4,
    4,
    [](int lane, int i) {
      return Place{lane / 4 + (i < 2 || (i >= 4 && i < 6) ? 0 : 8), lane % 4 * 2 + (i & 1) + (i < 4 ? 0 : 8)};
    },
    [](int lane, int i) {
      return Place{lane % 4 * 2 + (i & 1) + (i < 2 ? 0 : 8), lane / 4};
    },
    [](int lane, int i) {
      return Place{lane / 4 + (i < 2 ? 0 : 8), lane % 4 * 2 + (i & 1)};
    },
    [](int) { return 0; }};

const Layout m16n8k8 = {"m16n8k8",
                        Target::sm80,
                        reference::Model::turing,
                        16,
                        8,
                        8,
                        1,
                        4,
                        2,
                        4,
                        [](int lane, int i) {
                          return Place{lane / 4 + (i < 2 ? 0 : 8), lane % 4 * 2 + (i & 1)};
                        },
                        [](int lane, int i) {
                          return Place{lane % 4 * 2 + (i & 1), lane / 4};
                        },
                        m16n8k16.place_c,
                        m16n8k16.unit};

/// "{%f0, %f1}" of `count` registers from `first` on, or the last of them first.
std::string registers(char cls, int first, int count, bool reversed = false) {
  std::string list = "{";
  for (int i = 0; i < count; ++i)
    list += fmt::format("{}%{}{}", i == 0 ? "" : ", ", cls, first + (reversed ? count - 1 - i : i));
  return list + "}";
}

/// A lane's 32-bit words in `in`: a, b, c; in `out`: d.
std::string kernel(const Layout& l, const std::string& d, const std::string& c, bool c_reversed) {
  const int words = l.a / 2 + l.b / 2 + l.c;
  std::string text = fmt::format(
      ".version 8.7\n.target sm_{}\n.address_size 64\n.visible .entry k(.param .u64 in, .param .u64 out)\n"
      "{{ .reg .b64 %in, %out, %i; .reg .b32 %lane, %r<8>; .reg .f32 %f<16>;\n"
      "mov.u32 %lane, %laneid; ld.param.u64 %in, [in]; mul.wide.u32 %i, %lane, {}; add.u64 %in, %in, %i;\n"
      "ld.param.u64 %out, [out]; mul.wide.u32 %i, %lane, {}; add.u64 %out, %out, %i;\n",
      to_string(l.target).substr(2), 4 * words, 4 * l.c);
  for (int i = 0; i < (l.a + l.b) / 2; ++i) text += fmt::format("ld.global.b32 %r{}, [%in+{}];\n", i, 4 * i);
  for (int i = 0; i < l.c; ++i)
    text += fmt::format("ld.global.f32 %f{}, [%in+{}];\n", c_reversed ? l.c - 1 - i : i,
                        4 * ((l.a + l.b) / 2 + i));
  text += fmt::format("mma.sync.aligned.{}.row.col.f32.f16.f16.f32 {}, {}, {}, {};\n", l.shape, d,
                      registers('r', 0, l.a / 2), registers('r', l.a / 2, l.b / 2), c);
  const int first = d.starts_with("{%f8") ? 8 : 0;
  for (int i = 0; i < l.c; ++i) text += fmt::format("st.global.f32 [%out+{}], %f{};\n", 4 * i, first + i);
  return text + "ret; }\n";
}

void expect_product(const Layout& l, const std::string& d, const std::string& c, bool c_reversed) {
  std::mt19937 random(17);
  const auto small = [&] { return static_cast<int>(random() % 17) - 8; };
  const auto matrices = [&](int rows, int columns) {
    std::vector<std::vector<int>> all(static_cast<std::size_t>(l.units),
                                      std::vector<int>(static_cast<std::size_t>(rows * columns)));
    for (auto& one : all)
      for (int& value : one) value = small();
    return all;
  };
  const auto a = matrices(l.m, l.k), b = matrices(l.k, l.n), addend = matrices(l.m, l.n);
  const auto at = [](const std::vector<int>& matrix, int columns, Place p) {
    return matrix[static_cast<std::size_t>(p.row) * columns + p.column];
  };
  std::vector<std::uint32_t> in;
  for (int lane = 0; lane < 32; ++lane) {
    const auto unit = static_cast<std::size_t>(l.unit(lane));
    const auto half = [](int value) { return static_cast<std::uint32_t>(exact_bits(half_format, value)); };
    for (int i = 0; i < l.a; i += 2)
      in.push_back(half(at(a[unit], l.k, l.place_a(lane, i))) | half(at(a[unit], l.k, l.place_a(lane, i + 1)))
                                                                    << 16);
    for (int i = 0; i < l.b; i += 2)
      in.push_back(half(at(b[unit], l.n, l.place_b(lane, i))) | half(at(b[unit], l.n, l.place_b(lane, i + 1)))
                                                                    << 16);
    for (int i = 0; i < l.c; ++i)
      in.push_back(
          static_cast<std::uint32_t>(exact_bits(single_format, at(addend[unit], l.n, l.place_c(lane, i)))));
  }
  KernelRunner runner(kernel(l, d, c, c_reversed), l.target, l.model);
  const auto input = runner.input(in);
  const auto output = runner.output<float>(std::size_t{32} * l.c);
  runner.run({1}, {32}, Arguments().add(input->address()).add(output->address()));
  const auto found = contents<float>(*output);
  for (int lane = 0; lane < 32; ++lane)
    for (int i = 0; i < l.c; ++i) {
      const auto unit = static_cast<std::size_t>(l.unit(lane));
      const Place p = l.place_c(lane, i);
      int expected = at(addend[unit], l.n, p);
      for (int k = 0; k < l.k; ++k)
        expected += at(a[unit], l.k, {p.row, k}) * at(b[unit], l.n, {k, p.column});
      ASSERT_EQ(found[static_cast<std::size_t>(lane * l.c + i)], static_cast<float>(expected))
          << l.shape << " lane " << lane << ", element " << i;
    }
}

class Mma : public testing::TestWithParam<const Layout*> {};
INSTANTIATE_TEST_SUITE_P(Shapes, Mma, testing::Values(&m8n8k4, &m16n8k8, &m16n8k16),
                         [](const auto& param) { return std::string(param.param->shape); });

TEST_P(Mma, IsAMatrixProduct) {
  const Layout& l = *GetParam();
  for_every_simd_target([&] { expect_product(l, registers('f', 8, l.c), registers('f', 0, l.c), false); });
}

TEST_P(Mma, InPlace) {
  const Layout& l = *GetParam();
  for_every_simd_target([&] { expect_product(l, registers('f', 0, l.c), registers('f', 0, l.c), false); });
}

// All sources are read before any destination is written.
TEST_P(Mma, IntoItsAddendsRegistersInReverse) {
  const Layout& l = *GetParam();
  for_every_simd_target(
      [&] { expect_product(l, registers('f', 0, l.c), registers('f', 0, l.c, true), true); });
}

/// What a kernel with the instruction gives on a GPU of the model: its fault, or "".
std::string outcome(const Layout& l, Target target, reference::Model model) {
  Layout other = l;
  other.target = target;
  KernelRunner runner(kernel(other, registers('f', 0, l.c), registers('f', 0, l.c), false), target, model);
  const auto input = runner.input(std::vector<std::uint32_t>(static_cast<std::size_t>(32 * (l.m + l.c))));
  const auto output = runner.output<float>(std::size_t{32} * l.c);
  try {
    runner.run({1}, {32}, Arguments().add(input->address()).add(output->address()));
  } catch (const Fault& fault) {
    return fault.what();
  }
  return "";
}

TEST(MmaFault, OfAnInstructionThatTheGpuDoesNotHave) {
  using enum reference::Model;
  EXPECT_EQ(outcome(m16n8k16, Target::sm80, turing),
            "test/kernel.sm80:k multiplies with m16n8k16, which the model turing does not define");
  EXPECT_EQ(outcome(m16n8k8, Target::sm80, volta),
            "module test/kernel.sm80 needs m16n8k8, which the model volta does not define");
  EXPECT_EQ(outcome(m8n8k4, Target::sm70, hopper),
            "module test/kernel.sm70 needs m8n8k4, which the model hopper does not define");
}

TEST(MmaOnNewerGpus, M8n8k4IsLoweredOnNewerGpus) {
  using enum reference::Model;
  EXPECT_EQ(outcome(m8n8k4, Target::sm80, ampere), "");
  EXPECT_EQ(outcome(m8n8k4, Target::sm90, hopper), "");
  EXPECT_EQ(outcome(m8n8k4, Target::sm80, turing), "");
}

TEST(MmaFault, ReachedByAPartOfTheWarp) {
  KernelRunner runner(
      "",
      ".reg .pred %p; .reg .b32 %x, %r<4>; .reg .f32 %f<8>; mov.u32 %x, %laneid; setp.eq.u32 %p, %x, 9;\n"
      "@%p bra SKIP; mma.sync.aligned.m8n8k4.row.col.f32.f16.f16.f32 {%f0,%f1,%f2,%f3,%f4,%f5,%f6,%f7},\n"
      "{%r0,%r1}, {%r2,%r3}, {%f0,%f1,%f2,%f3,%f4,%f5,%f6,%f7}; SKIP: ret;");
  EXPECT_THROW(runner.run({1}, {32}, Arguments()), Fault);
}

}  // namespace
}  // namespace quadpair::device
