#include "tests/device/opcodes/one_instruction.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "tests/device/opcodes/kernel_runner.hpp"

namespace quadpair::device {
namespace {

constexpr std::string_view names[] = {"%d", "%a", "%b", "%c", "%e"};
constexpr std::uint32_t odd_lanes = 0x9B5AD1BA;     ///< no pattern that a vector of lanes would repeat
constexpr std::uint64_t kept = 0x5A5A5A5A5A5A5A5A;  ///< what %d holds before a guarded instruction

std::string_view register_type(char cls) {
  switch (cls) {
    case 'p': return "pred";
    case 'h': return "b16";
    case 'r': return "b32";
    default: return "b64";
  }
}

std::uint64_t mask_of(char cls) {
  switch (cls) {
    case 'p': return 1;
    case 'h': return 0xFFFF;
    case 'r': return 0xFFFFFFFF;
    default: return ~std::uint64_t{0};
  }
}

/// What a destination of that class holds before a guarded instruction.
std::uint64_t kept_value(char cls) {
  return cls == 'p' ? 1 : kept & mask_of(cls);
}

/// Loads the sources, four 64-bit words a case.
std::string load_sources(const std::string& classes) {
  std::string text;
  for (std::size_t i = 1; i < classes.size(); ++i) {
    const std::size_t offset = 8 * (i - 1);
    if (classes[i] == 'p')
      text += fmt::format("ld.global.u32 %t, [%from+{}]; setp.ne.u32 {}, %t, 0;\n", offset, names[i]);
    else
      text += fmt::format("ld.global.{} {}, [%from+{}];\n", register_type(classes[i]), names[i], offset);
  }
  return text;
}

std::string set_destination(char cls, std::string_view value) {
  if (cls == 'p') return fmt::format("setp.ne.u32 %d, {}, 0;\n", value == "0" ? "0" : "1");
  return fmt::format("mov.{} %d, {};\n", register_type(cls), value);
}

/// Stores %d as one 64-bit word: the rest of the word was cleared before.
std::string store_result(char cls, std::size_t offset) {
  if (cls == 'p') return fmt::format("selp.u32 %t, 1, 0, %d; st.global.u32 [%to+{}], %t;\n", offset);
  return fmt::format("st.global.{} [%to+{}], %d;\n", register_type(cls), offset);
}

/// Results a case: all lanes, divergent, guarded by %odd with %d kept, guarded by its negation with %d kept.
constexpr std::size_t forms = 4;

std::string kernel(std::string_view instruction, const std::string& classes) {
  const char cls = classes[0];
  const std::string keep = std::to_string(kept_value(cls));
  std::string text = ".reg .b32 %t, %thread, %block; .reg .b64 %from, %to, %step; .reg .pred %odd;\n";
  for (std::size_t i = 0; i < classes.size(); ++i)
    text += fmt::format(".reg .{} {};\n", register_type(classes[i]), names[i]);
  text +=
      "ld.param.u64 %from, [in]; ld.param.u64 %to, [out];\n"
      "mov.u32 %thread, %tid.x; mov.u32 %block, %ctaid.x; mad.lo.u32 %thread, %block, 32, %thread;\n"
      "mul.wide.u32 %step, %thread, 32; add.u64 %from, %from, %step; add.u64 %to, %to, %step;\n"
      "mov.u32 %thread, %laneid;\n";
  text += fmt::format(
      "mov.u32 %t, {}; shr.u32 %t, %t, %thread; and.b32 %t, %t, 1; setp.ne.u32 %odd, %t, 0;\n", odd_lanes);
  text += load_sources(classes);
  text += fmt::format("{}\n{}", instruction, store_result(cls, 0));
  text += set_destination(cls, "0");
  text += fmt::format("@%odd bra OTHER;\n{0}\nbra JOIN;\nOTHER:\n{0}\nJOIN:\n{1}", instruction,
                      store_result(cls, 8));
  text += set_destination(cls, keep) + fmt::format("@%odd {}\n{}", instruction, store_result(cls, 16));
  text += set_destination(cls, keep) + fmt::format("@!%odd {}\n{}ret;", instruction, store_result(cls, 24));
  return text;
}

}  // namespace

std::vector<std::uint64_t> results_of(std::string_view instruction, const std::string& classes,
                                      const std::vector<Values>& cases) {
  std::vector<Values> padded = cases;
  while (padded.size() % 32 != 0) padded.push_back(cases[padded.size() % cases.size()]);
  KernelRunner runner(".param .u64 in, .param .u64 out", kernel(instruction, classes));
  const auto in = runner.input(padded);
  const auto out = runner.filled("out", std::vector<std::uint64_t>(forms * padded.size()), Access::output);
  runner.run({static_cast<std::uint32_t>(padded.size() / 32)}, {32},
             Arguments().add(in->address()).add(out->address()));
  const auto found = contents<std::uint64_t>(*out);
  std::vector<std::uint64_t> results;
  for (std::size_t i = 0; i < cases.size(); ++i) {
    const std::uint64_t *const one = &found[forms * i], old = kept_value(classes[0]);
    const bool odd = odd_lanes >> (i % 32) & 1;
    results.push_back(one[0]);
    EXPECT_EQ(one[1], one[0]) << instruction << ", divergent, case " << i;
    EXPECT_EQ(one[2], odd ? one[0] : old) << instruction << ", guarded, case " << i;
    EXPECT_EQ(one[3], odd ? old : one[0]) << instruction << ", guarded, case " << i;
    if (testing::Test::HasFailure()) break;
  }
  return results;
}

void expect_results(std::string_view instruction, const std::string& classes,
                    const std::vector<Values>& cases,
                    const std::function<std::uint64_t(const Values&)>& expected) {
  std::vector<std::uint64_t> wanted;
  wanted.reserve(cases.size());
  for (const Values& v : cases) wanted.push_back(expected(v));
  for_every_simd_target([&] {
    const std::vector<std::uint64_t> found = results_of(instruction, classes, cases);
    for (std::size_t i = 0; i < found.size(); ++i) {
      const Values& v = cases[i];
      ASSERT_EQ(fmt::format("{:#x}", found[i]), fmt::format("{:#x}", wanted[i]))
          << instruction << fmt::format(" of {:#x}, {:#x}, {:#x}, {:#x}", v[0], v[1], v[2], v[3]);
    }
  });
}

}  // namespace quadpair::device
