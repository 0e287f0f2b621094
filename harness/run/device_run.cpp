#include "harness/run/device_run.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "harness/compare/check.hpp"
#include "harness/compare/hash.hpp"
#include "harness/run/device_buffers.hpp"
#include "harness/run/launches.hpp"
#include "harness/run/place.hpp"
#include "harness/run/restored_scales.hpp"
#include "harness/run/route.hpp"
#include "harness/run/schedule.hpp"
#include "harness/run/weights_on_device.hpp"
#include "harness/run/work.hpp"

namespace quadpair::run {
namespace {

class CaseOnDevice {
 public:
  CaseOnDevice(device::Device& device, const CaseData& data, const ModuleLookup& find_module)
      : device_(device), data_(data), problem_(data.problem), find_module_(find_module), buffers_(device) {}

  Actual run();

 private:
  std::vector<Launch> ready(std::vector<Launch> launches);
  Work work(const Problem& problem, const Operands& operands);
  Work control_work();
  void run_control(const std::string& name, std::size_t round);
  void pack();
  void poison();
  void collect(std::string name, std::size_t round);
  void run_larger();
  void check_route(const std::vector<Launch>& launches);
  void check_memory();
  /// The operator's weights with the buffers of a place.
  Operands operands(const Place& place) const { return place.operands(weights_ ? &*weights_ : nullptr); }

