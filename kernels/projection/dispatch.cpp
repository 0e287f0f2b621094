#include "kernels/projection/dispatch.hpp"

#include "kernels/common/check.hpp"
#include "kernels/convert/turbomind.hpp"
#include "kernels/dense/dense_prefill.hpp"
#include "kernels/qpn2/gated.hpp"
#include "kernels/wide/silu_and_mul.hpp"
#include "kernels/wide/tm_gemm.hpp"

namespace quadpair {
namespace {

/// Where the parts of a workspace lie, each 256-byte aligned.
struct Workspace {
  std::size_t product = 0;  ///< f16 [m, padded N]: the gated operator's before silu_and_mul
  std::size_t weights = 0;  ///< f16 scales or weights
  std::size_t bytes = 0;
};

Workspace workspace_of(const Projection& p, const DispatchRequest& r, Route route) {
  constexpr std::size_t alignment = 256;
  Workspace w;
  if (r.gated && route != Route::none && route != Route::qpn2) {
    const std::size_t product = std::size_t{r.m} * p.padded_n() * sizeof(std::uint16_t);
    w.weights = (product + alignment - 1) / alignment * alignment;
    w.bytes = product;
  }
  if (route == Route::wide_temporary)
    w.bytes = w.weights + convert::turbomind_scale_bytes(p.padded_n(), p.k());
  if (route == Route::dense)
    w.bytes = w.weights + dense::workspace_bytes(p.padded_n(), p.k(), r.dense_workspace_limit);
  return w;
}

/// The operands that every route shares.
qpn2::GemmArguments operands(const Projection& p, const DispatchRequest& r, const DispatchBuffers& b) {
  const bool dual = p.policy() == StoragePolicy::dual;
  qpn2::GemmArguments a;
  a.m = r.m;
  a.n = p.n();
  a.k = p.k();
  a.layout = dual ? qpn2::CodeLayout::qpn2 : qpn2::CodeLayout::turbomind;
  a.codes = p.address(dual ? "qpn2_codes" : "turbomind_codes");
  a.scales = p.address("qpn2_scales");
  a.global = p.global();
  a.x = b.x;
  a.ldx = b.ldx;
  a.y = b.y;
  a.ldy = b.ldy;
  return a;
}

std::vector<Launch> qpn2_product(const Projection& p, const qpn2::GemmArguments& a, bool gated) {
  const qpn2::Tuning tuning = qpn2::tuned(p.k(), p.padded_n(), p.target(), gated);
  return gated ? qpn2::gated(a, tuning, p.target()) : qpn2::gemm(a, tuning, p.target());
}

/// `temporary` is where scales are restored, or 0.
std::vector<Launch> wide_product(const Projection& p, const qpn2::GemmArguments& shared,
                                 DevicePtr temporary) {
  std::vector<Launch> launches;
  wide::TmGemmArguments a;
  a.m = shared.m;
  a.n = shared.n;
  a.k = shared.k;
  a.codes = p.address("turbomind_codes");
  a.globals = p.parts();
  a.x = shared.x;
  a.ldx = shared.ldx;
  a.y = shared.y;
  a.ldy = shared.ldy;
  if (temporary != 0) {
    convert::RestoreArguments restore;
    restore.padded_n = p.padded_n();
    restore.k = p.k();
    restore.qpn2_scales = p.address("qpn2_scales");
    restore.globals = p.parts();
    restore.scales = temporary;
    launches = convert::restore_tm_scales(restore, p.target());
    a.scales = temporary;
  } else if (p.policy() == StoragePolicy::compact) {
    a.kind = wide::Scales::compact;
    a.scales = p.address("qpn2_scales");
  } else {
    a.scales = p.address("turbomind_scales");
  }
  const wide::Tuning tuning = wide::tuned(a.m, p.padded_n(), a.k, p.target());
  for (Launch& launch : wide::tm_gemm(a, tuning, p.target())) launches.push_back(std::move(launch));
  return launches;
}

}  // namespace

std::size_t workspace_bytes(const Projection& projection, const DispatchRequest& request) {
  return workspace_of(projection, request, admit(projection, request)).bytes;
}

Dispatch qpn2_dispatch(const Projection& projection, const DispatchRequest& request,
                       const DispatchBuffers& buffers) {
  Dispatch dispatch{admit(projection, request), {}};
  if (dispatch.route == Route::none) return dispatch;
  const Workspace workspace = workspace_of(projection, request, dispatch.route);
  require(workspace.bytes == 0 || (buffers.workspace != 0 && buffers.workspace % 256 == 0),
          "qpn2_dispatch: the workspace is null or not 256-byte aligned");
  qpn2::GemmArguments a = operands(projection, request, buffers);
  if (dispatch.route == Route::qpn2) {
    dispatch.launches = qpn2_product(projection, a, request.gated);
    return dispatch;
  }
  if (request.gated) {  // the whole padded matrix, so that gate and up stand where the tiles have them
    a.n = a.ldy = projection.padded_n();
    a.y = buffers.workspace + workspace.product;
  }
  const DevicePtr weights = buffers.workspace + workspace.weights;
  if (dispatch.route == Route::dense)
    dispatch.launches =
        dense::dense_prefill({a, weights, request.dense_workspace_limit}, projection.target());
  else
    dispatch.launches = wide_product(projection, a, dispatch.route == Route::wide_temporary ? weights : 0);
  if (request.gated)
    for (Launch& launch : wide::silu_and_mul(
             {a.m, projection.n() / 2, projection.padded_n() / 2, a.y, a.ldy, buffers.y, buffers.ldy},
             projection.target()))
      dispatch.launches.push_back(std::move(launch));
  return dispatch;
}

}  // namespace quadpair
