// Small cases and the options to run them on the emulator.
#pragma once

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "cases/suite.hpp"
#include "harness/device/emulator/emulator.hpp"
#include "harness/run/options.hpp"
#include "reports/record.hpp"

namespace quadpair::run {

inline cases::Case small_case(std::string target = "sm70", std::string model = "volta") {
  cases::Case c;
  c.id = "qpn2_gemm/edge.all_codes/m3/dual/s8.c2/" + target + "/" + model + "/normal";
  c.operation = "qpn2_gemm";
  c.slice = "edge.all_codes";  // 100 x 128
  c.m = 3;
  c.split_k = 8;
  c.chains = 2;
  c.target = std::move(target);
  c.model = std::move(model);
  c.fill = "normal";
  return c;
}

inline std::unique_ptr<device::Device> emulator(reference::Model model, unsigned threads) {
  device::EmulatorOptions options;
  options.model = model;
  options.threads = threads;
  options.budget = 1 << 24;  // a small case takes some thousands
  return device::make_emulator(options);
}

inline Options emulator_options() {
  Options options;
  options.make_device = emulator;
  options.repro_command = "quadpair verify";
  return options;
}

/// The check of that name; throws when there is none.
inline const reports::Check& check(const reports::CaseRecord& record, const std::string& name) {
  for (const reports::Check& c : record.checks)
    if (c.name == name) return c;
  throw std::out_of_range("no check \"" + name + "\"; reason: " + record.reason);
}

}  // namespace quadpair::run
