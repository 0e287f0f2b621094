// Faults of memory accesses, each by a kernel that commits it in one lane or more: the message names module,
// entry, PTX line and text, block, warp, lane, address and buffer.
#include <fmt/format.h>
#include <gmock/gmock.h>

#include <string>

#include "tests/device/opcodes/kernel_runner.hpp"

namespace quadpair::device {
namespace {

using testing::AllOf;
using testing::HasSubstr;

/// Each thread computes %a = in + 4 * (its index in the grid) and then runs `access` (PTX line 8).
class Accesses {
 public:
  explicit Accesses(const std::string& access)
      : runner(
            ".param .u64 in, .param .u64 out",
            ".reg .b64 %in, %out, %a, %b, %i; .reg .b32 %r, %t, %n, %s; .reg .b32 %v<4>; .reg .pred %p;\n"
            ".shared .align 4 .b8 words[128]; ld.param.u64 %in, [in]; ld.param.u64 %out, [out]; mov.u32 %t, "
            "%tid.x; mov.u32 %n, %ntid.x; mov.u32 %r, %ctaid.x; mad.lo.u32 %r, %r, %n, %t; mul.wide.u32 %i, "
            "%r, 4; add.u64 %a, %in, %i; add.u64 %b, %out, %i; shl.b32 %s, %t, 2; mov.u32 %v0, 7;\n" +
                access + "\nret;") {}

  std::string fault(std::size_t input_bytes, Dim3 grid = {1}, Dim3 block = {32}) {
    const auto in = runner.input(std::vector<std::uint8_t>(input_bytes, 1));
    const auto out = runner.output<std::uint32_t>(256);
    address = in->address();
    try {
      runner.run(grid, block, Arguments().add(in->address()).add(out->address()));
    } catch (const Fault& fault) {
      return fault.what();
    }
    return "no fault";
  }

  KernelRunner runner;
  DevicePtr address = 0;
};

TEST(AccessFault, ReadPastTheEndInTheLastLane) {
  Accesses accesses("ld.global.u32 %v1, [%a];");
  const std::string fault = accesses.fault(31 * 4);
  EXPECT_THAT(fault,
              AllOf(HasSubstr("test/kernel.sm70:k, PTX line 8 'ld.global.u32 %v1, [%a]'"),
                    HasSubstr("block (0,0,0), warp 0, lane 31"), HasSubstr("read of 4 bytes"),
                    HasSubstr(fmt::format("address {:#x}", accesses.address + 124)),
                    HasSubstr("outside every buffer: offset 124, 0 bytes past the end of buffer 'input' (124 "
                              "bytes)")));
}

TEST(AccessFault, NamesBlockAndWarp) {
  // 4 blocks of 3 warps; thread 2 * 96 + 64 + 5 is the first outside.
  EXPECT_THAT(Accesses("ld.global.u32 %v1, [%a];").fault((2 * 96 + 64 + 5) * 4, {4}, {96}),
              HasSubstr("block (2,0,0), warp 2, lane 5"));
}

TEST(AccessFault, AVectorThatStraddlesTheEnd) {
  EXPECT_THAT(Accesses("and.b64 %a, %a, -16; ld.global.v4.u32 {%v0, %v1, %v2, %v3}, [%a];").fault(31 * 4),
              AllOf(HasSubstr("lane 28"), HasSubstr("read of 16 bytes"), HasSubstr("offset 112")));
}

TEST(AccessFault, InTheGuardBandBefore) {
  EXPECT_THAT(Accesses("ld.global.u32 %v1, [%a+-8];").fault(128),
              AllOf(HasSubstr("lane 0"), HasSubstr("8 bytes before buffer 'input'")));
}

TEST(AccessFault, OfOneLaneAmongScatteredOnes) {
  // Lanes go backwards; lane 9 alone is sent away.
  EXPECT_THAT(
      Accesses("mul.wide.u32 %i, %t, 8; sub.u64 %a, %a, %i; add.u64 %a, %a, 124; setp.eq.u32 %p, %t, 9; "
               "@%p add.u64 %a, %a, 4096; ld.global.u32 %v1, [%a];")
          .fault(128),
      HasSubstr("lane 9"));
}

TEST(AccessFault, OfAnActiveLaneOnly) {
  // Lanes from 16 on would be outside, and do not take part; lane 12 does.
  EXPECT_EQ(Accesses("setp.lt.u32 %p, %t, 16; @%p ld.global.u32 %v1, [%a];").fault(64), "no fault");
  EXPECT_THAT(Accesses("setp.lt.u32 %p, %t, 16; @%p ld.global.u32 %v1, [%a];").fault(48),
              HasSubstr("lane 12"));
}

TEST(AccessFault, NullPointer) {
  EXPECT_THAT(Accesses("mov.u64 %a, 0; ld.global.u8 %v1, [%a];").fault(128),
              AllOf(HasSubstr("address 0x0"), HasSubstr("outside every buffer")));
}

TEST(AccessFault, Misaligned) {
  EXPECT_THAT(Accesses("ld.global.u32 %v1, [%a+2];").fault(256),
              AllOf(HasSubstr("lane 0"), HasSubstr("misaligned: offset 2 of buffer 'input'")));
  EXPECT_THAT(Accesses("ld.global.v2.u32 {%v1, %v2}, [%a];").fault(256),
              AllOf(HasSubstr("lane 1"), HasSubstr("misaligned: offset 4 of buffer 'input'")));
  EXPECT_THAT(Accesses("st.shared.u32 [%s+1], %v0;").fault(128),
              AllOf(HasSubstr("shared"), HasSubstr("misaligned")));
}

TEST(AccessFault, WriteToAnInput) {
  EXPECT_THAT(
      Accesses("st.global.u32 [%a], %v0;").fault(128),
      AllOf(HasSubstr("write of 4 bytes"), HasSubstr("the buffer is an input: offset 0 of buffer 'input'")));
}

TEST(AccessFault, WriteToAnInputAfterOneToAnOutput) {
  // The same instruction writes the output in the first turn and the input in the second.
  EXPECT_THAT(Accesses("mov.u32 %n, 0; AGAIN: st.global.u32 [%b], %v0; mov.u64 %b, %a; add.u32 %n, %n, 1; "
                       "setp.lt.u32 %p, %n, 2; @%p bra AGAIN;")
                  .fault(128),
              HasSubstr("the buffer is an input"));
}

TEST(AccessFault, OutsideTheSharedMemory) {
  EXPECT_THAT(Accesses("st.shared.u32 [%s+4], %v0;").fault(128),
              AllOf(HasSubstr("lane 31"), HasSubstr("shared address 0x80"),
                    HasSubstr("outside the block's 128 bytes of shared memory")));
  EXPECT_THAT(Accesses("ld.shared.u32 %v1, [%s+-4];").fault(128), HasSubstr("lane 0"));
}

TEST(AccessFault, OutsideTheSharedMemoryByGenericAddress) {
  EXPECT_THAT(Accesses("mov.u64 %b, words; cvta.shared.u64 %b, %b; add.u64 %b, %b, %i; ld.u32 %v1, [%b+4];")
                  .fault(128),
              AllOf(HasSubstr("lane 31"), HasSubstr("outside the block's 128 bytes of shared memory")));
}

TEST(AccessFault, LanesInDifferentBuffersAreNone) {
  EXPECT_EQ(Accesses("setp.lt.u32 %p, %t, 7; selp.b64 %a, %a, %b, %p; ld.global.u32 %v1, [%a];").fault(128),
            "no fault");
}

}  // namespace
}  // namespace quadpair::device
