#include "harness/run/explain/difference.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <utility>

#include "harness/run/explain/products.hpp"
#include "harness/run/explain/value_path.hpp"
#include "harness/run/explain/wrong_weight.hpp"

namespace quadpair::run {
namespace {

using device::History;
using device::Node;

class SumComparison {
 public:
  SumComparison(const Problem& problem, const Matrix& matrix, const Explanation& e, std::uint32_t index)
      : problem_(problem),
        matrix_(matrix),
        e_(e),
        sum_(e.sums[index]),
        device_(*sum_.device),
        history_(*sum_.history) {
    found_.sum = index;
  }

  std::optional<Difference> run() {
    const std::size_t wanted = sum_.expected.slices.size(), got = device_.slices.size();
    for (std::size_t s = 0; s < std::min(wanted, got); ++s)
      if (slice(s)) return found_;
    if (wanted != got) {
      different("slices", fmt::format("{} slices are added, not {}", got, wanted), device_.rounded);
      return found_;
    }
    if (bits(device_.rounded, 0xFFFF) != sum_.expected.rounded) {
      different("rounding",
                fmt::format("the sum 0x{:08x} is rounded to 0x{:04x}, not 0x{:04x}",
                            sum_.expected.slices.back().running, bits(device_.rounded, 0xFFFF),
                            sum_.expected.rounded),
                device_.rounded);
      return found_;
    }
    return std::nullopt;
  }

 private:
  std::uint32_t bits(std::uint32_t node, std::uint32_t mask = ~0u) const {
    return static_cast<std::uint32_t>(history_.nodes[node].bits) & mask;
  }

  void different(std::string kind, std::string what, std::uint32_t node) {
    found_.kind = std::move(kind);
    found_.what = std::move(what);
    found_.instruction = history_.code[history_.nodes[node].code];
    found_.where = sum_.name;
    if (found_.slice) found_.where += fmt::format(", slice {}", *found_.slice);
    if (found_.chain) found_.where += fmt::format(", chain {}", *found_.chain);
    if (found_.step) found_.where += fmt::format(", step {}", *found_.step);
  }

  bool slice(std::size_t index) {
    const ExpectedSum::Slice& wanted = sum_.expected.slices[index];
    const DeviceSum::Slice& got = device_.slices[index];
    found_.slice = static_cast<std::uint32_t>(index);
    if (never_stored(got) || of_another_slice(index) || steps(wanted, got)) return true;
    found_.chain = found_.step = std::nullopt;
    if (wanted.chains.size() != got.chains.size()) {
      different("chains", fmt::format("{} chains are added, not {}", got.chains.size(), wanted.chains.size()),
                got.sum);
      return true;
    }
    if (bits(got.sum) != wanted.sum) {
      different("chains",
                fmt::format("the chains add up to 0x{:08x}, not 0x{:08x}", bits(got.sum), wanted.sum),
                got.sum);
      return true;
    }
    if (sum_.expected.slices.size() > 1 && bits(got.running) != wanted.running) {
      different("slices",
                fmt::format("the slices so far add up to 0x{:08x}, not 0x{:08x}", bits(got.running),
                            wanted.running),
                got.running);
      return true;
    }
    found_.slice = std::nullopt;
    return false;
  }

  /// A partial sum that is read where none was put.
  bool never_stored(const DeviceSum::Slice& got) {
    for (const DeviceSum::Chain& chain : got.chains) {
      const Node::Kind kind = history_.nodes[chain.start].kind;
      if (kind == Node::Kind::unwritten && chain.steps.empty()) {
        different("not written", "a partial sum is read that nothing had written", chain.start);
        return true;
      }
      if (kind == Node::Kind::constant && bits(chain.start) == 0) continue;
      different("accumulator", fmt::format("a chain starts at 0x{:08x}, not at +0.0", bits(chain.start)),
                chain.start);
      return true;
    }
    return false;
  }

  /// The sum of one slice is added where another's should be.
  bool of_another_slice(std::size_t index) {
    const DeviceSum::Slice& got = device_.slices[index];
    if (got.chains[0].steps.empty()) return false;
    const DeviceProduct first = products(got.chains[0].steps[0]).at(0);
    for (std::size_t other = 0; other < sum_.expected.slices.size(); ++other) {
      const auto& steps = sum_.expected.slices[other].chains[0].steps;
      if (other == index || steps.empty() || first.row != e_.row || first.k != steps[0].k[0]) continue;
      if (other >= device_.slices.size() || device_.slices[other].sum != got.sum) continue;
      different("slices", fmt::format("the sum of slice {} is added in place of this one's", other),
                got.taken);
      return true;
    }
    return false;
  }

  /// Steps in the order in which they are executed, chain by turns.
  bool steps(const ExpectedSum::Slice& wanted, const DeviceSum::Slice& got) {
    std::size_t longest = 0;
    for (const auto& chain : wanted.chains) longest = std::max(longest, chain.steps.size());
    for (const auto& chain : got.chains) longest = std::max(longest, chain.steps.size());
    for (std::size_t i = 0; i < longest; ++i)
      for (std::size_t c = 0; c < std::max(wanted.chains.size(), got.chains.size()); ++c) {
        const bool is_wanted = c < wanted.chains.size() && i < wanted.chains[c].steps.size();
        const bool is_there = c < got.chains.size() && i < got.chains[c].steps.size();
        found_.chain = static_cast<std::uint32_t>(c);
        found_.step = static_cast<std::uint32_t>(i);
        if (is_wanted && is_there) {
          if (step(wanted.chains[c].steps[i], got.chains[c].steps[i])) return true;
        } else if (is_wanted) {
          different("order",
                    fmt::format("k {} are not summed here: {}", fmt::join(wanted.chains[c].steps[i].k, ","),
                                where_summed(wanted.chains[c].steps[i].k[0])),
                    got.sum);
          return true;
        } else if (is_there) {
          different("order", fmt::format("a step too many, {}", summed_k(got.chains[c].steps[i])),
                    got.chains[c].steps[i]);
          return true;
        }
      }
    return false;
  }

