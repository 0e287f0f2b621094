#include "harness/ranks/mpi.hpp"

#include <dlfcn.h>
#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <string>
#include <string_view>
#include <utility>

#include "harness/ranks/mpi_functions.hpp"

namespace quadpair::ranks {
namespace {

/// How many ranks the launcher has started: Open MPI's mpirun, any with PMI, srun with PMIx. 1: no launcher.
unsigned ranks_started() {
  const auto number = [](const char* name) -> unsigned {
    const char* const value = std::getenv(name);
    unsigned count = 0;
    if (value != nullptr) std::from_chars(value, value + std::string_view(value).size(), count);
    return count;
  };
  for (const char* name : {"OMPI_COMM_WORLD_SIZE", "PMI_SIZE"})
    if (const unsigned ranks = number(name); ranks > 0) return ranks;
  return std::getenv("PMIX_RANK") != nullptr ? std::max(number("SLURM_NTASKS"), 1u) : 1;
}

class MpiMessages final : public Messages {
 public:
  explicit MpiMessages(const MpiFunctions& mpi) : mpi_(mpi) { require(mpi_.start(&place_)); }
  MpiMessages(const MpiMessages&) = delete;
  MpiMessages& operator=(const MpiMessages&) = delete;
  ~MpiMessages() override { mpi_.finish(); }

  unsigned rank() const override { return static_cast<unsigned>(place_.rank); }
  unsigned size() const override { return static_cast<unsigned>(place_.size); }
  unsigned local_rank() const override { return static_cast<unsigned>(place_.local_rank); }
  unsigned local_size() const override { return static_cast<unsigned>(place_.local_size); }
  void send(unsigned to, std::string_view text) override {
    require(mpi_.send(static_cast<int>(to), text.data(), text.size()));
  }
  std::optional<Message> take() override {
    int from = 0;
    const long long bytes = mpi_.waiting(&from);
    if (bytes == -1) return std::nullopt;
    if (bytes < 0) throw NoMessages("MPI cannot say whether there is a message");
    Message message{static_cast<unsigned>(from), std::string(static_cast<std::size_t>(bytes), '\0')};
    require(mpi_.receive(from, message.text.data(), message.text.size()));
    return message;
  }

 private:
  static void require(const char* wrong) {
    if (wrong != nullptr) throw NoMessages(fmt::format("MPI: {}", wrong));
  }
  const MpiFunctions& mpi_;
  Place place_;
};

const MpiFunctions& load(const std::filesystem::path& plugin, unsigned ranks) {
  if (plugin.empty())
    throw NoMessages(fmt::format(
        "started as one of {} ranks, but this build has no MPI (CMake option QUADPAIR_MPI)", ranks));
  void* const library = dlopen(plugin.c_str(), RTLD_NOW | RTLD_GLOBAL);  // MPI's own plugins need its symbols
  if (library == nullptr)
    throw NoMessages(
        fmt::format("started as one of {} ranks, but MPI cannot be loaded: {}", ranks, dlerror()));
  const auto functions = reinterpret_cast<decltype(&quadpair_mpi)>(dlsym(library, "quadpair_mpi"));
  if (functions == nullptr) throw NoMessages(fmt::format("{} is no plugin of this program", plugin.string()));
  return *functions();
}

}  // namespace

std::filesystem::path mpi_plugin() {
  std::error_code error;
  const std::filesystem::path folder = std::filesystem::read_symlink("/proc/self/exe", error).parent_path();
  for (const char* place : {"libquadpair_mpi.so", "../lib/libquadpair_mpi.so"})
    if (exists(folder / place, error)) return folder / place;
  return {};
}

std::unique_ptr<Messages> join_ranks(const std::filesystem::path& plugin) {
  const unsigned ranks = ranks_started();
  if (ranks < 2) return nullptr;
  auto messages = std::make_unique<MpiMessages>(load(plugin, ranks));
  if (messages->size() != ranks)
    throw NoMessages(
        fmt::format("started as one of {} ranks, of which MPI sees {}: the launcher is of another MPI", ranks,
                    messages->size()));
  return messages;
}

}  // namespace quadpair::ranks
