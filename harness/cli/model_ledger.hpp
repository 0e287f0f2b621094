// The ledger of the model that a command works on.
#pragma once

#include <iosfwd>
#include <optional>

#include "cases/suite.hpp"
#include "harness/cli/checkpoint_options.hpp"
#include "harness/cli/storage_ledger.hpp"

namespace quadpair::cli {

/// What each rank of the model at `options.path` holds: a config.json, a folder with one, or a checkpoint,
/// whose dense tensors other than the head are not counted, which a note says. Throws cases::DataError.
ledger::StoredModel stored_model(const CheckpointOptions& options, std::ostream& notes);

/// Every policy's ledger of the whole model that a suite's cases are of: the checkpoint's where there is one,
/// else the production model's where a case has a slice of it. Nothing for other suites, and for a checkpoint
/// of which more than the suite's part cannot be had: a note says why.
std::optional<reports::Ledger> suite_ledger(const cases::Suite& suite, const CheckpointOptions& checkpoint,
                                            std::ostream& notes);

}  // namespace quadpair::cli
