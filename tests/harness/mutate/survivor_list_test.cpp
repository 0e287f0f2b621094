// The committed list of survivors against the kernels: a class has no more survivors than there are mutants
// of it.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <string>

#include "cases/survivors.hpp"
#include "harness/mutate/entry_text.hpp"
#include "harness/mutate/instruction_text.hpp"
#include "harness/mutate/mutations.hpp"

namespace quadpair::mutate {
namespace {

nlohmann::json survivors() {
  std::ifstream file(QUADPAIR_TEST_DATA "/../cases/mutants/survivors.json");
  return nlohmann::json::parse(file).at("survivors");
}

/// Mutants by class.
std::map<std::size_t, std::uint64_t> mutants(const Module& module,
                                             const cases::ClassifiedSurvivors& classified) {
  std::map<std::size_t, std::uint64_t> of_class;
  for (const KernelInfo& kernel : module.kernels) {
    const EntryText text(module, kernel.entry);
    for (const Mutation& mutation : mutations_of(text)) {
      const Place& place = text.places()[mutation.place];
      if (const auto found = classified.classify(
              {std::string(module.name), std::string(to_string(module.target)), std::string(kernel.entry),
               place.source, place.caller, std::string(to_string(mutation.kind)), normalised(place.text),
               normalised(mutation.text)}))
        ++of_class[found->number];
    }
  }
  return of_class;
}

TEST(SurvivorList, SpeaksOfMutantsThatThereAre) {
  const nlohmann::json list = survivors();
  std::map<std::string, std::map<std::size_t, std::uint64_t>> counts;  // by subject, then class
  for (std::size_t number = 0; number < list.size(); ++number) {
    const auto of_subject = list[number].find("counts");
    if (of_subject == list[number].end()) continue;
    for (const auto& [subject, count] : of_subject->items()) counts[subject][number] = count;
  }
  const cases::ClassifiedSurvivors classified;
  EXPECT_FALSE(counts.empty());
  for (const auto& [subject, listed] : counts) {
    const std::size_t space = subject.find(' ');
    const auto target = target_from_string(subject.substr(space + 1));
    ASSERT_TRUE(target) << subject;
    const auto there = mutants(find_module(subject.substr(0, space), *target), classified);
    for (const auto& [number, count] : listed) {
      const auto found = there.find(number);
      EXPECT_LE(count, found == there.end() ? 0 : found->second)
          << subject << ": " << list[number].at("reason").get<std::string>();
    }
  }
}

/// A class whose lines are no longer where its instructions come from would explain nothing.
TEST(SurvivorList, EveryClassHasMutants) {
  const nlohmann::json list = survivors();
  const cases::ClassifiedSurvivors classified;
  std::set<std::size_t> seen;
  for (const char* kernel : {"qpn2/gemm", "qpn2/gated"})
    for (const Target target : {Target::sm70, Target::sm80, Target::sm90})
      for (const auto& [number, count] : mutants(find_module(kernel, target), classified))
        seen.insert(number);
  for (std::size_t number = 0; number < list.size(); ++number)
    EXPECT_TRUE(seen.contains(number)) << number << ": " << list[number].at("reason").get<std::string>();
}

}  // namespace
}  // namespace quadpair::mutate
