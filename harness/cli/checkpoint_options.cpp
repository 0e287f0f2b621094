#include "harness/cli/checkpoint_options.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <filesystem>
#include <ostream>
#include <stdexcept>

#include "cases/checkpoint/checkpoint_suite.hpp"
#include "harness/cli/files.hpp"
#include "harness/cli/words.hpp"

namespace quadpair::cli {
namespace {

std::string complaint_about_numbers(const std::string& text) {
  try {
    parse_numbers(text);
    return "";
  } catch (const std::invalid_argument& e) {
    return e.what();
  }
}

std::set<std::uint32_t> numbers(const std::string& text) {
  return text.empty() ? std::set<std::uint32_t>{} : parse_numbers(text);
}

cases::Quantize quantize_of(const std::string& name) {
  if (name == "nvfp4") return cases::Quantize::nvfp4;
  if (name == "fp8") return cases::Quantize::fp8;
  return cases::Quantize::none;
}

}  // namespace

cases::ShardSelection CheckpointOptions::selection() const {
  return {tp, numbers(ranks), numbers(layers), quantize_of(quantize)};
}

std::vector<NamedFile> CheckpointOptions::files() const {
  std::vector<NamedFile> all{{"--family", family}};
  std::error_code none;  // of a path that is no folder, or not there: its reader says so
  for (const auto& entry : std::filesystem::directory_iterator(path, none))
    all.push_back({"a file of the checkpoint", entry.path()});
  if (none) all.push_back({"the checkpoint", path});
  return all;
}

std::vector<std::string> CheckpointOptions::words() const {
  std::vector<std::string> words{"--checkpoint", portable_path(path), "--tp", std::to_string(tp)};
  const auto add = [&](const char* option, const std::string& value) {
    if (!value.empty()) words.insert(words.end(), {option, value});
  };
  add("--ranks", ranks);
  add("--layers", layers);
  add("--quantize", quantize == "none" ? "" : quantize);
  add("--family", family.empty() ? "" : portable_path(family));
  return words;
}

CLI::Option* add_checkpoint(CLI::App& command, CheckpointOptions& options) {
  return command.add_option("--checkpoint", options.path, "a model's folder, or one safetensors file")
      ->check(not_empty)
      ->type_name("DIR");
}

CLI::Option* add_tp(CLI::App& command, std::uint32_t& tp) {
  return command.add_option("--tp", tp, "ranks that share the model (tensor parallelism)")
      ->check(CLI::Range(1, 4096))
      ->capture_default_str();
}

CLI::Option* add_quantize(CLI::App& command, std::string& quantize) {
  return command
      .add_option("--quantize", quantize,
                  "what becomes of tensors stored in FP16, BF16 or FP32: none (left out), nvfp4, fp8")
      ->check(CLI::IsMember({"none", "nvfp4", "fp8"}))
      ->capture_default_str();
}

CLI::Option* add_family(CLI::App& command, std::string& family) {
  return command
      .add_option("--family", family,
                  "which tensors form which projection, from your own JSON file (docs/checkpoints.md)")
      ->check(not_empty)
      ->type_name("FILE");
}

CLI::Option* add_checkpoint_shards(CLI::App& command, CheckpointOptions& options) {
  CLI::Option* checkpoint = add_checkpoint(command, options);
  add_tp(command, options.tp)->needs(checkpoint);
  command.add_option("--ranks", options.ranks, "only these ranks, e.g. 0,2-3")
      ->check(complaint_about_numbers)
      ->type_name("LIST")
      ->needs(checkpoint);
  command.add_option("--layers", options.layers, "only these layers, e.g. 0,3")
      ->check(complaint_about_numbers)
      ->type_name("LIST")
      ->needs(checkpoint);
  add_quantize(command, options.quantize)->needs(checkpoint);
  add_family(command, options.family)->needs(checkpoint);
  return checkpoint;
}

cases::Suite checkpoint_suite(const CheckpointOptions& options, const Selection& selection,
                              std::ostream* notes) {
  const auto slices = open_slices(options);
  const std::vector<std::string>& dense = slices->left_out();
  if (notes != nullptr && !dense.empty())
    *notes << fmt::format("left out: {} dense tensors ('{}' is the first); --quantize takes them\n",
                          dense.size(), dense.front());
  std::vector<std::uint32_t> rows = cases::checkpoint_rows;
  if (!selection.rows.empty()) {
    const std::set<std::uint32_t> wanted = parse_numbers(selection.rows);
    rows.assign(wanted.begin(), wanted.end());
  }
  const std::filesystem::path path = portable_path(options.path);
  cases::Suite suite = cases::checkpoint_suite(slices, path.string(), rows);
  narrow(suite, selection);
  return suite;
}

cases::Family choose_family(const std::string& file, const cases::ModelConfig& config,
                            const std::vector<std::string>& tensors) {
  return file.empty() ? family_of(config, tensors) : cases::parse_family(cases::read_text_file(file), file);
}

std::shared_ptr<const cases::CheckpointSlices> open_slices(const CheckpointOptions& options) {
  const auto checkpoint = std::make_shared<const cases::Checkpoint>(options.path);
  const cases::Family family =
      choose_family(options.family, checkpoint->config(), checkpoint->tensor_names());
  return std::make_shared<const cases::CheckpointSlices>(checkpoint, family, options.selection());
}

}  // namespace quadpair::cli
