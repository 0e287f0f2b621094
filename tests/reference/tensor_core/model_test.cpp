#include "reference/tensor_core/model.hpp"

#include <gtest/gtest.h>

#include <bit>

#include <cstdint>
#include <set>
#include <stdexcept>
#include <string>
#include <vector>

#include "reference/tensor_core/warp_mma.hpp"

namespace quadpair::reference {
namespace {

TEST(Model, NamesRoundTrip) {
  std::set<std::string_view> names;
  for (const Model model : all_models) {
    names.insert(to_string(model));
    EXPECT_EQ(model_from_string(to_string(model)), model);
  }
  EXPECT_EQ(names, (std::set<std::string_view>{"volta", "turing", "ampere", "hopper", "fma-lowered"}));
  EXPECT_EQ(model_from_string("fma_lowered"), std::nullopt);
  EXPECT_EQ(model_from_string(""), std::nullopt);
}

TEST(Model, DefinesItsInstruction) {
  const std::set<std::pair<Model, MmaShape>> defined = {
      {Model::volta, MmaShape::m8n8k4},    {Model::turing, MmaShape::m8n8k4},
      {Model::turing, MmaShape::m16n8k8},  {Model::ampere, MmaShape::m16n8k8},
      {Model::ampere, MmaShape::m16n8k16}, {Model::hopper, MmaShape::m16n8k8},
      {Model::hopper, MmaShape::m16n8k16}, {Model::fma_lowered, MmaShape::m8n8k4}};
  for (const Model model : all_models) {
    for (const MmaShape shape : all_mma_shapes) {
      const bool expected = defined.contains({model, shape});
      EXPECT_EQ(defines(model, shape), expected);
      if (expected) {
        EXPECT_NE(warp_mma(model, shape), nullptr);
        EXPECT_NE(warp_mma_scalar(model, shape), nullptr);
      } else {
        EXPECT_THROW(warp_mma(model, shape), std::invalid_argument);
        EXPECT_THROW(warp_mma_scalar(model, shape), std::invalid_argument);
      }
    }
  }
}

TEST(Model, ArithmeticOnAGpu) {
  using enum MmaShape;
  EXPECT_EQ(arithmetic_on(Model::volta, m8n8k4), Model::volta);
  EXPECT_EQ(arithmetic_on(Model::volta, m16n8k8), std::nullopt);
  EXPECT_EQ(arithmetic_on(Model::turing, m8n8k4), Model::turing);
  EXPECT_EQ(arithmetic_on(Model::turing, m16n8k8), Model::turing);
  EXPECT_EQ(arithmetic_on(Model::turing, m16n8k16), std::nullopt);
  EXPECT_EQ(arithmetic_on(Model::fma_lowered, m8n8k4), Model::fma_lowered);
  EXPECT_EQ(arithmetic_on(Model::fma_lowered, m16n8k8), std::nullopt);
  for (const Model model : {Model::ampere, Model::hopper}) {
    EXPECT_EQ(arithmetic_on(model, m8n8k4), Model::fma_lowered);
    EXPECT_EQ(arithmetic_on(model, m16n8k8), model);
    EXPECT_EQ(arithmetic_on(model, m16n8k16), model);
  }
}

TEST(Model, RefusesOtherWidths) {
  const std::set<std::pair<Model, std::size_t>> defined = {
      {Model::volta, 4},   {Model::turing, 4}, {Model::turing, 8},  {Model::ampere, 8},
      {Model::ampere, 16}, {Model::hopper, 8}, {Model::hopper, 16}, {Model::fma_lowered, 4}};
  for (const Model model : all_models) {
    for (std::size_t width = 0; width <= 17; ++width) {
      const std::vector<std::uint16_t> x(width, 0x3C00);
      if (defined.contains({model, width})) {
        const float sum = static_cast<float>(width);
        EXPECT_EQ(fused_sum(model, x, x, 0), std::bit_cast<std::uint32_t>(sum));
      } else {
        EXPECT_THROW(fused_sum(model, x, x, 0), std::invalid_argument) << to_string(model) << " " << width;
      }
    }
  }
}

TEST(Model, RefusesOperandsOfUnequalLength) {
  const std::vector<std::uint16_t> four(4), eight(8), seventeen(17);
  EXPECT_THROW(fused_sum(Model::volta, four, eight, 0), std::invalid_argument);
  EXPECT_THROW(fused_sum(Model::volta, eight, four, 0), std::invalid_argument);
  EXPECT_THROW(truncating_sum(23, four, eight, 0), std::invalid_argument);
  EXPECT_THROW(truncating_sum(23, seventeen, seventeen, 0), std::invalid_argument);
}

}  // namespace
}  // namespace quadpair::reference
