// One run at a time on a GPU.
#pragma once

#include <filesystem>
#include <memory>
#include <stop_token>
#include <string>
#include <vector>

#include "harness/cli/devices.hpp"
#include "reports/lock_file.hpp"

namespace quadpair::cli {

/// Where all users of the machine keep locks: /run/lock where it can be written, else the folder for
/// temporary files.
std::filesystem::path system_lock_folder();

/// Holds the device, if it is a GPU, for a run with this command line, by the file
/// quadpair-gpu-<PCI bus id>.lock in the folder. Throws Error with Exit::no_device where another process
/// holds it, naming that one: process, start and command.
std::unique_ptr<reports::LockFile> hold_gpu(const ChosenDevice& device, const std::filesystem::path& folder,
                                            const std::vector<std::string>& words);

/// The same, but waits while another process holds it. Nothing for what is no GPU, and after a stop.
std::unique_ptr<reports::LockFile> wait_for_gpu(const ChosenDevice& device,
                                                const std::filesystem::path& folder,
                                                const std::vector<std::string>& words,
                                                const std::stop_token& stop);

}  // namespace quadpair::cli
