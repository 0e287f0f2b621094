#include "harness/run/device_run.hpp"

#include <algorithm>
#include <array>
#include <tuple>
#include <utility>

#include "harness/run/device_buffers.hpp"
#include "harness/run/kernel_record.hpp"
#include "kernels/convert/pack_qpn2.hpp"

namespace quadpair::run {
namespace {

/// Fill patterns of the output before each run: an element that is not written keeps a wrong value in all
/// runs but, at worst, one.
constexpr std::array<std::uint8_t, 4> poisons = {0xA5, 0x5A, 0xC3, 0x96};

std::vector<std::uint8_t> content_of(const device::Buffer& buffer) {
  std::vector<std::uint8_t> content(buffer.bytes());
  buffer.download(std::as_writable_bytes(std::span(content)));
  return content;
}

class CaseOnDevice {
 public:
  CaseOnDevice(device::Device& device, const Problem& problem, const Matrix& matrix,
               const ModuleLookup& find_module)
      : device_(device), problem_(problem), matrix_(matrix), find_module_(find_module), buffers_(device) {}

  Actual run(const std::vector<inputs::Inputs>& rounds);

 private:
  std::vector<Launch> looked_up(std::vector<Launch> launches);
  void pack();
  qpn2::GemmArguments arguments();
  void collect(std::string name, std::size_t round);
  void poison();
  void check_memory();

  device::Device& device_;
  const Problem& problem_;
  const Matrix& matrix_;
  const ModuleLookup& find_module_;
  DeviceBuffers buffers_;
  device::Buffer* x_ = nullptr;
  device::Buffer* y_ = nullptr;
  std::size_t runs_ = 0;
  std::uint8_t poison_ = 0;
  std::vector<std::uint8_t> outside_, outside_expected_;  ///< bytes of y that are no outputs
  Actual actual_;
};

std::vector<Launch> CaseOnDevice::looked_up(std::vector<Launch> launches) {
  for (Launch& launch : launches) {
    launch.module = &find_module_(launch.module->name, launch.module->target);
    actual_.kernels.push_back(kernel_record(launch, device_));
  }
  return launches;
}

void CaseOnDevice::pack() {
  const cases::QuantizedMatrix& w = *matrix_.weights;
  device::Buffer& codes =
      buffers_.output("packed codes", qpn2::code_bytes(problem_.padded_n, problem_.k), poisons[0]);
  device::Buffer& scales =
      buffers_.output("packed scales", qpn2::scale_bytes(problem_.padded_n, problem_.k), poisons[0]);
  convert::PackArguments a;
  a.n = problem_.n;
  a.k = problem_.k;
  a.halves = problem_.halves();
  a.codes = buffers_.input("checkpoint codes", bytes_of(w.codes)).address();
  a.scales = buffers_.input("checkpoint scales", bytes_of(w.scales)).address();
  a.packed_codes = codes.address();
  a.packed_scales = scales.address();
  const std::vector<Launch> launches = looked_up(convert::pack_qpn2(a, problem_.target));
  const auto pack_over = [&](std::uint8_t poison) {
    codes.fill(poison);
    scales.fill(poison);
    device_.run(launches);
    return std::pair(content_of(codes), content_of(scales));
  };
  std::tie(actual_.packed_codes, actual_.packed_scales) = pack_over(poisons[0]);
  if (pack_over(poisons[1]) != std::pair(actual_.packed_codes, actual_.packed_scales))
    throw device::Fault("packing left bytes of its outputs unwritten: two poisons gave two results");
}

qpn2::GemmArguments CaseOnDevice::arguments() {
  qpn2::GemmArguments a = arguments_of(problem_);
  a.codes = buffers_.input("codes", bytes_of(actual_.packed_codes)).address();
  a.scales = buffers_.input("scales", bytes_of(actual_.packed_scales)).address();
  const std::vector<std::uint16_t>& globals = matrix_.preparation.tile_global;
  if (matrix_.weights->globals.size() > 1)
    a.global.tiles = buffers_.input("global scales", bytes_of(globals)).address();
  else
    a.global.value = globals.at(0);
  a.x = x_->address();
  a.y = y_->address();
  return a;
}

void CaseOnDevice::poison() {
  poison_ = poisons[runs_++ % poisons.size()];
  y_->fill(poison_);
}

void CaseOnDevice::collect(std::string name, std::size_t round) {
  std::vector<std::uint16_t> all(y_->bytes() / sizeof(std::uint16_t));
  y_->download(std::as_writable_bytes(std::span(all)));
  Output output{std::move(name), round, {}};
  output.y.reserve(std::size_t{problem_.m} * problem_.columns());
  for (std::size_t row = 0; row < all.size() / problem_.ldy; ++row) {
    const std::span<const std::uint16_t> line(all.data() + row * problem_.ldy, problem_.ldy);
    const std::size_t outputs = row < problem_.m ? problem_.columns() : 0;
    output.y.insert(output.y.end(), line.begin(), line.begin() + static_cast<std::ptrdiff_t>(outputs));
    for (const std::uint16_t bits : line.subspan(outputs)) {
      outside_.insert(outside_.end(),
                      {static_cast<std::uint8_t>(bits), static_cast<std::uint8_t>(bits >> 8)});
      outside_expected_.insert(outside_expected_.end(), 2, poison_);
    }
  }
  if (problem_.m > 0) actual_.outputs.push_back(std::move(output));
  buffers_.inspect();
}

void CaseOnDevice::check_memory() {
  if (!outside_.empty())
    actual_.checks.push_back(compare::bitwise("bytes between outputs", outside_expected_, outside_));
  for (BufferChecks found : {buffers_.guards(), buffers_.inputs()}) {
    actual_.checks.push_back(std::move(found.check));
    actual_.notes += found.note;
  }
}

Actual CaseOnDevice::run(const std::vector<inputs::Inputs>& rounds) {
  pack();
  // With no rows there is still one row of memory that must stay as it is.
  const std::size_t rows = std::max(problem_.m, 1u);
  x_ = &buffers_.input("x", bytes_of(rounds.at(0).x));
  y_ = &buffers_.output("y", rows * problem_.ldy * sizeof(std::uint16_t), poisons[0]);
  const std::vector<Launch> launches = looked_up(run::launches(problem_, arguments()));
  device_.take_cost();  // packing is not part of the operator's cost

  poison();
  device_.run(launches);
  actual_.cost = device_.take_cost();
  collect("eager", 0);

  const auto graph = device_.capture(launches);
  for (std::size_t round = 1; round < rounds.size(); ++round) {
    buffers_.change(*x_, bytes_of(rounds[round].x));
    poison();
    graph->replay();
    collect("replay " + std::to_string(round), round);
  }
  poison();
  device_.run(launches);
  collect("eager again", rounds.size() - 1);

  if (problem_.m == 0) {
    const std::vector<std::uint8_t> none(1),
        counted{static_cast<std::uint8_t>(std::min<std::size_t>(launches.size(), 255))};
    actual_.checks.push_back(compare::bitwise("nothing launched", none, counted));
  }
  check_memory();
  return std::move(actual_);
}

}  // namespace

Actual run_on_device(device::Device& device, const Problem& problem, const Matrix& matrix,
                     const std::vector<inputs::Inputs>& rounds, const ModuleLookup& find_module) {
  return CaseOnDevice(device, problem, matrix, find_module).run(rounds);
}

}  // namespace quadpair::run
