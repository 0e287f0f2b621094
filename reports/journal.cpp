#include "reports/journal.hpp"

#include <fmt/format.h>

#include "reports/json_node.hpp"

namespace quadpair::reports {

Json to_journal(const CaseRecord& record) {
  Json json = to_json(record);
  json["kernels"] = Json::array();
  for (const KernelRecord& kernel : record.kernels) json["kernels"].push_back(to_json(kernel));
  return json;
}

CaseRecord case_from_journal(const Json& json) {
  Node(json)["kernels"].each([](const Node&) { return 0; });  // says so where there is no array
  Json alone = json;
  alone.erase("kernels");
  CaseRecord record = case_from_json(alone);
  for (const Json& kernel : json["kernels"]) record.kernels.push_back(kernel_from_json(kernel));
  return record;
}

std::string journal_line(const std::string& run, const CaseRecord& record) {
  Json json = to_journal(record);
  json["run"] = run;
  return json.dump(-1, ' ', false, Json::error_handler_t::replace) + "\n";
}

std::vector<JournalEntry> read_journal(std::string_view text) {
  std::vector<JournalEntry> entries;
  for (std::size_t end = text.find('\n'); end != std::string_view::npos; end = text.find('\n')) {
    try {
      Json json = Json::parse(text.substr(0, end));
      JournalEntry entry{Node(json)["run"].text(), {}};
      json.erase("run");
      entry.record = case_from_journal(json);
      entries.push_back(std::move(entry));
    } catch (const std::exception& e) {  // the parser's, or a ReadError
      throw ReadError(fmt::format("line {}: {}", entries.size() + 1, e.what()));
    }
    text.remove_prefix(end + 1);
  }
  return entries;
}

}  // namespace quadpair::reports
