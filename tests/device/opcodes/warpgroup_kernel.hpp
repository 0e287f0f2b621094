// A kernel of one or more warpgroups that multiplies a (registers or shared memory) and b (shared memory) by
// wgmma.
#pragma once

#include <fmt/format.h>

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "tests/device/opcodes/kernel_runner.hpp"

namespace quadpair::device {

/// The instructions of a plain product, each of which a test may leave out or exchange.
struct ProductText {
  std::string proxy_fence = "fence.proxy.async.shared::cta;", barrier = "bar.sync 0;";
  std::string fence = "wgmma.fence.sync.aligned;", product, after_product;
  std::string commit = "wgmma.commit_group.sync.aligned;", before_wait;
  std::string wait = "wgmma.wait_group.sync.aligned 0;", after_wait;
};

/// d[64, columns] of each warpgroup, 16 k at `offset` bytes of b's rows.
class WarpgroupKernel {
 public:
  static constexpr std::uint32_t stage = 256 * 128;  ///< bytes of shared memory for b, with 1 KiB before it

  explicit WarpgroupKernel(std::uint32_t columns, std::uint32_t threads = 128, bool staged = false)
      : columns_(columns), threads_(threads), staged_(staged) {
    text.product = product();
  }

  ProductText text;
  std::uint64_t descriptor = 1ull << 62 | 64ull << 32 | 1024 >> 4;
  /// [threads][4], or of rows of shared memory [64 * 32 words]; [columns * 32 words]; [threads][columns / 2]
  std::vector<std::uint32_t> a, b, c;
  bool sanitize = false;
  reference::Model model = reference::Model::hopper;

  /// "wgmma.mma_async... {sums}, {a}, %d, 1, 1, 1, 0;"
  std::string product() const {
    return product(staged_ ? "%e, %d, 1, 1, 1, 0, 0" : "{%a0, %a1, %a2, %a3}, %d, 1, 1, 1, 0");
  }
  std::string product(const std::string& operands) const {
    return fmt::format("wgmma.mma_async.sync.aligned.m64n{}k16.f32.f16.f16 {}, {};", columns_, sums(),
                       operands);
  }

  std::string ptx() const {
    std::string out =
        ".version 8.7\n.target sm_90a\n.address_size 64\n.extern .shared .align 1024 .b8 window[];\n"
        ".visible .entry k(.param .u64 a, .param .u64 b, .param .u64 c, .param .u64 out, .param .u64 d)\n"
        "{ .reg .b64 %p<4>, %i, %d, %e; .reg .b32 %t, %w, %s, %v, %a<4>; .reg .pred %q;\n";
    out += fmt::format(".reg .f32 %f<{}>;\n", columns_ / 2);
    out +=
        "ld.param.u64 %p0, [a]; ld.param.u64 %p1, [b]; ld.param.u64 %p2, [c]; ld.param.u64 %p3, [out];\n"
        "ld.param.u64 %d, [d]; mov.u32 %t, %tid.x; shr.u32 %w, %t, 5;\n";
    out += staged_ ? fmt::format("add.u64 %e, %d, {};\n", columns_ * 128 / 16)  // behind b
                   : "mul.wide.u32 %i, %t, 16; add.u64 %p0, %p0, %i;\n"
                     "ld.global.v4.u32 {%a0, %a1, %a2, %a3}, [%p0];\n";
    out +=
        fmt::format("mul.wide.u32 %i, %t, {}; add.u64 %p2, %p2, %i; add.u64 %p3, %p3, %i;\n", columns_ * 2);
    for (std::uint32_t i = 0; i < columns_ / 2; ++i)
      out += fmt::format("ld.global.f32 %f{0}, [%p2+{1}];\n", i, 4 * i);
    // The first warp copies b, and a.
    out +=
        "mul.wide.u32 %i, %t, 4; add.u64 %p1, %p1, %i; shl.b32 %s, %t, 2; setp.ge.u32 %q, %t, 32;\n@%q bra "
        "COPIED;\n";
    for (std::uint32_t at = 0; at < columns_ * 128; at += 128)
      out += fmt::format("ld.global.u32 %v, [%p1+{0}]; st.shared.u32 [%s+{1}], %v;\n", at, 1024 + at);
    if (staged_) out += "add.u64 %p0, %p0, %i;\n";
    for (std::uint32_t at = 0; staged_ && at < 64 * 128; at += 128)
      out += fmt::format("ld.global.u32 %v, [%p0+{0}]; st.shared.u32 [%s+{1}], %v;\n", at, left() + at);
    out += "COPIED:\n";
    for (const std::string* line :
         {&text.proxy_fence, &text.barrier, &text.fence, &text.product, &text.after_product, &text.commit,
          &text.before_wait, &text.wait, &text.after_wait})
      out += *line + "\n";
    for (std::uint32_t i = 0; i < columns_ / 2; ++i)
      out += fmt::format("st.global.f32 [%p3+{}], %f{};\n", 4 * i, i);
    return out + "ret; }\n";
  }

  /// The sums, as `c` is laid out.
  std::vector<std::uint32_t> run() {
    KernelRunner runner(ptx(), Target::sm90,
                        EmulatorOptions{.model = model, .threads = 1, .sanitize = sanitize});
    a.resize(staged_ ? 64 * 32 : threads_ * 4), b.resize(columns_ * 32), c.resize(threads_ * columns_ / 2);
    const auto in_a = runner.input(a), in_b = runner.input(b), in_c = runner.input(c);
    const auto out = runner.output<std::uint32_t>(c.size());
    runner.run({1}, {threads_},
               Arguments()
                   .add(in_a->address())
                   .add(in_b->address())
                   .add(in_c->address())
                   .add(out->address())
                   .add(descriptor),
               left() + (staged_ ? 64 * 128 : 0));
    cost = runner.device().take_cost();
    return contents<std::uint32_t>(*out);
  }

  /// What the launch is found guilty of, or "no fault".
  std::string fault() {
    try {
      run();
    } catch (const Fault& fault) {
      return fault.what();
    }
    return "no fault";
  }

  std::optional<Cost> cost;

  /// Shared address of a, if it is there.
  std::uint32_t left() const { return 1024 + columns_ * 128; }

 private:
  std::string sums() const {
    std::string list = "{";
    for (std::uint32_t i = 0; i < columns_ / 2; ++i) list += fmt::format("{}%f{}", i == 0 ? "" : ", ", i);
    return list + "}";
  }

  std::uint32_t columns_, threads_;
  bool staged_;
};

}  // namespace quadpair::device
