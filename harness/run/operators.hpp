// The operators there are: each is made from its case by a function in a file of its own.
#pragma once

#include "harness/run/problem.hpp"

namespace quadpair::run {

/// Completes a problem that has its names and shapes: output, leading dimensions and operator. Throws Refused
/// and cases::DataError.
using MakeOperator = void (*)(const cases::Case& c, Problem& problem);

void make_qpn2(const cases::Case& c, Problem& problem);  ///< qpn2_gemm, qpn2_gated
void make_tm_gemm(const cases::Case& c, Problem& problem);
void make_dense_prefill(const cases::Case& c, Problem& problem);
void make_dispatch(const cases::Case& c, Problem& problem);  ///< qpn2_dispatch, qpn2_dispatch_gated
void make_silu_and_mul(const cases::Case& c, Problem& problem);
void make_restore_tm_scales(const cases::Case& c, Problem& problem);
void make_qpn8_gemm(const cases::Case& c, Problem& problem);

}  // namespace quadpair::run
