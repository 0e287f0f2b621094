// What is refused, and how the message tells where.
#include <gmock/gmock.h>

#include "tests/device/ptx/text.hpp"

namespace quadpair::ptx {
namespace {

std::string message(const std::string& text) {
  try {
    parse(text, "qpn2/gemm");
  } catch (const ParseError& error) {
    return error.what();
  }
  return "accepted";
}

struct Refusal {
  std::string text, expected;
};

class InABody : public testing::TestWithParam<Refusal> {};

TEST_P(InABody, IsRefused) {
  EXPECT_EQ(message(module_of(GetParam().text)), "qpn2/gemm:" + GetParam().expected);
}

INSTANTIATE_TEST_SUITE_P(
    Errors, InABody,
    testing::Values(
        Refusal{"mov.u32 %r0, 1", "7: ',' or ';' expected, near '}'"},
        Refusal{"\n\nmov.u32 %r9, 1;", "8: unknown register, near '%r9, 1;'"},
        Refusal{"mov.u32 %r0, nowhere;", "6: unknown name, near 'nowhere;'"},
        Refusal{"ld.param.u32 %r0, [k_param_2];", "6: unknown name, near 'k_param_2];'"},
        Refusal{"bra $L__BB0_9;", "6: unknown name, near '$L__BB0_9;'"},
        Refusal{"{ INNER: ret; } bra INNER;", "6: unknown name, near 'INNER;'"},
        Refusal{"L: ret; L: ret;", "6: label declared twice, near 'L: ret;'"},
        Refusal{".reg .b32 %r3;", "6: register declared twice, near '%r3;'"},
        Refusal{".reg .b8 x;", "6: registers of this type are not supported, near '.b8 x;'"},
        Refusal{".reg .v4 x;", "6: unknown type, near '.v4 x;'"},
        Refusal{".reg .b32 x<999999999>;", "6: too many registers, near 'x<999999999>;'"},
        Refusal{"@%r0 ret;", "6: guard is not a predicate, near '%r0 ret;'"},
        Refusal{"@%p9 ret;", "6: unknown predicate, near '%p9 ret;'"},
        Refusal{"mov.f32 %r0, 1.0;",
                "6: decimal floating-point literal (only 0f and 0d are known), near '1.0;'"},
        Refusal{"mov.f32 %r0, 0f3F8;", "6: bad floating-point literal, near '0f3F8;'"},
        Refusal{"mov.f32 %r0, 0f3F80000G;", "6: bad literal, near '0f3F80000G;'"},
        Refusal{"mov.u32 %r0, 08;", "6: bad literal, near '08;'"},
        Refusal{"mov.u32 %r0, 0x;", "6: bad literal, near '0x;'"},
        Refusal{"mov.u64 %rd0, 18446744073709551616;",
                "6: literal of more than 64 bits, near '18446744073709551616;'"},
        Refusal{"mov.u32 %r0, ?;", "6: unexpected character, near '?;'"},
        Refusal{"ld.global.u32 %r0, [%rd0;", "6: ']' expected, near ';'"},
        Refusal{"ld.global.u32 %r0, [%rd0+%r1];", "6: offset expected, near '%r1];'"},
        Refusal{"mov.b32 %r0, {%rs0, ;", "6: register expected, near ';'"},
        Refusal{"mov.b32 %r0, {{%rs0}, %rs1};", "6: register expected, near '{%rs0}, %rs1};'"},
        Refusal{"setp.eq.u32 1|%p0, %r0, %r1;", "6: ',' or ';' expected, near '|%p0, %r0, %r1;'"},
        Refusal{"call.uni (r), vprintf, (a);", "6: calls are not supported, near '(r), vprintf, (a);'"},
        Refusal{".local .align 4 .b8 depot[32];",
                "6: variables of this space are not supported, near '.local .align 4 .b8 depot[32];'"},
        Refusal{".shared .b32 x = 4;", "6: shared variables have no initial value, near '= 4;'"},
        Refusal{".shared .b8 x[];", "6: shared variable without a size, near '.b8 x[];'"},
        Refusal{".shared .b32 x; .shared .b32 x;",
                "6: shared variable declared twice, near '.shared .b32 x;'"},
        Refusal{".shared .align 3 .b8 x[4];", "6: alignment is no power of two, near '3 .b8 x[4];'"},
        Refusal{".shared .b8 x[4000000000];", "6: array size is too large, near '4000000000];'"},
        Refusal{".shared .b8 x[65536][65536];", "6: variable is too large, near '];'"},
        Refusal{".loc 1 x 0", "6: line expected, near 'x 0'"},
        Refusal{".loc 1 2 3, column 4", "6: unknown attribute of .loc, near 'column 4'"},
        Refusal{".branchtargets L;", "6: unknown directive, near '.branchtargets L;'"},
        Refusal{"ret; /* no end", "6: comment without an end, near '/* no end'"},
        Refusal{".pragma \"nounroll;", "6: string without an end, near '\"nounroll;'"}));

class InAModule : public testing::TestWithParam<Refusal> {};

TEST_P(InAModule, IsRefused) {
  EXPECT_EQ(message(GetParam().text), "qpn2/gemm:" + GetParam().expected);
}

INSTANTIATE_TEST_SUITE_P(
    Errors, InAModule,
    testing::Values(
        Refusal{"", "1: .version expected, near ''"},
        Refusal{"PK\x03\x04", "1: unexpected character, near '\x03\x04'"},
        Refusal{".version 8.7\n.entry k() {}", "2: .target expected, near '.entry k() {}'"},
        Refusal{".version 8 .target sm_70", "1: version number expected, near '8 .target sm_70'"},
        Refusal{".version 8.7 .target sm_70 .address_size 32",
                "1: only 64-bit addresses are supported, near '.address_size 32'"},
        Refusal{header + ".func f() { ret; }",
                "4: device functions are not supported, near '.func f() { ret; }'"},
        Refusal{header + ".global .b32 x = 5;\n.entry k() { .reg .b64 %rd<1>; mov.u64 %rd0, x; }",
                "5: global and constant variables are not supported, near 'x; }'"},
        Refusal{header + ".const .align 4 .b8 t[4] = {0, 0, 0, 0}",
                "4: variable without an end, near '.const .align 4 .b8 t[4] = {0, 0, 0, 0}'"},
        Refusal{header + ".shared .b32 x; .shared .b32 x;",
                "4: variable declared twice, near '.shared .b32 x;'"},
        Refusal{header + ".alias a, b;", "4: unknown directive, near '.alias a, b;'"},
        Refusal{header + "add.s32 a, b, c;", "4: directive expected, near 'add.s32 a, b, c;'"},
        Refusal{header + ".entry k() .reqnctapercluster 2 { }",
                "4: unknown directive of an entry, near '.reqnctapercluster 2 { }'"},
        Refusal{header + ".entry k() .maxntid 1024, 1024, 64 { }", "4: too many threads, near '64 { }'"},
        Refusal{header + ".entry k(.param .u32 a, .param .u32 a) { }",
                "4: parameter declared twice, near '.param .u32 a) { }'"},
        Refusal{header + ".entry k(.param .b8 a[40000]) { }",
                "4: too many parameters, near '.param .b8 a[40000]) { }'"},
        Refusal{header + ".entry k(.param .b8 a[]) { }",
                "4: parameter without a size, near '.param .b8 a[]) { }'"},
        Refusal{header + ".entry k() { }\n.entry k() { }", "5: entry declared twice, near '.entry k() { }'"},
        Refusal{header + ".entry k() { ret;", "4: instruction expected, near ''"},
        Refusal{header + ".section .debug_str {\n.b8 1", "5: section without an end, near ''"}));

TEST(Errors, NearIsCutShort) {
  const std::string text = message(module_of("mov.u32 %r0, " + std::string(500, 'x') + ";"));
  EXPECT_EQ(text, std::string("qpn2/gemm:6: unknown name, near '").append(60, 'x').append("'"));
}

}  // namespace
}  // namespace quadpair::ptx
