// Shards of a checkpoint's projections, by name.
#pragma once

#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "cases/checkpoint/family.hpp"
#include "cases/checkpoint/head_shard.hpp"
#include "cases/checkpoint/matrix_reader.hpp"
#include "cases/slice_source.hpp"

namespace quadpair::cases {

/// Which shards are wanted.
struct ShardSelection {
  std::uint32_t tp = 1;
  std::set<std::uint32_t> ranks;   ///< empty: all
  std::set<std::uint32_t> layers;  ///< empty: all, and what belongs to no layer
  Quantize quantize = Quantize::none;
  std::string tensor{};  ///< only parts of this stored module, the slice named after it; empty: all
};

/// One projection of one rank, as far as it can be taken.
struct Shard {
  Projection projection;  ///< only the parts that are taken
  std::uint32_t rank = 0;
  std::vector<Cut> cuts;  ///< of the parts
  WeightFormat format = WeightFormat::nvfp4;
};

/// Slices such as "model.layers.3.mlp.down_proj@r2" (without "@r" where tp is 1), and the LM head. A slice is
/// read when it is loaded, and no more than its bytes.
class CheckpointSlices : public SliceSource {
 public:
  /// Checks the stored tensors of every selected shard against the family's sizes; reads no tensor. Parts
  /// that are stored dense are left out unless the selection quantises them; a head that is stored dense is a
  /// head in any case. Throws DataError naming file, tensor and numbers for a shard that cannot be had, and
  /// where none is left.
  CheckpointSlices(std::shared_ptr<const Checkpoint> checkpoint, const Family& family,
                   const ShardSelection& selection);

  std::optional<SliceShape> shape(const std::string& name) const override;
  std::shared_ptr<const QuantizedMatrix> load(const std::string& name, std::uint64_t seed) const override;

  std::shared_ptr<const HeadMatrix> load_lm_head(const std::string& name, std::uint64_t seed) const override;

  /// Of quantised matrices, in the order of the model.
  const std::vector<std::string>& names() const { return names_; }

  /// The dense LM head's ranks, by name; none where there is no such head, or only one tensor was asked for.
  const std::map<std::string, HeadShard>& heads() const { return heads_; }

  /// Throws DataError for an unknown name.
  const Shard& shard(const std::string& name) const;

  /// The parts of a slice as they are stored, not fused. Throws DataError.
  std::vector<QuantizedMatrix> load_parts(const std::string& name) const;

  /// The slice without its codes and scales: rows as they are stacked, global scales, and k = 0. Reads only
  /// the global scales. Throws DataError.
  QuantizedMatrix outline(const std::string& name) const;

  /// Modules left out because they are stored dense.
  const std::vector<std::string>& left_out() const { return left_out_; }

 private:
  bool take(const Part& part, std::uint32_t k, WeightFormat& format);
  void take_head(const Projection& projection, const std::set<std::uint32_t>& ranks);
  std::string name_of(const std::string& module, std::uint32_t rank) const;

  std::shared_ptr<const Checkpoint> checkpoint_;
  ShardSelection selection_;
  std::vector<std::string> names_, left_out_;
  std::map<std::string, Shard> shards_;
  std::map<std::string, HeadShard> heads_;
};

}  // namespace quadpair::cases
