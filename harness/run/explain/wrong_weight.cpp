#include "harness/run/explain/wrong_weight.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <set>

#include "harness/run/explain/value_path.hpp"
#include "harness/run/explain/weight_places.hpp"
#include "reference/formats/fp4_fp8.hpp"

namespace quadpair::run {
namespace {

using device::History;
using device::Node;
using device::Piece;
using reference::Half;

void collect(const History& history, std::uint32_t index, std::set<std::uint32_t>& seen) {
  if (!seen.insert(index).second || history.nodes[index].kind == Node::Kind::mma) return;
  for (const Piece& input : history.nodes[index].inputs) collect(history, input.node, seen);
}

/// FP16 numbers that the decoding of a weight passes through.
std::set<Half> right_numbers(const Problem& problem, const Matrix& matrix, const WantedWeight& wanted) {
  if (problem.fp8) {
    const cases::QuantizedMatrix& w = *matrix.weights;
    const std::uint8_t code = w.codes[std::size_t{wanted.row} * w.k + wanted.k];
    return {wanted.value, static_cast<Half>((code & 0x80) << 8 | (code & 0x7F) << 7),
            reference::to_half(fp8_scale(w, wanted.row, wanted.k) * 256)};
  }
  const reference::Nvfp4View& view = matrix.view;
  const float code = reference::e2m1_value(reference::code_at(view, wanted.row, wanted.k));
  const std::uint8_t byte = view.scales[(std::size_t{wanted.row} * view.k + wanted.k) / reference::group_k];
  const float g = reference::global_of(view, wanted.row);
  const Half scale = reference::to_half(reference::e4m3_value(byte));
  std::set<Half> right = {reference::to_half(std::ldexp(code, -14)), static_cast<Half>(byte << 7), scale,
                          wanted.value};
  if (problem.op.rule == DecodeRule::qpn2) {
    const Half global = reference::to_half(std::ldexp(static_cast<double>(g), 14));
    right.insert({global, reference::mul(scale, global)});
  } else {
    right.insert({reference::to_half(code), reference::to_half(reference::e4m3_value(byte) * g)});
  }
  right.insert(0x5C00);  // 256, which brings a scale's bits into place
  right.insert(0x7400);  // 2^14, and a code's
  return right;
}

class Blame {
 public:
  Blame(const Problem& problem, const Matrix& matrix, const History& history, Piece piece,
        const WantedWeight& wanted, Difference& difference)
      : problem_(problem),
        matrix_(matrix),
        history_(history),
        piece_(source_of_half(history, piece)),
        wanted_(wanted),
        difference_(difference) {
    collect(history, piece_.node, parts_);
  }

  void run() {
    difference_.what = fmt::format("weight of row {}, k {}: 0x{:04x} in place of 0x{:04x}", wanted_.row,
                                   wanted_.k, half_of(history_, piece_), wanted_.value);
    if (wrong_place("codes", [&](std::string_view buffer) { return holds_codes(buffer); })) return;
    if (wrong_place("scale", [&](std::string_view buffer) { return holds_scales(problem_, buffer); })) return;
    if (wrong_bytes()) return;
    wrong_decoding();
  }

 private:
  const Node& node(std::uint32_t index) const { return history_.nodes[index]; }
  const std::string& buffer(const Node& load) const { return history_.buffers[load.buffer]; }
  void mark(std::uint32_t index) { difference_.instruction = history_.code[node(index).code]; }

  std::uint32_t padded_row() const {
    return problem_.fp8 ? wanted_.row : reference::padded_row(matrix_.view, wanted_.row);
  }

  bool covers(const Node& load) const {
    const std::uint32_t row = padded_row();
    for (std::uint32_t byte = 0; byte < load.bytes; ++byte) {
      const auto place = weight_place(problem_, buffer(load), load.offset + byte);
      if (place && place->covers(row, wanted_.k)) return true;
    }
    return false;
  }

  /// What a load read: of several rows the weight's own, where that is among them.
  WeightPlace place_read(const Node& load) const {
    for (std::uint32_t byte = 1; byte < load.bytes; ++byte)
      if (const auto place = weight_place(problem_, buffer(load), load.offset + byte).value();
          place.row == padded_row())
        return place;
    return weight_place(problem_, buffer(load), load.offset).value();
  }

