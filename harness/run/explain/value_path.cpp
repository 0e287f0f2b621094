#include "harness/run/explain/value_path.hpp"

#include <optional>
#include <string_view>

namespace quadpair::run {
namespace {

using device::History;
using device::Node;
using device::Piece;

constexpr std::uint32_t kHalf = 16;

/// One step back, or nothing where the half is made and not moved.
class Mover {
 public:
  Mover(const History& history, Piece at)
      : history_(history), shift_(at.shift), node_(history.nodes[at.node]) {}

  std::optional<Piece> moved() const {
    if (node_.kind == Node::Kind::copy) return input(0, shift_);
    if (node_.kind != Node::Kind::computed || node_.inputs.empty()) return std::nullopt;
    const std::string_view mnemonic = history_.code[node_.code].mnemonic;
    const auto is = [&](std::string_view name) { return mnemonic.starts_with(name); };
    if (is("mov.")) return through_move(mnemonic.ends_with("64") ? 64 : 32);
    if (is("cvt.u32.u16") || is("cvt.u64.u16")) return shift_ == 0 ? input(0, 0) : nothing();
    if (is("cvt.u32.u64") || is("cvt.u16.u32") || is("cvt.u16.u64")) return input(0, shift_);
    if (is("cvt.u64.u32")) return shift_ < 32 ? input(0, shift_) : nothing();
    if (is("shl.")) return shift_ >= constant(1) ? input(0, shift_ - constant(1)) : nothing();
    if (is("shr.u")) return input(0, shift_ + constant(1));
    if (is("or.")) return through_or();
    if (is("and.")) return (constant(1) >> shift_ & 0xFFFF) == 0xFFFF ? input(0, shift_) : nothing();
    if (is("bfi.b32")) return through_insertion();
    if (is("prmt.b32")) return through_permutation();
    if (is("selp.")) return input(constant(2) != 0 ? 0 : 1, shift_);
    return std::nullopt;
  }

  /// Whether the half is 0 whatever the inputs are.
  bool zero() const {
    if (node_.kind == Node::Kind::constant) return (node_.bits >> shift_ & 0xFFFF) == 0;
    if (node_.kind != Node::Kind::computed) return false;
    const std::string_view mnemonic = history_.code[node_.code].mnemonic;
    if (mnemonic.starts_with("shl.")) return shift_ + kHalf <= constant(1);
    if (mnemonic.starts_with("cvt.u32.u16")) return shift_ >= kHalf;
    if (mnemonic.starts_with("and.")) return (constant(1) >> shift_ & 0xFFFF) == 0;
    return false;
  }

 private:
  static std::optional<Piece> nothing() { return std::nullopt; }
  std::uint64_t constant(std::size_t index) const {
    return index < node_.inputs.size() ? history_.nodes[node_.inputs[index].node].bits : 0;
  }
  std::optional<Piece> input(std::size_t index, std::uint64_t shift) const {
    const Piece& from = node_.inputs.at(index);
    return Piece{from.node, from.shift + static_cast<std::uint32_t>(shift)};
  }

  /// {a, b, ...} into a register, or a register into {a, b}.
  std::optional<Piece> through_move(std::uint32_t bits) const {
    const auto count = static_cast<std::uint32_t>(node_.inputs.size());
    if (count == 1) return input(0, node_.result * bits / 2 + shift_);
    return input(shift_ / (bits / count), shift_ % (bits / count));
  }

  std::optional<Piece> through_or() const {
    const Piece first = *input(0, shift_), second = *input(1, shift_);
    if (Mover(history_, second).zero()) return first;
    if (Mover(history_, first).zero()) return second;
    return std::nullopt;
  }

  std::optional<Piece> through_insertion() const {
    const std::uint64_t position = constant(2), length = constant(3);
    if (position <= shift_ && shift_ + kHalf <= position + length) return input(0, shift_ - position);
    const bool apart = shift_ + kHalf <= position || position + length <= shift_;
    return apart ? input(1, shift_) : nothing();
  }

  std::optional<Piece> through_permutation() const {
    const std::uint64_t low = constant(2) >> shift_ / 2 & 15, high = constant(2) >> (shift_ / 2 + 4) & 15;
    if (high != low + 1 || low % 4 == 3 || high > 7) return std::nullopt;
    return input(low / 4, low % 4 * 8);
  }

  const History& history_;
  const std::uint32_t shift_;
  const Node& node_;
};

}  // namespace

Piece source_of_half(const History& history, Piece half) {
  while (const auto from = Mover(history, half).moved()) half = *from;
  return half;
}

std::uint32_t behind_copies(const History& history, std::uint32_t node) {
  while (history.nodes[node].kind == Node::Kind::copy) node = history.nodes[node].inputs[0].node;
  return node;
}

}  // namespace quadpair::run
