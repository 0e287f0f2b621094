#include "reports/same_run.hpp"

#include <fmt/format.h>

namespace quadpair::reports {
namespace {

using Options = std::map<std::string, std::string>;

constexpr const char* not_said = "not known (written by an older version)";

std::string text(const std::optional<SuiteRecord>& suite) {
  if (!suite) return not_said;
  return fmt::format("{} of {} cases (sha256 {:.12})", suite->name, suite->cases, suite->sha256);
}

std::string text(const std::optional<Options>& options) {
  if (!options) return not_said;
  std::string text;
  for (const auto& [name, value] : *options)
    text += fmt::format("{}{} {}", text.empty() ? "" : ", ", name, value);
  return text.empty() ? "none" : text;
}

/// The options that are not alike, with the first one's values.
std::optional<Options> unlike(const std::optional<Options>& options, const std::optional<Options>& others) {
  if (!options || !others) return options;
  Options left;
  for (const auto& [name, value] : *options)
    if (const auto other = others->find(name); other == others->end() || other->second != value)
      left.emplace(name, value);
  return left;
}

std::string build_text(const RunRecord& run) {
  return fmt::format("{} of git {}{}", run.version, run.git.revision, run.git.dirty ? ", changed" : "");
}

std::string device_text(const DeviceRecord& device) {
  std::string text = fmt::format("{} {}", device.kind, device.name);
  if (!device.driver.empty()) text += fmt::format(", driver {}", device.driver);
  if (!device.runtime.empty()) text += fmt::format(", runtime {}", device.runtime);
  return text;
}

std::string models_text(const DeviceRecord& device) {
  std::string text;
  for (const Arithmetic& a : device.arithmetic)
    text += fmt::format("{}{} by {}", text.empty() ? "" : ", ", a.model, a.chosen_by);
  return text.empty() ? "none" : text;
}

/// Kernels of the same name whose code is not the same.
std::optional<std::string> other_kernel(const RunRecord& found, const RunRecord& wanted) {
  for (const KernelRecord& a : found.kernels)
    for (const KernelRecord& b : wanted.kernels)
      if (a.name == b.name && a.target == b.target && a.sha256 != b.sha256)
        return fmt::format("kernel {}@{}: sha256 {:.12}, not {:.12}", a.name, a.target, a.sha256, b.sha256);
  return std::nullopt;
}

}  // namespace

std::optional<std::string> difference(const RunRecord& found, const RunRecord& wanted) {
  const auto differ = [](const char* what, const std::string& a, const std::string& b) {
    return fmt::format("{}: {}, not {}", what, a, b);
  };
  if (!found.suite || found.suite != wanted.suite)
    return differ("suite", text(found.suite), text(wanted.suite));
  if (found.seed != wanted.seed)
    return differ("seed", std::to_string(found.seed), std::to_string(wanted.seed));
  if (build_text(found) != build_text(wanted)) return differ("build", build_text(found), build_text(wanted));
  if (device_text(found.device) != device_text(wanted.device))
    return differ("device", device_text(found.device), device_text(wanted.device));
  if (found.device.arithmetic != wanted.device.arithmetic)
    return differ("model", models_text(found.device), models_text(wanted.device));
  if (!found.options || found.options != wanted.options)
    return differ("options", text(unlike(found.options, wanted.options)),
                  text(unlike(wanted.options, found.options)));
  return other_kernel(found, wanted);
}

}  // namespace quadpair::reports
