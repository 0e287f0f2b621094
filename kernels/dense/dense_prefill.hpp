// dense_prefill: y[M,N] = x[M,K] . W[N,K]^T for many rows: weights are decoded by the QPN2 rule into a
// bounded FP16 workspace, chunk by chunk, each followed by a dense product. The contract.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "kernels/common/launch.hpp"
#include "kernels/common/plan.hpp"
#include "kernels/qpn2/gemm.hpp"
#include "kernels/wide/tm_gemm.hpp"

namespace quadpair::dense {

/// y[m, n] = x[m, k] . w[n, k]^T, all FP16, FP32 sums in the order of accumulation_plan(). x and w are
/// 16-byte aligned, ldx a multiple of 8; w has no gaps between rows.
struct GemmArguments {
  std::uint32_t m = 0, n = 0, k = 0;
  DevicePtr x = 0;
  std::uint32_t ldx = 0;
  DevicePtr w = 0;
  DevicePtr y = 0;
  std::uint32_t ldy = 0;
};

/// The order in which the target's dense kernel sums: ascending k, one chain, one slice. sm70: steps of 4;
/// sm80: as wide::accumulation_plan() with one slice; sm90: steps of 16.
AccumulationPlan accumulation_plan(std::uint32_t k, Target target);

/// Any m; m = 0 launches nothing. k is a positive multiple of 64. Throws Refused, for a tile that has no
/// kernel too.
std::vector<Launch> gemm(const GemmArguments& arguments, wide::Tuning tuning, Target target);

/// The tile for (M, N, K), which has no part in the result's bits.
wide::Tuning tuned(std::uint32_t m, std::uint32_t n, std::uint32_t k, Target target);

struct PrefillArguments {
  qpn2::GemmArguments gemm;  ///< codes in either layout, scales, globals, x and y; m is not limited here
  DevicePtr workspace = 0;   ///< 256-byte aligned
  std::size_t workspace_limit = 0;  ///< bytes that may be used; at least one tile: 32 rows of W in FP16
};

/// Bytes of the workspace that (padded N, K) uses under the limit: whole tiles of 32 rows, those of the
/// fewest chunks, which are equally great but for the last. Throws Refused when the limit holds no tile.
std::size_t workspace_bytes(std::uint32_t padded_n, std::uint32_t k, std::size_t limit);

/// One chunk of output features: the decode, then the product that reads the workspace. A caller may compute
/// the product by a library instead.
struct Chunk {
  std::uint32_t first = 0;  ///< column of y
  std::vector<Launch> decode;
  GemmArguments product;
};

/// The chunks in order. Throws Refused.
std::vector<Chunk> prefill_chunks(const PrefillArguments& arguments, Target target);

/// The launches of all chunks with the target's own dense kernel. m = 0 launches nothing. Throws Refused.
std::vector<Launch> dense_prefill(const PrefillArguments& arguments, Target target);

}  // namespace quadpair::dense