  /// None of the loads of such a buffer was from where the weight's codes or scale stand.
  template <class Holds>
  bool wrong_place(std::string_view what, const Holds& holds) {
    const Node* first = nullptr;
    std::uint32_t index = 0;
    for (const std::uint32_t part : parts_) {
      if (node(part).kind != Node::Kind::load || !holds(buffer(node(part)))) continue;
      if (covers(node(part))) return false;
      if (first == nullptr) first = &node(part), index = part;
    }
    if (first == nullptr) return false;
    const WeightPlace place = place_read(*first);
    difference_.what +=
        fmt::format("; its {} was read from {} at offset {}, which belongs to row {}, k {}-{}", what,
                    buffer(*first), first->offset, place.row, place.first_k, place.first_k + place.count - 1);
    mark(index);
    return true;
  }

  /// What was read does not stand in the buffer by the reference's packing.
  bool wrong_bytes() {
    for (const std::uint32_t part : parts_) {
      const Node& load = node(part);
      const bool packed = load.kind == Node::Kind::load &&
                          (holds_codes(buffer(load)) || holds_scales(problem_, buffer(load)));
      if (!packed) continue;
      const std::string_view item =
          buffer(load) == "workspace" ? "turbomind_scales" : std::string_view(buffer(load));
      std::uint64_t wanted = 0;
      std::memcpy(&wanted, matrix_.packed(item).data() + load.offset, load.bytes);
      if (wanted == load.bits) continue;
      difference_.what += fmt::format("; at offset {} of {} stands {:#x}, not {:#x}: it was packed so",
                                      load.offset, buffer(load), load.bits, wanted);
      mark(part);
      return true;
    }
    return false;
  }

  /// Follows the wrong factor of each FP16 product, as long as just one is wrong.
  void wrong_decoding() {
    const std::set<Half> right = right_numbers(problem_, matrix_, wanted_);
    Piece at = piece_;
    for (bool descending = true; descending;) {
      descending = false;
      const Node& product = node(at.node);
      if (product.kind != Node::Kind::computed || !history_.code[product.code].mnemonic.starts_with("mul."))
        break;
      for (const Piece& input : product.inputs) {
        const Piece factor = source_of_half(history_, {input.node, input.shift + at.shift});
        if (right.contains(half_of(history_, factor)) || node(factor.node).kind != Node::Kind::computed)
          continue;
        at = factor;
        descending = true;
        break;
      }
    }
    if (node(at.node).kind == Node::Kind::load)
      difference_.what +=
          fmt::format("; it was read so from {} at offset {}", buffer(node(at.node)), node(at.node).offset);
    else if (at != piece_)
      difference_.what += fmt::format("; on the way to it 0x{:04x} is not right", half_of(history_, at));
    mark(at.node);
    difference_.made_by = computed_with(history_, at.node);
  }

  const Problem& problem_;
  const Matrix& matrix_;
  const History& history_;
  const Piece piece_;
  const WantedWeight& wanted_;
  Difference& difference_;
  std::set<std::uint32_t> parts_;
};

}  // namespace

void blame_weight(const Problem& problem, const Matrix& matrix, const History& history, Piece piece,
                  const WantedWeight& wanted, Difference& difference) {
  Blame(problem, matrix, history, piece, wanted, difference).run();
}

std::vector<device::CodeLine> computed_with(const History& history, std::uint32_t node) {
  std::set<std::uint32_t> parts;
  collect(history, node, parts);
  std::vector<device::CodeLine> lines;
  for (const std::uint32_t part : parts)
    if (history.nodes[part].kind != Node::Kind::constant && history.nodes[part].kind != Node::Kind::mma)
      lines.push_back(history.code[history.nodes[part].code]);
  std::ranges::sort(lines, {}, &device::CodeLine::ptx_line);
  lines.erase(std::unique(lines.begin(), lines.end()), lines.end());
  return lines;
}

}  // namespace quadpair::run
