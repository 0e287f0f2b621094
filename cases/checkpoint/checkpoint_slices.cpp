#include "cases/checkpoint/checkpoint_slices.hpp"

#include <fmt/format.h>

#include <limits>

#include "cases/checkpoint/shard.hpp"
#include "cases/error.hpp"
#include "cases/fuse.hpp"

namespace quadpair::cases {
namespace {

/// Whether the module has a weight of any kind.
HasModule modules_of(const Checkpoint& checkpoint) {
  return [&](const std::string& module) {
    return checkpoint.find(module + ".weight") != nullptr ||
           checkpoint.find(module + ".weight_packed") != nullptr;
  };
}

const std::string& file_of_module(const Checkpoint& checkpoint, const std::string& module) {
  const std::string packed = module + ".weight_packed";
  return checkpoint.file_of(checkpoint.find(packed) != nullptr ? packed : module + ".weight").name();
}

void require_shape(const Checkpoint& checkpoint, const std::string& module, const StoredShape& stored,
                   const StoredShape& wanted) {
  if (stored != wanted)
    throw DataError(fmt::format("{}: tensors of '{}' make a matrix of {} x {}, but {} means {} x {}",
                                file_of_module(checkpoint, module), module, stored.n, stored.k,
                                checkpoint.config().file, wanted.n, wanted.k));
}

bool selects(const ShardSelection& selection, const Projection& projection) {
  return selection.layers.empty() || (projection.layer && selection.layers.contains(*projection.layer));
}

std::set<std::uint32_t> ranks_of(const ShardSelection& selection) {
  if (selection.tp == 0) throw DataError("there is no slice of 0 ranks");
  std::set<std::uint32_t> ranks = selection.ranks;
  for (std::uint32_t rank = 0; ranks.size() < selection.tp && selection.ranks.empty(); ++rank)
    ranks.insert(rank);
  if (*ranks.rbegin() >= selection.tp)
    throw DataError(fmt::format("there is no rank {} of {}", *ranks.rbegin(), selection.tp));
  return ranks;
}

void refuse_missing_layers(const ShardSelection& selection, const std::vector<Projection>& projections,
                           const std::string& config) {
  std::set<std::uint32_t> there;
  for (const Projection& projection : projections)
    if (projection.layer) there.insert(*projection.layer);
  for (const std::uint32_t layer : selection.layers)
    if (!there.contains(layer)) throw DataError(fmt::format("{}: the model has no layer {}", config, layer));
}

QuantizedMatrix fuse(const std::string& name, const Projection& projection,
                     const std::vector<QuantizedMatrix>& parts) {
  return projection.gated ? fuse_gate_up(name, parts[0], parts[1]) : fuse_parts(name, parts);
}

}  // namespace

bool CheckpointSlices::take(const Part& part, std::uint32_t k, WeightFormat& format) {
  const StoredMatrix stored = stored_matrix(*checkpoint_, part.tensor);
  require_shape(*checkpoint_, part.tensor, stored.shape, {part.stored_rows(), k});
  if (stored.stored == Stored::fp8) format = WeightFormat::fp8_channel;
  if (stored.stored != Stored::dense) return true;
  if (selection_.quantize == Quantize::none) {
    if (left_out_.empty() || left_out_.back() != part.tensor) left_out_.push_back(part.tensor);
    return false;
  }
  if (selection_.quantize == Quantize::fp8) format = WeightFormat::fp8_channel;
  return true;
}

void CheckpointSlices::take_head(const Projection& projection, const std::set<std::uint32_t>& ranks) {
  const std::string& tensor = projection.parts.at(0).tensor;
  const StoredShape stored = stored_matrix(*checkpoint_, tensor).shape;
  if (stored.n < projection.rows() || stored.n > std::numeric_limits<std::uint32_t>::max())
    require_shape(*checkpoint_, tensor, stored, {projection.rows(), projection.k});
  require_shape(*checkpoint_, tensor, stored, {stored.n, projection.k});
  for (const std::uint32_t rank : ranks)
    heads_.emplace(name_of(projection.name, rank),
                   head_shard(projection, static_cast<std::uint32_t>(stored.n), rank, selection_.tp));
}

std::string CheckpointSlices::name_of(const std::string& module, std::uint32_t rank) const {
  return selection_.tp == 1 ? module : fmt::format("{}@r{}", module, rank);
}

CheckpointSlices::CheckpointSlices(std::shared_ptr<const Checkpoint> checkpoint, const Family& family,
                                   const ShardSelection& selection)
    : checkpoint_(std::move(checkpoint)), selection_(selection) {
  const auto projections = projections_of(family, checkpoint_->config(), modules_of(*checkpoint_));
  const std::set<std::uint32_t> ranks = ranks_of(selection);
  refuse_missing_layers(selection, projections, checkpoint_->config().file);
  for (const Projection& projection : projections) {
    if (!selects(selection, projection)) continue;
    if (projection.head && selection.tensor.empty() &&
        stored_matrix(*checkpoint_, projection.parts.at(0).tensor).stored == Stored::dense) {
      take_head(projection, ranks);
      if (selection.quantize == Quantize::none) continue;
    }
    Shard shard{projection, 0, {}, WeightFormat::nvfp4};
    std::erase_if(shard.projection.parts, [&](const Part& part) {
      return (!selection.tensor.empty() && part.tensor != selection.tensor) ||
             !take(part, projection.k, shard.format);
    });
    if (shard.projection.parts.empty()) continue;
    shard.projection.gated = projection.gated && shard.projection.parts.size() == 2;
    for (const std::uint32_t rank : ranks) {
      shard.rank = rank;
      shard.cuts = cuts_of(shard.projection, rank, selection.tp);
      const std::string name = name_of(selection.tensor.empty() ? projection.name : selection.tensor, rank);
      if (shards_.emplace(name, shard).second) names_.push_back(name);
    }
  }
  if (!names_.empty() || !heads_.empty()) return;
  if (!left_out_.empty())
    throw DataError(
        fmt::format("no projection is quantised ('{}' and {} more are dense): choose how to "
                    "quantise them on the way",
                    left_out_.front(), left_out_.size() - 1));
  if (!selection.tensor.empty())
    throw DataError(fmt::format("{}: '{}' is in no projection of the family {}", checkpoint_->name(),
                                selection.tensor, family.name()));
  throw DataError(
      fmt::format("{}: the family {} has no projection here", checkpoint_->config().file, family.name()));
}

std::optional<SliceShape> CheckpointSlices::shape(const std::string& name) const {
  const auto found = shards_.find(name);
  if (const auto head = heads_.find(name); found == shards_.end() && head != heads_.end())
    return SliceShape{head->second.n, head->second.k, 1, head->second.rank, selection_.tp};
  if (found == shards_.end()) return std::nullopt;
  SliceShape shape{0,
                   static_cast<std::uint32_t>(found->second.cuts.at(0).k),
                   found->second.projection.gated ? 2u : 1u,
                   found->second.rank,
                   selection_.tp,
                   found->second.format != WeightFormat::nvfp4};
  for (const Cut& cut : found->second.cuts) shape.n += static_cast<std::uint32_t>(cut.row_count());
  return shape;
}

const Shard& CheckpointSlices::shard(const std::string& name) const {
  const auto found = shards_.find(name);
  if (found == shards_.end()) throw DataError(fmt::format("slice '{}' is not known", name));
  return found->second;
}

std::vector<QuantizedMatrix> CheckpointSlices::load_parts(const std::string& name) const {
  const Shard& wanted = shard(name);
  std::vector<QuantizedMatrix> parts;
  for (std::size_t i = 0; i < wanted.cuts.size(); ++i)
    parts.push_back(
        read_matrix(*checkpoint_, wanted.projection.parts[i].tensor, wanted.cuts[i], selection_.quantize));
  return parts;
}

std::shared_ptr<const QuantizedMatrix> CheckpointSlices::load(const std::string& name, std::uint64_t) const {
  return std::make_shared<const QuantizedMatrix>(fuse(name, shard(name).projection, load_parts(name)));
}

std::shared_ptr<const HeadMatrix> CheckpointSlices::load_lm_head(const std::string& name,
                                                                 std::uint64_t) const {
  const auto found = heads_.find(name);
  if (found == heads_.end()) throw DataError(fmt::format("head '{}' is not known", name));
  return read_head(*checkpoint_, found->second, name);
}

QuantizedMatrix CheckpointSlices::outline(const std::string& name) const {
  const Shard& wanted = shard(name);
  std::vector<QuantizedMatrix> parts;
  for (std::size_t i = 0; i < wanted.cuts.size(); ++i) {
    parts.push_back(read_matrix(*checkpoint_, wanted.projection.parts[i].tensor, Cut{}, selection_.quantize));
    parts.back().n = static_cast<std::uint32_t>(wanted.cuts[i].row_count());
  }
  return fuse(name, wanted.projection, parts);
}

}  // namespace quadpair::cases
