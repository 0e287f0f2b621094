#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <bit>
#include <cmath>

#include "harness/cli/explanation.hpp"
#include "harness/cli/table.hpp"
#include "harness/run/explain/products.hpp"
#include "reference/formats/fp4_fp8.hpp"
#include "reference/oracle/oracle.hpp"

namespace quadpair::cli {
namespace {

using run::Explanation;
using run::SumExplained;

constexpr std::size_t shown_around = 2, shown_first = 4;  ///< steps

std::string half_text(reference::Half h) {
  return fmt::format("0x{:04x} {:.7g}", h, reference::to_float(h));
}

std::string bits_text(std::uint32_t bits) {
  return fmt::format("0x{:08x}", bits);
}

std::uint32_t device_bits(const SumExplained& sum, std::uint32_t node) {
  return static_cast<std::uint32_t>(sum.history->nodes[node].bits);
}

/// "0-15", or the numbers where they are not in a row.
std::string k_text(const std::vector<std::uint32_t>& k) {
  std::string text;
  for (std::size_t i = 0; i < k.size();) {
    std::size_t j = i + 1;
    while (j < k.size() && k[j] == k[j - 1] + 1) ++j;
    if (i != 0) text += ",";
    text += j > i + 1 ? fmt::format("{}-{}", k[i], k[j - 1]) : std::to_string(k[i]);
    i = j;
  }
  return text;
}

/// What a weight is decoded from.
std::string origin_text(const run::WeightGroup& group, std::uint8_t code) {
  if (!group.scale_byte)
    return fmt::format("code 0x{:02x} = {}, s {}", code, reference::e4m3_value(code), half_text(group.scale));
  return fmt::format("code {:x} = {}, scale byte 0x{:02x} = {}, s {}", code, reference::e2m1_value(code),
                     *group.scale_byte, reference::e4m3_value(*group.scale_byte), half_text(group.scale));
}

std::string line_text(const device::CodeLine& line) {
  std::string text = fmt::format("PTX line {}: {}", line.ptx_line, line.text);
  if (!line.source.empty()) text += fmt::format("\n      {}", line.source);
  if (!line.caller.empty()) text += fmt::format(", inlined at {}", line.caller);
  return text + "\n";
}

class Text {
 public:
  Text(const Explanation& e, bool all, const Style& style) : e_(e), all_(all), style_(style) {}

  std::string text() {
    head();
    numbers();
    difference();
    for (std::size_t i = 0; i < e_.sums.size(); ++i) sum(i);
    return std::move(out_);
  }

 private:
  void head() {
    out_ += fmt::format("{}\nrow {}, column {} of {} x {}, K = {}, weights by the {} rule\nplan: {}\n", e_.id,
                        e_.row, e_.column, e_.m, e_.n, e_.k, e_.rule, e_.plan);
    if (e_.history)
      out_ += fmt::format("kernel: {}, block ({},{},{})\n", e_.history->kernel, e_.history->block.x,
                          e_.history->block.y, e_.history->block.z);
    out_ += "\n";
  }

  void numbers() {
    const bool equal = e_.actual == e_.expected;
    out_ +=
        fmt::format("device     {}\n",
                    e_.actual ? style_(equal ? Tint::green : Tint::red, half_text(*e_.actual)) : "nothing");
    out_ += fmt::format("reference  {}\n", half_text(e_.expected));
    out_ += fmt::format("FP64       {:.10g}, at most {:.3g} from it", e_.value, e_.bound);
    if (e_.actual)
      out_ += reference::within(e_.value, e_.bound, *e_.actual) ? ": the device is within"
                                                                : ": the device is not";
    out_ += "\n\n";
  }

  void difference() {
    if (!e_.difference) {
      out_ += style_(Tint::green, "no difference") +
              ": every step, chain, slice and rounding of the device is the reference's\n\n";
      return;
    }
    const run::Difference& d = *e_.difference;
    out_ += style_(Tint::red, "first difference") +
            fmt::format(" ({}){}{}: {}\n", d.kind, d.where.empty() ? "" : " at ", d.where, d.what);
    if (d.instruction) out_ += "  made by " + line_text(*d.instruction);
    if (!d.made_by.empty()) out_ += "  which was computed with\n";
    for (const device::CodeLine& line : d.made_by) out_ += "    " + line_text(line);
    out_ += "\n";
  }

  void sum(std::size_t index) {
    const SumExplained& sum = e_.sums[index];
    out_ += fmt::format("{}: row {} of the weights\n", style_(Tint::bold, sum.name), sum.row);
    slices(sum);
    out_ += fmt::format("rounded: reference {}", half_text(sum.expected.rounded));
    if (sum.device)
      out_ += fmt::format(", device {}",
                          half_text(static_cast<reference::Half>(device_bits(sum, sum.device->rounded))));
    out_ += "\n\n";
    for (std::size_t s = 0; s < sum.expected.slices.size(); ++s)
      for (std::size_t c = 0; c < sum.expected.slices[s].chains.size(); ++c) chain(index, s, c);
    out_ += "\n";
  }

