#include "cases/suite.hpp"

#include "cases/embedded.hpp"
#include "cases/error.hpp"
#include "cases/json_text.hpp"
#include "cases/memory_map.hpp"
#include "cases/suite_expand.hpp"

namespace quadpair::cases {
namespace {

constexpr std::string_view schema = "cases/suites/suite.schema.json";

}  // namespace

std::vector<std::string> suite_names() {
  return {"default",
          "edges",
          "production",
          "shared-codes",
          "shared-codes-real",
          "compact-scales",
          "compact-scales-real",
          "wide",
          "qpn8",
          "lm-head",
          "lm-head-real"};
}

Suite load_suite(const std::string& name) {
  const std::string file = "cases/suites/" + name + ".json";
  const auto embedded = find_embedded(file);
  if (!embedded) throw DataError("suite '" + name + "' is not known");
  return expand_suite(parse_json(embedded->text(), file, schema), file);
}

Suite load_suite_file(const std::filesystem::path& file) {
  const MemoryMap map(file);
  const std::string_view text(reinterpret_cast<const char*>(map.bytes().data()), map.bytes().size());
  return expand_suite(parse_json(text, file.string(), schema), file.string());
}

}  // namespace quadpair::cases
