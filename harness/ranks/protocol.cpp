#include "harness/ranks/protocol.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "cases/case_json.hpp"
#include "harness/run/worker.hpp"
#include "reports/json_read.hpp"

namespace quadpair::ranks {
namespace {

using Json = nlohmann::json;

/// Messages of a case may hold bytes that are no UTF-8.
std::string text_of(const Json& json) {
  return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

}  // namespace

std::string to_text(const Said& said) {
  Json json = Json::object();
  if (said.introduction)
    json["introduction"] = {{"host", said.introduction->host},
                            {"device", said.introduction->device},
                            {"program", said.introduction->program}};
  if (said.given) json["case"] = {{"index", said.given->index}, {"case", cases::to_json(said.given->c)}};
  if (said.finished)
    json["answer"] = {{"index", said.finished->index}, {"answer", run::answer_text(said.finished->record)}};
  if (said.stop) json["stop"] = true;
  return text_of(json);
}

Said said_from_text(const std::string& text) try {
  const Json json = Json::parse(text);
  Said said;
  if (json.contains("introduction")) {
    const Json& i = json["introduction"];
    said.introduction = {i.at("host").get<std::string>(), i.at("device").get<std::string>(),
                         i.at("program").get<std::string>()};
  }
  if (json.contains("case"))
    said.given = {json["case"].at("index").get<std::size_t>(),
                  cases::case_from_json(json["case"].at("case"))};
  if (json.contains("answer"))
    said.finished = {json["answer"].at("index").get<std::size_t>(),
                     run::answer_from_text(json["answer"].at("answer").get<std::string>())};
  said.stop = json.value("stop", false);
  return said;
} catch (const Json::exception& e) {
  throw reports::ReadError(fmt::format("a message between ranks: {}", e.what()));
}

}  // namespace quadpair::ranks
