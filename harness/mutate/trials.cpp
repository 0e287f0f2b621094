#include "harness/mutate/trials.hpp"

#include <algorithm>
#include <span>

#include "harness/device/emulator/emulator.hpp"

namespace quadpair::mutate {
namespace {

/// How often the sound kernel's instructions a mutant may take; packing takes about as many again.
constexpr std::uint64_t patience = 8;

/// Cases that run with other inputs and with the sanitizer too, where all have passed with their first.
constexpr std::size_t few = 8;

constexpr double memory = 0.9;  ///< of a turn's rate, from one mutant to the next

}  // namespace

Trials::Trials(const std::vector<CostedSubject>& targets, const Module& sound) : sound_(sound) {
  for (const CostedSubject& target : targets) {
    budget_ = std::max(budget_, patience * target.instructions);
    turns_.push_back({&target});
  }
}

device::Device& Trials::device_of(reference::Model model, bool sanitize) {
  std::unique_ptr<device::Device>& device = devices_[{model, sanitize}];
  if (!device) {
    device::EmulatorOptions options;
    options.model = model;
    options.threads = 1;
    options.budget = budget_;
    options.sanitize = sanitize;
    device = device::make_emulator(options);
  }
  return *device;
}

Trial& Trials::trial_of(Turn& turn, bool sanitize) {
  std::unique_ptr<Trial>& trial = sanitize ? turn.sanitized : turn.trial;
  if (!trial) {
    const Subject& subject = *turn.target->subject;
    trial = std::make_unique<Trial>(subject, device_of(subject.problem.model, sanitize));
    trial->load(sound_);
    if (sanitize) turn.clean = !trial->run(0);
  }
  return *trial;
}

std::optional<std::string> Trials::hear(Turn& turn, const Module& mutant, std::size_t round, bool sanitize) {
  Trial& trial = trial_of(turn, sanitize);
  if (sanitize && !turn.clean) return std::nullopt;
  trial.load(mutant);
  auto how = trial.run(round);
  if (trial.spoiled()) (sanitize ? turn.sanitized : turn.trial).reset();
  return how;
}

Fate Trials::judge(const Module& mutant) {
  std::ranges::sort(turns_, [](const Turn& a, const Turn& b) { return a.worth() > b.worth(); });
  try {
    trial_of(turns_.front(), false).load(mutant);
  } catch (const device::Fault&) {
    return {false, std::nullopt, std::nullopt};
  }
  for (Turn& turn : turns_) {
    auto how = hear(turn, mutant, 0, false);
    turn.rate = memory * turn.rate + (how ? 1 - memory : 0);
    if (how) return {true, turn.target->subject->c.id, std::move(how)};
  }
  const std::size_t rounds = turns_.front().target->subject->rounds.size();
  for (Turn& turn : std::span(turns_).first(std::min(turns_.size(), few))) {
    for (std::size_t round = 1; round < rounds; ++round)
      if (auto how = hear(turn, mutant, round, false))
        return {true, turn.target->subject->c.id, std::move(how)};
    if (auto how = hear(turn, mutant, 0, true)) return {true, turn.target->subject->c.id, std::move(how)};
  }
  return {};
}

}  // namespace quadpair::mutate
