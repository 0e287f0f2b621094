// What a case of an LM head launches.
#pragma once

#include <vector>

#include "kernels/common/launch.hpp"
#include "kernels/lm_head/head.hpp"
#include "reference/tensor_core/model.hpp"

namespace quadpair::run {

/// A case of an LM head with its names as types.
struct HeadProblem {
  Target target{};
  reference::Model model{};
  std::uint32_t m = 0, n = 0, k = 0, top = 0, ldx = 0;
  bool top1 = false;  ///< the first maximum by the tensor cores, instead of screening, rerank and dense head

  std::uint32_t ld() const { return (n + 7) / 8 * 8; }  ///< of FP16 logits
  std::uint32_t candidates() const;                     ///< of a row, in all chunks
};

/// Where its data lies on a device.
struct HeadPlaces {
  DevicePtr x = 0;
  DevicePtr logits = 0, candidates = 0, scores = 0;  ///< f16 [m, ld()], u32 and f32 [m, candidates()]
  DevicePtr values = 0, ids = 0;                     ///< f32 and u32 [m, top]; of top-1 f16 and u32 [m]
  DevicePtr dense = 0;                               ///< f32 [m, n]
};

/// All throw Refused.
std::vector<Launch> screen_and_rerank(const HeadProblem& problem, const lm_head::Head& head,
                                      const HeadPlaces& places);
std::vector<Launch> dense_head(const HeadProblem& problem, const lm_head::Head& head,
                               const HeadPlaces& places);
std::vector<Launch> first_maximum(const HeadProblem& problem, const lm_head::Head& head,
                                  const HeadPlaces& places);

}  // namespace quadpair::run
