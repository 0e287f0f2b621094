// quadpair on a GPU that is none: the emulator, which goes wrong in the way that QUADPAIR_TEST_FAULT names
// when a case of nine rows of minilm.0.o comes. Locks are kept in the working folder.
#include <unistd.h>

#include <csignal>
#include <cstdlib>
#include <fstream>
#include <iostream>
#include <thread>

#include "harness/cli/app.hpp"
#include "tests/harness/cli/clocked_device.hpp"

namespace quadpair::cli {
namespace {

constexpr std::size_t bytes_of_x = std::size_t{9} * 384 * 2;

class FaultyDevice final : public device::Device {
 public:
  /// `broken` is shared by all devices of the process.
  FaultyDevice(std::unique_ptr<device::Device> device, std::string fault, std::shared_ptr<bool> broken)
      : device_(std::move(device)), fault_(std::move(fault)), broken_(std::move(broken)) {}
  const device::DeviceInfo& info() const override { return device_->info(); }
  std::string_view code_sha256(const Module& module) const override { return device_->code_sha256(module); }
  device::MemoryUse memory_use() const override { return device_->memory_use(); }
  std::unique_ptr<device::Buffer> allocate(std::string name, std::size_t bytes, device::Access access,
                                           std::uint8_t poison) override {
    if (name == "qpn2_codes") due_ = false;  // a case starts
    if (name == "x") due_ = nine_rows_ = bytes == bytes_of_x;
    auto buffer = device_->allocate(std::move(name), bytes, access, poison);
    if (buffer->name() == "y") y_ = buffer.get();
    return buffer;
  }
  void run(std::span<const Launch> launches) override {
    if (due_) go_wrong();
    if (*broken_) throw device::Fault("a kernel: cudaErrorIllegalAddress (an illegal memory access)");
    device_->run(launches);
    if (due_ && fault_ == "differ" && ++runs_ == 3) y_->fill(0);
  }
  std::unique_ptr<device::Graph> capture(std::span<const Launch> launches) override {
    auto graph = device_->capture(launches);
    if (nine_rows_ && fault_ == "crash-timing") return std::make_unique<CrashingGraph>(std::move(graph));
    return graph;
  }
  std::optional<device::Cost> take_cost() override { return std::nullopt; }

 private:
  static void crash() {
    std::signal(SIGSEGV, SIG_DFL);  // a sanitizer's handler would exit instead
    std::raise(SIGSEGV);
  }

  struct CrashingGraph final : device::Graph {
    explicit CrashingGraph(std::unique_ptr<device::Graph> graph) : captured(std::move(graph)) {}
    void replay() override { captured->replay(); }
    std::optional<double> timed_replays(unsigned times) override {
      crash();
      return captured->timed_replays(times);
    }
    std::unique_ptr<device::Graph> captured;
  };

  void go_wrong() {
    if (fault_ == "crash") crash();
    if (fault_ == "killed") std::raise(SIGKILL);
    if (fault_ == "hang") {
      std::ofstream("hanging") << "now";
      std::this_thread::sleep_for(std::chrono::hours(1));
    }
    if (fault_ == "sticky") *broken_ = true;
    if (fault_ == "leak") kept_.push_back(device_->allocate("kept", 1 << 20, device::Access::scratch, 0));
  }

  std::unique_ptr<device::Device> device_;
  std::string fault_;
  std::shared_ptr<bool> broken_;
  std::vector<std::unique_ptr<device::Buffer>> kept_;
  device::Buffer* y_ = nullptr;
  bool due_ = false, nine_rows_ = false;
  int runs_ = 0;
};

ChosenDevice choose(const std::string& fault) {
  // Two hundredths of a second a sample: long enough for a signal to come between two cases.
  static const Script slow{.seconds = [](const std::string&, unsigned) {
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
    return 1e-6;
  }};
  Script script = slow;
  if (fault == "no-l2") script.l2_bytes = 0;
  ChosenDevice chosen = clocked(script)("", 0);
  chosen.pci_bus_id = "0000:00:00.0";
  chosen.one_at_a_time = true;
  chosen.isolated = true;
  if (fault == "slow") return chosen;
  chosen.make = [make = chosen.make, fault, broken = std::make_shared<bool>(false)](reference::Model model,
                                                                                    unsigned threads) {
    return std::make_unique<FaultyDevice>(make(model, threads), fault, broken);
  };
  return chosen;
}

}  // namespace
}  // namespace quadpair::cli

int main(int argc, char** argv) {
  using namespace quadpair;
  const char* fault = std::getenv("QUADPAIR_TEST_FAULT");
  cli::Environment environment{std::cout, std::cerr};
  environment.choose_device = [=](const std::string&, unsigned) {
    return cli::choose(fault == nullptr ? "" : fault);
  };
  environment.build = {.assertions = false, .optimised = true, .sanitised = false};
  environment.lock_folder = ".";
#ifdef QUADPAIR_MPI_PLUGIN
  environment.join_ranks = [] { return ranks::join_ranks(QUADPAIR_MPI_PLUGIN); };
#endif
  return cli::run({argv, argv + argc}, environment);
}
