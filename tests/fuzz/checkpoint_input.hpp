// What is done with bytes that claim to belong to a checkpoint.
#pragma once

#include <cstddef>
#include <span>

namespace quadpair::fuzz {

/// The first byte chooses what the rest is: 'h' a safetensors file, 'i' an index, 'c' a config, 'q' a
/// hf_quant_config, 'f' a family, 's' a suite; anything else is ignored. Goes as far as the readers go. The
/// input may be refused by a DataError and in no other way.
void read_checkpoint_input(std::span<const std::byte> input);

}  // namespace quadpair::fuzz
