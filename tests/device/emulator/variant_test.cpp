// Kernels that are given as data, one after the other, on one emulator.
#include <gtest/gtest.h>

#include <fmt/format.h>

#include "harness/device/emulator/emulator.hpp"
#include "harness/device/emulator/ptx/parser.hpp"

namespace quadpair::device {
namespace {

/// Stores `number`; goes round an empty loop so often first.
std::string text(unsigned number, unsigned times) {
  return fmt::format(
      ".version 8.0\n.target sm_70\n.address_size 64\n.visible .entry k(.param .u64 out)\n{{\n"
      ".reg .pred %p<2>; .reg .b32 %r<3>; .reg .b64 %rd<2>;\n"
      "ld.param.u64 %rd1, [out]; mov.u32 %r1, 0;\n"
      "$loop: add.u32 %r1, %r1, 1; setp.lt.u32 %p1, %r1, {}; @%p1 bra $loop;\n"
      "mov.u32 %r2, {}; st.global.u32 [%rd1], %r2; ret;\n}}\n",
      times, number);
}

class Variants : public testing::Test {
 protected:
  Variants() {
    options_.threads = 1;
    options_.variant = &variant_;
    device_ = make_emulator(options_);
    out_ = device_->allocate("out", 4, Access::output, 0);
    module_.name = "k";
    module_.target = Target::sm70;
    module_.ptx = text_;
    module_.ptx_sha256 = "text";
  }

  std::uint32_t run() {
    Launch launch;
    launch.module = &module_;
    launch.entry = "k";
    launch.grid = {1, 1, 1};
    launch.block = {32, 1, 1};
    launch.arguments.add(out_->address());
    device_->run(std::vector{launch});
    std::uint32_t number = 0;
    out_->download(std::as_writable_bytes(std::span(&number, 1)));
    return number;
  }

  const std::string text_ = text(1, 1);
  Variant variant_;
  EmulatorOptions options_;
  std::unique_ptr<Device> device_;
  std::unique_ptr<Buffer> out_;
  Module module_{};
};

TEST_F(Variants, RunInPlaceOfTheText) {
  EXPECT_EQ(run(), 1u);
  const ptx::Program two = ptx::parse(text(2, 1), "two"), three = ptx::parse(text(3, 1), "three");
  variant_.program = &two;
  EXPECT_EQ(run(), 1u) << "the module's SHA-256 is another";
  variant_.sha256 = "two";
  module_.ptx_sha256 = variant_.sha256;
  EXPECT_EQ(run(), 2u);
  variant_.program = &three;
  EXPECT_EQ(run(), 2u) << "a variant is what it was when first launched";
  variant_.sha256 = "three";
  module_.ptx_sha256 = variant_.sha256;
  EXPECT_EQ(run(), 3u);
  module_.ptx_sha256 = "text";
  EXPECT_EQ(run(), 1u);
}

TEST_F(Variants, EndWithTheirBudget) {
  const ptx::Program longer = ptx::parse(text(4, 1000), "longer");
  variant_.program = &longer;
  variant_.sha256 = "longer";
  module_.ptx_sha256 = variant_.sha256;
  variant_.budget = 1000;
  EXPECT_THROW(run(), Fault);
  variant_.budget = 10000;
  EXPECT_EQ(run(), 4u);
}

}  // namespace
}  // namespace quadpair::device
