#include "harness/cli/storage_ledger.hpp"

#include <algorithm>
#include <map>

#include "cases/checkpoint/shard.hpp"
#include "kernels/lm_head/head.hpp"
#include "kernels/qpn2/layout.hpp"
#include "kernels/qpn8/projection.hpp"

namespace quadpair::ledger {
namespace {

constexpr std::string_view order[] = {"qpn2_codes",    "turbomind_codes", "turbomind_scales", "qpn2_scales",
                                      "global_scales", "qpn8_codes",      "qpn8_scales"};

std::uint32_t padded(const StoredProjection& p) {
  return p.halves == 2 ? qpn2::pad_gated(p.n) : qpn2::pad_to_tile(p.n);
}

using Sums = std::map<std::string, std::uint64_t, std::less<>>;

void add_fp8(const StoredProjection& p, qpn8::ScaleKind kind, Sums& sums) {
  for (const StorageItem& item : qpn8::storage(kind, qpn2::pad_to_tile(p.n), p.k))
    sums[std::string(item.name)] += item.bytes;
}

/// Adds the QPN8 copy of a head to the sums, and its FP16 copies one by one to `copies`.
void add_head(const StoredProjection& head, StoragePolicy policy, Sums& sums,
              std::vector<reports::LedgerItem>& copies) {
  const bool unread_copies = policy != StoragePolicy::compact;
  for (const StorageItem& item : lm_head::storage(head.n, head.k, unread_copies)) {
    if (item.name.starts_with("qpn8_")) {
      sums[std::string(item.name)] += item.bytes;
      continue;
    }
    const bool twice = unread_copies && item.name == "lm_head_fp16";
    copies.insert(copies.end(), twice ? 2 : 1, {std::string(item.name), item.bytes});
  }
}

StoredProjection stored_head(std::uint32_t rows, std::uint32_t k) {
  StoredProjection stored;
  stored.head = true;
  stored.n = rows;
  stored.k = k;
  return stored;
}

StoredProjection from_cuts(const cases::Projection& projection, std::uint32_t rank, std::uint32_t tp) {
  if (projection.head) return stored_head(cases::rows_of_head(projection.rows(), tp), projection.k);
  StoredProjection stored;
  stored.halves = projection.gated ? 2 : 1;
  for (const cases::Cut& cut : cuts_of(projection, rank, tp)) {
    stored.n += static_cast<std::uint32_t>(cut.row_count());
    stored.k = static_cast<std::uint32_t>(cut.k);
  }
  return stored;
}

}  // namespace

std::vector<StoredProjection> from_config(const cases::Family& family, const cases::ModelConfig& config,
                                          std::uint32_t rank, std::uint32_t tp) {
  std::vector<StoredProjection> stored;
  for (const cases::Projection& projection : projections_of(family, config))
    stored.push_back(from_cuts(projection, rank, tp));
  return stored;
}

std::vector<StoredProjection> from_checkpoint(const cases::CheckpointSlices& slices, std::uint32_t rank) {
  std::vector<StoredProjection> stored;
  for (const std::string& name : slices.names()) {
    if (slices.shard(name).rank != rank) continue;
    const cases::QuantizedMatrix outline = slices.outline(name);
    const cases::SliceShape shape = slices.shape(name).value();
    stored.push_back({false, outline.format, outline.n, shape.k, outline.halves,
                      static_cast<std::uint32_t>(std::max<std::size_t>(outline.globals.size(), 1))});
  }
  for (const auto& [name, head] : slices.heads())
    if (head.rank == rank) stored.push_back(stored_head(head.n, head.k));
  return stored;
}

reports::RankLedger ledger_of(const std::vector<StoredProjection>& projections, StoragePolicy policy,
                              std::uint32_t rank) {
  Sums sums;
  std::vector<reports::LedgerItem> heads;
  for (const StoredProjection& p : projections) {
    if (p.head) {
      add_head(p, policy, sums, heads);
    } else if (p.format == cases::WeightFormat::nvfp4) {
      for (const StorageItem& item : storage(policy, padded(p), p.k, p.global_count))
        sums[std::string(item.name)] += item.bytes;
    } else {
      add_fp8(p,
              p.format == cases::WeightFormat::fp8_block ? qpn8::ScaleKind::block : qpn8::ScaleKind::channel,
              sums);
    }
  }
  reports::RankLedger ledger{rank, {}};
  for (const std::string_view name : order)
    if (const auto found = sums.find(name); found != sums.end())
      ledger.items.push_back({found->first, found->second});
  ledger.items.insert(ledger.items.end(), heads.begin(), heads.end());
  return ledger;
}

reports::PolicyLedger ledger_of(const StoredModel& model, StoragePolicy policy) {
  reports::PolicyLedger ledger{std::string(to_string(policy)), {}};
  for (std::uint32_t rank = 0; rank < model.ranks.size(); ++rank)
    ledger.ranks.push_back(ledger_of(model.ranks[rank], policy, rank));
  return ledger;
}

}  // namespace quadpair::ledger
