// Loads and stores of global memory, by global or generic address.
#include "harness/device/emulator/opcodes/opcodes.hpp"
#include "harness/device/emulator/opcodes/targets.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "harness/device/emulator/opcodes/global.cpp"
#include "hwy/foreach_target.h"  // first: it includes this file again, per target

#include "harness/device/emulator/opcodes/memory-inl.hpp"
#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace quadpair::emulator::HWY_NAMESPACE {
namespace {

std::span<const Opcode> global_loads() {
  return memory_table<false, false, PlainDomain>;
}

std::span<const Opcode> global_stores() {
  return memory_table<true, false, PlainDomain>;
}

}  // namespace
}  // namespace quadpair::emulator::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

QUADPAIR_CHOOSE_AT_RUN_TIME(std::span<const Opcode>, global_loads)
QUADPAIR_CHOOSE_AT_RUN_TIME(std::span<const Opcode>, global_stores)
