#include <algorithm>
#include <cstring>

#include "reference/gemm/panels.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "reference/gemm/nvfp4_panels.cpp"
#include <hwy/cache_control.h>
#include <hwy/foreach_target.h>  // must come before highway.h
#include <hwy/highway.h>

#ifndef QUADPAIR_REFERENCE_NVFP4_PANELS
#define QUADPAIR_REFERENCE_NVFP4_PANELS
namespace quadpair::reference {
namespace {

/// Of each column of a panel, where its codes and scales begin and what its scales mean.
struct Columns {
  std::size_t count = 0;
  std::array<const std::uint8_t*, panel_columns> codes{}, scales{};
  std::array<const ScaleMeaning*, panel_columns> meanings{};
};

}  // namespace
}  // namespace quadpair::reference
#endif

HWY_BEFORE_NAMESPACE();
namespace quadpair::reference::HWY_NAMESPACE {
namespace {
namespace hn = hwy::HWY_NAMESPACE;

/// By the tables.
void decode_by_tables(const Columns& columns, std::size_t group, Half* to) {
  for (std::size_t column = 0; column < columns.count; ++column) {
    const auto& weights = columns.meanings[column]->weights[columns.scales[column][group]];
    const std::uint8_t* const codes = columns.codes[column] + group * group_bytes;
    for (std::size_t k = 0; k < group_k; ++k)
      to[k * panel_columns + column] = weights[codes[k / 2] >> (k % 2 * 4) & 15];
  }
}

#if HWY_TARGET <= HWY_AVX2 && HWY_ARCH_X86  // Highway's portable DemoteTo does not round to nearest

/// One group of every column, none of whose weights can be infinite or NaN: h(e2m1 . scale), where the
/// product is exact in FP32.
struct Group {
  alignas(64) std::uint64_t codes[panel_columns] = {};
  alignas(64) float scales[panel_columns] = {};
};

/// The upper bytes of e2m1 as FP16, whose lower bytes are 0: [k][column].
void upper_bytes(const Group& group, std::uint8_t* bytes) {
  const hn::ScalableTag<std::uint64_t> d64;
  const hn::Rebind<std::uint8_t, decltype(d64)> d8_of_64;
  const hn::CappedTag<std::uint8_t, panel_columns> d8;
  alignas(16) static constexpr std::uint8_t of_code[16] = {0x00, 0x38, 0x3C, 0x3E, 0x40, 0x42, 0x44, 0x46,
                                                           0x80, 0xB8, 0xBC, 0xBE, 0xC0, 0xC2, 0xC4, 0xC6};
  const auto table = hn::LoadDup128(d8, of_code);
  alignas(64) std::uint8_t pairs[panel_columns];
  for (std::size_t i = 0; i < group_bytes; ++i) {
    for (std::size_t column = 0; column < panel_columns; column += hn::Lanes(d64)) {
      const auto words = hn::Load(d64, group.codes + column);
      hn::Store(hn::TruncateTo(d8_of_64, hn::ShiftRightSame(words, static_cast<int>(8 * i))), d8_of_64,
                pairs + column);
    }
    for (std::size_t column = 0; column < panel_columns; column += hn::Lanes(d8)) {
      const auto pair = hn::Load(d8, pairs + column);
      const auto even = hn::And(pair, hn::Set(d8, 15)), odd = hn::ShiftRight<4>(pair);
      std::uint8_t* const to = bytes + 2 * i * panel_columns + column;
      hn::Store(hn::TableLookupBytes(table, even), d8, to);
      hn::Store(hn::TableLookupBytes(table, odd), d8, to + panel_columns);
    }
  }
}

void decode_group(const Group& group, Half* to) {
  const hn::ScalableTag<float> df;
  const hn::Rebind<std::uint16_t, decltype(df)> d16;
  const hn::Rebind<std::uint8_t, decltype(df)> d8;
  const hn::Rebind<hwy::float16_t, decltype(df)> dh;
  alignas(64) std::uint8_t bytes[group_k * panel_columns];
  upper_bytes(group, bytes);
  for (std::size_t column = 0; column < panel_columns; column += hn::Lanes(df)) {
    const auto scale = hn::Load(df, group.scales + column);
    for (std::size_t i = column; i < group_k * panel_columns; i += panel_columns) {
      const auto half = hn::ShiftLeft<8>(hn::PromoteTo(d16, hn::Load(d8, bytes + i)));
      const auto weight = hn::Mul(hn::PromoteTo(df, hn::BitCast(dh, half)), scale);
      hn::Store(hn::DemoteTo(dh, weight), dh, reinterpret_cast<hwy::float16_t*>(to) + i);
    }
  }
}

void decode_any(const Columns& columns, std::size_t index, Group& group, Half* to) {
  bool finite = true;
  for (std::size_t column = 0; column < columns.count; ++column) {
    const ScaleMeaning& meaning = *columns.meanings[column];
    const std::uint8_t scale = columns.scales[column][index];
    finite = finite && meaning.finite[scale];
    group.scales[column] = meaning.scales[scale];
    std::memcpy(&group.codes[column], columns.codes[column] + index * group_bytes, group_bytes);
  }
  if (finite)
    decode_group(group, to);
  else
    decode_by_tables(columns, index, to);
}

HWY_NOINLINE void decode_columns(const Columns& columns, std::size_t groups, Half* to) {
  constexpr std::size_t groups_of_line = 64 / group_bytes;  // of a cache
  Group group;
  for (std::size_t i = 0; i < groups; ++i) {
    // The next line of every column, a few at a time: these are more streams than processors look after.
    for (std::size_t column = i % groups_of_line; column < columns.count; column += groups_of_line)
      hwy::Prefetch(columns.codes[column] + std::min(i + groups_of_line, groups - 1) * group_bytes);
    decode_any(columns, i, group, to + i * group_k * panel_columns);
  }
}

#else

void decode_columns(const Columns& columns, std::size_t groups, Half* to) {
  for (std::size_t i = 0; i < groups; ++i) decode_by_tables(columns, i, to + i * group_k * panel_columns);
}

#endif

}  // namespace
}  // namespace quadpair::reference::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace quadpair::reference {

HWY_EXPORT(decode_columns);

Panel Nvfp4Panels::panel(std::size_t index, PanelSpace& space) const {
  const Nvfp4View& view = weights_.view();
  const std::size_t groups = k / group_k;
  Half* const panel = space.hold(std::size_t{k} * panel_columns);
  Columns of_panel;
  of_panel.count = columns(index);
  if (of_panel.count < panel_columns) std::fill_n(panel, std::size_t{k} * panel_columns, Half{0});
  for (std::size_t column = 0; column < of_panel.count; ++column) {
    const std::size_t row = index * panel_columns + column;
    of_panel.codes[column] = view.codes.data() + row * k / 2;
    of_panel.scales[column] = view.scales.data() + row * groups;
    of_panel.meanings[column] = &weights_.meaning_of_row(static_cast<std::uint32_t>(row));
    const auto& finite = of_panel.meanings[column]->finite;
    space.finite[column] = std::all_of(of_panel.scales[column], of_panel.scales[column] + groups,
                                       [&](std::uint8_t scale) { return finite[scale]; })
                               ? 1
                               : 0;
  }
  HWY_DYNAMIC_DISPATCH(decode_columns)(of_panel, groups, panel);
  return {panel, space.finite.data()};
}

}  // namespace quadpair::reference
#endif
