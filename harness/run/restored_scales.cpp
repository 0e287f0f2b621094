#include "harness/run/restored_scales.hpp"

#include "harness/compare/check.hpp"
#include "harness/run/device_buffers.hpp"
#include "kernels/convert/turbomind.hpp"

namespace quadpair::run {

reports::Check restored_scales(device::Device& device, const Problem& problem, const Matrix& matrix,
                               const Projection& projection, const Execute& execute) {
  DeviceBuffers buffers(device);
  const std::size_t bytes = convert::turbomind_scale_bytes(problem.padded_n, problem.k);
  device::Buffer& scales = buffers.output("restored scales", bytes, 0xC3);
  convert::RestoreArguments a;
  a.padded_n = problem.padded_n;
  a.k = problem.k;
  a.qpn2_scales = projection.address("qpn2_scales");
  a.globals = projection.parts();
  a.scales = scales.address();
  execute(convert::restore_tm_scales(a, problem.target));
  buffers.inspect();
  if (!buffers.guards().check.passed()) throw device::Fault("restoring scales: " + buffers.guards().note);
  std::vector<std::uint8_t> restored(bytes);
  scales.download(std::as_writable_bytes(std::span(restored)));
  return compare::bitwise("restored scales", matrix.packed("turbomind_scales"), restored);
}

}  // namespace quadpair::run
