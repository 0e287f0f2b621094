#include "harness/cli/ranks.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <ostream>
#include <thread>

#include "harness/cli/exit_status.hpp"
#include "harness/cli/gpu_lock.hpp"
#include "harness/cli/version.hpp"
#include "harness/device/cuda/cuda.hpp"
#include "harness/device/threads.hpp"
#include "harness/ranks/serve.hpp"

namespace quadpair::cli {
namespace {

ranks::Introduction introduction_of(const ChosenDevice& device) {
  std::array<char, 256> host{};
  ::gethostname(host.data(), host.size() - 1);
  const reports::DeviceRecord& record = device.record;
  return {host.data(),
          record.kind == "emulator" ? record.kind : fmt::format("{} ({})", record.name, record.kind),
          version_text()};
}

}  // namespace

std::unique_ptr<ranks::Messages> join_ranks(const Environment& environment) try {
  return environment.join_ranks();
} catch (const ranks::NoMessages& e) {
  throw Error(Exit::usage, e.what());
}

std::string device_of_rank(const std::string& device, const ranks::Messages& messages) {
  if (!device.empty() && device != "cuda") return device;
  const std::size_t gpus = device::cuda_devices().size();
  return gpus == 0 ? device : fmt::format("cuda:{}", messages.local_rank() % gpus);
}

unsigned jobs_of_rank(unsigned jobs, const ranks::Messages& messages) {
  if (jobs != 0) return jobs;
  const unsigned share = std::thread::hardware_concurrency() / messages.local_size();
  return device::thread_count(std::max(share, 1u));  // no more than mpirun has bound the rank to
}

ranks::Turn turn_on(const ChosenDevice& device, const Environment& environment,
                    const std::vector<std::string>& words) {
  return [&device, &environment, &words](const std::stop_token& stop) -> std::shared_ptr<void> {
    return wait_for_gpu(device, environment.lock_folder, words, stop);
  };
}

void lead_ranks(ranks::Messages& messages, const ChosenDevice& device, const std::vector<cases::Case>& cases,
                const run::Options& options, const run::Isolation& isolation, const ranks::Turn& turn,
                const run::OnFinished& on_finished, std::ostream& err, const std::stop_token& stop) try {
  ranks::lead(
      messages, introduction_of(device), cases, options, isolation, turn, on_finished,
      [&](const std::string& what) { err << what << "\n"; }, stop);
} catch (const ranks::OtherRank& e) {
  throw Error(Exit::no_device, e.what());
} catch (const ranks::NoMessages& e) {
  throw Error(Exit::internal, e.what());
}

void serve_ranks(ranks::Messages& messages, const ChosenDevice& device, const run::Options& options,
                 const run::Isolation& isolation, const ranks::Turn& turn) try {
  ranks::serve(messages, introduction_of(device), options, isolation, turn);
} catch (const ranks::NoMessages& e) {
  throw Error(Exit::internal, fmt::format("rank {}: {}", messages.rank(), e.what()));
}

}  // namespace quadpair::cli
