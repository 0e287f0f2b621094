// A shard as a small checkpoint of its own.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "cases/checkpoint/checkpoint_slices.hpp"

namespace quadpair::cases {

/// A safetensors file that holds one slice, part by part, and in its metadata a config.json: ModelOpt's
/// declaration (so that multipliers stay as they are) and a family that makes the same slice, under the same
/// name, of the parts. Read back, the slice is the same bit for bit.
/// With `anonymous` the weights are gone: within each part, codes and scales are shuffled by that seed, so
/// that their histograms stay. Whoever knows the seed can undo it: draw it and forget it.
std::string slice_file(const CheckpointSlices& slices, const std::string& name,
                       std::optional<std::uint64_t> anonymous = std::nullopt);

}  // namespace quadpair::cases
