// Cases that share a device: what a mutant does to one must not be held against the next.
#include "harness/mutate/trial.hpp"

#include <gtest/gtest.h>

#include <cstring>

#include "cases/suite.hpp"
#include "harness/device/emulator/emulator.hpp"
#include "harness/mutate/subjects.hpp"

namespace quadpair::mutate {
namespace {

/// The launch with its output, argument 4, over its weights' codes, argument 0.
Launch over_its_own_codes(const Launch& launch) {
  const auto& slots = launch.arguments.slots();
  DevicePtr codes = 0;
  std::memcpy(&codes, launch.arguments.bytes().data() + slots[0].offset, sizeof codes);
  Launch over = launch;
  over.arguments = {};
  for (std::size_t i = 0; i < slots.size(); ++i) {
    std::uint64_t value = 0;
    std::memcpy(&value, launch.arguments.bytes().data() + slots[i].offset, slots[i].size);
    if (slots[i].size == 8)
      over.arguments.add(i == 4 ? codes : value);
    else if (slots[i].size == 4)
      over.arguments.add(static_cast<std::uint32_t>(value));
    else
      over.arguments.add(static_cast<std::uint16_t>(value));
  }
  return over;
}

TEST(Trial, WeightsThatSomethingElseWroteToAreRightForTheNextMutant) {
  Request request;
  request.module = &find_module("qpn2/gemm", Target::sm70);
  for (const cases::Case& c : cases::load_suite("edges").cases)
    if (c.id == "qpn2_gemm/edge.unit/m5/dual/s8.c2/sm70/volta/exact") request.cases.push_back(c);
  ASSERT_EQ(request.cases.size(), 1u);
  Entries entries;
  for (const KernelInfo& kernel : request.module->kernels)
    entries.emplace(kernel.entry, std::make_unique<const EntryText>(*request.module, kernel.entry));
  const auto subjects = subjects_of(request, entries);
  const auto& [entry, targets] = *subjects.begin();

  const auto device = device::make_emulator({.model = reference::Model::volta, .threads = 1});
  Trial trial(*targets.front().subject, *device);
  const Module& sound = entries.at(entry)->module();
  trial.load(sound, entry);
  EXPECT_EQ(trial.run(0), std::nullopt);
  const std::vector<Launch> damage = {over_its_own_codes(trial.launches().front())};
  device->run(damage);
  EXPECT_EQ(trial.run(0), "mismatch") << "the damage shows";
  device->run(damage);
  trial.load(sound, entry);
  EXPECT_EQ(trial.run(0), std::nullopt);
}

}  // namespace
}  // namespace quadpair::mutate
