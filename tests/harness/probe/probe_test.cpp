#include "harness/probe/probe.hpp"

#include <gtest/gtest.h>

#include <bit>
#include <ostream>

#include "harness/device/emulator/emulator.hpp"
#include "reference/formats/fp16.hpp"

namespace quadpair::probe {

std::ostream& operator<<(std::ostream& out, const Instruction& i) {
  return out << to_string(i.shape) << " for " << to_string(i.target);
}

namespace {

using reference::Model;
using enum MmaShape;

std::unique_ptr<device::Device> emulator(Model model) {
  return device::make_emulator({.model = model, .threads = 1});
}

// Turing's m16n8k8 is ampere's, and volta's m8n8k4 is turing's.
TEST(Probe, TheEmulatorHasItsModelsArithmetic) {
  using Expected = std::vector<std::vector<Model>>;
  const auto found = [](Model model) {
    const auto device = emulator(model);
    Expected models;
    for (const Instruction& instruction : emulator_instructions(model))
      models.push_back(explaining(probe(*device, instruction, 7)));
    return models;
  };
  const std::vector<Model> lowered{Model::fma_lowered}, k4{Model::volta, Model::turing},
      k8{Model::turing, Model::ampere}, ampere{Model::ampere}, hopper{Model::hopper};
  EXPECT_EQ(found(Model::volta), (Expected{k4}));
  EXPECT_EQ(found(Model::turing), (Expected{k4, k8}));
  EXPECT_EQ(found(Model::ampere), (Expected{lowered, k8, ampere}));
  EXPECT_EQ(found(Model::hopper), (Expected{lowered, hopper, hopper}));
  EXPECT_EQ(found(Model::fma_lowered), (Expected{lowered}));
}

TEST(Probe, AsksEveryKindOfQuestion) {
  for (const Match& m : probe(*emulator(Model::volta), {m8n8k4, Target::sm70}, 1)) {
    EXPECT_EQ(m.rows, 13u + 8 * 512);
    if (m.model == Model::fma_lowered) {
      EXPECT_LT(m.matched, 3000u);
    }
  }
}

// Small integers, each row its own: the sums are exact, so that a row in the wrong place shows.
TEST(Ask, EveryRowGetsItsOwnSum) {
  const auto half = [](int x) { return reference::to_half(static_cast<float>(x)); };
  for (const Model model : {Model::turing, Model::hopper}) {
    const auto device = emulator(model);
    for (const Instruction& instruction : emulator_instructions(model)) {
      SCOPED_TRACE(testing::Message() << instruction);
      const int n = static_cast<int>(products(instruction.shape));
      for (const int rows : {1, 7, 8, 33, 129, 300}) {
        Questions questions(static_cast<std::size_t>(rows));
        std::vector<float> expected;
        for (int i = 0; i < rows; ++i) {
          cases::MeasuredRow& row = questions[static_cast<std::size_t>(i)];
          int sum = 5 * i;
          row.c = std::bit_cast<std::uint32_t>(static_cast<float>(sum));
          for (int k = 0; k < n; ++k) {
            const int a = (i * 31 + k * 7) % 61 - 30, b = (i * 13 + k * 29) % 53 - 26;
            row.a[static_cast<std::size_t>(k)] = half(a);
            row.b[static_cast<std::size_t>(k)] = half(b);
            sum += a * b;
          }
          expected.push_back(static_cast<float>(sum));
        }
        const cases::MeasuredRows answers = ask(*device, instruction, questions);
        ASSERT_EQ(answers.width, static_cast<std::size_t>(n));
        for (std::size_t i = 0; i < expected.size(); ++i)
          ASSERT_EQ(std::bit_cast<float>(answers.rows[i].d), expected[i]) << "row " << i << " of " << rows;
      }
    }
  }
}

TEST(GpuInstructions, ByComputeCapability) {
  using Instructions = std::vector<Instruction>;
  const auto all = [](Target t) { return Instructions{{m8n8k4, t}, {m16n8k8, t}, {m16n8k16, t}}; };
  EXPECT_EQ(gpu_instructions(6, 1), Instructions{});
  EXPECT_EQ(gpu_instructions(7, 0), (Instructions{{m8n8k4, Target::sm70}}));
  EXPECT_EQ(gpu_instructions(7, 5), (Instructions{{m8n8k4, Target::sm70}}));
  EXPECT_EQ(gpu_instructions(8, 6), all(Target::sm80));
  EXPECT_EQ(gpu_instructions(9, 0), all(Target::sm90));
  EXPECT_EQ(gpu_instructions(10, 0), all(Target::sm80));  // sm90 has code for 9.0 alone
}

}  // namespace
}  // namespace quadpair::probe
