// Every barrier and every wait of every kernel, left out one at a time: the emulator finds each.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdio>
#include <regex>

#include "harness/device/emulator/ptx/parser.hpp"
#include "harness/device/emulator/ptx/replacement.hpp"
#include "harness/device/emulator/ptx/source_place.hpp"
#include "harness/run/case_runner.hpp"
#include "harness/run/launches.hpp"
#include "kernels/dense/dense_prefill.hpp"
#include "tests/harness/run/support.hpp"
#include "tests/kernels/emulated/model.hpp"

namespace quadpair::run {
namespace {

using emulated::model_of;
using testing::AnyOf;
using testing::HasSubstr;

/// "96x1280": drawn NVFP4 weights [n, k]; "96x1280.gated" the same as gate and up.
class SmallSlices final : public cases::SliceSource {
 public:
  std::optional<cases::SliceShape> shape(const std::string& name) const override {
    cases::SliceShape shape;
    if (std::sscanf(name.c_str(), "%ux%u", &shape.n, &shape.k) != 2)
      return cases::built_in_slices()->shape(name);
    if (name.ends_with(".gated")) shape.halves = 2;
    return shape;
  }
  std::shared_ptr<const cases::QuantizedMatrix> load(const std::string& name,
                                                     std::uint64_t seed) const override {
    unsigned n = 0, k = 0;
    if (std::sscanf(name.c_str(), "%ux%u", &n, &k) != 2) return cases::built_in_slices()->load(name, seed);
    auto matrix =
        std::make_shared<cases::QuantizedMatrix>(cases::blank_matrix(name, shape(name).value(), seed));
    cases::draw_uniform(*matrix, cases::RandomStream(seed, name), 0x30, 0x40);
    matrix->globals = {1.0F / 2688};
    return matrix;
  }
  std::shared_ptr<const cases::HeadMatrix> load_lm_head(const std::string& name,
                                                        std::uint64_t seed) const override {
    return cases::built_in_slices()->load_lm_head(name, seed);
  }
};

/// A small case that launches an entry, by the entry's name; nothing where none is known.
std::optional<cases::Case> case_of(const std::string& entry, Target target) {
  cases::Case c = small_case(std::string(to_string(target)), std::string(to_string(model_of(target))));
  c.id = entry;
  std::smatch part;
  const auto number = [&](int group) { return static_cast<std::uint32_t>(std::stoul(part[group])); };
  if (std::regex_match(entry, part,
                       std::regex("qpn2_(gemm|gated)(_shared)?_s(\\d+)_c(\\d)_r(\\d)(_q\\d)?"))) {
    c.operation = "qpn2_" + part[1].str();
    c.slice = part[1] == "gated" ? "64x512.gated" : "64x512";
    c.layout = part[2].matched ? "shared" : "dual";
    c.split_k = number(3), c.chains = number(4), c.m = 8 * number(5);
    return c;
  }
  if (std::regex_match(entry, part, std::regex("qpn8_gemm_(channel|block)_s(\\d+)_c(\\d)_r(\\d)"))) {
    c.operation = "qpn8_gemm";
    c.slice = "fp8." + part[1].str();
    c.layout = "";
    c.split_k = number(2), c.chains = number(3), c.m = 8 * number(4);
    return c;
  }
  if (std::regex_match(entry, part,
                       std::regex("tm_gemm_(persistent|compact)_((\\d+)x(\\d+))_(s(\\d+)|wgmma)"))) {
    constexpr std::uint32_t units = 9;  // of 64 k in a slice: more than twice the stages of any tile
    c.operation = "tm_gemm";
    c.layout = part[1] == "persistent" ? "shared" : "compact";
    c.tuning = part[2].str() + "." + part[5].str();
    c.m = number(3);
    c.slice = fmt::format("{}x{}", number(4), 64 * units * (part[6].matched ? number(6) : 1));
    return c;
  }
  if (std::regex_match(entry, part, std::regex("dense_decode_(qpn2|shared)"))) {
    c.operation = "dense_prefill";
    c.layout = part[1] == "qpn2" ? "dual" : "shared";
    c.slice = "64x512";
    return c;
  }
  c.layout = "";
  c.slice = "edge.head.few";
  c.m = 1;
  if (entry == "lm_head_select" || entry == "lm_head_top") {
    c.operation = "lm_head";
    c.top = 64;  // read by more than the one warp that sorts them
    return c;
  }
  if (entry == "lm_head_top1_logits" || entry == "lm_head_first_maximum") {
    c.operation = "lm_head_top1";
    return c;
  }
  return std::nullopt;
}

/// The tile of an entry of dense/gemm, which shapes of small cases do not choose.
std::optional<wide::Tuning> dense_tile(const std::string& entry) {
  std::smatch part;
  if (!std::regex_match(entry, part, std::regex("dense_gemm_(\\d+x\\d+)_(.*)"))) return std::nullopt;
  return wide::tuning_from_string(part[1].str() + "." + part[2].str());
}

/// What a device said of a kernel, and the entries of all modules that ran.
struct Heard {
  std::string fault;
  std::vector<std::string> entries;
};

/// The emulator runs `variant` in place of a module that has its hash.
std::unique_ptr<device::Device> sanitizing(reference::Model model, const device::Variant& variant) {
  return device::make_emulator({.model = model, .threads = 1, .sanitize = true, .variant = &variant});
}

Heard hear(const cases::Case& c, const ModuleLookup& find, const device::Variant& variant) {
  Options options = emulator_options();
  options.slices = std::make_shared<const SmallSlices>();
  options.find_module = find;
  options.make_device = [&](reference::Model model, unsigned) { return sanitizing(model, variant); };
  options.outputs_only = true;
  Resources resources(options);
  const reports::CaseRecord record = run_case(c, options, resources, 1);
  Heard heard{record.reason, {}};
  for (const reports::KernelRecord& kernel : record.kernels)
    heard.entries.push_back(kernel.name.substr(kernel.name.find(':') + 1));
  return heard;
}

Heard hear(const wide::Tuning& tile, Target target, const ModuleLookup& find,
           const device::Variant& variant) {
  const std::uint32_t m = tile.rows, n = tile.columns, k = 576;
  const auto device = sanitizing(model_of(target), variant);
  const auto halves = [&](const char* name, std::size_t count, device::Access access) {
    auto buffer = device->allocate(name, count * 2, access, 0xA5);
    const std::vector<std::uint16_t> ones(count, 0x3C00);
    if (access == device::Access::input) buffer->upload(std::as_bytes(std::span(ones)));
    return buffer;
  };
  const auto x = halves("x", m * k, device::Access::input), w = halves("w", n * k, device::Access::input),
             y = halves("y", m * n, device::Access::output);
  const std::vector<Launch> launches =
      looked_up(dense::gemm({m, n, k, x->address(), k, w->address(), y->address(), n}, tile, target), find);
  Heard heard;
  for (const Launch& launch : launches) heard.entries.push_back(launch.entry);
  try {
    device->run(launches);
  } catch (const device::Fault& fault) {
    heard.fault = fault.what();
  }
  return heard;
}

bool orders(const ptx::Instruction& instruction) {
  const std::string& name = instruction.mnemonic;
  return name.starts_with("bar.") || name.starts_with("barrier.") || name.starts_with("cp.async.wait") ||
         name == "griddepcontrol.wait";
}

class Barriers : public testing::TestWithParam<const Module*> {
 protected:
  /// What the emulator says of an entry whose module is `program`.
  Heard hear_entry(const std::string& entry, const ptx::Program& program) const {
    const Module& sound = *GetParam();
    const device::Variant variant{"changed", &program, 1 << 24};
    Module module = sound;
    module.ptx_sha256 = variant.sha256;
    const ModuleLookup find = [&](std::string_view name, Target target) -> const Module& {
      return name == sound.name && target == sound.target ? module : quadpair::find_module(name, target);
    };
    if (const auto tile = dense_tile(entry)) return hear(*tile, sound.target, find, variant);
    return hear(case_of(entry, sound.target).value(), find, variant);
  }
};

TEST_P(Barriers, NoneCanBeLeftOut) {
  const Module& module = *GetParam();
  const ptx::Program sound = ptx::parse(module.ptx, module.name);
  std::size_t left_out = 0;
  for (const ptx::Entry& entry : sound.entries) {
    if (std::ranges::none_of(entry.instructions, orders)) continue;
    ASSERT_TRUE(dense_tile(entry.name) || case_of(entry.name, module.target))
        << entry.name << ": no case is known that launches it";
    const Heard of_sound = hear_entry(entry.name, sound);
    ASSERT_EQ(of_sound.fault, "") << entry.name;
    ASSERT_THAT(of_sound.entries, testing::Contains(entry.name));

    ptx::Program program{sound.version, sound.target, sound.files, {}};
    for (const ptx::Entry& other : sound.entries)
      if (std::ranges::find(of_sound.entries, other.name) != of_sound.entries.end())
        program.entries.push_back(other);
    ptx::Entry& damaged = *std::ranges::find(program.entries, entry.name, &ptx::Entry::name);
    for (std::size_t i = 0; i < entry.instructions.size(); ++i) {
      const ptx::Instruction& instruction = entry.instructions[i];
      if (!orders(instruction)) continue;
      damaged = entry;
      ptx::remove_instruction(damaged, i);
      EXPECT_THAT(hear_entry(entry.name, program).fault,
                  AnyOf(HasSubstr("race: "), HasSubstr("is still to write there"), HasSubstr(", at which "),
                        HasSubstr("a second arrival at barrier"), HasSubstr("the launch ahead may")))
          << entry.name << " without '" << instruction.text << "' of "
          << ptx::source_place(sound.files, instruction.source_file, instruction.source_line);
      ++left_out;
    }
  }
  EXPECT_GT(left_out, 0U);
}

std::vector<const Module*> modules_with_barriers() {
  std::vector<const Module*> found;
  for (const Module& module : modules())
    if (module.ptx.find("bar.sync") != std::string_view::npos) found.push_back(&module);
  return found;
}

INSTANTIATE_TEST_SUITE_P(Modules, Barriers, testing::ValuesIn(modules_with_barriers()), [](const auto& test) {
  std::string name = fmt::format("{}_{}", test.param->name, to_string(test.param->target));
  std::ranges::replace(name, '/', '_');
  return name;
});

}  // namespace
}  // namespace quadpair::run
