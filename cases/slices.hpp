// What a slice's name stands for, without loading it.
#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "cases/made_up.hpp"

namespace quadpair::cases {

/// Shape of a slice that load_slice() knows, or of an LM head that load_head() does; else nothing.
std::optional<SliceShape> slice_shape(std::string_view name);

/// Whether load_activations() has real activations for the slice.
bool has_activations(std::string_view name);

/// Names of the real slices: ten matrices as trained, and gate_up fused.
std::vector<std::string_view> real_slice_names();

}  // namespace quadpair::cases
