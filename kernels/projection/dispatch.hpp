// qpn2_dispatch: which kernels serve a projection and a number of rows. The contract.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "kernels/common/launch.hpp"
#include "kernels/projection/projection.hpp"

namespace quadpair {

/// Rows at which the dispatch changes its route.
struct DispatchThresholds {
  std::uint32_t qpn2_rows = 32;     ///< 1..qpn2_rows: qpn2_gemm or qpn2_gated
  std::uint32_t dense_rows = 1024;  ///< from here on: dense_prefill; 0: never. Between: tm_gemm
  friend bool operator==(const DispatchThresholds&, const DispatchThresholds&) = default;
};

/// How a product is computed.
enum class Route { none, qpn2, wide, wide_temporary, dense };

/// "none" (M = 0), "qpn2", "tm_gemm", "tm_gemm with temporary scales", "dense_prefill".
std::string_view to_string(Route route);

/// What is asked for.
struct DispatchRequest {
  std::uint32_t m = 0;
  bool gated = false;  ///< silu(gate) * up of a fused matrix
  DispatchThresholds thresholds;
  bool restore_to_temporary =
      false;  ///< compact scales of tm_gemm go through a temporary, at most 32 rows in graphs
  bool in_graph = false;
  std::size_t dense_workspace_limit = std::size_t{64} << 20;  ///< bytes of decoded weights at a time
};

/// The route, or throws Refused with the reason against it: the one place where capability (target), policy,
/// graph size and shape are looked at.
Route admit(const Projection& projection, const DispatchRequest& request);

/// Bytes of workspace that the request needs: restored scales, decoded weights, the product before
/// silu_and_mul.
std::size_t workspace_bytes(const Projection& projection, const DispatchRequest& request);

struct DispatchBuffers {
  DevicePtr x = 0;
  std::uint32_t ldx = 0;
  DevicePtr y = 0;
  std::uint32_t ldy = 0;
  DevicePtr workspace = 0;  ///< of workspace_bytes(), 256-byte aligned
};

struct Dispatch {
  Route route = Route::none;
  std::vector<Launch> launches;
};

/// Throws Refused.
Dispatch qpn2_dispatch(const Projection& projection, const DispatchRequest& request,
                       const DispatchBuffers& buffers);

}  // namespace quadpair
