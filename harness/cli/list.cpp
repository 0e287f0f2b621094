#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <memory>
#include <ostream>
#include <system_error>

#include "cases/suite.hpp"
#include "harness/cli/command.hpp"
#include "harness/cli/common_options.hpp"
#include "harness/cli/devices.hpp"
#include "harness/cli/files.hpp"
#include "harness/cli/json_file.hpp"
#include "harness/cli/select.hpp"
#include "harness/cli/table.hpp"
#include "reference/tensor_core/model.hpp"

namespace quadpair::cli {
namespace {

using reports::Json;

struct ListOptions {
  std::string what = "all";
  Selection selection;
  std::string json;
};

/// One list: rows to print, and the same as JSON.
struct Listing {
  Table table;
  Json json;
};

Listing list_suites() {
  Listing listing{Table({"suite", "description", "cases"}, 2), Json::array()};
  for (const std::string& name : cases::suite_names()) {
    const cases::Suite suite = cases::load_suite(name);
    listing.table.add({{suite.name}, {suite.description}, {std::to_string(suite.cases.size())}});
    listing.json.push_back(
        {{"name", suite.name}, {"description", suite.description}, {"cases", suite.cases.size()}});
  }
  return listing;
}

Listing list_cases(const Selection& selection) {
  Listing listing{Table({"case"}, 1), Json::array()};
  for (const cases::Case& c : select(selection).cases) {
    listing.table.add({{c.id}});
    listing.json.push_back({{"id", c.id},
                            {"operator", c.operation},
                            {"slice", c.slice},
                            {"m", c.m},
                            {"target", c.target},
                            {"model", c.model},
                            {"fill", c.fill},
                            {"refused", c.refused ? Json(*c.refused) : Json(nullptr)}});
  }
  return listing;
}

Listing list_kernels() {
  Listing listing{Table({"kernel", "target", "sha256", "toolkit", "registers", "spills", "shared"}, 4),
                  Json::array()};
  for (const Module& module : modules()) {
    for (const KernelInfo& kernel : module.kernels) {
      const std::string name = fmt::format("{}:{}", module.name, kernel.entry);
      const std::string target(to_string(module.target)), sha256(module.ptx_sha256);
      listing.table.add({{name},
                         {target},
                         {sha256.substr(0, 12)},
                         {std::string(module.toolkit)},
                         {std::to_string(kernel.registers)},
                         {std::to_string(kernel.spill_bytes)},
                         {std::to_string(kernel.shared_bytes)}});
      listing.json.push_back({{"name", name},
                              {"target", target},
                              {"sha256", sha256},
                              {"cubin_sha256", module.cubin_sha256},
                              {"registers", kernel.registers},
                              {"spill_bytes", kernel.spill_bytes},
                              {"shared_bytes", kernel.shared_bytes},
                              {"toolkit", module.toolkit},
                              {"options", module.options}});
    }
  }
  return listing;
}

Listing list_devices() {
  Listing listing{Table({"device", "name"}, 2), Json::array()};
  for (const reports::DeviceRecord& device : all_devices()) {
    listing.table.add({{device.kind}, {device.name}});
    listing.json.push_back({{"kind", device.kind}, {"name", device.name}});
  }
  return listing;
}

Listing list_models() {
  Listing listing{Table({"model", "instructions"}, 2), Json::array()};
  for (const reference::Model model : reference::all_models) {
    const std::string name(to_string(model));
    Json shapes = Json::array();
    std::string text;
    for (const MmaShape shape : all_mma_shapes) {
      if (!reference::defines(model, shape)) continue;
      text += (text.empty() ? "" : ", ") + std::string(to_string(shape));
      shapes.push_back(to_string(shape));
    }
    listing.table.add({{name}, {text}});
    listing.json.push_back({{"name", name}, {"instructions", shapes}});
  }
  return listing;
}

int list(const ListOptions& options, const Environment& environment) {
  std::vector<std::pair<std::string, Listing>> listings;
  const auto wanted = [&](const char* what) { return options.what == what || options.what == "all"; };
  if (wanted("suites")) listings.emplace_back("suites", list_suites());
  if (options.what == "cases") listings.emplace_back("cases", list_cases(options.selection));
  if (wanted("kernels")) listings.emplace_back("kernels", list_kernels());
  if (wanted("devices")) listings.emplace_back("devices", list_devices());
  if (wanted("models")) listings.emplace_back("models", list_models());

  const Style style(environment.out_terminal && !environment.no_color);
  Json json = Json::object();
  for (std::size_t i = 0; i < listings.size(); ++i) {
    environment.out << (i > 0 ? "\n" : "") << listings[i].second.table.text(style);
    json[listings[i].first] = listings[i].second.json;
  }
  write_json(options.json, json);
  return 0;
}

}  // namespace

Action add_list(CLI::App& program, const Environment& environment) {
  const auto options = std::make_shared<ListOptions>();
  CLI::App& command = *program.add_subcommand("list", "Name suites, cases, kernels, devices or models");
  command
      .add_option("what", options->what, "suites, cases, kernels, devices, models; without it all but cases")
      ->check(CLI::IsMember({"suites", "cases", "kernels", "devices", "models"}));
  add_selection(command, options->selection);
  add_output(command, "--json", options->json, "write the list here too");
  command.footer(
      "Examples:\n"
      "  quadpair list kernels\n"
      "  quadpair list cases --suite edges --filter gated");
  return [options, &command, &environment] {
    require_distinct({{"--json", options->json}}, {{"--cases", options->selection.cases_file}});
    for (const char* option : {"--suite", "--cases", "--filter", "--m", "--model"})
      if (options->what != "cases" && command.count(option) > 0)
        throw Error(Exit::usage, fmt::format("{}: only `list cases` takes it", option));
    return list(*options, environment);
  };
}

}  // namespace quadpair::cli
