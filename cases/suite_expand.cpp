#include "cases/suite_expand.hpp"

#include <unordered_map>

#include "cases/error.hpp"
#include "cases/plan_text.hpp"
#include "cases/slices.hpp"
#include "kernels/qpn2/layout.hpp"

namespace quadpair::cases {
namespace {

using Json = nlohmann::json;

const Json& all_targets() {
  static const Json targets = {
      {"sm70", {"volta", "turing", "fma-lowered"}}, {"sm80", {"ampere"}}, {"sm90", {"hopper"}}};
  return targets;
}

[[noreturn]] void fail(const std::string& where, const std::string& reason) {
  throw DataError(where + ": " + reason);
}

SliceShape checked_shape(const std::string& slice, bool gated, const std::string& where) {
  const auto shape = slice_shape(slice);
  if (!shape) fail(where, "slice '" + slice + "' is not known");
  if (gated && shape->halves != 2) fail(where, "slice '" + slice + "' is not a fused gate/up matrix");
  return *shape;
}

/// The plan that `text` names; "tuned" leaves it to the target's tuning rule.
qpn2::Tuning resolve_plan(const std::string& text, const SliceShape& shape, bool gated,
                          const std::string& target, const std::string& where) {
  const auto padded_n = gated ? qpn2::pad_gated(shape.n) : qpn2::pad_to_tile(shape.n);
  const auto plan = text == "tuned"
                        ? qpn2::tuning_rule(shape.k, padded_n, target_from_string(target).value(), gated)
                        : plan_from_text(text);
  if (!plan) fail(where, "plan '" + text + "' cannot be had for K = " + std::to_string(shape.k));
  return *plan;
}

/// "FILE: /groups/3"
std::string group_place(const std::string& file, std::size_t group) {
  return file + ": /groups/" + std::to_string(group);
}

/// Fields that all cases of a group share.
Case common_fields(const Json& group) {
  Case c;
  c.layout = group.value("layout", c.layout);
  c.ldx_extra = group.value("ldx_extra", c.ldx_extra);
  c.ldy_extra = group.value("ldy_extra", c.ldy_extra);
  c.judges_order = group.value("judges_order", c.judges_order);
  c.promises_all_codes = group.value("promises_all_codes", c.promises_all_codes);
  if (group.contains("refused")) c.refused = group["refused"].get<std::string>();
  return c;
}

/// The case on each target and model; `plan_of` gives the plan on a target.
template <class PlanOf>
void expand_targets(Case c, const Json& targets, const PlanOf& plan_of, std::vector<Case>& cases) {
  for (const auto& [target, models] : targets.items()) {
    const qpn2::Tuning plan = plan_of(target);
    c.split_k = plan.split_k;
    c.chains = plan.chains;
    for (const Json& model : models) {
      c.target = target;
      c.model = model.get<std::string>();
      c.id = case_id(c);
      cases.push_back(c);
    }
  }
}

void expand_group(const Json& group, const std::string& where, std::vector<Case>& cases) {
  const Json plans = group.value("plans", Json::array({"tuned"}));
  const Json targets = group.value("targets", all_targets());
  const Json& fills = group["fills"];
  std::size_t turn = 0;
  Case c = common_fields(group);
  for (const Json& operation : group["operators"]) {
    c.operation = operation.get<std::string>();
    const bool gated = c.operation == "qpn2_gated";
    for (std::size_t s = 0; s < group["slices"].size(); ++s) {
      c.slice = group["slices"][s].get<std::string>();
      const std::string slice_path = where + "/slices/" + std::to_string(s);
      const SliceShape shape = checked_shape(c.slice, gated, slice_path);
      for (std::size_t p = 0; p < plans.size(); ++p) {
        const auto plan_of = [&](const std::string& target) {
          return resolve_plan(plans[p].get<std::string>(), shape, gated, target,
                              plans.size() == 1 ? slice_path : where + "/plans/" + std::to_string(p));
        };
        for (const Json& m : group["m"]) {
          c.m = m.get<std::uint32_t>();
          c.fill = fills[turn++ % fills.size()].get<std::string>();
          if (c.fill == "real" && !has_activations(c.slice))
            fail(slice_path, "slice '" + c.slice + "' has no real activations");
          expand_targets(c, targets, plan_of, cases);
        }
      }
    }
  }
}

}  // namespace

std::string case_id(const Case& c) {
  return c.operation + "/" + c.slice + "/m" + std::to_string(c.m) + "/" + c.layout + "/" +
         qpn2::to_string(qpn2::Tuning{c.split_k, c.chains}) + "/" + c.target + "/" + c.model + "/" + c.fill;
}

Suite expand_suite(const Json& document, const std::string& file) {
  Suite suite;
  suite.name = document["name"].get<std::string>();
  suite.description = document["description"].get<std::string>();
  std::unordered_map<std::string, std::size_t> first_in;  // id -> its group
  for (std::size_t g = 0; g < document["groups"].size(); ++g) {
    const std::string place = group_place(file, g);
    const std::size_t begin = suite.cases.size();
    expand_group(document["groups"][g], place, suite.cases);
    for (std::size_t i = begin; i < suite.cases.size(); ++i) {
      const auto [first, is_new] = first_in.emplace(suite.cases[i].id, g);
      if (!is_new)
        fail(place, "case '" + suite.cases[i].id + "' is also in /groups/" + std::to_string(first->second));
    }
  }
  return suite;
}

}  // namespace quadpair::cases
