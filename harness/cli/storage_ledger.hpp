// What a model's weights take on the devices, to the byte, by storage policy.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "cases/checkpoint/checkpoint_slices.hpp"
#include "cases/checkpoint/family.hpp"
#include "kernels/projection/policy.hpp"
#include "reports/ledger.hpp"

namespace quadpair::ledger {

/// What storage depends on, of one projection of one rank.
struct StoredProjection {
  bool head = false;  ///< the FP16 head, kept for the exact rerank, and its QPN8 copy for screening
  cases::WeightFormat format = cases::WeightFormat::nvfp4;
  std::uint32_t n = 0, k = 0, halves = 1;
  std::uint32_t global_count = 1;  ///< 1: one global scale, by value; else one a 32-row tile
  friend bool operator==(const StoredProjection&, const StoredProjection&) = default;
};

/// Rank `rank` of `tp` from a config alone: every projection in NVFP4 with one global scale, and the head.
/// Throws cases::DataError.
std::vector<StoredProjection> from_config(const cases::Family& family, const cases::ModelConfig& config,
                                          std::uint32_t rank, std::uint32_t tp);

/// The same from a checkpoint's slices of rank `rank`: formats and global scales as they are stored, the head
/// as FP16 where it is dense. Reads only global scales. Throws cases::DataError.
std::vector<StoredProjection> from_checkpoint(const cases::CheckpointSlices& slices, std::uint32_t rank);

/// The buffers of a rank under a policy: storage() of every NVFP4 projection; `qpn8_codes` and `qpn8_scales`
/// of FP8 ones and of the head; FP16 copies of the head: one `lm_head_fp16` with compact, which the rerank
/// reads; with dual and shared also a second one and `lm_head_packed`, which nothing reads any more.
reports::RankLedger ledger_of(const std::vector<StoredProjection>& projections, StoragePolicy policy,
                              std::uint32_t rank);

struct StoredModel {
  std::vector<std::vector<StoredProjection>> ranks{};  ///< what each holds
  std::string tied{};  ///< the module of the embedding that is the head too; empty where the head has its own
};

/// The above, rank by rank.
reports::PolicyLedger ledger_of(const StoredModel& model, StoragePolicy policy);

}  // namespace quadpair::ledger
