// Reports as JSON, schema "quadpair.report/1" (reports/report.schema.json).
#pragma once

#include <nlohmann/json.hpp>

#include "reports/record.hpp"

namespace quadpair::reports {

using Json = nlohmann::ordered_json;

Json to_json(const KernelRecord& kernel);
Json to_json(const CaseRecord& record);
Json to_json(const TimingRecord& timing);
Json to_json(const Report& report);

}  // namespace quadpair::reports
