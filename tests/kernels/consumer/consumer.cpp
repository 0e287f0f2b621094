// Stores a projection without FP16 scales and plans its products; prints what was chosen. Memory is a row of
// made-up addresses, and launches are counted instead of run, so that it needs no GPU.
#include <cstdio>
#include <quadpair/kernels/common/error.hpp>
#include <quadpair/kernels/common/stream.hpp>
#include <quadpair/kernels/projection/dispatch.hpp>

namespace {

using namespace quadpair;

struct NoMemory final : DeviceMemory {
  explicit NoMemory(DevicePtr at) : at_(at) {}
  DevicePtr address() const override { return at_; }
  void upload(std::span<const std::byte>) override {}
  DevicePtr at_;
};

Dispatch plan(const Projection& projection, std::uint32_t m) {
  DispatchRequest request;
  request.m = m;
  const Dispatch dispatch = qpn2_dispatch(projection, request, {0x1000, 1536, 0x2000, 5120, 0x100000});
  std::printf("M=%u: %s, %zu bytes of workspace, first %s\n", m,
              std::string(to_string(dispatch.route)).c_str(), workspace_bytes(projection, request),
              dispatch.launches.at(0).entry.c_str());
  return dispatch;
}

}  // namespace

int main() {
  const float g = 1.0f / 2688;
  CheckpointMatrix matrix;
  matrix.name = "mlp.down_proj";
  matrix.n = 5120, matrix.k = 1536;
  matrix.codes = 0x10000, matrix.scales = 0x20000;
  matrix.globals = {&g, 1};
  DevicePtr next = 0;
  std::size_t packing = 0;
  const Projection projection(
      matrix, StoragePolicy::compact, Target::sm90,
      [&](std::string_view, std::size_t) { return std::make_unique<NoMemory>(next += 0x1000000); },
      [&](std::span<const Launch> launches) { packing += launches.size(); });
  std::printf("%zu bytes in %zu buffers, packed by %zu launches\n", projection.bytes(),
              projection.items().size(), packing);
  const bool good = plan(projection, 8).route == Route::qpn2 && plan(projection, 100).route == Route::wide &&
                    plan(projection, 2048).route == Route::dense && packing == 2 &&
                    projection.bytes() == 5120 * 1536 / 2 + 5120 * 1536 / 16;
  try {
    const Launcher launcher;
    std::printf("device runs %s\n", std::string(to_string(launcher.target())).c_str());
    cuda_allocate()("scratch", 256);
  } catch (const DeviceError& error) {
    std::printf("no device: %s\n", error.what());
  }
  return good ? 0 : 1;
}
