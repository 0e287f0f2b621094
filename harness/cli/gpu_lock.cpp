#include "harness/cli/gpu_lock.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <system_error>

#include "harness/cli/exit_status.hpp"
#include "harness/cli/host.hpp"
#include "harness/cli/words.hpp"

namespace quadpair::cli {

std::filesystem::path system_lock_folder() {
  constexpr const char* folder = "/run/lock";
  return ::access(folder, W_OK | X_OK) == 0 ? folder : std::filesystem::temp_directory_path();
}

std::unique_ptr<reports::LockFile> hold_gpu(const ChosenDevice& device, const std::filesystem::path& folder,
                                            const std::vector<std::string>& words) {
  if (device.pci_bus_id.empty()) return nullptr;
  const std::filesystem::path file = folder / fmt::format("quadpair-gpu-{}.lock", device.pci_bus_id);
  const std::string holder =
      fmt::format("process {} since {}: {}", ::getpid(), utc_now(), portable_command(words));
  try {
    return std::make_unique<reports::LockFile>(file, holder);
  } catch (const reports::Held& e) {
    const std::string other = *e.what() != '\0' ? e.what() : "another process";
    throw Error(Exit::no_device,
                fmt::format("{} ({}) is in use by {}", device.record.name, device.pci_bus_id, other));
  } catch (const std::system_error& e) {
    throw Error(Exit::no_device,
                fmt::format("{} ({}) cannot be locked: {}", device.record.name, device.pci_bus_id, e.what()));
  }
}

}  // namespace quadpair::cli
