#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <filesystem>
#include <memory>
#include <ostream>

#include "harness/cli/checkpoint_options.hpp"
#include "harness/cli/command.hpp"
#include "harness/cli/common_options.hpp"
#include "harness/cli/files.hpp"
#include "harness/cli/storage_ledger.hpp"
#include "harness/cli/table.hpp"
#include "harness/cli/words.hpp"
#include "reports/atomic_file.hpp"
#include "reports/json.hpp"

namespace quadpair::cli {
namespace {

namespace fs = std::filesystem;
using ledger::RankLedger;
using reports::Json;

struct LedgerOptions {
  CheckpointOptions model;
  std::string policy = "compact", against, json;
};

/// Whether the path holds tensors, and is not a config alone.
bool has_tensors(const fs::path& path) {
  if (!fs::is_directory(path)) return path.extension() != ".json";
  for (const fs::directory_entry& entry : fs::directory_iterator(path))
    if (entry.path().extension() == ".safetensors") return true;
  return false;
}

struct Model {
  std::vector<std::vector<ledger::StoredProjection>> ranks;
  std::string tied;  ///< the module of the embedding that is the head too; empty where the head has its own
};

Model model_of_config(const LedgerOptions& options) {
  fs::path file = options.model.path;
  if (fs::is_directory(file)) file /= "config.json";
  const cases::ModelConfig config =
      cases::parse_model_config(cases::read_text_file(file), portable_path(file.string()));
  const cases::Family family = choose_family(options.model.family, config, {});
  Model model;
  for (std::uint32_t rank = 0; rank < options.model.tp; ++rank)
    model.ranks.push_back(ledger::from_config(family, config, rank, options.model.tp));
  for (const cases::Projection& projection : projections_of(family, config))
    if (projection.tied) model.tied = projection.parts.at(0).tensor;
  return model;
}

Model model_of_checkpoint(const LedgerOptions& options, std::ostream& notes) {
  const auto checkpoint = std::make_shared<const cases::Checkpoint>(options.model.path);
  const cases::Family family =
      choose_family(options.model.family, checkpoint->config(), checkpoint->tensor_names());
  const cases::CheckpointSlices slices(checkpoint, family, options.model.selection());
  if (!slices.left_out().empty())
    notes << fmt::format("not counted: {} dense tensors other than the head ('{}' is the first)\n",
                         slices.left_out().size(), slices.left_out().front());
  Model model;
  for (std::uint32_t rank = 0; rank < options.model.tp; ++rank)
    model.ranks.push_back(ledger::from_checkpoint(slices, rank));
  for (const auto& [name, head] : slices.heads())
    if (head.tied) model.tied = head.tensor;
  return model;
}

std::vector<RankLedger> ledgers(const Model& model, const std::string& policy) {
  std::vector<RankLedger> result;
  for (std::uint32_t rank = 0; rank < model.ranks.size(); ++rank)
    result.push_back(ledger_of(model.ranks[rank], policy_from_string(policy).value(), rank));
  return result;
}

std::uint64_t over_ranks(const std::vector<RankLedger>& ranks, std::string_view item) {
  std::uint64_t sum = 0;
  for (const RankLedger& rank : ranks) sum += rank.bytes(item);
  return sum;
}

std::uint64_t total(const std::vector<RankLedger>& ranks) {
  std::uint64_t sum = 0;
  for (const RankLedger& rank : ranks) sum += rank.total();
  return sum;
}

std::string gib(double bytes) {
  return fmt::format("{:.6f}", bytes / static_cast<double>(std::uint64_t{1} << 30));
}

/// Rank 0, and all ranks. Ranks may differ only where global scales make padding differ.
std::string policy_text(const std::string& policy, const std::vector<RankLedger>& ranks, const Style& style) {
  Table table({policy, "rank 0 bytes", "GiB", fmt::format("{} ranks bytes", ranks.size()), "GiB"}, 1);
  const auto add = [&](const std::string& name, std::uint64_t of_rank, std::uint64_t of_all) {
    table.add({{name},
               {std::to_string(of_rank)},
               {gib(static_cast<double>(of_rank))},
               {std::to_string(of_all)},
               {gib(static_cast<double>(of_all))}});
  };
  for (std::size_t i = 0; i < ranks[0].items.size(); ++i) {
    std::uint64_t sum = 0;
    for (const RankLedger& rank : ranks) sum += rank.items.at(i).bytes;
    add(ranks[0].items[i].name, ranks[0].items[i].bytes, sum);
  }
  add("total", ranks[0].total(), total(ranks));
  return table.text(style);
}

/// What `policy` takes less than `against`, item by item, over all ranks.
std::string difference_text(const LedgerOptions& options, const std::vector<RankLedger>& policy,
                            const std::vector<RankLedger>& against, const Style& style) {
  Table table({fmt::format("{} - {}", options.policy, options.against), "all ranks bytes", "GiB"}, 1);
  std::vector<std::string> names;
  for (const auto* ledger : {&against, &policy})
    for (const ledger::Item& item : ledger->front().items)
      if (std::find(names.begin(), names.end(), item.name) == names.end()) names.push_back(item.name);
  const auto add = [&](const std::string& name, std::uint64_t now, std::uint64_t before) {
    if (now == before && name != "total") return;
    const auto change = static_cast<std::int64_t>(now) - static_cast<std::int64_t>(before);
    table.add({{name}, {std::to_string(change)}, {gib(static_cast<double>(change))}});
  };
  for (const std::string& name : names) add(name, over_ranks(policy, name), over_ranks(against, name));
  add("total", total(policy), total(against));
  return table.text(style);
}

Json json_of(const std::vector<RankLedger>& ranks) {
  Json per_rank = Json::array();
  for (const RankLedger& rank : ranks) {
    Json items = Json::array();
    for (const ledger::Item& item : rank.items) items.push_back({{"name", item.name}, {"bytes", item.bytes}});
    per_rank.push_back({{"rank", rank.rank}, {"total", rank.total()}, {"items", items}});
  }
  return {{"per_rank", per_rank}};
}

int print_ledger(const LedgerOptions& options, const Environment& environment) {
  const Model model = has_tensors(options.model.path) ? model_of_checkpoint(options, environment.err)
                                                      : model_of_config(options);
  const Style style(environment.out_terminal && !environment.no_color);
  const auto policy = ledgers(model, options.policy);
  Json json = {{"tp", options.model.tp}, {"policies", {{options.policy, json_of(policy)}}}};
  environment.out << policy_text(options.policy, policy, style);
  if (!options.against.empty()) {
    const auto against = ledgers(model, options.against);
    json["policies"][options.against] = json_of(against);
    environment.out << "\n"
                    << policy_text(options.against, against, style) << "\n"
                    << difference_text(options, policy, against, style);
  }
  if (!model.tied.empty())
    environment.out << fmt::format("The head is tied: lm_head_fp16 is '{}', which look-ups read too.\n",
                                   model.tied);
  environment.out
      << "Buffers of the kernels, to the byte; a device's allocation granularity is not counted.\n";
  if (options.json.empty()) return 0;
  try {
    reports::write_atomically(options.json, json.dump(1) + "\n");
  } catch (const std::system_error& e) {
    throw Error(Exit::usage, fmt::format("--json: {}", e.what()));
  }
  return 0;
}

}  // namespace

Action add_ledger(CLI::App& program, const Environment& environment) {
  const auto options = std::make_shared<LedgerOptions>();
  CLI::App& command =
      *program.add_subcommand("ledger", "What a model's weights take on the devices, by policy");
  command
      .add_option("model", options->model.path, "a config.json, a model's folder, or one safetensors file")
      ->required()
      ->check(CLI::ExistingPath);
  add_tp(command, options->model.tp);
  const std::vector<std::string> policies = {"dual", "shared", "compact"};
  command
      .add_option("--policy", options->policy,
                  "dual: codes and scales of both kernel families; shared: one set of codes; compact: and "
                  "QPN2's scales alone")
      ->check(CLI::IsMember(policies))
      ->capture_default_str();
  command.add_option("--against", options->against, "another policy, and the difference")
      ->check(CLI::IsMember(policies));
  add_family(command, options->model.family);
  add_output(command, "--json", options->json, "write the ledger here too");
  command.footer(
      "Examples:\n"
      "  quadpair ledger models/llama/config.json --tp 4\n"
      "  quadpair ledger models/llama --tp 4 --policy compact --against dual --json ledger.json\n"
      "From a config alone every projection is taken as NVFP4 with one global scale.");
  return [options, &environment] { return print_ledger(*options, environment); };
}

}  // namespace quadpair::cli
