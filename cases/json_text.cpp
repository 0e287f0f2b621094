#include "cases/json_text.hpp"

#include <fmt/format.h>

#include <set>
#include <vector>

#include "cases/error.hpp"

namespace quadpair::cases {

nlohmann::json parse_json(std::string_view text, const std::string& file) {
  using Event = nlohmann::json::parse_event_t;
  constexpr int deepest = 64;
  std::vector<std::set<std::string, std::less<>>> keys;  // of the objects that are open
  const auto watch = [&](int depth, Event event, nlohmann::json& value) {
    if (depth > deepest) throw DataError(fmt::format("{}: JSON nested deeper than {} levels", file, deepest));
    if (event == Event::object_start) keys.emplace_back();
    if (event == Event::object_end) keys.pop_back();
    if (event == Event::key && !keys.back().insert(value.get_ref<const std::string&>()).second)
      throw DataError(fmt::format("{}: key {} appears twice in one object", file, value.dump()));
    return true;
  };
  try {
    return nlohmann::json::parse(text.begin(), text.end(), watch);
  } catch (const nlohmann::json::exception& error) {
    throw DataError(fmt::format("{}: not JSON: {}", file, error.what()));
  }
}

}  // namespace quadpair::cases
