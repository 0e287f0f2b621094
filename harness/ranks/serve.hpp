// What all ranks but the leading one do.
#pragma once

#include "harness/ranks/lane.hpp"
#include "harness/ranks/messages.hpp"

namespace quadpair::ranks {

/// Runs what rank 0 gives, until it says to stop. Throws NoMessages when rank 0 was heard of once and then is
/// lost.
void serve(Messages& messages, const Introduction& introduction, const run::Options& options,
           const run::Isolation& isolation, const Turn& turn, const Patience& patience = {});

}  // namespace quadpair::ranks
