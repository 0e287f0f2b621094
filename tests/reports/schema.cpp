#include "tests/reports/schema.hpp"

#include <fstream>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <valijson/adapters/nlohmann_json_adapter.hpp>
#include <valijson/schema.hpp>
#include <valijson/schema_parser.hpp>
#include <valijson/validation_results.hpp>
#include <valijson/validator.hpp>

namespace quadpair::reports {

std::string violations(const nlohmann::json& report, const std::string& name) {
  std::ifstream in(std::string(QUADPAIR_TEST_DATA "/../reports/") + name);
  if (!in) throw std::runtime_error("the schema is not there");
  const nlohmann::json document = nlohmann::json::parse(in);
  valijson::Schema schema;
  valijson::SchemaParser(valijson::SchemaParser::kDraft7)
      .populateSchema(valijson::adapters::NlohmannJsonAdapter(document), schema);
  valijson::ValidationResults results;
  valijson::Validator().validate(schema, valijson::adapters::NlohmannJsonAdapter(report), &results);
  std::string text;
  valijson::ValidationResults::Error error;
  while (results.popError(error)) {
    for (const std::string& part : error.context) text += part;
    text += ": " + error.description + "\n";
  }
  return text;
}

}  // namespace quadpair::reports
