#include "cases/survivors.hpp"

#include <fmt/format.h>
#include <re2/re2.h>

#include <algorithm>

#include "cases/embedded.hpp"
#include "cases/error.hpp"
#include "cases/json_text.hpp"

namespace quadpair::cases {
namespace {

constexpr const char* file = "cases/mutants/survivors.json";

std::vector<std::string> list(const nlohmann::json& entry, const char* name) {
  return entry.value(name, std::vector<std::string>{});
}

bool allows(const std::vector<std::string>& list, const std::string& value) {
  return list.empty() || std::ranges::find(list, value) != list.end();
}

/// A regular expression that is left out matches anything.
std::unique_ptr<const RE2> expression(const nlohmann::json& entry, const char* name, std::size_t number) {
  if (!entry.contains(name)) return nullptr;
  auto found = std::make_unique<const RE2>(entry[name].get<std::string>(), RE2::Quiet);
  if (!found->ok())
    throw DataError(fmt::format("{}: /survivors/{}/{}: {}", file, number, name, found->error()));
  return found;
}

bool allows(const std::unique_ptr<const RE2>& expression, const std::string& value) {
  return !expression || RE2::FullMatch(value, *expression);
}

}  // namespace

struct ClassifiedSurvivors::Pattern {
  Pattern(const nlohmann::json& entry, std::size_t number)
      : kernels(list(entry, "kernels")),
        targets(list(entry, "targets")),
        sources(list(entry, "sources")),
        kinds(list(entry, "kinds")),
        entries(expression(entry, "entries", number)),
        caller(expression(entry, "caller", number)),
        instruction(expression(entry, "instruction", number)),
        becomes(expression(entry, "becomes", number)),
        reason(entry["reason"].get<std::string>()),
        counts(entry.value("counts", std::map<std::string, std::uint64_t>{})) {}

  bool matches(const Survivor& s) const {
    return allows(sources, s.source) && allows(kernels, s.kernel) && allows(targets, s.target) &&
           allows(kinds, s.kind) && allows(entries, s.entry) && allows(caller, s.caller) &&
           allows(instruction, s.instruction) && allows(becomes, s.becomes);
  }

  std::vector<std::string> kernels, targets, sources, kinds;  ///< empty: any
  std::unique_ptr<const RE2> entries, caller, instruction, becomes;
  std::string reason;
  std::map<std::string, std::uint64_t> counts;  ///< by "qpn2/gemm sm70"
};

ClassifiedSurvivors::ClassifiedSurvivors() : ClassifiedSurvivors(std::string(find_embedded(file)->text())) {}

ClassifiedSurvivors::ClassifiedSurvivors(const std::string& json_text) {
  const nlohmann::json json = parse_json(json_text, file, "cases/mutants/survivors.schema.json");
  for (const nlohmann::json& entry : json["survivors"])
    patterns_.push_back(std::make_unique<const Pattern>(entry, patterns_.size()));
}

ClassifiedSurvivors::~ClassifiedSurvivors() = default;

std::optional<ClassifiedSurvivors::Class> ClassifiedSurvivors::classify(const Survivor& survivor) const {
  for (std::size_t number = 0; number < patterns_.size(); ++number)
    if (patterns_[number]->matches(survivor)) return Class{number, patterns_[number]->reason};
  return std::nullopt;
}

std::vector<std::string> ClassifiedSurvivors::stale(const std::string& kernel, const std::string& target,
                                                    const std::map<std::size_t, std::uint64_t>& found) const {
  std::vector<std::string> stale;
  const std::string subject = kernel + " " + target;
  for (std::size_t number = 0; number < patterns_.size(); ++number) {
    const auto& counts = patterns_[number]->counts;
    const auto listed = counts.find(subject);
    const std::uint64_t expected = listed == counts.end() ? 0 : listed->second;
    const auto at = found.find(number);
    const std::uint64_t now = at == found.end() ? 0 : at->second;
    if (now != expected)
      stale.push_back(fmt::format("/survivors/{}: {} survivors are listed, {} found ({})", number, expected,
                                  now, patterns_[number]->reason));
  }
  return stale;
}

}  // namespace quadpair::cases
