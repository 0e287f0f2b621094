#include <fmt/format.h>
#include <fmt/ranges.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <memory>
#include <optional>
#include <ostream>

#include "harness/cli/command.hpp"
#include "harness/cli/common_options.hpp"
#include "harness/cli/devices.hpp"
#include "harness/cli/files.hpp"
#include "harness/cli/gpu_lock.hpp"
#include "harness/cli/json_file.hpp"
#include "harness/cli/table.hpp"
#include "harness/probe/probe.hpp"

namespace quadpair::cli {
namespace {

using reference::Model;
using reports::Json;

struct ProbeOptions {
  std::string device, model, data, json;
  std::uint64_t seed = 1;
  bool quiet = false;
};

Json to_json(const std::vector<probe::Match>& matches) {
  Json json = Json::array();
  for (const probe::Match& m : matches)
    json.push_back({{"model", to_string(m.model)}, {"rows", m.rows}, {"matched", m.matched}});
  return json;
}

/// What the closest model leaves unexplained, where none explains all.
std::string closest(const std::vector<probe::Match>& matches, std::size_t width) {
  const auto best = std::ranges::max_element(matches, {}, &probe::Match::matched);
  if (best == matches.end() || !best->first) return "";
  const auto hex = [&](const auto& values) {
    std::string text;
    for (std::size_t i = 0; i < width; ++i) text += fmt::format(" {:04x}", values[i]);
    return text;
  };
  const probe::Mismatch& m = *best->first;
  return fmt::format("  {} leaves {} of {} rows; the first: a{} b{} c {:08x} gave {:08x}, not {:08x}\n",
                     to_string(best->model), best->rows - best->matched, best->rows, hex(m.row.a),
                     hex(m.row.b), m.row.c, m.row.d, m.expected);
}

std::vector<std::string_view> names(const std::vector<Model>& models) {
  std::vector<std::string_view> names;
  names.reserve(models.size());
  for (const Model model : models) names.push_back(to_string(model));
  return names;
}

Tint tint_of(const probe::Match& m) {
  return m.explains() ? Tint::green : Tint::plain;
}

int probe_data(const ProbeOptions& options, const Environment& environment, const Style& style) {
  const cases::MeasuredRows rows = cases::read_measured_rows(options.data);
  const std::vector<probe::Match> matches = probe::match(rows);
  Table table({"model", "rows", "matched"}, 1);
  for (const probe::Match& m : matches)
    table.add({{std::string(to_string(m.model)), tint_of(m)},
               {std::to_string(m.rows)},
               {std::to_string(m.matched), tint_of(m)}});
  const std::vector<Model> models = probe::explaining(matches);
  environment.out << table.text(style)
                  << fmt::format("\n{} rows of {} products: {}\n", rows.rows.size(), rows.width,
                                 models.empty() ? style(Tint::red, "no model explains them all")
                                                : fmt::format("{}", fmt::join(names(models), ", ")));
  write_json(options.json, {{"models", to_json(matches)}});
  return static_cast<int>(models.empty() ? Exit::wrong : Exit::good);
}

/// A device to ask, and the arithmetic that it must have where that is known.
struct Subject {
  std::unique_ptr<reports::LockFile> lock;
  std::unique_ptr<device::Device> device;
  std::vector<probe::Instruction> instructions;
  std::optional<Model> model;
};

Subject subject_of(const ProbeOptions& options, const Environment& environment, const Words& words) {
  const ChosenDevice chosen = environment.choose_device(options.device, 0);
  const Model model = reference::model_from_string(options.model).value_or(Model::volta);
  Subject subject{hold_gpu(chosen, environment.lock_folder, words), chosen.make(model, 0), {}, std::nullopt};
  if (chosen.gpu) {
    if (!options.model.empty()) throw Error(Exit::usage, "--model: a GPU has its own arithmetic");
    subject.instructions = probe::gpu_instructions(chosen.gpu->major, chosen.gpu->minor);
    if (subject.instructions.empty())
      throw Error(Exit::no_device, fmt::format("{} has no tensor cores", chosen.gpu->name));
  } else {
    subject.model = model;
    subject.instructions = probe::emulator_instructions(model);
  }
  return subject;
}

/// Whether one of the models is what the device must have, or there is one at all.
bool good(const std::vector<Model>& models, const Subject& subject, MmaShape shape) {
  if (!subject.model) return !models.empty();
  return std::ranges::find(models, arithmetic_on(*subject.model, shape)) != models.end();
}

int probe_device(const ProbeOptions& options, const Environment& environment, const Words& words,
                 const Style& style) {
  const Subject subject = subject_of(options, environment, words);
  const device::DeviceInfo& info = subject.device->info();
  const std::string with = subject.model ? fmt::format(", model {}", to_string(*subject.model)) : "";
  Table table({"instruction", "code", "model", "rows", "matched"}, 3);
  Json instructions = Json::array();
  std::string verdicts;
  bool all_good = true;
  for (const probe::Instruction& instruction : subject.instructions) {
    const std::string shape(to_string(instruction.shape)), code(to_string(instruction.target));
    if (!options.quiet)
      environment.err << fmt::format("asking {} ({}{}): {}\n", info.kind, info.name, with, shape);
    const std::vector<probe::Match> matches =
        probe::probe(*subject.device, instruction, options.seed, environment.find_module);
    for (const probe::Match& m : matches)
      table.add({{shape},
                 {code},
                 {std::string(to_string(m.model)), tint_of(m)},
                 {std::to_string(m.rows)},
                 {std::to_string(m.matched), tint_of(m)}});
    const std::vector<Model> models = probe::explaining(matches);
    const bool as_wanted = good(models, subject, instruction.shape);
    all_good = all_good && as_wanted;
    verdicts +=
        fmt::format("{}: {}\n", shape,
                    style(as_wanted ? Tint::green : Tint::red,
                          models.empty() ? "no model" : fmt::format("{}", fmt::join(names(models), ", "))));
    if (models.empty()) verdicts += closest(matches, products(instruction.shape));
    instructions.push_back({{"instruction", shape},
                            {"target", code},
                            {"models", to_json(matches)},
                            {"explained_by", names(models)}});
  }
  environment.out << table.text(style) << "\n" << verdicts;
  write_json(options.json, {{"device", {{"kind", info.kind}, {"name", info.name}}},
                            {"seed", options.seed},
                            {"instructions", instructions}});
  return static_cast<int>(all_good ? Exit::good : Exit::wrong);
}

}  // namespace

Action add_probe(CLI::App& program, const Environment& environment, const Words& words) {
  const auto options = std::make_shared<ProbeOptions>();
  CLI::App& command =
      *program.add_subcommand("probe", "Tell which tensor-core arithmetic a device has, by experiment");
  CLI::Option* data =
      command.add_option("--data", options->data, "match measured rows (a[n] b[n] c d in hex) instead")
          ->check(not_empty)
          ->type_name("FILE");
  add_device(command, options->device);
  std::vector<std::string> models;
  for (const Model model : reference::all_models) models.emplace_back(to_string(model));
  command.add_option("--model", options->model, "arithmetic of the emulator (default: volta)")
      ->check(CLI::IsMember(models))
      ->type_name("MODEL");
  add_seed(command, options->seed, "of the random rows");
  add_output(command, "--json", options->json, "write the counts here too");
  add_quiet(command, options->quiet);
  for (const char* other : {"--device", "--model", "--seed"}) data->excludes(command.get_option(other));
  command.footer(
      "Each instruction's sums are matched against every model that has it; a model explains an instruction\n"
      "when all rows match. Exit status 1 when no model does, or the emulator's own does not.\n"
      "Examples:\n"
      "  quadpair probe\n"
      "  quadpair probe --device emulator --model hopper\n"
      "  quadpair probe --device cuda:1 --json arithmetic.json\n"
      "  quadpair probe --data measured.txt");
  return [options, &environment, &words] {
    require_distinct({{"--json", options->json}}, {{"--data", options->data}});
    const Style style(environment.out_terminal && !environment.no_color);
    return options->data.empty() ? probe_device(*options, environment, words, style)
                                 : probe_data(*options, environment, style);
  };
}

}  // namespace quadpair::cli
