// What a record of an LM head says: bounds, coverage, and whether the data could have shown a fault.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>

#include "cases/error.hpp"
#include "harness/run/case_runner.hpp"
#include "tests/harness/run/support.hpp"

namespace quadpair::run {
namespace {

using reports::Kind;
using reports::Status;
using testing::HasSubstr;

/// One head of 40 x 128 with weights made by a function of row and k.
class OneHead final : public cases::SliceSource {
 public:
  explicit OneHead(const std::function<std::uint16_t(std::uint32_t row, std::uint32_t k)>& weight) {
    auto head = std::make_shared<cases::HeadMatrix>(cases::HeadMatrix{"h", "made here", 40, 128, 0, 40, {}});
    for (std::uint32_t row = 0; row < 40; ++row)
      for (std::uint32_t k = 0; k < 128; ++k) head->weights.push_back(weight(row, k));
    head_ = head;
  }
  std::optional<cases::SliceShape> shape(const std::string&) const override {
    return cases::SliceShape{40, 128};
  }
  std::shared_ptr<const cases::QuantizedMatrix> load(const std::string& name, std::uint64_t) const override {
    throw cases::DataError(name);
  }
  std::shared_ptr<const cases::HeadMatrix> load_lm_head(const std::string&, std::uint64_t) const override {
    return head_;
  }

 private:
  std::shared_ptr<const cases::HeadMatrix> head_;
};

class HeadVerdict : public testing::TestWithParam<const char*> {
 protected:
  static cases::Case head_case(const std::string& slice, const std::string& fill) {
    cases::Case c = small_case("sm90", "hopper");
    c.operation = GetParam();
    c.slice = slice;
    c.fill = fill;
    c.m = 2;
    c.top = 16;
    return c;
  }

  static reports::CaseRecord run(const cases::Case& c,
                                 const std::shared_ptr<const cases::SliceSource>& slices = nullptr) {
    Options options = emulator_options();
    if (slices) options.slices = slices;
    Resources resources(options);
    return run_case(c, options, resources, 1);
  }

  static bool screens() { return std::string_view(GetParam()) == "lm_head"; }
};

INSTANTIATE_TEST_SUITE_P(Operators, HeadVerdict, testing::Values("lm_head", "lm_head_top1"),
                         [](const auto& name) { return std::string(name.param); });

TEST_P(HeadVerdict, LogitsAreHeldAgainstTheirBounds) {
  const reports::CaseRecord r = run(head_case("whisper.head@r2", "hidden"));
  ASSERT_EQ(r.status, Status::passed) << r.reason;
  for (const std::string run : {"eager", "replay 1", "replay 2", "eager again"}) {
    const std::string logits = screens() ? "screening logits, " : "logits, ";
    EXPECT_EQ(check(r, logits + run).elements, 2u * 704);
    EXPECT_EQ(check(r, logits + run + " within FP64 bound").kind, Kind::bound);
    EXPECT_EQ(check(r, logits + run + " within FP64 bound").elements, 2u * 704);
    if (screens()) {
      EXPECT_EQ(check(r, "dense logits, " + run + " within FP64 bound").elements, 2u * 704);
    }
  }
  EXPECT_EQ(check(r, "ids, eager again equals replay 2").elements, screens() ? 2u * 16 : 2u);
}

TEST_P(HeadVerdict, CoverageIsCounted) {
  const reports::CaseRecord r = run(head_case("whisper.head@r2", "hidden"));
  EXPECT_EQ(r.coverage.codes_seen, screens() ? 254u : 0u);
  // Of Whisper's FP16 weights some are subnormal.
  const auto head = cases::load_head("whisper.head@r2", 1);
  std::uint64_t subnormal = 0;
  for (const std::uint16_t w : head->weights) subnormal += (w & 0x7FFF) != 0 && (w & 0x7FFF) < 0x0400 ? 1 : 0;
  if (!screens()) {
    EXPECT_EQ(r.coverage.subnormal_weights, subnormal);
  }
}

TEST_P(HeadVerdict, ConstantLogitsProveNothing) {
  const auto zeros = std::make_shared<const OneHead>([](std::uint32_t, std::uint32_t) { return 0; });
  const reports::CaseRecord r = run(head_case("h", "normal"), zeros);
  EXPECT_EQ(r.status, Status::mistrusted);
  EXPECT_THAT(r.reason, HasSubstr("expected outputs of round 0 is 0x0000"));
}

TEST_P(HeadVerdict, LogitsThatInputsDoNotChangeProveNothing) {
  // Row r is r at every k: x of one 1 gives r wherever that stands.
  const auto level = std::make_shared<const OneHead>(
      [](std::uint32_t row, std::uint32_t) { return static_cast<std::uint16_t>(0x3C00 + 16 * row); });
  cases::Case c = head_case("h", "onehot");
  c.judges_order = false;
  const reports::CaseRecord r = run(c, level);
  EXPECT_EQ(r.status, Status::mistrusted);
  EXPECT_THAT(r.reason, HasSubstr("the changed inputs of round 1 give the outputs of the round before"));
}

TEST_P(HeadVerdict, SumsThatNoOrderChangesProveNoOrder) {
  const auto integers = std::make_shared<const OneHead>([](std::uint32_t row, std::uint32_t k) {
    return static_cast<std::uint16_t>((row + k) % 3 == 0 ? 0x4000 : (row * k) % 5 == 0 ? 0xBC00 : 0x3C00);
  });
  cases::Case c = head_case("h", "exact");
  c.promises_all_codes = false;
  const reports::CaseRecord r = run(c, integers);
  EXPECT_EQ(r.status, Status::mistrusted);
  EXPECT_THAT(r.reason, HasSubstr("no wrong order could show"));
  c.judges_order = false;
  EXPECT_EQ(run(c, integers).status, Status::passed);
}

TEST_P(HeadVerdict, CodesThatArePromisedMustOccur) {
  cases::Case c = head_case("edge.head.few", "normal");
  const reports::CaseRecord r = run(c);
  EXPECT_EQ(r.status, screens() ? Status::mistrusted : Status::passed) << r.reason;
  if (screens()) {
    EXPECT_THAT(r.reason, HasSubstr("of 254 codes occur in the weights"));
  }
  c.promises_all_codes = false;
  EXPECT_EQ(run(c).status, Status::passed);
}

TEST_P(HeadVerdict, NoRowsNothingToProve) {
  cases::Case c = head_case("edge.head.few", "normal");
  c.m = 0;
  EXPECT_EQ(run(c).status, Status::passed);
}

}  // namespace
}  // namespace quadpair::run
