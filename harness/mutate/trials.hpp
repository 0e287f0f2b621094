// One thread's trials of the mutants of one entry.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "harness/mutate/subjects.hpp"
#include "harness/mutate/trial.hpp"
#include "reference/tensor_core/model.hpp"

namespace quadpair::mutate {

struct Fate {
  bool loaded = true;  ///< false: the emulator refused the mutant
  std::optional<std::string> killed_by, how;
};

class Trials {
 public:
  /// `targets` launch the module; both outlive it.
  Trials(const std::vector<CostedSubject>& targets, const Module& sound);

  /// Runs the mutant on case after case until one notices: first those that are likely to for what they cost,
  /// by what they noticed lately, with the first round of inputs; then the first few with the other rounds,
  /// and with the sanitizer.
  Fate judge(const Module& mutant);

 private:
  struct Turn {
    const CostedSubject* target = nullptr;
    std::unique_ptr<Trial> trial{}, sanitized{};
    bool clean = true;  ///< the sanitizer finds nothing in the sound kernel
    double rate = 0.5;  ///< of mutants that it noticed, lately

    double worth() const { return rate / static_cast<double>(target->instructions); }
  };

  device::Device& device_of(reference::Model model, bool sanitize);
  Trial& trial_of(Turn& turn, bool sanitize);
  std::optional<std::string> hear(Turn& turn, const Module& mutant, std::size_t round, bool sanitize);

  const Module& sound_;
  std::uint64_t budget_ = 0;
  std::map<std::pair<reference::Model, bool>, std::unique_ptr<device::Device>> devices_;
  std::vector<Turn> turns_;
};

}  // namespace quadpair::mutate
