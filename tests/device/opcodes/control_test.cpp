// Divergence and reconvergence: each kernel writes what a C++ function of the thread gives.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <bit>
#include <functional>

#include "tests/device/opcodes/kernel_runner.hpp"

namespace quadpair::device {
namespace {

/// Runs 64 threads. The body has %x (the thread's number) and leaves its result in %y; %z, %w, %m and %p, %q,
/// %s are free.
void expect_on_this_target(const std::string& body,
                           const std::function<std::uint32_t(std::uint32_t)>& expected) {
  KernelRunner runner(
      ".param .u64 out",
      ".reg .b64 %out, %i; .reg .b32 %x, %y, %z, %w, %m; .reg .pred %p, %q, %s;\n"
      "mov.u32 %x, %tid.x; mov.u32 %y, 0; mov.u32 %z, 0; mov.u32 %w, 0;\n" +
          body +
          "\nFINISH: ld.param.u64 %out, [out]; mul.wide.u32 %i, %x, 4; add.u64 %out, %out, %i;\n"
          "st.global.u32 [%out], %y; ret;");
  const auto out = runner.output<std::uint32_t>(64);
  runner.run({1}, {64}, Arguments().add(out->address()));
  const auto found = contents<std::uint32_t>(*out);
  for (std::uint32_t thread = 0; thread < 64; ++thread)
    EXPECT_EQ(found[thread], expected(thread)) << "thread " << thread;
}

void expect_threads(const std::string& body, const std::function<std::uint32_t(std::uint32_t)>& expected) {
  for_every_simd_target([&] { expect_on_this_target(body, expected); });
}

TEST(Divergence, IfElse) {
  expect_threads(
      "and.b32 %z, %x, 1; setp.eq.u32 %p, %z, 0; @%p bra EVEN; add.u32 %y, %x, 100; bra JOIN;\n"
      "EVEN: add.u32 %y, %x, 200; JOIN: add.u32 %y, %y, 1;",
      [](std::uint32_t x) { return x + (x % 2 == 0 ? 200 : 100) + 1; });
}

// The same with the sides in the other order, and one of them empty.
TEST(Divergence, IfWithoutElse) {
  for (const char* guard : {"@%p", "@!%p"})
    expect_threads(
        fmt::format(
            "and.b32 %z, %x, 5; setp.eq.u32 %p, %z, 5; {} bra JOIN; mov.u32 %y, 7; JOIN: add.u32 %y, %y, %x;",
            guard),
        [&](std::uint32_t x) { return x + (((x & 5) == 5) == (guard[1] == '%') ? 0 : 7); });
}

TEST(Divergence, NestedIfElseInBothSides) {
  expect_threads(
      "and.b32 %z, %x, 1; setp.ne.u32 %p, %z, 0; and.b32 %z, %x, 2; setp.ne.u32 %q, %z, 0;\n"
      "and.b32 %z, %x, 4; setp.ne.u32 %s, %z, 0;\n"
      "@%p bra A; @%q bra B; mov.u32 %y, 1; bra C; B: mov.u32 %y, 2; C: @%s bra D; add.u32 %y, %y, 10; D: "
      "bra E;\n"
      "A: @!%s bra F; mov.u32 %y, 3; bra G; F: mov.u32 %y, 4; G: @%q bra E; add.u32 %y, %y, 20;\n"
      "E: mul.lo.u32 %y, %y, 3;",
      [](std::uint32_t x) -> std::uint32_t {
        const bool p = x & 1, q = x & 2, s = x & 4;
        return 3 * (p ? (s ? 3 : 4) + (q ? 0 : 20) : (q ? 2 : 1) + (s ? 0 : 10));
      });
}

TEST(Divergence, LoopsWithATripCountALane) {
  // Descending trip counts leave early what ascending ones leave late.
  for (const char* count : {"mov.u32 %w, %x;", "sub.u32 %w, 63, %x;"})
    expect_threads(std::string(count) +
                       "TOP: setp.eq.u32 %p, %z, %w; @%p bra DONE; add.u32 %z, %z, 1; add.u32 %y, %y, %z;\n"
                       "bra TOP; DONE: add.u32 %y, %y, 1000;",
                   [&](std::uint32_t x) {
                     const std::uint32_t n = count[0] == 'm' ? x : 63 - x;
                     return n * (n + 1) / 2 + 1000;
                   });
}

TEST(Divergence, LoopThatTestsAtItsEnd) {
  expect_threads(
      "and.b32 %w, %x, 7; TOP: add.u32 %y, %y, %x; setp.lt.u32 %p, %z, %w; add.u32 %z, %z, 1; @%p bra TOP;\n"
      "add.u32 %y, %y, %z;",
      [](std::uint32_t x) { return x * ((x & 7) + 1) + (x & 7) + 1; });
}

TEST(Divergence, BreakContinueAndALoopInALoop) {
  expect_threads(
      "mov.u32 %z, 0;\n"
      "OUTER: setp.ge.u32 %p, %z, 10; @%p bra OUT; add.u32 %z, %z, 1;\n"
      "and.b32 %m, %z, 1; setp.eq.u32 %q, %m, 0; @%q bra OUTER;\n"  // continue for even z
      "mov.u32 %w, 0;\n"
      "INNER: add.u32 %y, %y, %z; add.u32 %w, %w, 1; setp.lt.u32 %q, %w, %x; @%q bra NEXT; bra OUTER;\n"
      "NEXT: setp.gt.u32 %s, %y, 500; @%s bra OUT; bra INNER;\n"
      "OUT: add.u32 %y, %y, %w;",
      [](std::uint32_t x) {
        std::uint32_t y = 0, w = 0;
        for (std::uint32_t z = 0; z < 10;) {
          ++z;
          if (z % 2 == 0) continue;
          w = 0;
          for (;;) {
            y += z;
            ++w;
            if (w >= x) break;
            if (y > 500) return y + w;
          }
        }
        return y + w;
      });
}

TEST(Divergence, TwoEntrancesToALoop) {
  expect_threads(
      "and.b32 %m, %x, 1; setp.ne.u32 %p, %m, 0; @%p bra B;\n"
      "A: add.u32 %y, %y, 3; setp.gt.u32 %q, %y, 40; @%q bra OUT; B: add.u32 %y, %y, 5; add.u32 %y, %y, %m;\n"
      "setp.lt.u32 %q, %y, 30; @%q bra A; OUT: add.u32 %y, %y, %x;",
      [](std::uint32_t x) {
        std::uint32_t y = 0;
        const std::uint32_t m = x & 1;
        for (bool at_b = m != 0;; at_b = false) {
          if (!at_b) {
            y += 3;
            if (y > 40) break;
          }
          y += 5 + m;
          if (y >= 30) break;
        }
        return y + x;
      });
}

// Lanes that return within a branch leave the others to go on, and their results stay.
TEST(Divergence, SomeLanesReturnEarly) {
  for (const char* leave : {"@%p ret;", "@%p exit;", "@!%p bra STAY; ret; STAY:"}) {
    KernelRunner runner(
        ".param .u64 out",
        fmt::format(
            ".reg .b64 %out, %i; .reg .b32 %x, %y; .reg .pred %p;\n"
            "mov.u32 %x, %tid.x; ld.param.u64 %out, [out]; mul.wide.u32 %i, %x, 4; add.u64 %out, %out, %i;\n"
            "mov.u32 %y, 1; st.global.u32 [%out], %y; and.b32 %y, %x, 3; setp.eq.u32 %p, %y, 2;\n"
            "{} mov.u32 %y, 2; st.global.u32 [%out], %y; ret;",
            leave));
    const auto out = runner.output<std::uint32_t>(64);
    runner.run({1}, {64}, Arguments().add(out->address()));
    const auto found = contents<std::uint32_t>(*out);
    for (std::uint32_t x = 0; x < 64; ++x) EXPECT_EQ(found[x], x % 4 == 2 ? 1u : 2u) << leave;
  }
}

// After the sides have met, the whole warp runs together again: activemask shows it.
TEST(Reconvergence, AtTheJoin) {
  expect_threads(
      "and.b32 %z, %x, 6; setp.eq.u32 %p, %z, 2; @%p bra A; activemask.b32 %w; bra B; A: activemask.b32 %w;\n"
      "B: activemask.b32 %y; popc.b32 %y, %y; popc.b32 %w, %w; mad.lo.u32 %y, %y, 100, %w;",
      [](std::uint32_t x) { return 3200u + ((x & 6) == 2 ? 8 : 24); });
}

TEST(Reconvergence, AfterALoopThatLanesLeaveOneByOne) {
  expect_threads(
      "and.b32 %w, %x, 31; TOP: add.u32 %z, %z, 1; setp.le.u32 %p, %z, %w; @%p bra TOP; activemask.b32 %y;",
      [](std::uint32_t) { return 0xFFFFFFFFu; });
}

TEST(Guards, AnInstructionWhoseGuardIsOffEverywhereDoesNothing) {
  expect_threads("setp.gt.u32 %p, %x, 1000; mov.u32 %y, 5; @%p mov.u32 %y, 6; @%p st.global.u32 [0], %y;",
                 [](std::uint32_t) { return 5u; });
}

TEST(Guards, ABranchThatAllTakeOrNoneTakes) {
  expect_threads(
      "setp.lt.u32 %p, %x, 1000; @%p bra A; mov.u32 %y, 1; A: @!%p bra B; add.u32 %y, %y, 10; B: add.u32 %y, "
      "%y, 100;",
      [](std::uint32_t) { return 110u; });
}

}  // namespace
}  // namespace quadpair::device
