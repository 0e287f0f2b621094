// Which tensor-core arithmetic a device has, by experiment.
#pragma once

#include <cstdint>
#include <functional>
#include <string_view>
#include <vector>

#include "harness/device/device.hpp"
#include "harness/probe/match.hpp"
#include "harness/probe/questions.hpp"
#include "kernels/common/module.hpp"

namespace quadpair::probe {

/// A matrix instruction in code for a target.
struct Instruction {
  MmaShape shape = MmaShape::m8n8k4;
  Target target = Target::sm70;
  friend bool operator==(const Instruction&, const Instruction&) = default;
};

/// The instructions that the emulator has with the model's arithmetic.
std::vector<Instruction> emulator_instructions(reference::Model model);

/// Those of a GPU of that compute capability, in the kernels that suit it; none below 7.0.
std::vector<Instruction> gpu_instructions(int major, int minor);

using ModuleLookup = std::function<const Module&(std::string_view name, Target target)>;

/// The device's answers: the questions with their d. Throws what the device does.
cases::MeasuredRows ask(device::Device& device, const Instruction& instruction, Questions questions,
                        const ModuleLookup& find_module = quadpair::find_module);

/// Every chosen question and 512 random ones of each kind, matched against the models.
std::vector<Match> probe(device::Device& device, const Instruction& instruction, std::uint64_t seed,
                         const ModuleLookup& find_module = quadpair::find_module);

}  // namespace quadpair::probe
