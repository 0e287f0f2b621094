#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <memory>
#include <ostream>

#include "harness/cli/checkpoint_options.hpp"
#include "harness/cli/command.hpp"
#include "harness/cli/common_options.hpp"
#include "harness/cli/files.hpp"
#include "harness/cli/json_file.hpp"
#include "harness/cli/model_ledger.hpp"
#include "harness/cli/storage_ledger.hpp"
#include "harness/cli/table.hpp"
#include "reports/ledger.hpp"

namespace quadpair::cli {
namespace {

using reports::PolicyLedger;
using reports::RankLedger;

struct LedgerOptions {
  CheckpointOptions model;
  std::string policy = "compact", against, json;
};

std::string gib(double bytes) {
  return fmt::format("{:.6f}", bytes / static_cast<double>(std::uint64_t{1} << 30));
}

/// Rank 0, and all ranks. Ranks may differ only where global scales make padding differ.
std::string policy_text(const PolicyLedger& policy, const Style& style) {
  const std::vector<RankLedger>& ranks = policy.ranks;
  Table table({policy.policy, "rank 0 bytes", "GiB", fmt::format("{} ranks bytes", ranks.size()), "GiB"}, 1);
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
  add("total", ranks[0].total(), policy.total());
  return table.text(style);
}

/// What `policy` takes less than `against`, item by item, over all ranks.
std::string difference_text(const PolicyLedger& policy, const PolicyLedger& against, const Style& style) {
  Table table({fmt::format("{} - {}", policy.policy, against.policy), "all ranks bytes", "GiB"}, 1);
  const auto add = [&](const std::string& name, std::uint64_t now, std::uint64_t before) {
    if (now == before && name != "total") return;
    const auto change = static_cast<std::int64_t>(now) - static_cast<std::int64_t>(before);
    table.add({{name}, {std::to_string(change)}, {gib(static_cast<double>(change))}});
  };
  for (const std::string& name : reports::item_names({against, policy}))
    add(name, policy.bytes(name), against.bytes(name));
  add("total", policy.total(), against.total());
  return table.text(style);
}

int print_ledger(const LedgerOptions& options, const Environment& environment) {
  const ledger::StoredModel model = stored_model(options.model, environment.err);
  const Style style(environment.out_terminal && !environment.no_color);
  const auto by_policy = [&](const std::string& policy) {
    return ledger::ledger_of(model, policy_from_string(policy).value());
  };
  reports::Ledger ledgers{options.model.tp, {by_policy(options.policy)}};
  environment.out << policy_text(ledgers.policies[0], style);
  if (!options.against.empty()) {
    ledgers.policies.push_back(by_policy(options.against));
    environment.out << "\n" << policy_text(ledgers.policies[1], style);
    environment.out << "\n" << difference_text(ledgers.policies[0], ledgers.policies[1], style);
  }
  if (!model.tied.empty())
    environment.out << fmt::format("The head is tied: lm_head_fp16 is '{}', which look-ups read too.\n",
                                   model.tied);
  environment.out
      << "Buffers of the kernels, to the byte; a device's allocation granularity is not counted.\n";
  write_json(options.json, to_json(ledgers));
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
      ->check(not_empty);
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
  return [options, &environment] {
    require_distinct({{"--json", options->json}}, options->model.files());
    return print_ledger(*options, environment);
  };
}

}  // namespace quadpair::cli
