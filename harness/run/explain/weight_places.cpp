#include "harness/run/explain/weight_places.hpp"

#include "kernels/qpn2/layout.hpp"

namespace quadpair::run {

bool holds_codes(std::string_view buffer) {
  return buffer == "qpn2_codes" || buffer == "turbomind_codes" || buffer == "qpn8_codes";
}

float fp8_scale(const cases::QuantizedMatrix& w, std::uint32_t row, std::uint32_t k) {
  constexpr std::uint32_t block = qpn8::scale_block;
  if (w.format == cases::WeightFormat::fp8_channel) return w.fp8_scales.at(row);
  return w.fp8_scales.at(std::size_t{row / block} * ((w.k + block - 1) / block) + k / block);
}

bool holds_scales(const Problem& problem, std::string_view buffer) {
  return buffer == "qpn2_scales" || buffer == "turbomind_scales" ||
         (buffer == "workspace" && problem.temporary);
}

std::optional<WeightPlace> weight_place(const Problem& problem, std::string_view buffer,
                                        std::uint64_t offset) {
  constexpr std::uint32_t columns = qpn2::tile_columns, group = qpn2::group_k, run = 8;
  const std::uint32_t groups = problem.k / group, runs = problem.k / run;
  const auto place = [&](std::uint64_t tile, std::uint32_t column, std::uint64_t first_k,
                         std::uint32_t count) {
    return WeightPlace{static_cast<std::uint32_t>(tile) * columns + column,
                       static_cast<std::uint32_t>(first_k), count};
  };
  if (buffer == "qpn2_codes") {
    const std::uint64_t lane = offset / run;  // over tiles and groups
    const auto column = qpn2::column_of_lane(static_cast<std::uint32_t>(lane % columns));
    return place(lane / columns / groups, column, lane / columns % groups * group + offset % run / 4 * run,
                 run);
  }
  if (buffer == "qpn8_codes") {
    const std::uint64_t lane = offset / group;  // a byte a code
    const auto column = qpn2::column_of_lane(static_cast<std::uint32_t>(lane % columns));
    return place(lane / columns / groups, column,
                 lane / columns % groups * group + offset % group / run * run, run);
  }
  if (buffer == "turbomind_codes") {
    const std::uint64_t word = offset / 4;
    return place(word / columns / runs, static_cast<std::uint32_t>(word % columns),
                 word / columns % runs * run, run);
  }
  if (buffer == "qpn2_scales") {
    const auto column = qpn2::column_of_lane(static_cast<std::uint32_t>(offset % columns));
    return place(offset / columns / groups, column, offset / columns % groups * group, group);
  }
  if (!holds_scales(problem, buffer)) return std::nullopt;
  const std::uint64_t scale = offset / 2;
  return WeightPlace{static_cast<std::uint32_t>(scale % problem.padded_n),
                     static_cast<std::uint32_t>(scale / problem.padded_n) * group, group};
}

}  // namespace quadpair::run
