// Counts of memory accesses: sectors and bank conflicts, by hand.
#include <fmt/format.h>
#include <gmock/gmock.h>

#include "tests/device/opcodes/kernel_runner.hpp"

namespace quadpair::device {
namespace {

struct Sectors {
  std::uint64_t requested = 0, fewest = 0;
  friend bool operator==(const Sectors&, const Sectors&) = default;
  friend void PrintTo(const Sectors& s, std::ostream* out) { *out << s.requested << " of " << s.fewest; }
};

/// One access by each lane of one warp at in + `offset`, an expression of %l, its lane.
Sectors sectors(const std::string& access, const std::string& offset, bool sanitize = false) {
  KernelRunner runner(
      ".param .u64 in",
      ".reg .b64 %a, %i; .reg .b32 %l, %o, %v<4>; .reg .pred %p;\nld.param.u64 %a, [in]; mov.u32 %l, "
      "%laneid; mov.u32 %v0, 0; mov.u32 %v1, 0; mov.u32 %v2, 0; mov.u32 %v3, 0;\n" +
          offset + " cvt.u64.u32 %i, %o; add.u64 %a, %a, %i; setp.lt.u32 %p, %l, 16;\n" + access + "\nret;",
      {.threads = 1, .sanitize = sanitize});
  const auto in = runner.filled("in", std::vector<std::uint8_t>(8192), Access::output);
  runner.run({1}, {32}, Arguments().add(in->address()));
  const Cost cost = runner.device().take_cost().value();
  EXPECT_EQ(cost.shared_conflicts, 0u);
  return {cost.global_sectors, cost.fewest_sectors};
}

constexpr const char* load4 = "ld.global.u32 %v0, [%a];";
constexpr const char* load16 = "ld.global.v4.u32 {%v0, %v1, %v2, %v3}, [%a];";

TEST(Sectors, OfCoalescedAccesses) {
  EXPECT_EQ(sectors(load4, "shl.b32 %o, %l, 2;"), (Sectors{4, 4}));  // 128 bytes
  EXPECT_EQ(sectors("st.global.u32 [%a], %v0;", "shl.b32 %o, %l, 2;"), (Sectors{4, 4}));
  EXPECT_EQ(sectors("ld.u32 %v0, [%a];", "shl.b32 %o, %l, 2;"), (Sectors{4, 4}));
  EXPECT_EQ(sectors("ld.global.v2.u32 {%v0, %v1}, [%a];", "shl.b32 %o, %l, 3;"), (Sectors{8, 8}));
  EXPECT_EQ(sectors(load16, "shl.b32 %o, %l, 4;"), (Sectors{16, 16}));
  EXPECT_EQ(sectors("ld.global.u8 %v0, [%a];", "mov.u32 %o, %l;"), (Sectors{1, 1}));
  EXPECT_EQ(sectors(load4, "xor.b32 %o, %l, 31; shl.b32 %o, %o, 2;"), (Sectors{4, 4}));  // backwards
}

TEST(Sectors, OfShiftedAccesses) {
  EXPECT_EQ(sectors(load4, "shl.b32 %o, %l, 2; add.u32 %o, %o, 4;"), (Sectors{5, 4}));      // bytes 4 to 131
  EXPECT_EQ(sectors(load16, "shl.b32 %o, %l, 4; add.u32 %o, %o, 16;"), (Sectors{17, 16}));  // bytes 16 to 527
  EXPECT_EQ(sectors(load4, "shl.b32 %o, %l, 2; add.u32 %o, %o, 32;"), (Sectors{4, 4}));
}

TEST(Sectors, OfStridedAccesses) {
  EXPECT_EQ(sectors(load4, "shl.b32 %o, %l, 3;"), (Sectors{8, 4}));   // every second word of 256 bytes
  EXPECT_EQ(sectors(load4, "shl.b32 %o, %l, 5;"), (Sectors{32, 4}));  // a sector each
  EXPECT_EQ(sectors(load16, "shl.b32 %o, %l, 7;"), (Sectors{32, 16}));
}

TEST(Sectors, OfPlacesThatLanesShare) {
  EXPECT_EQ(sectors(load4, "mov.u32 %o, 0;"), (Sectors{1, 1}));
  EXPECT_EQ(sectors(load4, "shr.u32 %o, %l, 4; shl.b32 %o, %o, 7;"),
            (Sectors{2, 1}));  // 8 bytes in two places
}

TEST(Sectors, OfActiveLanesOnly) {
  EXPECT_EQ(sectors(fmt::format("@%p {}", load4), "shl.b32 %o, %l, 2;"), (Sectors{2, 2}));
  EXPECT_EQ(sectors(fmt::format("setp.gt.u32 %p, %l, 31; @%p {}", load4), "shl.b32 %o, %l, 2;"),
            (Sectors{0, 0}));
}

TEST(Sectors, AreTheSameUnderTheSanitizer) {
  EXPECT_EQ(sectors(load4, "shl.b32 %o, %l, 3;", true), (Sectors{8, 4}));
}

/// Conflicts of one access by each lane of one warp at shared `offset`, after each byte was written.
std::uint64_t conflicts(const std::string& access, const std::string& offset) {
  KernelRunner runner(
      "",
      ".reg .b64 %i; .reg .b32 %l, %o, %v<4>; .reg .pred %p; .shared .align 16 .b8 words[16384];\n"
      "mov.u32 %l, %laneid; mov.u32 %v0, 0; mov.u32 %v1, 0; mov.u32 %v2, 0; mov.u32 %v3, 0;\n" +
          offset + " setp.lt.u32 %p, %l, 16;\n" + access + "\nret;",
      {.threads = 1});
  runner.run({1}, {32}, Arguments());
  const Cost cost = runner.device().take_cost().value();
  EXPECT_EQ(cost.global_sectors, 0u);
  return cost.shared_conflicts;
}

constexpr const char* shared4 = "ld.shared.u32 %v0, [%o];";
constexpr const char* shared8 = "ld.shared.v2.u32 {%v0, %v1}, [%o];";
constexpr const char* shared16 = "ld.shared.v4.u32 {%v0, %v1, %v2, %v3}, [%o];";

TEST(Conflicts, OfWords) {
  EXPECT_EQ(conflicts(shared4, "shl.b32 %o, %l, 2;"), 0u);
  EXPECT_EQ(conflicts("st.shared.u32 [%o], %v0;", "shl.b32 %o, %l, 3;"), 1u);  // two lanes a bank
  EXPECT_EQ(conflicts(shared4, "mul.lo.u32 %o, %l, 12;"), 0u);                 // stride 3 reaches all banks
  EXPECT_EQ(conflicts(shared4, "shl.b32 %o, %l, 7;"), 31u);                    // all in one bank
  EXPECT_EQ(conflicts(shared4, "mul.lo.u32 %o, %l, 132;"), 0u);                // padded by a word
  EXPECT_EQ(conflicts(shared4, "mov.u32 %o, 64;"), 0u);                        // one word for all
  EXPECT_EQ(conflicts(shared4, "and.b32 %o, %l, 1; shl.b32 %o, %o, 7;"), 1u);  // two words of a bank
}

TEST(Conflicts, OfBytesAndHalvesWithinAWord) {
  EXPECT_EQ(conflicts("ld.shared.u8 %v0, [%o];", "mov.u32 %o, %l;"), 0u);
  EXPECT_EQ(conflicts("ld.shared.u8 %v0, [%o];", "shl.b32 %o, %l, 6;"),
            15u);  // banks 0 and 16, 16 words each
}

// 16 lanes of 8 bytes at a time, 8 of 16 bytes.
TEST(Conflicts, OfWideAccesses) {
  EXPECT_EQ(conflicts(shared8, "shl.b32 %o, %l, 3;"), 0u);
  EXPECT_EQ(conflicts(shared8, "shl.b32 %o, %l, 4;"), 2u);  // in each half 16 lanes on every second pair: 1
  EXPECT_EQ(conflicts(shared16, "shl.b32 %o, %l, 4;"), 0u);
  EXPECT_EQ(conflicts(shared16, "shl.b32 %o, %l, 5;"), 4u);   // 1 in each quarter
  EXPECT_EQ(conflicts(shared16, "shl.b32 %o, %l, 7;"), 28u);  // 7 in each quarter
  EXPECT_EQ(conflicts(shared16, "mov.u32 %o, 0;"), 0u);
}

TEST(Conflicts, OfActiveLanesOnly) {
  EXPECT_EQ(conflicts(fmt::format("@%p {}", shared4), "shl.b32 %o, %l, 7;"), 15u);
  EXPECT_EQ(conflicts(fmt::format("@%p {}", shared16), "shl.b32 %o, %l, 7;"), 14u);
}

TEST(Conflicts, OfMatrixLoads) {
  EXPECT_EQ(
      conflicts("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%v0, %v1, %v2, %v3}, [%o];", "shl.b32 %o, %l, 4;"),
      0u);
  EXPECT_EQ(
      conflicts("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%v0, %v1, %v2, %v3}, [%o];", "shl.b32 %o, %l, 7;"),
      28u);
  EXPECT_EQ(conflicts("ldmatrix.sync.aligned.m8n8.x1.shared.b16 {%v0}, [%o];", "shl.b32 %o, %l, 6;"), 3u);
}

// A pattern that comes back counts each time, and one that changes is seen.
TEST(Counts, OfAccessesInALoop) {
  for (const unsigned threads : {1u, 2u}) {
    KernelRunner runner(
        ".param .u64 in",
        ".reg .b64 %a, %b, %i; .reg .b32 %l, %n, %o, %v; .reg .pred %p; ld.param.u64 %a, [in];\n"
        "mov.u32 %l, %laneid; mov.u32 %n, 0;\n"
        "TOP: shl.b32 %o, %l, 2; setp.gt.u32 %p, %n, 5; @%p shl.b32 %o, %o, 1; cvt.u64.u32 %i, %o;\n"
        "add.u64 %b, %a, %i; ld.global.u32 %v, [%b]; add.u32 %n, %n, 1; setp.lt.u32 %p, %n, 8; @%p bra TOP;"
        "\nret;",
        {.threads = threads});
    const auto in = runner.input(std::vector<std::uint8_t>(256));
    for (int repetition = 0; repetition < 2; ++repetition) {
      runner.run({3}, {64}, Arguments().add(in->address()));  // 6 warps: 6 turns of 4 sectors, 2 of 8
      const Cost cost = runner.device().take_cost().value();
      EXPECT_EQ(cost.global_sectors, 6u * (6 * 4 + 2 * 8));
      EXPECT_EQ(cost.fewest_sectors, 6u * 8 * 4);
    }
  }
}

TEST(Counts, OfReplaysAreNotTaken) {
  KernelRunner runner("", "ret;");
  const Launch launch = runner.launch({4}, {32}, Arguments());
  const auto graph = runner.device().capture({&launch, 1});
  graph->replay();
  EXPECT_THAT(runner.device().take_cost()->warp_instructions, testing::IsEmpty());
}

}  // namespace
}  // namespace quadpair::device