  /// A table of the slices, each with its chains' sums.
  void slices(const SumExplained& sum) {
    Table table({"slice", "k", "steps", "chains", "sum", "added up", "device"}, 7);
    for (std::size_t s = 0; s < sum.expected.slices.size(); ++s) {
      const run::ExpectedSum::Slice& slice = sum.expected.slices[s];
      std::size_t steps = 0;
      std::vector<std::string> chains;
      for (const auto& chain : slice.chains) {
        steps += chain.steps.size();
        chains.push_back(bits_text(chain.sum()));
      }
      const bool there = sum.device && s < sum.device->slices.size();
      const std::uint32_t running = there ? device_bits(sum, sum.device->slices[s].running) : 0;
      table.add(
          {{std::to_string(s)},
           {slice.first_k == slice.end_k ? "none" : fmt::format("{}-{}", slice.first_k, slice.end_k - 1)},
           {std::to_string(steps)},
           {fmt::format("{}", fmt::join(chains, " "))},
           {bits_text(slice.sum)},
           {bits_text(slice.running)},
           {!there                     ? "missing"
            : running == slice.running ? "the same"
                                       : bits_text(running),
            there && running == slice.running ? Tint::plain : Tint::red}});
    }
    out_ += table.text(style_);
  }

  /// Whether a step is shown.
  bool shown(std::size_t sum, std::size_t slice, std::size_t chain, std::size_t step) const {
    if (all_) return true;
    if (!e_.difference || !e_.difference->sum) return sum == 0 && slice == 0 && step < shown_first;
    const run::Difference& d = *e_.difference;
    if (sum != *d.sum || slice != d.slice.value_or(0)) return false;
    if (!d.step) return step < shown_first;
    return step + shown_around >= *d.step && step <= *d.step + shown_around &&
           (!d.chain || chain == *d.chain || step + 1 >= *d.step);
  }

  void chain(std::size_t index, std::size_t s, std::size_t c) {
    const SumExplained& sum = e_.sums[index];
    const auto& steps = sum.expected.slices[s].chains[c].steps;
    for (std::size_t i = 0; i < steps.size(); ++i)
      if (shown(index, s, c, i)) step(sum, s, c, i, steps[i]);
  }

  void step(const SumExplained& sum, std::size_t s, std::size_t c, std::size_t i,
            const run::ExpectedSum::Step& step) {
    std::uint32_t node = 0;
    const bool there = sum.device && s < sum.device->slices.size() &&
                       c < sum.device->slices[s].chains.size() &&
                       i < sum.device->slices[s].chains[c].steps.size();
    if (there) node = sum.device->slices[s].chains[c].steps[i];
    const bool equal = there && device_bits(sum, node) == step.after;
    out_ += fmt::format("slice {} chain {} step {}, k {}: {}, device {}\n", s, c, i, k_text(step.k),
                        bits_text(step.after),
                        !there  ? style_(Tint::red, "missing")
                        : equal ? "the same"
                                : style_(Tint::red, bits_text(device_bits(sum, node))));
    const auto got =
        there ? run::products_of(*sum.history, node, e_.mma, e_.ldx) : std::vector<run::DeviceProduct>{};
    for (std::size_t j = 0; j < step.k.size(); ++j)
      product(sum, step.k[j], j < got.size() ? &got[j] : nullptr);
  }

  void product(const SumExplained& sum, std::uint32_t k, const run::DeviceProduct* got) {
    const run::WeightGroup& group = sum.groups[k / 16];
    const reference::Half x = e_.x[k], w = sum.w[k];
    out_ += fmt::format("  k {:<5} x {}  .  w {} ({})  =  {:.9g}", k, half_text(x), half_text(w),
                        origin_text(group, group.codes[k % 16]),
                        static_cast<double>(reference::to_float(x)) * reference::to_float(w));
    const bool other = got != nullptr && (got->x != x || got->w != w || (got->k && *got->k != k));
    if (other)
      out_ += style_(Tint::red, fmt::format("  device: k {} x 0x{:04x} w 0x{:04x}",
                                            got->k ? std::to_string(*got->k) : "?", got->x, got->w));
    out_ += "\n";
  }

  const Explanation& e_;
  const bool all_;
  const Style& style_;
  std::string out_;
};

}  // namespace

std::string explanation_text(const Explanation& explanation, bool all, const Style& style) {
  return Text(explanation, all, style).text();
}

}  // namespace quadpair::cli
