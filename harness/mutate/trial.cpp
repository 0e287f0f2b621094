#include "harness/mutate/trial.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "harness/run/schedule.hpp"

namespace quadpair::mutate {

Trial::Trial(const Subject& subject, device::Device& device)
    : subject_(subject), device_(device), buffers_(device) {
  const Execute execute = [&](std::span<const Launch> launches) { device.run(launches); };
  if (subject.problem.policy || subject.problem.fp8)
    weights_.emplace(run::pack_weights(subject.problem, *subject.matrix, buffers_, execute));
  place_.emplace(buffers_, subject.problem, subject.rounds.at(0), run::poisons[0]);
  launches_ = subject.problem.op.launches(place_->operands(weights_ ? &*weights_ : nullptr));
}

void Trial::load(const Module& module, std::string_view entry) {
  mend();
  loaded_launches_ = launches_;
  for (Launch& launch : loaded_launches_)
    if (launch.module->name == module.name && launch.module->target == module.target && launch.entry == entry)
      launch.module = &module;
  loaded_ = device_.capture(loaded_launches_);
}

std::uint64_t Trial::count() {
  device_.take_cost();
  device_.run(loaded_launches_);
  const auto cost = device_.take_cost();
  std::uint64_t sum = 0;
  for (const auto& [kind, count] : cost->warp_instructions) sum += count;
  for (const auto& [shape, count] : cost->mma) sum += count;
  return sum;
}

std::optional<std::string> Trial::run(std::size_t round) {
  const run::Problem& p = subject_.problem;
  if (round != round_) buffers_.change(*place_->x, run::bytes_of(subject_.rounds.at(round).x));
  round_ = round;
  const std::uint8_t poison = run::poisons.at(round);
  place_->y->fill(poison);
  if (place_->workspace != nullptr) place_->workspace->fill(poison);
  try {
    loaded_->replay();
  } catch (const device::Fault& fault) {
    mend();
    return fmt::format("fault: {}", fault.what());
  }
  std::vector<std::uint16_t> y(place_->y->bytes() / sizeof(std::uint16_t));
  place_->y->download(std::as_writable_bytes(std::span(y)));
  std::vector<std::uint16_t> wanted(y.size(), static_cast<std::uint16_t>(poison << 8 | poison));
  for (std::size_t row = 0; row < p.rows; ++row)
    std::copy_n(subject_.expected.at(round).begin() + static_cast<std::ptrdiff_t>(row * p.columns), p.columns,
                wanted.begin() + static_cast<std::ptrdiff_t>(p.y_before + row * p.ldy));
  const bool whole = mend();
  if (y != wanted) return "mismatch";
  if (!whole) return "memory";
  return std::nullopt;
}

bool Trial::mend() {
  if (buffers_.intact()) return true;
  buffers_.restore();
  return false;
}

}  // namespace quadpair::mutate
