#include "harness/cli/gpu_lock.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <chrono>
#include <system_error>
#include <thread>

#include "harness/cli/exit_status.hpp"
#include "harness/cli/host.hpp"
#include "harness/cli/words.hpp"

namespace quadpair::cli {
namespace {

/// Nothing for what is no GPU. Throws reports::Held.
std::unique_ptr<reports::LockFile> lock(const ChosenDevice& device, const std::filesystem::path& folder,
                                        const std::vector<std::string>& words) {
  if (device.pci_bus_id.empty()) return nullptr;
  const std::filesystem::path file = folder / fmt::format("quadpair-gpu-{}.lock", device.pci_bus_id);
  const std::string holder =
      fmt::format("process {} since {}: {}", ::getpid(), utc_now(), portable_command(words));
  try {
    return std::make_unique<reports::LockFile>(file, holder);
  } catch (const std::system_error& e) {
    throw Error(Exit::no_device,
                fmt::format("{} ({}) cannot be locked: {}", device.record.name, device.pci_bus_id, e.what()));
  }
}

}  // namespace

std::filesystem::path system_lock_folder() {
  constexpr const char* folder = "/run/lock";
  return ::access(folder, W_OK | X_OK) == 0 ? folder : std::filesystem::temp_directory_path();
}

std::unique_ptr<reports::LockFile> hold_gpu(const ChosenDevice& device, const std::filesystem::path& folder,
                                            const std::vector<std::string>& words) {
  try {
    return lock(device, folder, words);
  } catch (const reports::Held& e) {
    const std::string other = *e.what() != '\0' ? e.what() : "another process";
    throw Error(Exit::no_device,
                fmt::format("{} ({}) is in use by {}", device.record.name, device.pci_bus_id, other));
  }
}

std::unique_ptr<reports::LockFile> wait_for_gpu(const ChosenDevice& device,
                                                const std::filesystem::path& folder,
                                                const std::vector<std::string>& words,
                                                const std::stop_token& stop) {
  constexpr auto nap = std::chrono::milliseconds(20);
  while (!stop.stop_requested()) try {
      return lock(device, folder, words);
    } catch (const reports::Held&) {
      std::this_thread::sleep_for(nap);
    }
  return nullptr;
}

}  // namespace quadpair::cli
