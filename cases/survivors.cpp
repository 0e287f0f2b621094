#include "cases/survivors.hpp"

#include <algorithm>

#include "cases/embedded.hpp"
#include "cases/json_text.hpp"

namespace quadpair::cases {
namespace {

constexpr const char* file = "cases/mutants/survivors.json";

std::vector<std::string> list(const nlohmann::json& entry, const char* name) {
  return entry.value(name, std::vector<std::string>{});
}

std::optional<std::string> text(const nlohmann::json& entry, const char* name) {
  if (!entry.contains(name)) return std::nullopt;
  return entry[name].get<std::string>();
}

bool allows(const std::vector<std::string>& list, const std::string& value) {
  return list.empty() || std::ranges::find(list, value) != list.end();
}

bool allows(const std::optional<std::string>& wanted, const std::string& value) {
  return !wanted || *wanted == value;
}

}  // namespace

ClassifiedSurvivors::ClassifiedSurvivors() : ClassifiedSurvivors(std::string(find_embedded(file)->text())) {}

ClassifiedSurvivors::ClassifiedSurvivors(const std::string& json_text) {
  const nlohmann::json json = parse_json(json_text, file, "cases/mutants/survivors.schema.json");
  for (const nlohmann::json& entry : json["survivors"])
    classes_.push_back({list(entry, "kernels"), list(entry, "targets"), list(entry, "kinds"),
                        entry["source"].get<std::string>(), entry["reason"].get<std::string>(),
                        text(entry, "caller"), text(entry, "instruction"), text(entry, "becomes")});
}

bool ClassifiedSurvivors::Class::matches(const Survivor& s) const {
  return source == s.source && allows(kernels, s.kernel) && allows(targets, s.target) &&
         allows(kinds, s.kind) && allows(caller, s.caller) && allows(instruction, s.instruction) &&
         allows(becomes, s.becomes);
}

std::optional<std::string> ClassifiedSurvivors::reason(const Survivor& survivor) const {
  for (const Class& one : classes_)
    if (one.matches(survivor)) return one.reason;
  return std::nullopt;
}

}  // namespace quadpair::cases
