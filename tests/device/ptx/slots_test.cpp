// Register slots: sizes, reuse, and that reuse never changes what a program computes.
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "harness/device/emulator/ptx/analysis.hpp"
#include "tests/device/ptx/lane_interpreter.hpp"
#include "tests/device/ptx/text.hpp"

namespace quadpair::ptx {
namespace {

Slots slots_of(const Entry& entry, bool reuse = true) {
  return allocate_slots(entry, control_flow(entry), reuse);
}

std::uint32_t offset_of(const Entry& entry, const Slots& slots, const std::string& name) {
  return slots.offset[static_cast<std::size_t>(register_of(entry, name))];
}

TEST(Slots, SizesByClass) {
  const Entry entry = entry_of("setp.eq.u32 %p0, 1, 1; mov.u16 %rs0, 1; mov.u32 %r0, 1; mov.u64 %rd0, 1;");
  const Slots slots = slots_of(entry, false);
  EXPECT_EQ(slots.bytes, 64u + 64u + 128u + 256u);
  EXPECT_EQ(slots.offset.size(), entry.registers.size());
  EXPECT_EQ(offset_of(entry, slots, "%rd3"), 0u) << "unused";
}

TEST(Slots, AChainOfTemporariesLivesInOneSlot) {
  const Entry entry = entry_of(
      "mov.u32 %r0, 1; add.u32 %r1, %r0, 1; add.u32 %r2, %r1, 1; add.u32 %r3, %r2, 1; st.u32 [0], %r3;");
  EXPECT_EQ(slots_of(entry).bytes, 128u);
  EXPECT_EQ(slots_of(entry, false).bytes, 4 * 128u);
}

TEST(Slots, ValuesAliveTogetherAreApart) {
  const Entry entry = entry_of("mov.u32 %r0, 1; mov.u32 %r1, 2; add.u32 %r2, %r0, %r1; st.u32 [0], %r2;");
  const Slots slots = slots_of(entry);
  EXPECT_EQ(slots.bytes, 2 * 128u);
  EXPECT_NE(offset_of(entry, slots, "%r0"), offset_of(entry, slots, "%r1"));
}

TEST(Slots, AValueNeverReadDisturbsNothing) {
  const Entry entry = entry_of("mov.u32 %r0, 1; mov.u32 %r1, 2; st.u32 [0], %r0;");
  const Slots slots = slots_of(entry);
  EXPECT_NE(offset_of(entry, slots, "%r0"), offset_of(entry, slots, "%r1"));
}

// A lane in which the guard is off reads the %r1 of an earlier turn, so %r0 cannot have its slot.
TEST(Slots, AGuardedDefinitionKeepsTheValueBeforeIt) {
  const Entry entry =
      entry_of("TOP: @%p0 mov.u32 %r1, 7; st.u32 [0], %r1; mov.u32 %r0, 1; st.u32 [0], %r0; @%p1 bra TOP;");
  const Slots slots = slots_of(entry);
  EXPECT_NE(offset_of(entry, slots, "%r0"), offset_of(entry, slots, "%r1"));
}

TEST(Slots, ALoopKeepsWhatItsNextTurnReads) {
  const Entry entry = entry_of(
      "mov.u32 %r0, 1; mov.u32 %r1, 2;\n"
      "TOP: add.u32 %r2, %r0, 1; st.u32 [0], %r2; @%p0 bra TOP; st.u32 [0], %r1;");
  const Slots slots = slots_of(entry);
  EXPECT_NE(offset_of(entry, slots, "%r2"), offset_of(entry, slots, "%r0"));
  EXPECT_NE(offset_of(entry, slots, "%r2"), offset_of(entry, slots, "%r1"));
}

// In a slot of another width a lane's bytes are other lanes' bytes.
TEST(Slots, AreNotSharedBetweenClasses) {
  const Entry entry = entry_of("mov.u64 %rd0, 1; st.u64 [0], %rd0; mov.u32 %r0, 1; st.u32 [0], %r0;");
  EXPECT_EQ(slots_of(entry).bytes, 256u + 128u);
}

TEST(Slots, SeveralDestinationsStayApartFromOperands) {
  const Entry entry =
      entry_of("mov.u32 %r0, 1; ld.shared.v2.u32 {%r1, %r2}, [%r0]; st.v2.u32 [0], {%r1, %r2};");
  EXPECT_EQ(slots_of(entry).bytes, 3 * 128u);
}

TEST(Slots, OneRegisterTwiceAsDestinationStaysApartFromOperandsToo) {
  for (const std::string pair : {"pair.any {%r1, %r1}, %r0;", "pair.any %r1|%r1, %r0;"}) {
    const Entry entry = entry_of("mov.u32 %r0, 1; " + pair + " st.u32 [0], %r1;");
    EXPECT_EQ(slots_of(entry).bytes, 2 * 128u) << pair;
  }
}

/// Instruction number `at` of `count` from a random word; one branch in three goes back.
std::string instruction_text(std::uint32_t word, std::size_t at, std::size_t count) {
  const auto take = [&word](std::size_t choices) {
    const std::size_t taken = word % choices;
    word = static_cast<std::uint32_t>(word / choices);
    return taken;
  };
  constexpr const char* classes[] = {"%p", "%rs", "%r", "%rd"};
  constexpr const char* guards[] = {"", "", "", "@%p0 ", "@%p1 ", "@!%p0 ", "@!%p1 "};
  const std::string guard = guards[take(7)];
  const char* const cls = classes[take(4)];
  const auto same = [&] { return cls + std::to_string(take(6)); };
  switch (take(12)) {
    case 0:
      return fmt::format("{}bra L{};", guard,
                         take(3) == 0 ? take(at + 1) : std::min(at + 2 + take(6), count));
    case 1: return fmt::format("{}mov.any {}, {};", guard, same(), take(100));
    case 2: return fmt::format("{}set.any %p{}, {};", guard, take(6), same());
    case 3: return fmt::format("{}mov.any {}, {}{};", guard, same(), classes[take(4)], take(6));
    case 4:
    case 5: return fmt::format("{}pair.any {{{}, {}}}, {};", guard, same(), same(), same());
    case 6:
    case 7: return fmt::format("{}add.any {}, {}, {};", guard, same(), same(), same());
    case 8:
    case 9: return fmt::format("{}mov.any {}, %laneid;", guard, same());
    default: return fmt::format("{}st.any [0], {};", guard, same());
  }
}

std::string random_body(const std::vector<std::uint32_t>& words) {
  std::string body = "{ .reg .pred %p<6>; .reg .b16 %rs<6>; .reg .b32 %r<6>; .reg .b64 %rd<6>;\n";
  for (std::size_t i = 0; i < words.size(); ++i)
    body += fmt::format("L{}: {}\n", i, instruction_text(words[i], i, words.size()));
  return body + fmt::format("L{}: }}", words.size());
}

RC_GTEST_PROP(Slots, ReuseChangesNoResult, ()) {
  const auto count = *rc::gen::inRange<std::size_t>(8, 80);
  const auto word = rc::gen::resize(rc::kNominalSize, rc::gen::arbitrary<std::uint32_t>());
  const auto words = *rc::gen::container<std::vector<std::uint32_t>>(count, word);
  const auto seed = *rc::gen::arbitrary<std::uint32_t>();
  const std::string body = random_body(words);
  RC_LOG() << body;
  const Entry entry = entry_of(body);
  const Slots reused = slots_of(entry), own = slots_of(entry, false);
  RC_ASSERT(reused.bytes <= own.bytes);
  RC_CLASSIFY(reused.bytes < own.bytes, "slots are reused");
  LaneInterpreter with_reuse(entry, reused), without(entry, own);
  const auto& stored = without.run(seed);
  std::size_t stores = 0;
  for (const auto& lane : stored) stores += lane.size();
  RC_CLASSIFY(stores > 64, "much is stored");
  RC_ASSERT(with_reuse.run(seed) == stored);
}

}  // namespace
}  // namespace quadpair::ptx
