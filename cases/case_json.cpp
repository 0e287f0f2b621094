#include "cases/case_json.hpp"

#include <string>

#include "cases/error.hpp"

namespace quadpair::cases {
namespace {

/// Calls `member` with the name of each field and the field, but for `refused`. Does not compile when a field
/// of Case is left out.
template <class AnyCase, class Member>
void each_field(AnyCase& c, const Member& member) {
  auto& [id, operation, slice, m, layout, split_k, chains, tuning, qpn2_rows, dense_rows, workspace_limit,
         library, target, model, fill, ldx_extra, ldy_extra, y_before, judges_order, promises_all_codes,
         refused, rank, tp, top] = c;
  member("id", id);
  member("operation", operation);
  member("slice", slice);
  member("m", m);
  member("layout", layout);
  member("split_k", split_k);
  member("chains", chains);
  member("tuning", tuning);
  member("qpn2_rows", qpn2_rows);
  member("dense_rows", dense_rows);
  member("workspace_limit", workspace_limit);
  member("library", library);
  member("target", target);
  member("model", model);
  member("fill", fill);
  member("ldx_extra", ldx_extra);
  member("ldy_extra", ldy_extra);
  member("y_before", y_before);
  member("judges_order", judges_order);
  member("promises_all_codes", promises_all_codes);
  member("rank", rank);
  member("tp", tp);
  member("top", top);
  static_cast<void>(refused);
}

}  // namespace

nlohmann::json to_json(const Case& c) {
  nlohmann::json json;
  each_field(c, [&](const char* name, const auto& value) { json[name] = value; });
  if (c.refused) json["refused"] = *c.refused;
  return json;
}

Case case_from_json(const nlohmann::json& json) {
  try {
    Case c;
    each_field(c, [&](const char* name, auto& value) { json.at(name).get_to(value); });
    if (json.contains("refused")) c.refused = json["refused"].get<std::string>();
    return c;
  } catch (const nlohmann::json::exception& e) {
    throw DataError(std::string("a case: ") + e.what());
  }
}

}  // namespace quadpair::cases
