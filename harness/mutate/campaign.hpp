// Every damage to every entry of a kernel against the cases that run it.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "cases/suite.hpp"
#include "harness/mutate/entry_text.hpp"
#include "harness/mutate/equivalence/equivalence.hpp"
#include "harness/mutate/mutations.hpp"
#include "kernels/common/module.hpp"

namespace quadpair::mutate {

struct Request {
  const Module* module = nullptr;
  std::vector<cases::Case> cases;  ///< of any operator and target: those that launch the module are used
  std::uint64_t seed = 1;          ///< of weights and activations, and of the sample
  std::size_t sample = 0;          ///< mutants, drawn at random; 0: all
  unsigned jobs = 0;               ///< threads, as device::thread_count() says
};

struct Mutant {
  std::string entry;
  std::uint32_t ptx_line = 0;
  std::string source, caller;
  std::string before, after;  ///< the instruction; `after` is empty where it is left out
  Kind kind = Kind::operation;
};

struct Tally {
  std::size_t mutants = 0, killed = 0;
};

struct Findings {
  Tally all;
  std::map<Kind, Tally> by_kind;
  std::map<std::string, std::size_t> killed_by;  ///< case id
  std::map<std::string, std::size_t> noticed;    ///< "mismatch", "fault", "memory"
  std::map<Proof, std::size_t> proved;           ///< to compute the same; none of `all`
  std::vector<Mutant> survivors;                 ///< by entry and place
  std::vector<std::string> never_run;            ///< entries that no case launches
  std::size_t cases = 0;                         ///< that launch the module
};

/// Called by one thread at a time: mutants that are done, of how many.
using Progress = std::function<void(std::size_t done, std::size_t of)>;

/// A mutant is killed when one of the cases that launch its entry faults on it, runs past a budget of some
/// times what the sound kernel takes, gives another output than the reference, or writes where it must not.
/// Mutants that the emulator refuses to load are none. Throws std::runtime_error when the sound kernel itself
/// is noticed by a case; a stop leaves out what is not done.
Findings campaign(const Request& request, const Progress& progress, const std::stop_token& stop = {});

}  // namespace quadpair::mutate
