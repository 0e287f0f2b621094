#include "harness/bench/ceiling.hpp"

#include <algorithm>
#include <stdexcept>

#include "cases/random.hpp"
#include "harness/bench/fold.hpp"
#include "harness/bench/sides.hpp"
#include "harness/run/launches.hpp"
#include "harness/timing/graph_subject.hpp"
#include "kernels/bench/stream.hpp"

namespace quadpair::bench {
namespace {

constexpr std::uint64_t chunk = 1 << 16;

std::vector<std::uint8_t> random_chunk() {
  const cases::RandomStream random(1, "ceiling");
  std::vector<std::uint8_t> bytes(chunk);
  for (std::size_t i = 0; i < bytes.size(); ++i) bytes[i] = static_cast<std::uint8_t>(random(i));
  return bytes;
}

/// A buffer that holds the same chunk over and over.
std::unique_ptr<device::Buffer> filled(device::Device& device, std::uint64_t chunks,
                                       const std::vector<std::uint8_t>& bytes) {
  auto buffer = device.allocate("stream", chunks * chunk, device::Access::input, 0);
  for (std::uint64_t i = 0; i < chunks; ++i) buffer->upload(std::as_bytes(std::span(bytes)), i * chunk);
  return buffer;
}

}  // namespace

double measure_ceiling(device::Device& device, Target target, Temperature temperature,
                       const run::ModuleLookup& find_module) {
  const bool cold = temperature == Temperature::cold;
  const std::uint64_t l2 = device.info().l2_bytes;
  const std::uint64_t chunks = std::max<std::uint64_t>((cold ? 16 * l2 : l2 / 4) / chunk, 1);
  const std::vector<std::uint8_t> bytes = random_chunk();
  const auto buffer = filled(device, chunks, bytes);

  Output output{device.allocate("sums", chunks * chunk / stream_block * 4, device::Access::output, 0),
                judge_of(folded(bytes))};
  const StreamArguments arguments{{buffer->address(), buffer->bytes()}, {}, output.buffer->address()};
  KernelSide side("stream", std::move(output), device,
                  {run::looked_up(stream(arguments, target), find_module)});
  for (const reports::Check& check : side.verify(1))
    if (!check.passed()) throw std::runtime_error("the streaming read that gives the ceiling reads wrongly");

  const timing::SamplePlan plan{1, cold ? 1u : 16u, 10};
  timing::GraphSubject subject("stream", side.capture(plan), plan);
  subject.sample();
  std::vector<double> seconds(9);
  for (double& sample : seconds) sample = subject.sample();
  return static_cast<double>(buffer->bytes()) / timing::median(seconds);
}

}  // namespace quadpair::bench
