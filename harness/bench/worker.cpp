#include "harness/bench/worker.hpp"

#include "cases/case_json.hpp"
#include "harness/run/worker.hpp"
#include "reports/journal.hpp"
#include "reports/json_read.hpp"

namespace quadpair::bench {
namespace {

using reports::Json;

Json to_json(const timing::Sample& s) {
  return Json::array(
      {static_cast<int>(s.side), s.round, s.order, s.seconds, s.sm_mhz, s.throttled, s.counted});
}

timing::Sample sample_from(const Json& json) {
  return {static_cast<timing::Side>(json.at(0).get<int>()),
          json.at(1).get<std::uint32_t>(),
          json.at(2).get<std::uint32_t>(),
          json.at(3).get<double>(),
          json.at(4).get<std::uint32_t>(),
          json.at(5).get<bool>(),
          json.at(6).get<bool>()};
}

Json to_json(const timing::Round& r) {
  return Json::array({r.control_first, r.candidate_first, r.candidate_second, r.control_second});
}

timing::Round round_from(const Json& json) {
  return {json.at(0).get<double>(), json.at(1).get<double>(), json.at(2).get<double>(),
          json.at(3).get<double>()};
}

Json to_json(const Comparison& c) {
  Json json{{"timing", reports::to_json(c.record)},
            {"samples", Json::array()},
            {"rounds", Json::array()},
            {"early_start", c.early_start},
            {"steady", c.steady}};
  for (const timing::Sample& sample : c.samples) json["samples"].push_back(to_json(sample));
  for (const timing::Round& round : c.rounds) json["rounds"].push_back(to_json(round));
  if (c.counted) json["counted"] = Json::array({c.counted->candidate, c.counted->control});
  return json;
}

Comparison comparison_from(const Json& json) {
  Comparison c{reports::timing_from_json(json.at("timing"))};
  for (const Json& sample : json.at("samples")) c.samples.push_back(sample_from(sample));
  for (const Json& round : json.at("rounds")) c.rounds.push_back(round_from(round));
  if (json.contains("counted"))
    c.counted =
        Counted{json["counted"].at(0).get<std::uint64_t>(), json["counted"].at(1).get<std::uint64_t>()};
  c.early_start = json.at("early_start").get<bool>();
  c.steady = json.at("steady").get<bool>();
  return c;
}

}  // namespace

std::string request_text(const cases::Case& c) {
  Json request = Json::object();
  request["case"] = cases::to_json(c);
  return run::line_of(request);
}

std::string answer_text(const Result& result) {
  Json answer{{"case", reports::to_journal(result.record)}};
  if (result.comparison) answer["comparison"] = to_json(*result.comparison);
  return run::line_of(answer);
}

Result answer_from_text(std::string_view line) try {
  const Json json = Json::parse(line);
  if (json.contains("unavailable")) throw device::Unavailable(json["unavailable"].get<std::string>());
  Result result{reports::case_from_journal(json.at("case"))};
  if (json.contains("comparison")) result.comparison = comparison_from(json["comparison"]);
  return result;
} catch (const Json::exception& e) {
  throw reports::ReadError(e.what());
}

void answer_requests(std::istream& in, std::ostream& out, Bench& bench) {
  run::answer_each(in, out, [&](const nlohmann::json& request) {
    try {
      return answer_text(bench.run(cases::case_from_json(request.at("case"))));
    } catch (const device::Unavailable& e) {
      Json answer = Json::object();
      answer["unavailable"] = e.what();
      return run::line_of(answer);
    }
  });
}

}  // namespace quadpair::bench
