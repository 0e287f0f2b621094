#include "harness/mutate/subjects.hpp"

#include <fmt/format.h>
#include <tbb/task_arena.h>
#include <tbb/task_group.h>

#include <algorithm>
#include <mutex>
#include <set>
#include <stdexcept>

#include "cases/operators.hpp"
#include "cases/suite_expand.hpp"
#include "harness/device/emulator/emulator.hpp"
#include "harness/device/threads.hpp"
#include "harness/mutate/trial.hpp"
#include "harness/run/matrix_cache.hpp"
#include "harness/run/schedule.hpp"

namespace quadpair::mutate {
namespace {

/// What a case costs beside its instructions, in the same unit: launching, poisoning and comparing.
constexpr std::uint64_t overhead = 20'000;

/// Models differ in nothing that an instruction of the kernel has a part in, so one of a case is enough.
std::vector<cases::Case> one_model_each(const std::vector<cases::Case>& all) {
  std::vector<cases::Case> chosen;
  std::set<std::string> seen;
  for (cases::Case c : all) {
    const std::string model = c.model;
    c.model.clear();
    if (!seen.insert(cases::case_id(c)).second) continue;
    c.model = model;
    chosen.push_back(std::move(c));
  }
  return chosen;
}

bool may_launch(const cases::Case& c, const Module& module) {
  return !c.refused && c.target == to_string(module.target) && !c.operation.starts_with("lm_head") &&
         !c.library;
}

std::unique_ptr<Subject> make_subject(const cases::Case& c, const Request& request,
                                      run::MatrixCache& matrices) {
  const run::Slice slice = matrices.slice(c.slice);
  auto subject = std::make_unique<Subject>(Subject{c, run::make_problem(c, *slice.weights), nullptr, {}, {}});
  const run::Problem& p = subject->problem;
  const bool runs = std::ranges::any_of(p.op.route, [&](std::string_view kernel) {
    return kernel.substr(0, kernel.find(':')) == request.module->name;
  });
  if (!runs || p.rows == 0) return nullptr;
  subject->matrix = matrices.matrix(c.slice, p.halves);
  subject->rounds.resize(run::rounds_of_inputs);
  for (unsigned round = 0; round < run::rounds_of_inputs && takes_activations(c); ++round)
    subject->rounds[round] = inputs::make_inputs(c, slice.weights, request.seed, round);
  const run::Expected expected = p.op.expect(*subject->matrix, subject->rounds);
  const std::size_t elements = std::size_t{p.rows} * p.columns;
  for (unsigned round = 0; round < run::rounds_of_inputs; ++round) {
    const auto first = expected.y.begin() + static_cast<std::ptrdiff_t>(round * elements);
    subject->expected.emplace_back(first, first + static_cast<std::ptrdiff_t>(elements));
  }
  return subject;
}

}  // namespace

std::map<std::string, std::vector<CostedSubject>> subjects_of(const Request& request,
                                                              const Entries& entries) {
  run::MatrixCache matrices(request.seed, std::size_t{1} << 30);
  std::map<std::string, std::vector<CostedSubject>> by_entry;
  std::mutex mutex;
  const auto add = [&](const cases::Case& c) {
    auto subject = make_subject(c, request, matrices);
    if (!subject) return;
    device::EmulatorOptions options;
    options.model = subject->problem.model;
    options.threads = 1;
    const auto device = device::make_emulator(options);
    std::uint64_t instructions = 0;
    std::string entry;
    {
      Trial trial(*subject, *device);
      for (const Launch& launch : trial.launches())
        if (launch.module->name == request.module->name) {
          entry = launch.entry;
          if (!entries.at(entry)->admitted().admit(launch))
            throw std::runtime_error(fmt::format("{} launches {} with what proofs leave out", c.id, entry));
        }
      trial.load(entries.at(entry)->module(), entry);
      if (const auto how = trial.run(0))
        throw std::runtime_error(fmt::format("the sound kernel is noticed by {}: {}", c.id, *how));
      instructions = trial.count() + overhead;
    }
    const std::lock_guard lock(mutex);
    by_entry[entry].push_back({std::move(subject), instructions});
  };
  const std::vector<cases::Case> chosen = one_model_each(request.cases);
  tbb::task_arena arena(static_cast<int>(device::thread_count(request.jobs)));
  arena.execute([&] {
    tbb::task_group group;
    for (const cases::Case& c : chosen)
      if (may_launch(c, *request.module)) group.run([&add, &c] { add(c); });
    group.wait();
  });
  for (auto& [entry, targets] : by_entry)
    std::ranges::sort(targets, [](const CostedSubject& a, const CostedSubject& b) {
      return std::pair(a.instructions, a.subject->c.id) < std::pair(b.instructions, b.subject->c.id);
    });
  return by_entry;
}

}  // namespace quadpair::mutate
