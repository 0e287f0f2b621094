// The LM head: FP8 screening with an exact FP16 rerank, and the dense head. The contract.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "kernels/common/launch.hpp"
#include "kernels/common/plan.hpp"
#include "kernels/qpn8/gemm.hpp"

namespace quadpair::lm_head {

inline constexpr std::uint32_t max_rows = 8;        ///< of x in screening, rerank and top-1
inline constexpr std::uint32_t chunk_rows = 62080;  ///< vocabulary rows of one screening chunk, at most
inline constexpr std::uint32_t candidates_of_chunk = 64;
inline constexpr std::uint32_t no_candidate = 0xFFFFFFFF;  ///< fills a chunk of fewer than 64 rows

/// Chunk c covers vocabulary rows [c . 62080, min((c + 1) . 62080, n)).
constexpr std::uint32_t chunks(std::uint32_t n) {
  return (n + chunk_rows - 1) / chunk_rows;
}

/// Order of candidates everywhere: NaN first, then value descending, ties to the lowest vocabulary id (-0 and
/// +0 are equal).

/// lm_head_screen: FP16 logits by qpn8_gemm (channel scales, S = 8, C = 1), then the 64 best of each chunk.
struct ScreenArguments {
  qpn8::GemmArguments gemm;  ///< m in 1..8; y is the FP16 logits [m, n]
  DevicePtr candidates = 0;  ///< u32 [m][chunks(n)][64]: rows of this shard, best first
};
std::vector<Launch> screen(const ScreenArguments& arguments, Target target);

/// How a dot product of the FP16 head is summed in FP32. Lane l of 32 takes k = 256 j + 8 l + i, i = 0..7,
/// j ascending, with one FMA each from +0.0; then lanes are added as a tree: lane l += lane l ^ 16, ^ 8, ^ 4,
/// ^ 2, ^ 1. NaN results are 0x7FFFFFFF.
struct DotPlan {
  std::uint32_t lanes = 32, vector = 8;
  friend bool operator==(const DotPlan&, const DotPlan&) = default;
};
std::string to_string(const DotPlan& plan);

/// lm_head_rerank: exact logits of the candidates, then the k best.
struct RerankArguments {
  std::uint32_t m = 0, n = 0, k = 0;  ///< k: input features
  std::uint32_t top = 16;             ///< results a row: 1..64
  DevicePtr head = 0;                 ///< f16 [n, k], 16-byte aligned
  DevicePtr x = 0;                    ///< f16 [m, k], ldx a multiple of 8
  std::uint32_t ldx = 0;
  DevicePtr candidates = 0;    ///< as screen() gives them
  DevicePtr scores = 0;        ///< workspace, f32 [m][chunks(n)][64]
  std::uint32_t first_id = 0;  ///< vocabulary id of the shard's first row
  DevicePtr values = 0;        ///< f32 [m][top], best first
  DevicePtr ids = 0;           ///< u32 [m][top], first_id added; no_candidate where there are fewer
};
std::vector<Launch> rerank(const RerankArguments& arguments, Target target);

/// lm_head_dense: all logits, FP32 [m, n]; any m. Bitwise the values that rerank() gives.
struct DenseArguments {
  std::uint32_t m = 0, n = 0, k = 0;
  DevicePtr head = 0, x = 0;
  std::uint32_t ldx = 0;
  DevicePtr logits = 0;  ///< f32 [m, n]
};
std::vector<Launch> dense(const DenseArguments& arguments, Target target);

/// Bytes of the packed head f16 [padded N/32][K/16][32 lanes][16]: physical half p as in QPN8 codes.
constexpr std::size_t packed_head_bytes(std::uint32_t padded_n, std::uint32_t k) {
  return std::size_t{padded_n} * k * 2;
}

struct PackHeadArguments {
  std::uint32_t n = 0, k = 0;
  DevicePtr head = 0;    ///< f16 [n, k]
  DevicePtr packed = 0;  ///< rows past n are zero
};
std::vector<Launch> pack_head(const PackHeadArguments& arguments, Target target);

/// lm_head_top1: the first maximum of x . head^T by the tensor cores, summed in qpn8_gemm's order (S = 8, C =
/// 1) and rounded to FP16 before it is compared.
struct Top1Arguments {
  std::uint32_t m = 0, n = 0, k = 0;
  DevicePtr packed = 0, x = 0;
  std::uint32_t ldx = 0;
  DevicePtr logits = 0;  ///< workspace, f16 [m, n]
  std::uint32_t first_id = 0;
  DevicePtr values = 0;  ///< f16 [m]
  DevicePtr ids = 0;     ///< u32 [m], first_id added
};
std::vector<Launch> top1(const Top1Arguments& arguments, Target target);

/// Results of one row: value bits and vocabulary id.
struct Candidate {
  float value;
  std::uint32_t id;
  friend bool operator==(const Candidate&, const Candidate&) = default;
};

/// The `top` best of several shards' results, in the order above. Ids must be distinct.
std::vector<Candidate> merge(std::vector<Candidate> of_all_shards, std::uint32_t top);

}  // namespace quadpair::lm_head
