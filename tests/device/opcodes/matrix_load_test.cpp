// ldmatrix against the fragments of the PTX ISA: rows lie scattered in shared memory.
#include <fmt/format.h>
#include <gmock/gmock.h>

#include <numeric>
#include <random>
#include <string>
#include <vector>

#include "tests/device/opcodes/kernel_runner.hpp"

namespace quadpair::device {
namespace {

using testing::AllOf;
using testing::HasSubstr;

constexpr std::uint32_t window_rows = 64;

std::string kernel(const std::string& load) {
  return ".version 8.7\n.target sm_80\n.address_size 64\n"
         ".visible .entry k(.param .u64 in, .param .u64 rows, .param .u64 out)\n"
         "{ .shared .align 16 .b8 window[1024]; .reg .b64 %in, %rows, %out, %i, %far, %w; .reg .b32 %lane, "
         "%at, %x<4>; .reg .pred %p;\n"
         "ld.param.u64 %in, [in]; ld.param.u64 %rows, [rows]; ld.param.u64 %out, [out]; mov.u32 %lane, "
         "%laneid;\n"
         "mul.wide.u32 %i, %lane, 32; add.u64 %in, %in, %i; mov.u64 %w, window; add.u64 %far, %w, %i;\n"
         "ld.global.v4.u32 {%x0, %x1, %x2, %x3}, [%in]; st.shared.v4.u32 [%far], {%x0, %x1, %x2, %x3};\n"
         "ld.global.v4.u32 {%x0, %x1, %x2, %x3}, [%in+16]; st.shared.v4.u32 [%far+16], {%x0, %x1, %x2, "
         "%x3};\n"
         "mul.wide.u32 %i, %lane, 4; add.u64 %rows, %rows, %i; ld.global.u32 %at, [%rows]; cvt.u64.u32 %far, "
         "%at;\n"
         "mul.wide.u32 %i, %lane, 16; add.u64 %out, %out, %i; mov.u32 %x0, 5; mov.u32 %x1, 5; mov.u32 %x2, "
         "5;\n"
         "mov.u32 %x3, 5; bar.sync 0;\n" +
         load + "\nst.global.v4.u32 [%out], {%x0, %x1, %x2, %x3}; ret; }\n";
}

std::vector<std::uint32_t> run(const std::string& load, const std::vector<std::uint16_t>& window,
                               const std::vector<std::uint32_t>& addresses) {
  KernelRunner runner(kernel(load), Target::sm80, reference::Model::ampere);
  const auto in = runner.input(window);
  const auto rows = runner.input(addresses);
  const auto out = runner.output<std::uint32_t>(32 * 4);
  runner.run({1}, {32}, Arguments().add(in->address()).add(rows->address()).add(out->address()));
  return contents<std::uint32_t>(*out);
}

std::vector<std::uint16_t> random_window() {
  std::mt19937 random(3);
  std::vector<std::uint16_t> window(window_rows * 8);
  for (std::uint16_t& one : window) one = static_cast<std::uint16_t>(random());
  return window;
}

/// Where the rows lie, in bytes; lanes that address no row point outside.
std::vector<std::uint32_t> random_rows(std::uint32_t matrices) {
  std::vector<std::uint32_t> rows(window_rows);
  std::iota(rows.begin(), rows.end(), 0u);
  std::mt19937 random(matrices);
  std::shuffle(rows.begin(), rows.end(), random);
  rows.resize(32);
  for (std::uint32_t lane = 0; lane < 32; ++lane)
    rows[lane] = lane < 8 * matrices ? 16 * rows[lane] : 1 << 20;
  return rows;
}

void expect_fragments(std::uint32_t matrices, bool transposed, const char* address) {
  const std::vector<std::uint16_t> window = random_window();
  const std::vector<std::uint32_t> rows = random_rows(matrices);
  const char* const registers[] = {"", "{%x0}", "{%x0, %x1}", "", "{%x0, %x1, %x2, %x3}"};
  const std::vector<std::uint32_t> found =
      run(fmt::format("ldmatrix.sync.aligned.m8n8.x{}{}.shared.b16 {}, [{}];", matrices,
                      transposed ? ".trans" : "", registers[matrices], address),
          window, rows);
  for (std::uint32_t lane = 0; lane < 32; ++lane)
    for (std::uint32_t i = 0; i < 4; ++i) {
      const auto element = [&](std::uint32_t row, std::uint32_t column) -> std::uint32_t {
        return window[rows[8 * i + row] / 2 + column];
      };
      // PTX ISA, figure "ldmatrix fragment layout": lanes 4r to 4r + 3 hold row r, two elements each.
      const std::uint32_t r = lane / 4, first = lane % 4 * 2;
      std::uint32_t expected = 5;
      if (i < matrices)
        expected = transposed ? element(first, r) | element(first + 1, r) << 16
                              : element(r, first) | element(r, first + 1) << 16;
      ASSERT_EQ(found[lane * 4 + i], expected)
          << "x" << matrices << ", transposed " << transposed << ", lane " << lane << ", register " << i;
    }
}

TEST(MatrixLoad, GivesTheFragmentsOfTheIsa) {
  for (const std::uint32_t matrices : {1u, 2u, 4u})
    for (const bool transposed : {false, true})
      for (const char* address : {"%at", "%far"})
        for_every_simd_target([&] { expect_fragments(matrices, transposed, address); });
}

TEST(MatrixLoad, MayOverwriteItsAddress) {
  const std::vector<std::uint32_t> rows = random_rows(4);
  const char* const name = "ldmatrix.sync.aligned.m8n8.x4.shared.b16";
  EXPECT_EQ(
      run(fmt::format("mov.u32 %x1, %at; {} {{%x0, %x1, %x2, %x3}}, [%x1];", name), random_window(), rows),
      run(fmt::format("{} {{%x0, %x1, %x2, %x3}}, [%at];", name), random_window(), rows));
}

std::string fault_of(const std::string& load, const std::vector<std::uint32_t>& rows) {
  try {
    run(load, random_window(), rows);
  } catch (const Fault& fault) {
    return fault.what();
  }
  return "no fault";
}

TEST(MatrixLoadFault, NamesTheLaneOfTheRow) {
  const std::string load = "ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%x0, %x1, %x2, %x3}, [%at+0];";
  std::vector<std::uint32_t> rows = random_rows(4);
  EXPECT_EQ(fault_of(load, rows), "no fault");
  rows[19] = 1016;
  EXPECT_THAT(fault_of(load, rows),
              AllOf(HasSubstr("lane 19"), HasSubstr("read of 16 bytes at shared address "
                                                    "0x3f8: outside the block's 1024")));
  rows[19] = 8;
  EXPECT_THAT(fault_of(load, rows), AllOf(HasSubstr("lane 19"), HasSubstr("misaligned")));
}

TEST(MatrixLoadFault, ReachedByAPartOfTheWarp) {
  EXPECT_THAT(
      fault_of("setp.eq.u32 %p, %lane, 7; @!%p ldmatrix.sync.aligned.m8n8.x1.shared.b16 {%x0}, [%at];",
               random_rows(4)),
      AllOf(HasSubstr("lane 7"), HasSubstr("ldmatrix reached by a part of the warp")));
}

}  // namespace
}  // namespace quadpair::device
