#include "harness/timing/nvml.hpp"

#include <dlfcn.h>
#include <fmt/format.h>

#include <optional>
#include <stdexcept>
#include <utility>

namespace quadpair::timing {
namespace {

/// The few declarations of NVML's API that are used, by value as its documentation has them.
struct Api {
  using Device = struct nvmlDevice_st*;
  static constexpr int kSuccess = 0;
  static constexpr int kSmClock = 1;  ///< NVML_CLOCK_SM

  /// Hardware slowdown 0x8, software thermal 0x20, hardware thermal 0x40 and power brake 0x80. An idle device
  /// (0x1), clocks set by an application (0x2) or a display (0x100), and sync boost (0x10) hold the clock
  /// where somebody wanted it.
  static constexpr unsigned long long kThrottled = 0x8 | 0x20 | 0x40 | 0x80, kPowerCap = 0x4;

  int (*init)();
  int (*shutdown)();
  const char* (*error_string)(int);
  int (*by_pci_bus_id)(const char*, Device*);
  int (*clock)(Device, int, unsigned*);
  int (*throttle_reasons)(Device, unsigned long long*);
};

struct CloseLibrary {
  void operator()(void* library) const { dlclose(library); }
};
using Library = std::unique_ptr<void, CloseLibrary>;

template <class Function>
void find(const Library& library, const char* name, Function& function) {
  function = reinterpret_cast<Function>(dlsym(library.get(), name));
  if (!function) throw std::runtime_error(fmt::format("it lacks {}", name));
}

Api load(const Library& library) {
  Api api;
  find(library, "nvmlInit_v2", api.init);
  find(library, "nvmlShutdown", api.shutdown);
  find(library, "nvmlErrorString", api.error_string);
  find(library, "nvmlDeviceGetHandleByPciBusId_v2", api.by_pci_bus_id);
  find(library, "nvmlDeviceGetClockInfo", api.clock);
  find(library, "nvmlDeviceGetCurrentClocksThrottleReasons", api.throttle_reasons);
  return api;
}

class Session {
 public:
  explicit Session(Library library) : library_(std::move(library)), api_(load(library_)) {
    require(api_.init(), "nvmlInit");
  }
  ~Session() { api_.shutdown(); }
  Session(const Session&) = delete;
  Session& operator=(const Session&) = delete;

  const Api& api() const { return api_; }

  void require(int status, const char* what) const {
    if (status != Api::kSuccess)
      throw std::runtime_error(fmt::format("{} failed: {}", what, api_.error_string(status)));
  }

 private:
  Library library_;
  Api api_;
};

class NvmlClock final : public ClockSource {
 public:
  NvmlClock(Library library, const std::string& pci_bus_id) : session_(std::move(library)) {
    session_.require(session_.api().by_pci_bus_id(pci_bus_id.c_str(), &device_),
                     "nvmlDeviceGetHandleByPciBusId");
  }

  std::optional<ClockReading> read() override {
    unsigned mhz = 0;
    unsigned long long reasons = 0;
    if (session_.api().clock(device_, Api::kSmClock, &mhz) != Api::kSuccess) return std::nullopt;
    if (session_.api().throttle_reasons(device_, &reasons) != Api::kSuccess) return std::nullopt;
    return ClockReading{mhz, (reasons & Api::kThrottled) != 0, (reasons & Api::kPowerCap) != 0};
  }

 private:
  Session session_;
  Api::Device device_ = nullptr;
};

}  // namespace

std::variant<std::unique_ptr<ClockSource>, NoNvml> open_nvml(const std::string& pci_bus_id,
                                                             const std::string& library) {
  Library handle(dlopen(library.c_str(), RTLD_NOW | RTLD_LOCAL));
  if (!handle) return NoNvml{fmt::format("no SM clock: {}", dlerror())};
  try {
    return std::make_unique<NvmlClock>(std::move(handle), pci_bus_id);
  } catch (const std::runtime_error& error) {
    return NoNvml{fmt::format("no SM clock from {} for {}: {}", library, pci_bus_id, error.what())};
  }
}

}  // namespace quadpair::timing
