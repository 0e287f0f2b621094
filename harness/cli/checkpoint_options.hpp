// Options of commands that read a checkpoint.
#pragma once

#include <cstdint>
#include <iosfwd>
#include <memory>
#include <string>
#include <vector>

#include "cases/checkpoint/checkpoint_slices.hpp"
#include "harness/cli/files.hpp"
#include "harness/cli/select.hpp"

namespace CLI {
class App;
class Option;
}  // namespace CLI

namespace quadpair::cli {

struct CheckpointOptions {
  std::string path;  ///< a folder or a safetensors file; empty: none
  std::uint32_t tp = 1;
  std::string ranks, layers;  ///< "0,2-3"; empty: all
  std::string quantize = "none";
  std::string family;  ///< a file instead of the built-in families; empty: none

  /// Throws std::invalid_argument for a list that its check did not see.
  cases::ShardSelection selection() const;

  /// The family's file, and those of the checkpoint.
  std::vector<NamedFile> files() const;

  /// The words that give these options again.
  std::vector<std::string> words() const;
};

/// --checkpoint, checked when the command line is read, as each of the following.
CLI::Option* add_checkpoint(CLI::App& command, CheckpointOptions& options);
CLI::Option* add_tp(CLI::App& command, std::uint32_t& tp);
CLI::Option* add_quantize(CLI::App& command, std::string& quantize);
CLI::Option* add_family(CLI::App& command, std::string& family);

/// All of the above, --ranks and --layers, each only together with --checkpoint, which is given.
CLI::Option* add_checkpoint_shards(CLI::App& command, CheckpointOptions& options);

/// The user's family, else the one of the config's architecture. Throws cases::DataError.
cases::Family choose_family(const std::string& file, const cases::ModelConfig& config,
                            const std::vector<std::string>& tensors);

/// The checkpoint's shards as a suite, at the rows of --m or the usual ones, and narrowed by the selection.
/// Throws cases::DataError.
cases::Suite checkpoint_suite(const CheckpointOptions& options, const Selection& selection,
                              std::ostream* notes);

/// Opens the checkpoint. Throws cases::DataError.
std::shared_ptr<const cases::CheckpointSlices> open_slices(const CheckpointOptions& options);

}  // namespace quadpair::cli
