#include "harness/run/explain/device_sum.hpp"

#include <algorithm>
#include <map>

#include "harness/run/explain/value_path.hpp"

namespace quadpair::run {
namespace {

using device::History;
using device::Node;

class Finder {
 public:
  explicit Finder(const History& history) : history_(history) {}

  std::vector<DeviceSum> find() {
    visit(source_of_half(history_, history_.stored).node);
    return std::move(sums_);
  }

 private:
  const Node& node(std::uint32_t index) const { return history_.nodes[index]; }
  std::string_view mnemonic(std::uint32_t index) const { return history_.code[node(index).code].mnemonic; }

  /// A rounding of FP32 to FP16.
  bool rounds(std::uint32_t index) const {
    return node(index).kind == Node::Kind::computed && mnemonic(index).starts_with("cvt.") &&
           mnemonic(index).ends_with(".f16.f32");
  }

  /// FP32 additions, and what a damaged kernel may have in their place.
  bool adds(std::uint32_t index) const {
    return node(index).kind == Node::Kind::computed && node(index).inputs.size() == 2 &&
           mnemonic(index).ends_with(".f32") && !mnemonic(index).starts_with("cvt.") &&
           !mnemonic(index).starts_with("div.") && !mnemonic(index).starts_with("mul.");
  }

  /// Whether the node is made of products, or of what should be some and was never written, without a
  /// rounding to FP16 between.
  bool sums_products(std::uint32_t index) {
    const auto known = sums_products_.find(index);
    if (known != sums_products_.end()) return known->second;
    bool found = node(index).kind == Node::Kind::mma || node(index).kind == Node::Kind::unwritten;
    if (!found && !rounds(index))
      for (const device::Piece& input : node(index).inputs) found = found || sums_products(input.node);
    return sums_products_[index] = found;
  }

  /// Whether the node is a sum of slices of which every one is empty.
  bool sums_nothing(std::uint32_t index) const {
    index = behind_copies(history_, index);
    if (node(index).kind == Node::Kind::constant) return node(index).bits == 0;
    return adds(index) && sums_nothing(node(index).inputs[0].node) &&
           sums_nothing(node(index).inputs[1].node);
  }

  void visit(std::uint32_t index) {
    if (!seen_.emplace(index, true).second) return;
    if (rounds(index) &&
        (sums_products(node(index).inputs[0].node) || sums_nothing(node(index).inputs[0].node))) {
      sums_.push_back(sum(index));
      return;
    }
    for (const device::Piece& input : node(index).inputs) visit(input.node);
  }

  struct Spine {
    std::uint32_t base = 0;
    std::vector<std::pair<std::uint32_t, std::uint32_t>> terms;  ///< what is added, and the addition
  };

  /// ((base + term) + term) + ...; compilers put a constant second.
  Spine unwind(std::uint32_t index) const {
    Spine spine;
    index = behind_copies(history_, index);
    while (adds(index)) {
      std::uint32_t left = node(index).inputs[0].node, right = node(index).inputs[1].node;
      if (node(right).kind == Node::Kind::constant && node(left).kind != Node::Kind::constant)
        std::swap(left, right);
      spine.terms.emplace_back(right, index);
      index = behind_copies(history_, left);
    }
    spine.base = index;
    std::ranges::reverse(spine.terms);
    return spine;
  }

  DeviceSum::Chain chain(std::uint32_t index) const {
    DeviceSum::Chain chain;
    index = behind_copies(history_, index);
    while (node(index).kind == Node::Kind::mma) {
      chain.steps.push_back(index);
      index = behind_copies(history_, node(index).inputs[0].node);
    }
    std::ranges::reverse(chain.steps);
    chain.start = index;
    return chain;
  }

  DeviceSum::Slice slice(std::uint32_t taken) const {
    DeviceSum::Slice slice;
    const Spine spine = unwind(taken);
    slice.chains.push_back(chain(spine.base));
    for (const auto& [term, addition] : spine.terms) slice.chains.push_back(chain(term));
    slice.sum = behind_copies(history_, taken);
    slice.taken = taken;
    slice.running = slice.sum;
    return slice;
  }

  DeviceSum sum(std::uint32_t rounding) const {
    DeviceSum sum;
    sum.rounded = rounding;
    const std::uint32_t total = node(rounding).inputs[0].node;
    const Spine spine = unwind(total);
    if (node(spine.base).kind != Node::Kind::constant || spine.terms.empty()) {
      sum.slices.push_back(slice(total));
      return sum;
    }
    for (const auto& [term, addition] : spine.terms) {
      sum.slices.push_back(slice(term));
      sum.slices.back().running = addition;
    }
    return sum;
  }

  const History& history_;
  std::map<std::uint32_t, bool> sums_products_, seen_;
  std::vector<DeviceSum> sums_;
};

}  // namespace

std::vector<DeviceSum> device_sums(const History& history) {
  return Finder(history).find();
}

}  // namespace quadpair::run