  std::vector<DeviceProduct> products(std::uint32_t node) const {
    return products_of(history_, node, e_.mma, e_.ldx);
  }

  std::string summed_k(std::uint32_t node) const {
    std::vector<std::string> k;
    for (const DeviceProduct& p : products(node)) k.push_back(p.k ? std::to_string(*p.k) : "?");
    return fmt::format("of k {}", fmt::join(k, ","));
  }

  /// Where the device sums a k, in words.
  std::string where_summed(std::uint32_t k) const {
    for (std::size_t s = 0; s < device_.slices.size(); ++s)
      for (std::size_t c = 0; c < device_.slices[s].chains.size(); ++c) {
        const auto& all = device_.slices[s].chains[c].steps;
        for (std::size_t i = 0; i < all.size(); ++i)
          for (const DeviceProduct& p : products(all[i]))
            if (p.k == k && p.row == e_.row)
              return fmt::format("k {} is summed in slice {}, chain {}, step {}", k, s, c, i);
      }
    return fmt::format("k {} is never summed", k);
  }

  bool step(const ExpectedSum::Step& wanted, std::uint32_t node) {
    const std::vector<DeviceProduct> got = products(node);
    if (got.size() != wanted.k.size()) {
      different("order", fmt::format("an instruction of {} products, not {}", got.size(), wanted.k.size()),
                node);
      return true;
    }
    for (std::size_t i = 0; i < got.size(); ++i)
      if (product(wanted, got, i, node)) return true;
    if (bits(node) == wanted.after) return false;
    different(
        "accumulator",
        fmt::format("equal products give the accumulator 0x{:08x}, not 0x{:08x}", bits(node), wanted.after),
        node);
    return true;
  }

  /// Then not the step stands in the wrong place: its activations were read from one.
  bool weights_as_planned(const ExpectedSum::Step& wanted, const std::vector<DeviceProduct>& got) const {
    for (std::size_t i = 0; i < got.size(); ++i)
      if (got[i].w != sum_.w[wanted.k[i]]) return false;
    return true;
  }

  bool product(const ExpectedSum::Step& wanted, const std::vector<DeviceProduct>& got, std::size_t i,
               std::uint32_t node) {
    const std::uint32_t k = wanted.k[i];
    const DeviceProduct& p = got[i];
    const bool same_place = p.row == e_.row && p.k == k;
    if (!same_place && (p.k || p.x != e_.x[k])) {
      different(p.row != e_.row ? "activation" : "order",
                p.k ? fmt::format("row {}, k {} of x in place of row {}, k {}; {}", *p.row, *p.k, e_.row, k,
                                  where_summed(k))
                    : fmt::format("the activation is 0x{:04x}, which was not read from x, in place of "
                                  "0x{:04x} of k {}",
                                  p.x, e_.x[k], k),
                weights_as_planned(wanted, got) || !p.k ? source_of_half(history_, p.x_piece).node : node);
      return true;
    }
    if (p.x != e_.x[k]) {
      different("activation", fmt::format("x at k {} is 0x{:04x}, not 0x{:04x}", k, p.x, e_.x[k]),
                source_of_half(history_, p.x_piece).node);
      return true;
    }
    if (p.w == sum_.w[k]) return false;
    different("weight", "", node);
    blame_weight(problem_, matrix_, history_, p.w_piece, {sum_.row, k, sum_.w[k]}, found_);
    return true;
  }

  const Problem& problem_;
  const Matrix& matrix_;
  const Explanation& e_;
  const SumExplained& sum_;
  const DeviceSum& device_;
  const History& history_;
  Difference found_;
};

/// The sums are right, the stored number is not.
Difference in_epilogue(const Explanation& e) {
  Difference found;
  found.kind = "epilogue";
  found.where = "stored number";
  const History& history = *e.history;
  found.what =
      fmt::format("0x{:04x} is stored, not 0x{:04x}, though the sums are right", *e.actual, e.expected);
  const std::uint32_t made = source_of_half(history, history.stored).node;
  found.instruction = history.code[history.nodes[made].code];
  if (e.sums.size() != 2) return found;
  found.made_by = computed_with(history, made);
  for (const Node& node : history.nodes) {
    const bool widens =
        node.kind == Node::Kind::computed && history.code[node.code].mnemonic == "cvt.f32.f16";
    const bool of_up = widens && e.sums[1].history == e.history &&
                       source_of_half(history, node.inputs[0]).node == e.sums[1].device->rounded;
    if (!of_up) continue;
    found.what += "; silu is taken of up";
    found.instruction = history.code[node.code];
  }
  return found;
}

}  // namespace

std::optional<Difference> first_difference(const Problem& problem, const Matrix& matrix,
                                           const Explanation& e) {
  for (std::uint32_t i = 0; i < e.sums.size(); ++i) {
    if (!e.sums[i].device) {
      Difference found;
      found.kind = "not summed";
      found.where = e.sums[i].name;
      found.what = "no rounded sum of products was found behind the stored number";
      found.instruction = e.history->code[e.history->stored_by];
      return found;
    }
    if (auto found = SumComparison(problem, matrix, e, i).run()) return found;
  }
  if (e.actual != e.expected) return in_epilogue(e);
  return std::nullopt;
}

}  // namespace quadpair::run