  device::Device& device_;
  const CaseData& data_;
  const Problem& problem_;
  const ModuleLookup& find_module_;
  DeviceBuffers buffers_;
  std::optional<DeviceWeights> weights_;
  std::optional<Place> place_;
  std::optional<Work> control_;
  std::size_t runs_ = 0;
  std::uint8_t poison_ = 0;
  std::vector<std::uint8_t> outside_, outside_expected_;  ///< bytes of y that are no outputs
  Actual actual_;
};

std::vector<Launch> CaseOnDevice::ready(std::vector<Launch> launches) {
  launches = looked_up(std::move(launches), find_module_);
  add_kernels(launches, device_, actual_.kernels);
  return launches;
}

Work CaseOnDevice::work(const Problem& problem, const Operands& operands) {
  if (!problem.library) return {device_, ready(problem.op.launches(operands))};
  std::vector<device::LibraryGemm> products = library_products(problem, operands);
  for (device::LibraryGemm& product : products) product.before = ready(std::move(product.before));
  return {device_, std::move(products)};
}

/// The library over weights that the reference decoded.
Work CaseOnDevice::control_work() {
  const auto weights = data_.matrix.decoded(problem_.op.rule).rows(0, problem_.n);
  const DevicePtr address = buffers_.input("control weights", bytes_of(weights)).address();
  return {device_, control_products(problem_, operands(*place_), address)};
}

/// What the library makes of the round that x holds with control weights.
void CaseOnDevice::run_control(const std::string& name, std::size_t round) {
  if (!problem_.library || problem_.rows == 0) return;
  if (!control_) control_.emplace(control_work());
  poison();
  control_->run();
  collect("library on control weights, " + name, round);
}

void CaseOnDevice::pack() {
  const Execute execute = [&](std::span<const Launch> launches) {
    device_.run(ready({launches.begin(), launches.end()}));
  };
  weights_.emplace(pack_weights(problem_, data_.matrix, buffers_, execute));
  actual_.weight_checks = weights_->checks;
  if (problem_.policy == StoragePolicy::compact)
    actual_.weight_checks.push_back(
        restored_scales(device_, problem_, data_.matrix, std::get<Projection>(weights_->packed), execute));
}

void CaseOnDevice::poison() {
  poison_ = poisons[runs_++ % poisons.size()];
  place_->y->fill(poison_);
  if (place_->workspace != nullptr) place_->workspace->fill(poison_);
}

void CaseOnDevice::collect(std::string name, std::size_t round) {
  std::vector<std::uint16_t> all(place_->y->bytes() / sizeof(std::uint16_t));
  place_->y->download(std::as_writable_bytes(std::span(all)));
  Output output{std::move(name), round, {}};
  output.y.reserve(std::size_t{problem_.rows} * problem_.columns);
  const auto stays = [&](std::uint16_t bits) {
    outside_.insert(outside_.end(), {static_cast<std::uint8_t>(bits), static_cast<std::uint8_t>(bits >> 8)});
    outside_expected_.insert(outside_expected_.end(), 2, poison_);
  };
  const std::span<const std::uint16_t> rows = std::span(all).subspan(problem_.y_before);
  std::ranges::for_each(std::span(all).first(problem_.y_before), stays);
  for (std::size_t row = 0; row < rows.size() / problem_.ldy; ++row) {
    const std::span<const std::uint16_t> line = rows.subspan(row * problem_.ldy, problem_.ldy);
    const std::size_t outputs = row < problem_.rows ? problem_.columns : 0;
    output.y.insert(output.y.end(), line.begin(), line.begin() + static_cast<std::ptrdiff_t>(outputs));
    std::ranges::for_each(line.subspan(outputs), stays);
  }
  if (problem_.rows > 0) actual_.outputs.push_back(std::move(output));
}

void CaseOnDevice::run_larger() {
  const Place larger(buffers_, *data_.larger, *data_.larger_inputs, poisons[0]);
  work(*data_.larger, operands(larger)).run();
}

void CaseOnDevice::check_route(const std::vector<Launch>& launches) {
  add_kernels(launches, device_, actual_.route);
  BufferChecks checked = route_check(problem_.op.route, launches);
  actual_.checks.push_back(std::move(checked.check));
  actual_.notes += checked.note;
}

void CaseOnDevice::check_memory() {
  if (!outside_.empty())
    actual_.checks.push_back(compare::bitwise("bytes between outputs", outside_expected_, outside_));
  buffers_.inspect();
  for (BufferChecks found : {buffers_.guards(), buffers_.inputs()}) {
    actual_.checks.push_back(std::move(found.check));
    actual_.notes += found.note;
  }
}

Actual CaseOnDevice::run() {
  const std::vector<inputs::Inputs>& rounds = data_.rounds;
  if (problem_.policy || problem_.fp8) pack();
  place_.emplace(buffers_, problem_, rounds.at(0), poisons[0]);
  Work case_work = work(problem_, operands(*place_));
  const std::vector<Launch> launches = case_work.launches();
  check_route(launches);
  device_.take_cost();  // packing is not part of the operator's cost

  poison();
  case_work.run();
  actual_.cost = device_.take_cost();
  collect("eager", 0);
  run_control("eager", 0);

  const auto graph = case_work.capture();
  for (std::size_t round = 1; round < rounds.size(); ++round) {
    buffers_.change(*place_->x, bytes_of(rounds[round].x));
    poison();
    graph->replay();
    const std::string name = "replay " + std::to_string(round);
    collect(name, round);
    run_control(name, round);
  }
  if (runs_eagerly_again(problem_.m, problem_.n, problem_.k)) {
    poison();
    case_work.run();
    collect("eager again", rounds.size() - 1);
  }
  if (data_.larger != nullptr) {
    run_larger();
    poison();
    graph->replay();
    collect("replay after a larger run", rounds.size() - 1);
  }
  if (problem_.rows == 0) {
    const std::vector<std::uint8_t> none(1),
        counted{static_cast<std::uint8_t>(std::min<std::size_t>(launches.size(), 255))};
    actual_.checks.push_back(compare::bitwise("nothing launched", none, counted));
  }
  check_memory();
  return std::move(actual_);
}

}  // namespace

std::vector<Fingerprint> fingerprints(const Actual& actual) {
  std::vector<Fingerprint> found;
  for (const Output& output : actual.outputs)
    found.push_back({output.name, compare::hash(bytes_of(output.y))});
  return found;
}

Actual run_on_device(device::Device& device, const CaseData& data, const ModuleLookup& find_module) {
  return CaseOnDevice(device, data, find_module).run();
}

}  // namespace quadpair::run
