#include <fmt/format.h>

#include <valijson/adapters/nlohmann_json_adapter.hpp>
#include <valijson/schema.hpp>
#include <valijson/schema_parser.hpp>
#include <valijson/validation_results.hpp>
#include <valijson/validator.hpp>

#include "cases/embedded.hpp"
#include "cases/error.hpp"
#include "cases/json_text.hpp"

namespace quadpair::cases {
namespace {

/// valijson's context "<root>", "[groups]", "[0]" as the JSON pointer "/groups/0".
std::string pointer(const std::vector<std::string>& context) {
  std::string path;
  for (const std::string& step : context)
    if (step.starts_with('[')) path += "/" + step.substr(1, step.size() - 2);
  return path.empty() ? "/" : path;
}

/// The most deeply nested complaint, for those above it only say that something below is wrong, with the
/// value that it is about, where that is no list or object.
std::string deepest_error(valijson::ValidationResults& results, const nlohmann::json& document) {
  valijson::ValidationResults::Error error, deepest;
  while (results.popError(error))
    if (error.context.size() > deepest.context.size()) deepest = error;
  const std::string place = pointer(deepest.context);
  const nlohmann::json::json_pointer path(place == "/" ? "" : place);
  const bool is_value = document.contains(path) && document.at(path).is_primitive();
  return fmt::format("{}: {}{}", place, is_value ? document.at(path).dump() + ": " : "", deepest.description);
}

}  // namespace

nlohmann::json parse_json(std::string_view text, const std::string& file, std::string_view schema_name) {
  nlohmann::json document = parse_json(text, file);
  const auto schema_json = nlohmann::json::parse(find_embedded(schema_name).value().text());
  valijson::Schema schema;
  valijson::SchemaParser().populateSchema(valijson::adapters::NlohmannJsonAdapter(schema_json), schema);
  valijson::ValidationResults results;
  if (!valijson::Validator().validate(schema, valijson::adapters::NlohmannJsonAdapter(document), &results))
    throw DataError(fmt::format("{}: {}", file, deepest_error(results, document)));
  return document;
}

}  // namespace quadpair::cases
