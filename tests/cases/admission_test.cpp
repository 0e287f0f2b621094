// The suites' expectations against the kernel library's own admission.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "cases/slices.hpp"
#include "cases/suite.hpp"
#include "kernels/common/error.hpp"
#include "kernels/convert/pack_qpn2.hpp"
#include "kernels/qpn2/gated.hpp"
#include "kernels/qpn2/gemm.hpp"

namespace quadpair::cases {
namespace {

/// Arguments with made-up addresses: nothing is launched.
qpn2::GemmArguments arguments_of(const Case& c, const SliceShape& shape) {
  qpn2::GemmArguments a;
  a.m = c.m;
  a.n = shape.n;
  a.k = shape.k;
  a.codes = a.scales = a.x = a.y = 256;
  a.global.value = 0x3C00;
  a.ldx = shape.k + c.ldx_extra;
  a.ldy = shape.n / (c.operation == "qpn2_gated" ? 2 : 1) + c.ldy_extra;
  return a;
}

/// What refuses the case, or nothing.
std::string refusal(const Case& c) {
  const SliceShape shape = slice_shape(c.slice).value();
  try {
    if (c.slice.starts_with("refused.") || c.slice.starts_with("edge.")) {
      const auto w = load_slice(c.slice, 1);
      convert::prepare_qpn2(w->name, w->n, w->k, w->halves, w->codes, w->scales, w->globals);
    }
    const Target target = target_from_string(c.target).value();
    const qpn2::Tuning tuning{c.split_k, c.chains};
    if (c.operation == "qpn2_gated")
      qpn2::gated(arguments_of(c, shape), tuning, target);
    else
      qpn2::gemm(arguments_of(c, shape), tuning, target);
  } catch (const Refused& error) {
    return error.what();
  } catch (const RangeError& error) {
    return error.what();
  }
  return "";
}

TEST(Admission, TheLibraryAdmitsAndRefusesAsTheSuitesSay) {
  for (const std::string& name : suite_names())
    for (const Case& c : load_suite(name).cases) {
      if (c.operation != "qpn2_gemm" && c.operation != "qpn2_gated") continue;  // held by running them
      if (c.refused)
        EXPECT_THAT(refusal(c), ::testing::HasSubstr(*c.refused)) << c.id;
      else
        EXPECT_EQ(refusal(c), "") << c.id;
    }
}

}  // namespace
}  // namespace quadpair::cases
