// One thread's trials of the mutants of one entry.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "harness/device/emulator/emulator.hpp"
#include "harness/mutate/equivalence/equivalence.hpp"
#include "harness/mutate/mutations.hpp"
#include "harness/mutate/subjects.hpp"
#include "harness/mutate/trial.hpp"
#include "reference/tensor_core/model.hpp"

namespace quadpair::mutate {

struct Fate {
  bool loaded = true;            ///< false: the emulator refused the mutant
  std::optional<Proof> proof{};  ///< that it computes the same: then it is not run
  std::optional<std::string> killed_by{}, how{};
};

class Trials {
 public:
  /// `targets` launch the entry; both outlive it.
  Trials(const std::vector<CostedSubject>& targets, const EntryText& sound);

  /// Proves that the mutant computes the same, or runs it.
  Fate judge(const Mutation& mutation);

  /// Runs the mutant on case after case until one notices: first those that are likely to for what they cost,
  /// by what they noticed lately, with the first round of inputs; then all with the other rounds, and with
  /// the sanitizer.
  Fate run(const Mutation& mutation);

 private:
  struct Turn {
    const CostedSubject* target = nullptr;
    std::unique_ptr<Trial> trial{}, sanitized{};
    bool clean = true;  ///< the sanitizer finds nothing in the sound kernel
    double rate = 0.5;  ///< of mutants that it noticed, lately

    double worth() const { return rate / static_cast<double>(target->instructions); }
  };

  bool load(const Mutation& mutation);
  Fate run_loaded();
  device::Device& device_of(reference::Model model, bool sanitize);
  Trial& trial_of(Turn& turn, bool sanitize);
  std::optional<std::string> hear(Turn& turn, std::size_t round, bool sanitize);

  const EntryText& sound_;
  const Facts facts_;
  Equivalence equivalence_;
  DamagedEntry damaged_;
  device::Variant variant_;  ///< of all devices
  Module mutant_;
  std::uint64_t mutants_ = 0;
  std::map<std::pair<reference::Model, bool>, std::unique_ptr<device::Device>> devices_;
  std::vector<Turn> turns_;
};

}  // namespace quadpair::mutate
