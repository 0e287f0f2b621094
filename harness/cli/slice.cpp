#include <fmt/format.h>
#include <re2/re2.h>

#include <CLI/CLI.hpp>
#include <memory>
#include <ostream>
#include <random>

#include "cases/checkpoint/slice_file.hpp"
#include "cases/error.hpp"
#include "harness/cli/checkpoint_options.hpp"
#include "harness/cli/command.hpp"
#include "harness/cli/common_options.hpp"
#include "harness/cli/files.hpp"
#include "reports/atomic_file.hpp"

namespace quadpair::cli {
namespace {

struct SliceOptions {
  CheckpointOptions checkpoint;
  std::string tensor, projection;
  std::int64_t layer = -1;  ///< -1: of no layer
  std::uint32_t rank = 0;
  bool anonymise = false;
  std::string output;
};

/// "model.layers.3.mlp.down_proj.weight_packed" stands for its module, as the module's own name does.
std::string module_of(std::string tensor) {
  RE2::Replace(&tensor, R"(\.weight(_[a-z0-9_]+)?$)", "");
  return tensor;
}

cases::ShardSelection selection_of(const SliceOptions& options) {
  cases::ShardSelection selection = options.checkpoint.selection();
  selection.ranks = {options.rank};
  if (options.layer >= 0) selection.layers = {static_cast<std::uint32_t>(options.layer)};
  selection.tensor = module_of(options.tensor);
  return selection;
}

/// Whether "model.layers.3.mlp.down_proj" is called "mlp.down_proj".
bool is_called(const std::string& name, const std::string& wanted) {
  return name == wanted || (name.ends_with(wanted) && name[name.size() - wanted.size() - 1] == '.');
}

/// Why no slice is what the options name.
Error not_found(const cases::CheckpointSlices& slices, const SliceOptions& options) {
  std::string names;
  std::vector<std::string> dense = slices.left_out();
  for (const auto& [name, head] : slices.heads()) dense.push_back(name.substr(0, name.find('@')));
  for (const std::string& name : dense)
    if (is_called(name, options.projection))
      return {Exit::usage, fmt::format("--projection: '{}' is stored dense; --quantize takes it", name)};
  for (const std::string& name : slices.names()) {
    const cases::Projection& projection = slices.shard(name).projection;
    if (is_called(projection.name, options.projection))
      return {Exit::usage, fmt::format("--projection: \"{}\" is one of each layer; --layer says which",
                                       options.projection)};
    names += (names.empty() ? "" : ", ") + projection.name;
  }
  return {Exit::usage, fmt::format("--projection: \"{}\" is none of {:.1000}", options.projection, names)};
}

/// The one slice that is meant.
std::string name_of(const cases::CheckpointSlices& slices, const SliceOptions& options) {
  std::string found;
  for (const std::string& name : slices.names()) {
    const cases::Projection& projection = slices.shard(name).projection;
    const bool of_layer = options.layer >= 0 || !options.tensor.empty() || !projection.layer;
    if (options.tensor.empty() && (!of_layer || !is_called(projection.name, options.projection))) continue;
    if (!found.empty())
      throw Error(Exit::usage, fmt::format("--projection: \"{}\" is more than one projection: {} and {}",
                                           options.projection, found, name));
    found = name;
  }
  if (found.empty()) throw not_found(slices, options);
  return found;
}

int slice(const SliceOptions& options, const Environment& environment) {
  const auto checkpoint = std::make_shared<const cases::Checkpoint>(options.checkpoint.path);
  const cases::Family family =
      choose_family(options.checkpoint.family, checkpoint->config(), checkpoint->tensor_names());
  const cases::CheckpointSlices slices(checkpoint, family, selection_of(options));
  const std::string name = name_of(slices, options);
  std::optional<std::uint64_t> anonymous;
  if (options.anonymise) {
    std::random_device chance;  // not recorded anywhere, so that nobody can undo the shuffle
    anonymous = std::uint64_t{chance()} << 32 | chance();
  }
  const std::string file = slice_file(slices, name, anonymous);
  try {
    reports::write_atomically(options.output, file);
  } catch (const std::system_error& e) {
    throw Error(Exit::usage, fmt::format("--output: {}", e.what()));
  }
  const cases::SliceShape shape = slices.shape(name).value();
  environment.out << fmt::format("{}: {} x {}, {} bytes{}: {}\n", name, shape.n, shape.k, file.size(),
                                 options.anonymise ? ", anonymous" : "", options.output);
  return 0;
}

}  // namespace

Action add_slice(CLI::App& program, const Environment& environment) {
  const auto options = std::make_shared<SliceOptions>();
  CLI::App& command =
      *program.add_subcommand("slice", "Cut one projection's shard out of a checkpoint into a small one");
  add_checkpoint(command, options->checkpoint)->required();
  CLI::App& what = *command.add_option_group("what");
  what.add_option("--projection", options->projection, "its name, e.g. mlp.down_proj or lm_head")
      ->check(not_empty)
      ->type_name("NAME");
  what.add_option("--tensor", options->tensor,
                  "instead: a stored tensor, e.g. model.layers.3.mlp.up_proj.weight")
      ->check(not_empty)
      ->type_name("NAME");
  what.require_option(1);
  command.add_option("--layer", options->layer, "the projection's layer")
      ->check(CLI::Range(0, 4095))
      ->type_name("N");
  command.add_option("--rank", options->rank, "which rank's shard")
      ->check(CLI::Range(0, 4095))
      ->capture_default_str();
  add_tp(command, options->checkpoint.tp);
  add_quantize(command, options->checkpoint.quantize);
  add_family(command, options->checkpoint.family);
  command.add_flag("--anonymise", options->anonymise,
                   "shuffle codes and scales: their histograms stay, the weights are gone");
  add_output(command, "-o,--output", options->output, "the safetensors file to write");
  command.get_option("--output")->required();
  command.footer(
      "Examples:\n"
      "  quadpair slice --checkpoint models/llama --projection mlp.down_proj --layer 3 --rank 2 --tp 4 -o "
      "down.safetensors\n"
      "  quadpair slice --checkpoint models/llama --projection mlp.gate_up_proj --layer 0 --anonymise -o "
      "bug.safetensors\n"
      "  quadpair verify --checkpoint down.safetensors");
  return [options, &environment] {
    require_distinct({{"--output", options->output}}, options->checkpoint.files());
    return slice(*options, environment);
  };
}

}  // namespace quadpair::cli
