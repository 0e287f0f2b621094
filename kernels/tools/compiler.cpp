#include "kernels/tools/compiler.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nvrtc.h>
#include <re2/re2.h>

#include <stdexcept>

namespace quadpair::tools {
namespace {

void check(nvrtcResult result, const std::string& what) {
  if (result != NVRTC_SUCCESS) throw std::runtime_error(what + ": " + nvrtcGetErrorString(result));
}

class Program {
 public:
  explicit Program(const Sources& sources) {
    std::vector<const char*> texts, names;
    for (const Header& header : sources.headers) {
      texts.push_back(header.text.c_str());
      names.push_back(header.name.c_str());
    }
    check(nvrtcCreateProgram(&program_, sources.text.c_str(), sources.name.c_str(),
                             static_cast<int>(texts.size()), texts.data(), names.data()),
          "nvrtcCreateProgram");
  }
  ~Program() { nvrtcDestroyProgram(&program_); }
  Program(const Program&) = delete;
  Program& operator=(const Program&) = delete;

  nvrtcResult compile(const std::vector<std::string>& options) {
    std::vector<const char*> pointers;
    pointers.reserve(options.size());
    for (const std::string& option : options) pointers.push_back(option.c_str());
    return nvrtcCompileProgram(program_, static_cast<int>(pointers.size()), pointers.data());
  }
  std::string log() const { return text(nvrtcGetProgramLogSize, nvrtcGetProgramLog, "log"); }
  std::string ptx() const { return text(nvrtcGetPTXSize, nvrtcGetPTX, "PTX"); }
  std::string cubin() const {
    std::size_t size = 0;
    check(nvrtcGetCUBINSize(program_, &size), "cubin size");
    std::string bytes(size, '\0');
    check(nvrtcGetCUBIN(program_, bytes.data()), "cubin");
    return bytes;
  }

 private:
  /// A text whose reported size includes a NUL, which is dropped.
  template <class Size, class Get>
  std::string text(Size get_size, Get get, const char* what) const {
    std::size_t size = 0;
    check(get_size(program_, &size), what);
    std::string bytes(size, '\0');
    check(get(program_, bytes.data()), what);
    if (!bytes.empty() && bytes.back() == '\0') bytes.pop_back();
    return bytes;
  }

  nvrtcProgram program_ = nullptr;
};

std::uint32_t number_before(const std::string& line, const std::string& words) {
  std::uint32_t number = 0;
  return RE2::PartialMatch(line, "([0-9]+) " + words, &number) ? number : 0;
}

/// Entries and their thread bounds from the PTX, resources from what `ptxas -v` wrote into the log.
std::vector<Entry> entries_of(const std::string& ptx, const std::string& log) {
  static const RE2 entry(R"(\.entry\s+(\w+)\s*\([^)]*\)\s*(?:\.maxntid\s+(\d+))?)");
  std::vector<Entry> entries;
  Entry found;
  std::string bound;
  for (re2::StringPiece rest(ptx); RE2::FindAndConsume(&rest, entry, &found.name, &bound);) {
    found.max_threads = bound.empty() ? 0 : static_cast<std::uint32_t>(std::stoul(bound));
    const std::size_t begin = log.find("Compiling entry function '" + found.name + "'");
    if (begin == std::string::npos) throw std::runtime_error("ptxas said nothing of " + found.name);
    const std::string part = log.substr(begin, log.find("Compiling entry function", begin + 1) - begin);
    found.registers = number_before(part, "registers");
    found.spill_bytes = number_before(part, "bytes spill stores") + number_before(part, "bytes spill loads");
    found.local_bytes = number_before(part, "bytes stack frame");
    found.shared_bytes = number_before(part, "bytes smem");
    entries.push_back(found);
  }
  return entries;
}

/// "NVRTC 12.8.93", from the "Cuda compilation tools, release 12.8, V12.8.93" that the PTX begins with.
std::string toolkit_of(const std::string& ptx) {
  std::string version;
  if (!RE2::PartialMatch(ptx, R"(release [0-9.]+, V([0-9.]+))", &version))
    throw std::runtime_error("the PTX does not name its compiler");
  return "NVRTC " + version;
}

}  // namespace

Compiled compile(const Sources& sources, Target target, bool specific,
                 const std::vector<std::string>& defines) {
  const std::string architecture = std::string(to_string(target).substr(2)) + (specific ? "a" : "");
  std::vector<std::string> options = {"--gpu-architecture=sm_" + architecture,
                                      "--std=c++20",
                                      "--generate-line-info",
                                      "--fmad=false",
                                      "--device-as-default-execution-space",
                                      "--ptxas-options=--verbose"};
  for (const std::string& define : defines) options.push_back("--define-macro=" + define);

  Program program(sources);
  const nvrtcResult result = program.compile(options);
  const std::string log = program.log();
  // sm_70 makes NVRTC say that the target is deprecated; a warning about the source has a number.
  // A kernel whose wgmma the compiler makes wait for each other is not what it was written to be.
  if (result != NVRTC_SUCCESS || log.find("warning #") != std::string::npos ||
      log.find("Potential Performance Loss") != std::string::npos)
    throw std::runtime_error(sources.name + " for " + std::string(to_string(target)) + ": " +
                             nvrtcGetErrorString(result) + "\n" + log);
  Compiled compiled{program.ptx(), program.cubin(), {}, {}, {}};
  compiled.entries = entries_of(compiled.ptx, log);
  compiled.toolkit = toolkit_of(compiled.ptx);
  compiled.options = fmt::format("{}", fmt::join(options, " "));
  return compiled;
}

}  // namespace quadpair::tools
