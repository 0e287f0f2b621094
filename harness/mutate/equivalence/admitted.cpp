#include "harness/mutate/equivalence/admitted.hpp"

#include <re2/re2.h>

#include <algorithm>
#include <cstring>
#include <string>

#include "kernels/qpn2/admission.hpp"

namespace quadpair::mutate {
namespace {

constexpr std::uint64_t many = (std::uint64_t{1} << 31) - 1;  ///< elements of a row, columns

Value multiple_of(unsigned width, std::uint64_t lowest, std::uint64_t highest, std::uint64_t power_of_two) {
  Value value = Value::between(width, lowest, highest);
  value.zeros |= power_of_two - 1;
  return value.tightened();
}

/// Of QPN2_PARAMETERS (kernels/qpn2/tile.cuh), then the first tile of up where there are two halves, then G.
class Qpn2 {
 public:
  Qpn2(const Module& module, const std::string& entry) {
    unsigned slices = 0;
    std::string quarters;
    RE2::FullMatch(entry, R"((.*_s(\d+)_c\d+_r)(\d+)(?:_q(\d+))?)", &stem_, &slices, &row_blocks_, &quarters);
    if (!quarters.empty()) quarters_ = static_cast<unsigned>(std::stoul(quarters));
    slices_ = module.target == Target::sm70 ? slices : 1;  // native slices may be uneven
    gated_ = entry.starts_with("qpn2_gated");
    rows(module);
  }

  Admitted admitted() const {
    constexpr std::uint64_t addresses = (std::uint64_t{1} << 63) - 1;
    const Value tiles = Value::between(32, 1, (many + 31) / 32);
    Admitted a;
    a.parameters = {multiple_of(64, 16, addresses, 16),  // codes
                    multiple_of(64, 16, addresses, 16),  // scales
                    multiple_of(64, 0, addresses, 2),    // global_tiles
                    multiple_of(64, 16, addresses, 16),  // x
                    multiple_of(64, 2, addresses, 2),    // y
                    Value::between(32, least_rows_, most_rows_),
                    Value::between(32, 1, many),  // n
                    multiple_of(32, 1, qpn2::max_ldx, std::max(64U, 16 * slices_ & -(16 * slices_))),
                    multiple_of(32, 64, qpn2::max_ldx, 8),  // ldx
                    Value::between(32, 1, many)};  // ldy
    if (gated_) a.parameters.push_back(tiles);
    a.parameters.push_back(Value::between(16, 0, 0x7BFF));
    a.blocks_x = (4 * tiles.highest + quarters_ - 1) / quarters_;
    a.blocks_y = (most_rows_ + 8 * row_blocks_ - 1) / (8 * row_blocks_);
    return a;
  }

 private:
  /// As entry_for() chooses: the least of the entries of one stem that covers the rows, or the greatest.
  void rows(const Module& module) {
    least_rows_ = 1;
    most_rows_ = qpn2::max_rows;
    for (const KernelInfo& kernel : module.kernels) {
      std::string stem;
      unsigned blocks = 0;
      if (!RE2::FullMatch(std::string(kernel.entry), R"((.*_r)(\d+)(?:_q\d+)?)", &stem, &blocks) ||
          stem != stem_)
        continue;
      if (blocks < row_blocks_) least_rows_ = std::max<std::uint64_t>(least_rows_, 8 * blocks + 1);
      if (blocks > row_blocks_) most_rows_ = 8 * row_blocks_;
    }
  }

  std::string stem_;
  unsigned row_blocks_ = 1, quarters_ = 4, slices_ = 1;
  bool gated_ = false;
  std::uint64_t least_rows_ = 1, most_rows_ = 1;
};

}  // namespace

bool Admitted::admit(const Launch& launch) const {
  const auto& slots = launch.arguments.slots();
  if (launch.grid.x > blocks_x || launch.grid.y > blocks_y || slots.size() != parameters.size()) return false;
  for (std::size_t i = 0; i < slots.size(); ++i) {
    std::uint64_t value = 0;  // of a larger argument the first 8 bytes, as `anything` has it
    const std::size_t size = std::min<std::size_t>(slots[i].size, sizeof value);
    std::memcpy(&value, launch.arguments.bytes().data() + slots[i].offset, size);
    if (8 * size != parameters[i].width || !parameters[i].may_be(value)) return false;
  }
  return true;
}

Admitted anything(const ptx::Entry& entry) {
  Admitted any;
  for (const ptx::Parameter& parameter : entry.parameters)
    any.parameters.push_back(Value::any(std::min(64U, 8 * parameter.size)));
  return any;
}

Admitted admitted_of(const Module& module, const ptx::Entry& entry) {
  if (module.name == "qpn2/gemm" || module.name == "qpn2/gated") return Qpn2(module, entry.name).admitted();
  return anything(entry);
}

}  // namespace quadpair::mutate
