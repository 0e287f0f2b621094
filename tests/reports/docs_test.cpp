// docs/report.md, the schema and what the program writes name the same things.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <regex>
#include <set>
#include <sstream>

#include "reports/json.hpp"
#include "tests/reports/example.hpp"

namespace quadpair::reports {
namespace {

using nlohmann::json;
using Names = std::set<std::string>;

std::string text_of(const std::string& file) {
  std::stringstream text;
  text << std::ifstream(QUADPAIR_TEST_DATA "/../" + file).rdbuf();
  return text.str();
}

std::string member_path(const std::string& path, const std::string& name) {
  return path.empty() ? name : path + "." + name;
}

struct Schema {
  json document = json::parse(text_of("reports/report.schema.json"));
  Names paths;
  std::map<std::string, Names> values;  ///< of enumerations, by path

  Schema() { walk(document, ""); }

  void walk(const json& node, const std::string& path) {
    if (node.contains("$ref"))
      return walk(document.at(json::json_pointer(node["$ref"].get<std::string>().substr(1))), path);
    for (const json& value : node.value("enum", json::array()))
      if (const auto word = value.get<std::string>(); !word.empty()) values[path].insert(word);
    for (const json& choice : node.value("anyOf", json::array())) walk(choice, path);
    if (node.contains("items")) walk(node["items"], path + "[]");
    const json properties = node.value("properties", json::object());
    for (const auto& [name, member] : properties.items()) {
      const std::string inner = member_path(path, name);
      paths.insert(inner);
      walk(member, inner);
    }
  }
};

/// What stands beside each key in the tables of the page.
std::map<std::string, std::string> documented() {
  std::map<std::string, std::string> rows;
  std::string page = text_of("docs/report.md");
  page = page.substr(0, page.find("\n## HDF5"));
  const std::regex row("\\n\\| `([a-z_0-9.\\[\\]]+)` \\| ([^\\n]*)\\|");
  for (std::sregex_iterator i(page.begin(), page.end(), row), end; i != end; ++i) rows[(*i)[1]] = (*i)[2];
  return rows;
}

void add_paths(const json& value, const std::string& path, const Schema& schema, Names& paths) {
  if (schema.paths.contains(path)) paths.insert(path);
  if (value.is_array())
    for (const json& element : value) add_paths(element, path + "[]", schema, paths);
  if (value.is_object())
    for (const auto& [name, member] : value.items())
      add_paths(member, member_path(path, name), schema, paths);
}

TEST(Docs, NameEveryKeyOfTheSchemaAndNoOther) {
  Names keys;
  for (const auto& [key, text] : documented()) keys.insert(key);
  EXPECT_THAT(keys, testing::ContainerEq(Schema().paths));
}

TEST(Docs, NameEveryValueOfAnEnumeration) {
  const auto rows = documented();
  std::size_t values = 0;
  for (const auto& [path, names] : Schema().values)
    for (const std::string& name : names) {
      EXPECT_THAT(rows.at(path), testing::HasSubstr("`" + name + "`")) << path;
      ++values;
    }
  EXPECT_GT(values, 10u);
}

TEST(Docs, TheProgramWritesEveryKeyOfTheSchema) {
  const Schema schema;
  Names written;
  add_paths(json::parse(to_json(full_report()).dump()), "", schema, written);
  EXPECT_THAT(written, testing::ContainerEq(schema.paths));
}

TEST(Docs, NameEveryExitStatusAndNoOther) {
  const auto numbers = [](const std::string& text, const std::string& pattern) {
    const std::regex row(pattern);
    std::set<int> found;
    for (std::sregex_iterator i(text.begin(), text.end(), row), end; i != end; ++i)
      found.insert(std::stoi((*i)[1]));
    return found;
  };
  std::string code = text_of("harness/cli/exit_status.hpp");
  code = code.substr(code.find("enum class Exit"));
  code = code.substr(0, code.find('}'));
  const std::string page = text_of("docs/report.md");
  const std::set<int> statuses = numbers(code, " = ([0-9]+)");
  EXPECT_GT(statuses.size(), 5u);
  EXPECT_EQ(numbers(page.substr(page.find("## Exit status")), "\\n\\| ([0-9]+) \\|"), statuses);
}

}  // namespace
}  // namespace quadpair::reports
