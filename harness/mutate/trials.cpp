#include "harness/mutate/trials.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "harness/device/emulator/ptx/parser.hpp"

namespace quadpair::mutate {
namespace {

/// How often the sound kernel's instructions a mutant may take.
constexpr std::uint64_t patience = 8;

constexpr double memory = 0.9;  ///< of a turn's rate, from one mutant to the next

}  // namespace

Trials::Trials(const std::vector<CostedSubject>& targets, const EntryText& sound)
    : sound_(sound),
      facts_(sound.entry(), sound.admitted()),
      equivalence_(sound.entry(), facts_),
      damaged_(sound),
      mutant_(sound.module()) {
  for (const CostedSubject& target : targets) turns_.push_back({&target});
}

device::Device& Trials::device_of(reference::Model model, bool sanitize) {
  std::unique_ptr<device::Device>& device = devices_[{model, sanitize}];
  if (!device) {
    device::EmulatorOptions options;
    options.model = model;
    options.threads = 1;
    options.sanitize = sanitize;
    options.variant = &variant_;
    device = device::make_emulator(options);
  }
  return *device;
}

Trial& Trials::trial_of(Turn& turn, bool sanitize) {
  std::unique_ptr<Trial>& trial = sanitize ? turn.sanitized : turn.trial;
  if (!trial) {
    variant_.budget = device::Variant{}.budget;
    const Subject& subject = *turn.target->subject;
    trial = std::make_unique<Trial>(subject, device_of(subject.problem.model, sanitize));
    if (sanitize) {
      trial->load(sound_.module(), sound_.entry().name);
      turn.clean = !trial->run(0);
    }
  }
  return *trial;
}

std::optional<std::string> Trials::hear(Turn& turn, std::size_t round, bool sanitize) {
  Trial& trial = trial_of(turn, sanitize);
  if (sanitize && !turn.clean) return std::nullopt;
  variant_.budget = patience * turn.target->instructions;
  trial.load(mutant_, sound_.entry().name);
  return trial.run(round);
}

/// False where the emulator refuses the mutant.
bool Trials::load(const Mutation& mutation) {
  std::ranges::sort(turns_, [](const Turn& a, const Turn& b) { return a.worth() > b.worth(); });
  variant_.sha256 = fmt::format("mutant {}", mutants_++);
  mutant_.ptx_sha256 = variant_.sha256;
  try {
    variant_.program = &damaged_.with(mutation.place, mutation.text);
    trial_of(turns_.front(), false).load(mutant_, sound_.entry().name);
    return true;
  } catch (const device::Fault&) {
    return false;
  } catch (const ptx::ParseError&) {
    return false;
  }
}

Fate Trials::judge(const Mutation& mutation) {
  if (!load(mutation)) return {.loaded = false};
  if (const auto proof = equivalence_.proof(mutation.place, damaged_.damaged())) return {.proof = proof};
  return run_loaded();
}

Fate Trials::run(const Mutation& mutation) {
  return load(mutation) ? run_loaded() : Fate{.loaded = false};
}

Fate Trials::run_loaded() {
  for (Turn& turn : turns_) {
    auto how = hear(turn, 0, false);
    turn.rate = memory * turn.rate + (how ? 1 - memory : 0);
    if (how) return {.killed_by = turn.target->subject->c.id, .how = std::move(how)};
  }
  const std::size_t rounds = turns_.front().target->subject->rounds.size();
  for (Turn& turn : turns_) {
    for (std::size_t round = 1; round < rounds; ++round)
      if (auto how = hear(turn, round, false))
        return {.killed_by = turn.target->subject->c.id, .how = std::move(how)};
    if (auto how = hear(turn, 0, true))
      return {.killed_by = turn.target->subject->c.id, .how = std::move(how)};
  }
  return {};
}

}  // namespace quadpair::mutate
