// One run as several processes, which mpirun has started.
#pragma once

#include <iosfwd>
#include <memory>
#include <string>
#include <vector>

#include "harness/cli/environment.hpp"
#include "harness/ranks/lead.hpp"

namespace quadpair::cli {

/// Nothing where mpirun has not started several. Throws Error with Exit::usage where they cannot talk.
std::unique_ptr<ranks::Messages> join_ranks(const Environment& environment);

/// The device that a rank uses: GPUs are dealt out to the ranks of a host unless one is chosen.
std::string device_of_rank(const std::string& device, const ranks::Messages& messages);

/// The threads that a rank uses: those that are chosen, else its share of the host's cores.
unsigned jobs_of_rank(unsigned jobs, const ranks::Messages& messages);

/// Waits for the GPU, case by case: ranks share one that there are too many of them for.
ranks::Turn turn_on(const ChosenDevice& device, const Environment& environment,
                    const std::vector<std::string>& words);

/// ranks::lead and ranks::serve; a rank that is not like the first, and one that cannot talk, throw Error.
void lead_ranks(ranks::Messages& messages, const ChosenDevice& device, const std::vector<cases::Case>& cases,
                const run::Options& options, const run::Isolation& isolation, const ranks::Turn& turn,
                const run::OnFinished& on_finished, std::ostream& err, const std::stop_token& stop);
void serve_ranks(ranks::Messages& messages, const ChosenDevice& device, const run::Options& options,
                 const run::Isolation& isolation, const ranks::Turn& turn);

}  // namespace quadpair::cli
