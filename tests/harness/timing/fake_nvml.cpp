// A management library with one GPU at 0000:1b:00.0, whose state comes from the environment.
#include <cstdlib>
#include <cstring>

namespace {

unsigned long long from_environment(const char* name) {
  const char* value = std::getenv(name);
  return value ? std::strtoull(value, nullptr, 0) : 0;
}

int gpu = 0;

}  // namespace

extern "C" {

int nvmlInit_v2() {
  return static_cast<int>(from_environment("FAKE_NVML_INIT"));
}
int nvmlShutdown() {
  setenv("FAKE_NVML_SHUT_DOWN", "1", 1);
  return 0;
}
const char* nvmlErrorString(int status) {
  return status == 9 ? "Driver Not Loaded" : "Not Found";
}

int nvmlDeviceGetHandleByPciBusId_v2(const char* id, void** device) {
  if (std::strcmp(id, "0000:1b:00.0") != 0) return 6;
  *device = &gpu;
  return 0;
}

int nvmlDeviceGetClockInfo(void* device, int clock, unsigned* mhz) {
  if (device != &gpu || clock != 1) return 2;
  *mhz = static_cast<unsigned>(from_environment("FAKE_NVML_MHZ"));
  return 0;
}

int nvmlDeviceGetCurrentClocksThrottleReasons(void* device, unsigned long long* reasons) {
  if (device != &gpu || std::getenv("FAKE_NVML_LOST")) return 15;
  *reasons = from_environment("FAKE_NVML_REASONS");
  return 0;
}

}  // extern "C"
