// The kernels that a case launched against those that it should have.
#pragma once

#include <span>
#include <string_view>

#include "harness/run/device_buffers.hpp"

namespace quadpair::run {

/// Passes when the launches are of the intended kernels alone and each of them is among the launches, first
/// launched in that order. A kernel is named by its module, or by module:entry. The note says what ran.
BufferChecks route_check(std::span<const std::string_view> intended, std::span<const Launch> launches);

}  // namespace quadpair::run
