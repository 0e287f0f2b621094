#include "cases/suite_expand.hpp"

#include <unordered_map>

#include "cases/error.hpp"
#include "cases/heads.hpp"
#include "cases/operators.hpp"
#include "cases/plan_text.hpp"
#include "cases/slices.hpp"
#include "kernels/qpn2/layout.hpp"
#include "kernels/qpn8/gemm.hpp"

namespace quadpair::cases {
namespace {

using Json = nlohmann::json;

[[noreturn]] void fail(const std::string& where, const std::string& reason) {
  throw DataError(where + ": " + reason);
}

SliceShape checked_shape(const std::string& slice, const OperatorTraits& traits, const std::string& where) {
  const auto shape = slice_shape(slice);
  if (!shape) fail(where, "slice '" + slice + "' is not known");
  if (traits.head != head_shape(slice).has_value())
    fail(where, "slice '" + slice + "' is " + (traits.head ? "no" : "an") + " LM head");
  if (traits.fp8 != shape->fp8)
    fail(where, "slice '" + slice + (traits.fp8 ? "' has no FP8 weights" : "' has FP8 weights"));
  if (traits.gated && shape->halves != 2) fail(where, "slice '" + slice + "' is not a fused gate/up matrix");
  return *shape;
}

/// Sets what `text` names; "tuned" leaves it to the target's tuning rule, or to the defaults.
void set_plan(Case& c, const std::string& text, const OperatorTraits& traits, const SliceShape& shape,
              const std::string& where) {
  const auto refuse_unless = [&](bool found) {
    if (!found)
      fail(where,
           "plan '" + text + "' cannot be had for " + c.operation + " with K = " + std::to_string(shape.k));
  };
  if (traits.plan == PlanKind::qpn2 || traits.plan == PlanKind::qpn8) {
    const Target target = target_from_string(c.target).value();
    const auto padded_n = traits.gated ? qpn2::pad_gated(shape.n) : qpn2::pad_to_tile(shape.n);
    const auto plan = text != "tuned" ? plan_from_text(text)
                      : traits.plan == PlanKind::qpn8
                          ? qpn8::tuning_rule(shape.k, target)
                          : qpn2::tuning_rule(shape.k, padded_n, target, traits.gated);
    refuse_unless(plan.has_value());
    c.split_k = plan->split_k;
    c.chains = plan->chains;
  } else if (text == "tuned") {
    return;
  } else if (traits.plan == PlanKind::wide) {
    refuse_unless(text.find('x') != std::string::npos);
    c.tuning = text;
  } else if (traits.plan == PlanKind::workspace && text == "cublas") {
    c.library = true;
  } else if (traits.plan == PlanKind::workspace) {
    const auto limit = workspace_from_text(text);
    refuse_unless(limit.has_value());
    c.workspace_limit = *limit;
  } else {
    const auto thresholds = traits.plan == PlanKind::dispatch ? thresholds_from_text(text) : std::nullopt;
    refuse_unless(thresholds.has_value());
    c.qpn2_rows = thresholds->qpn2_rows;
    c.dense_rows = thresholds->dense_rows;
  }
}

/// "FILE: /groups/3"
std::string group_place(const std::string& file, std::size_t group) {
  return file + ": /groups/" + std::to_string(group);
}

/// Fields that all cases of a group share.
Case common_fields(const Json& group) {
  Case c;
  c.ldx_extra = group.value("ldx_extra", c.ldx_extra);
  c.ldy_extra = group.value("ldy_extra", c.ldy_extra);
  c.y_before = group.value("y_before", c.y_before);
  c.judges_order = group.value("judges_order", c.judges_order);
  c.promises_all_codes = group.value("promises_all_codes", c.promises_all_codes);
  if (group.contains("refused")) c.refused = group["refused"].get<std::string>();
  return c;
}

/// The slices of a group: each name, or its ranks.
std::vector<std::string> slices_of(const Json& group) {
  std::vector<std::string> slices;
  for (const Json& slice : group["slices"])
    if (group.contains("ranks"))
      for (const Json& rank : group["ranks"])
        slices.push_back(slice.get<std::string>() + "@r" + std::to_string(rank.get<unsigned>()));
    else
      slices.push_back(slice.get<std::string>());
  return slices;
}

/// A group and what is read of it again and again.
struct Group {
  const Json& json;
  std::string where;
  Json plans = json.value("plans", Json::array({"tuned"}));
  Json layouts = json.value("layouts", Json::array({"dual"}));
  Json targets = json.value("targets", all_targets());
  Json tops = json.value("top", Json::array({16}));
};

/// The case under each plan, on each target and model.
void expand_targets(Case c, const Group& group, const std::string& plan, const OperatorTraits& traits,
                    const SliceShape& shape, const std::string& where, std::vector<Case>& cases) {
  for (const auto& [target, models] : group.targets.items()) {
    c.target = target;
    set_plan(c, plan, traits, shape, where);
    for (const Json& model : models) {
      c.model = model.get<std::string>();
      c.id = case_id(c);
      cases.push_back(c);
    }
  }
}

void expand_layouts(Case c, const Group& group, const std::string& plan, const OperatorTraits& traits,
                    const SliceShape& shape, const std::string& where, std::vector<Case>& cases) {
  for (const Json& layout : group.layouts) {
    c.layout = traits.weights ? layout.get<std::string>() : "";
    expand_targets(c, group, plan, traits, shape, where, cases);
    if (!traits.weights) return;
  }
}

/// One operator on one slice under every plan, M and layout.
void expand_slice(Case c, const Group& group, const OperatorTraits& traits, const std::string& place,
                  std::size_t& turn, std::vector<Case>& cases) {
  const SliceShape shape = checked_shape(c.slice, traits, place);
  c.rank = shape.rank;
  c.tp = shape.tp;
  for (std::size_t p = 0; p < group.plans.size(); ++p) {
    const std::string plan = group.plans[p].get<std::string>();
    const std::string where = group.plans.size() == 1 ? place : group.where + "/plans/" + std::to_string(p);
    if (!traits.has_rows) {
      expand_layouts(c, group, plan, traits, shape, where, cases);
      continue;
    }
    if (!group.json.contains("m") || !group.json.contains("fills"))
      fail(group.where, c.operation + " needs 'm' and 'fills'");
    const Json& fills = group.json["fills"];
    for (const Json& m : group.json["m"]) {
      c.m = m.get<std::uint32_t>();
      c.fill = fills[turn++ % fills.size()].get<std::string>();
      if (c.fill == "real" && !has_activations(c.slice))
        fail(place, "slice '" + c.slice + "' has no real activations");
      if (!traits.top) expand_layouts(c, group, plan, traits, shape, where, cases);
      if (traits.top)
        for (const Json& top : group.tops) {
          c.top = top.get<std::uint32_t>();
          expand_layouts(c, group, plan, traits, shape, where, cases);
        }
    }
  }
}

void expand_group(const Json& json, const std::string& where, std::vector<Case>& cases) {
  const Group group{json, where};
  const std::vector<std::string> slices = slices_of(json);
  const std::size_t ranks = slices.size() / json["slices"].size();
  std::size_t turn = 0;
  Case c = common_fields(json);
  for (const Json& operation : json["operators"]) {
    c.operation = operation.get<std::string>();
    const OperatorTraits traits = operator_traits(c.operation).value();
    for (std::size_t s = 0; s < slices.size(); ++s) {
      c.slice = slices[s];
      expand_slice(c, group, traits, where + "/slices/" + std::to_string(s / ranks), turn, cases);
    }
  }
}

/// The plan part of an id; empty where the operator has none, or takes the defaults.
std::string plan_of(const Case& c) {
  const Case defaults;
  const auto traits = operator_traits(c.operation);
  switch (traits ? traits->plan : PlanKind::none) {
    case PlanKind::none: break;
    case PlanKind::qpn2:
    case PlanKind::qpn8: return qpn2::to_string(qpn2::Tuning{c.split_k, c.chains});
    case PlanKind::wide: return c.tuning;
    case PlanKind::workspace:
      if (c.library) return "cublas";
      return c.workspace_limit == defaults.workspace_limit
                 ? ""
                 : std::string("w").append(std::to_string(c.workspace_limit));
    case PlanKind::dispatch:
      if (c.qpn2_rows == defaults.qpn2_rows && c.dense_rows == defaults.dense_rows) break;
      return std::string("q")
          .append(std::to_string(c.qpn2_rows))
          .append(".d")
          .append(std::to_string(c.dense_rows));
  }
  return "";
}

}  // namespace

const nlohmann::json& all_targets() {
  static const Json targets = {
      {"sm70", {"volta", "turing", "fma-lowered"}}, {"sm80", {"ampere"}}, {"sm90", {"hopper"}}};
  return targets;
}

std::string case_id(const Case& c) {
  const bool has_rows = takes_activations(c);
  std::string id = c.operation;
  const auto add = [&](const std::string& part) {
    if (!part.empty()) id.append("/").append(part);
  };
  add(c.slice);
  if (has_rows) add(std::string("m").append(std::to_string(c.m)));
  for (const std::string& part : {c.layout, plan_of(c), c.target, c.model}) add(part);
  if (has_rows) add(c.fill);
  if (c.top != 0) add(std::string("k").append(std::to_string(c.top)));
  return id;
}

Suite expand_suite(const Json& document, const std::string& file) {
  Suite suite;
  suite.name = document["name"].get<std::string>();
  suite.description = document["description"].get<std::string>();
  suite.sanitize = document.value("sanitize", suite.sanitize);
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
