#include "harness/cli/report_inputs.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "cases/checkpoint/model_config.hpp"
#include "cases/error.hpp"
#include "harness/cli/words.hpp"
#include "reports/hdf5_read.hpp"
#include "reports/json_read.hpp"

namespace quadpair::cli {
namespace {

void add_json(const std::string& file, const std::string& name, reports::Collection& collection) {
  const auto json = reports::Json::parse(cases::read_text_file(file), nullptr, false);
  if (json.is_discarded()) throw cases::DataError(name + ": neither JSON nor HDF5");
  try {
    if (json.contains("schema"))
      collection.runs.push_back({name, reports::report_from_json(json)});
    else if (json.contains("policies"))
      collection.ledgers.push_back({name, reports::ledger_from_json(json)});
    else
      throw cases::DataError(name + ": neither a report nor a ledger");
  } catch (const reports::ReadError& e) {
    throw cases::DataError(fmt::format("{}: {}", name, e.what()));
  }
}

}  // namespace

reports::Collection read_inputs(const std::vector<std::string>& files) {
  reports::Collection collection;
  for (const std::string& file : files) {
    const std::string name = portable_path(file);
    if (!reports::is_hdf5(file)) {
      add_json(file, name, collection);
      continue;
    }
    try {
      collection.samples.push_back({name, reports::read_samples(file)});
    } catch (const reports::Hdf5Error& e) {
      throw cases::DataError(e.what());
    }
  }
  for (const auto& [file, samples] : collection.samples) {
    const auto of_run = [&id = samples.run](const auto& run) { return run.value.run.id == id; };
    if (std::ranges::none_of(collection.runs, of_run))
      throw cases::DataError(
          fmt::format("{}: samples of run {}, whose report is not among the files", file, samples.run));
  }
  return collection;
}

}  // namespace quadpair::cli
