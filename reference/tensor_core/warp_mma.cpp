// The vectorised matrix instructions, compiled for every SIMD target and chosen at run time.
#include "reference/tensor_core/warp_mma.hpp"

#include <stdexcept>
#include <string>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "reference/tensor_core/warp_mma.cpp"
#include "hwy/foreach_target.h"  // must precede highway.h
#include "hwy/highway.h"
#if HWY_TARGET != HWY_SCALAR
#include "reference/tensor_core/m16n8-inl.h"
#include "reference/tensor_core/m8n8k4-inl.h"
#endif

HWY_BEFORE_NAMESPACE();
namespace quadpair::reference::HWY_NAMESPACE {

#if HWY_TARGET == HWY_SCALAR
// A CPU without 128-bit vectors.
void volta_m8n8k4(std::byte* file, const std::uint32_t* operands) {
  warp_mma_scalar(Model::volta, MmaShape::m8n8k4)(file, operands);
}
void lowered_m8n8k4(std::byte* file, const std::uint32_t* operands) {
  warp_mma_scalar(Model::fma_lowered, MmaShape::m8n8k4)(file, operands);
}
void ampere_m16n8k16(std::byte* file, const std::uint32_t* operands) {
  warp_mma_scalar(Model::ampere, MmaShape::m16n8k16)(file, operands);
}
void ampere_m16n8k8(std::byte* file, const std::uint32_t* operands) {
  warp_mma_scalar(Model::ampere, MmaShape::m16n8k8)(file, operands);
}
void hopper_m16n8k8(std::byte* file, const std::uint32_t* operands) {
  warp_mma_scalar(Model::hopper, MmaShape::m16n8k8)(file, operands);
}
void hopper_m16n8k16(std::byte* file, const std::uint32_t* operands) {
  warp_mma_scalar(Model::hopper, MmaShape::m16n8k16)(file, operands);
}
#else
void volta_m8n8k4(std::byte* file, const std::uint32_t* operands) {
  for (std::size_t lane = 0; lane < 16; lane += lanes) truncating_m8n8k4(file, operands, lane);
}

void lowered_m8n8k4(std::byte* file, const std::uint32_t* operands) {
  for (std::size_t lane = 0; lane < 16; lane += lanes) fma_lowered_m8n8k4(file, operands, lane);
}

void ampere_m16n8k16(std::byte* file, const std::uint32_t* operands) {
  truncating_m16n8<24, 8, 2>(file, operands);
}

void ampere_m16n8k8(std::byte* file, const std::uint32_t* operands) {
  truncating_m16n8<24, 8, 1>(file, operands);
}

void hopper_m16n8k8(std::byte* file, const std::uint32_t* operands) {
  truncating_m16n8<25, 8, 1>(file, operands);
}

void hopper_m16n8k16(std::byte* file, const std::uint32_t* operands) {
  truncating_m16n8<25, 16, 2>(file, operands);
}
#endif

}  // namespace quadpair::reference::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace quadpair::reference {

HWY_EXPORT(volta_m8n8k4);
HWY_EXPORT(lowered_m8n8k4);
HWY_EXPORT(ampere_m16n8k16);
HWY_EXPORT(hopper_m16n8k16);
HWY_EXPORT(ampere_m16n8k8);
HWY_EXPORT(hopper_m16n8k8);

WarpMma warp_mma(Model model, MmaShape shape) {
  if (!defines(model, shape)) {
    throw std::invalid_argument("tensor-core model " + std::string(to_string(model)) + " does not define " +
                                std::string(to_string(shape)));
  }
  // The tables' first entry chooses the target at each call; with a chosen one they give the function itself.
  hwy::ChosenTarget& target = hwy::GetChosenTarget();
  if (!target.IsInitialized()) target.Update(hwy::SupportedTargets());
  if (shape == MmaShape::m16n8k8) {  // turing's is ampere's
    return model == Model::hopper ? &HWY_DYNAMIC_DISPATCH(hopper_m16n8k8)
                                  : &HWY_DYNAMIC_DISPATCH(ampere_m16n8k8);
  }
  switch (model) {
    case Model::volta:
    case Model::turing: return &HWY_DYNAMIC_DISPATCH(volta_m8n8k4);
    case Model::fma_lowered: return &HWY_DYNAMIC_DISPATCH(lowered_m8n8k4);
    case Model::ampere: return &HWY_DYNAMIC_DISPATCH(ampere_m16n8k16);
    case Model::hopper: return &HWY_DYNAMIC_DISPATCH(hopper_m16n8k16);
  }
  throw std::invalid_argument("not a tensor-core model");
}

}  // namespace quadpair::reference
#endif  // HWY_ONCE
