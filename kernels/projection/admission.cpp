// The route of a request, or the reason against it.
#include <string>

#include "kernels/common/check.hpp"
#include "kernels/dense/dense_prefill.hpp"
#include "kernels/projection/dispatch.hpp"

namespace quadpair {
namespace {

constexpr std::uint32_t rows_in_graph = 32;  ///< with a temporary: a graph holds one for each projection

void refuse_if(const std::optional<std::string>& reason) {
  if (reason) throw Refused("qpn2_dispatch: " + *reason);
}

Route route_of(const Projection& p, const DispatchRequest& r) {
  if (r.m == 0) return Route::none;
  if (r.m <= r.thresholds.qpn2_rows) return Route::qpn2;
  if (r.thresholds.dense_rows != 0 && r.m >= r.thresholds.dense_rows) return Route::dense;
  return p.policy() == StoragePolicy::compact && r.restore_to_temporary ? Route::wide_temporary : Route::wide;
}

}  // namespace

std::string_view to_string(Route route) {
  switch (route) {
    case Route::none: return "none";
    case Route::qpn2: return "qpn2";
    case Route::wide: return "tm_gemm";
    case Route::wide_temporary: return "tm_gemm with temporary scales";
    case Route::dense: return "dense_prefill";
  }
  return "unknown";
}

Route admit(const Projection& projection, const DispatchRequest& request) {
  const std::uint32_t m = request.m, n = projection.n(), k = projection.k(), padded_n = projection.padded_n();
  const Target target = projection.target();
  require(!request.gated || projection.fused(), "qpn2_dispatch: gate and up need a fused matrix");
  require(request.gated || padded_n == qpn2::pad_to_tile(n),
          "qpn2_dispatch: N=" + std::to_string(n) +
              ": gate and up are padded each, so their plain product has gaps");
  require(!request.restore_to_temporary || projection.policy() == StoragePolicy::compact,
          "qpn2_dispatch: policy " + std::string(to_string(projection.policy())) +
              " keeps its scales: there are none to restore");
  const Route route = route_of(projection, request);
  switch (route) {
    case Route::none: break;
    case Route::qpn2:
      refuse_if(
          qpn2::why_refused(m, n, k, qpn2::tuned(k, padded_n, target, request.gated), target, request.gated));
      break;
    case Route::wide_temporary:
      require(!request.in_graph || m <= rows_in_graph,
              "qpn2_dispatch: M=" + std::to_string(m) +
                  ": a graph that restores scales to a temporary has at most " +
                  std::to_string(rows_in_graph) + " rows");
      [[fallthrough]];
    case Route::wide:
      refuse_if(wide::why_refused(padded_n, k, wide::tuned(m, padded_n, k, target), target));
      break;
    case Route::dense:
      dense::workspace_bytes(padded_n, k, request.dense_workspace_limit);  // refuses a limit without room
      break;
  }
  return route;
}

}  // namespace quadpair
