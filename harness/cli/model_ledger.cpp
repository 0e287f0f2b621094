#include "harness/cli/model_ledger.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <memory>
#include <ostream>

#include "cases/embedded.hpp"
#include "cases/error.hpp"
#include "cases/made_up.hpp"
#include "harness/cli/words.hpp"

namespace quadpair::cli {
namespace {

namespace fs = std::filesystem;
using ledger::StoredModel;

constexpr std::string_view production_config = "cases/models/production-27b/config.json";
constexpr std::uint32_t production_tp = 4;  ///< the suites' slices are of one rank of four

/// Whether the path holds tensors, and is not a config alone.
bool has_tensors(const fs::path& path) {
  if (!fs::is_directory(path)) return path.extension() != ".json";
  for (const fs::directory_entry& entry : fs::directory_iterator(path))
    if (entry.path().extension() == ".safetensors") return true;
  return false;
}

StoredModel model_of_config(const cases::ModelConfig& config, const std::string& family_file,
                            std::uint32_t tp) {
  const cases::Family family = choose_family(family_file, config, {});
  StoredModel model;
  for (std::uint32_t rank = 0; rank < tp; ++rank)
    model.ranks.push_back(ledger::from_config(family, config, rank, tp));
  for (const cases::Projection& projection : projections_of(family, config))
    if (projection.tied) model.tied = projection.parts.at(0).tensor;
  return model;
}

StoredModel model_of_checkpoint(const CheckpointOptions& options, std::ostream* notes) {
  const auto checkpoint = std::make_shared<const cases::Checkpoint>(options.path);
  const cases::Family family =
      choose_family(options.family, checkpoint->config(), checkpoint->tensor_names());
  const cases::CheckpointSlices slices(checkpoint, family, options.selection());
  if (notes != nullptr && !slices.left_out().empty())
    *notes << fmt::format("not counted: {} dense tensors other than the head ('{}' is the first)\n",
                          slices.left_out().size(), slices.left_out().front());
  StoredModel model;
  for (std::uint32_t rank = 0; rank < options.tp; ++rank)
    model.ranks.push_back(ledger::from_checkpoint(slices, rank));
  for (const auto& [name, head] : slices.heads())
    if (head.tied) model.tied = head.tensor;
  return model;
}

bool is_of_production_model(const cases::Case& c) {
  return c.slice == "lm_head" || cases::production_family.shape(c.slice) ||
         cases::sharded_family.shape(c.slice);
}

reports::Ledger all_policies(const StoredModel& model) {
  reports::Ledger ledger{static_cast<std::uint32_t>(model.ranks.size()), {}};
  for (const StoragePolicy policy : {StoragePolicy::dual, StoragePolicy::shared, StoragePolicy::compact})
    ledger.policies.push_back(ledger::ledger_of(model, policy));
  return ledger;
}

}  // namespace

StoredModel stored_model(const CheckpointOptions& options, std::ostream& notes) {
  if (has_tensors(options.path)) return model_of_checkpoint(options, &notes);
  fs::path file = options.path;
  if (fs::is_directory(file)) file /= "config.json";
  return model_of_config(cases::parse_model_config(cases::read_text_file(file), portable_path(file.string())),
                         options.family, options.tp);
}

std::optional<reports::Ledger> suite_ledger(const cases::Suite& suite, const CheckpointOptions& checkpoint,
                                            std::ostream& notes) {
  if (!checkpoint.path.empty()) try {
      CheckpointOptions whole = checkpoint;
      whole.ranks.clear();
      whole.layers.clear();
      return all_policies(model_of_checkpoint(whole, nullptr));
    } catch (const cases::DataError& e) {
      notes << fmt::format("no ledger: {}\n", e.what());
      return std::nullopt;
    }
  if (std::ranges::none_of(suite.cases, is_of_production_model)) return std::nullopt;
  return all_policies(model_of_config(
      cases::parse_model_config(std::string(cases::find_embedded(production_config).value().text()),
                                std::string(production_config)),
      "", production_tp));
}

}  // namespace quadpair::cli
