// A sample of a real kernel's mutants, and a kernel none of whose mutants a case may miss.
#include "harness/mutate/campaign.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "cases/suite.hpp"
#include "harness/mutate/equivalence/equivalence.hpp"
#include "harness/mutate/trials.hpp"

namespace quadpair::mutate {
namespace {

/// Cases of edges that launch one entry of the kernel: S = 8, C = 2, up to 8 rows.
std::vector<cases::Case> few_cases(const std::string& operation) {
  std::vector<cases::Case> few;
  for (const cases::Case& c : cases::load_suite("edges").cases)
    if (c.operation == operation && c.target == "sm70" && c.model == "volta" && c.layout == "dual" &&
        c.m > 0 && c.m <= 8 && c.split_k == 8 && c.chains == 2 && !c.refused)
      few.push_back(c);
  return few;
}

Request sample_of(const std::string& kernel, const std::string& operation, std::size_t sample) {
  Request request;
  request.module = &find_module(kernel, Target::sm70);
  request.cases = few_cases(operation);
  request.sample = sample;
  request.jobs = 2;
  return request;
}

const Progress silent = [](std::size_t, std::size_t) {};

TEST(Campaign, MostMutantsAreKilledAndNoneIsLost) {
  std::size_t last = 0, planned = 0;
  const Findings found =
      campaign(sample_of("qpn2/gemm", "qpn2_gemm", 200), [&](std::size_t done, std::size_t of) {
        EXPECT_EQ(done, last + 1);
        last = done;
        planned = of;
      });
  EXPECT_EQ(planned, 200u);
  EXPECT_EQ(last, 200u);
  EXPECT_LE(found.all.mutants, 200u);
  EXPECT_GT(found.all.mutants, 150u);
  EXPECT_EQ(found.all.killed + found.survivors.size(), found.all.mutants);
  EXPECT_GT(found.all.killed, found.all.mutants * 7 / 10);
  Tally by_kind;
  for (const auto& [kind, tally] : found.by_kind)
    by_kind.mutants += tally.mutants, by_kind.killed += tally.killed;
  EXPECT_EQ(by_kind.mutants, found.all.mutants);
  EXPECT_EQ(by_kind.killed, found.all.killed);
  EXPECT_FALSE(found.never_run.empty());  // the other entries
}

/// What a proof says is tried out: no case may notice the mutant.
TEST(Campaign, NoCaseNoticesWhatIsProvedToBeTheSame) {
  for (const auto& [name, operation] :
       {std::pair("qpn2/gemm", "qpn2_gemm"), std::pair("qpn2/gated", "qpn2_gated")})
    for (const Target target : {Target::sm70, Target::sm90}) {
      Request request;
      request.module = &find_module(name, target);
      for (const cases::Case& c : cases::load_suite("edges").cases)
        if (c.operation == operation && c.target == to_string(target) && c.split_k == 8 && c.chains == 2 &&
            c.m > 8 && c.m <= 40 && c.slice.find("tiles") != std::string::npos)
          request.cases.push_back(c);
      Entries entries;
      for (const KernelInfo& kernel : request.module->kernels)
        entries.emplace(kernel.entry, std::make_unique<const EntryText>(*request.module, kernel.entry));
      std::size_t tried = 0;
      for (const auto& [entry, targets] : subjects_of(request, entries)) {
        const EntryText& text = *entries.at(entry);
        const Facts facts(text.entry(), text.admitted());
        Equivalence equivalence(text.entry(), facts);
        DamagedEntry damaged(text);
        Trials trials(targets, text);
        const std::vector<Mutation> all = mutations_of(text);
        for (std::size_t i = 0; i < all.size(); i += 7) {
          damaged.with(all[i].place, all[i].text);
          if (!equivalence.proof(all[i].place, damaged.damaged())) continue;
          ++tried;
          const Fate fate = trials.run(all[i]);
          EXPECT_FALSE(fate.killed_by) << entry << ": " << text.places()[all[i].place].text << " -> "
                                       << all[i].text << " by " << *fate.killed_by << ": " << *fate.how;
        }
      }
      EXPECT_GT(tried, 50u) << name;
    }
}

TEST(Campaign, TheSeedDrawsTheSample) {
  const auto survivors = [](std::uint64_t seed, unsigned jobs) {
    Request request = sample_of("qpn2/gated", "qpn2_gated", 60);
    request.seed = seed;
    request.jobs = jobs;
    std::vector<std::string> texts;
    const Findings found = campaign(request, silent);
    texts.push_back(std::to_string(found.all.mutants) + " " + std::to_string(found.all.killed));
    for (const Mutant& m : found.survivors) texts.push_back(m.entry + m.before + m.after);
    return texts;
  };
  EXPECT_EQ(survivors(5, 1), survivors(5, 2));
}

TEST(Campaign, AStopLeavesOutTheRest) {
  std::stop_source stop;
  stop.request_stop();
  const Findings found = campaign(sample_of("qpn2/gemm", "qpn2_gemm", 50), silent, stop.get_token());
  EXPECT_EQ(found.all.mutants, 0u);
}

TEST(Campaign, AKernelThatFailsSoundIsNoMeasure) {
  Module wrong = find_module("qpn2/gemm", Target::sm70);
  std::string ptx(wrong.ptx);
  for (std::size_t at = 0; (at = ptx.find("add.rn.f32", at)) != std::string::npos; ++at)
    ptx.replace(at, 10, "sub.rn.f32");
  wrong.ptx = ptx;
  wrong.ptx_sha256 = "with subtractions";
  Request request = sample_of("qpn2/gemm", "qpn2_gemm", 10);
  request.module = &wrong;
  try {
    campaign(request, silent);
    FAIL();
  } catch (const std::runtime_error& e) {
    EXPECT_THAT(e.what(), testing::StartsWith("the sound kernel is noticed by qpn2_gemm/"));
  }
}

}  // namespace
}  // namespace quadpair::mutate
