// What a run needs to know besides its cases.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "cases/suite.hpp"
#include "harness/device/device.hpp"
#include "kernels/common/module.hpp"
#include "reference/tensor_core/model.hpp"

namespace quadpair::run {

/// Makes a device with that arithmetic and, where it runs on the CPU, that many threads.
using DeviceFactory =
    std::function<std::unique_ptr<device::Device>(reference::Model model, unsigned threads)>;

/// The compiled code to run in place of the module of that name and target.
using ModuleLookup = std::function<const Module&(std::string_view name, Target target)>;

/// Why a case cannot run here, or nothing when it can.
using SkipRule = std::function<std::optional<std::string>(const cases::Case& c)>;

/// Whether a record keeps the bytes that went into the case and came out.
enum class SaveArrays { never, failures, always };

inline constexpr std::pair<const char*, SaveArrays> save_arrays_names[] = {
    {"never", SaveArrays::never}, {"failures", SaveArrays::failures}, {"always", SaveArrays::always}};

struct Options {
  DeviceFactory make_device;
  std::uint64_t seed = 1;  ///< of made-up weights and activations
  std::shared_ptr<const cases::SliceSource> slices = cases::built_in_slices();  ///< knows the cases' slices
  unsigned jobs = 0;          ///< threads in all, as device::thread_count() says
  unsigned repeats = 1;       ///< times that the device does all of a case, each time from the start
  bool outputs_only = false;  ///< only the device runs; a record then has each output as a check with itself
  SaveArrays save_arrays = SaveArrays::never;
  bool one_at_a_time = false;  ///< cases do not share the device side by side
  std::string repro_command;  ///< the command to which a case's --filter is added, e.g. "quadpair verify ..."
  ModuleLookup find_module = quadpair::find_module;
  SkipRule why_skipped = [](const cases::Case&) { return std::nullopt; };
};

}  // namespace quadpair::run
