// The build tool: compiles one .cu for one target and writes PTX, cubin and the C++ that embeds them.
#include <fmt/core.h>

#include <CLI/CLI.hpp>
#include <cstdio>
#include <exception>
#include <filesystem>
#include <fstream>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include "kernels/tools/compiler.hpp"
#include "kernels/tools/embed.hpp"
#include "kernels/tools/sources.hpp"

namespace {

using namespace quadpair;

void write_file(const std::filesystem::path& path, const std::string& bytes) {
  std::ofstream out(path, std::ios::binary);
  out << bytes;
  if (!out.flush()) throw std::runtime_error("cannot write " + path.string());
}

/// Kernels keep everything in registers: a build whose kernels spill is a failed build.
void require_no_spills(const tools::Compiled& compiled, std::string_view target) {
  std::string faults;
  for (const tools::Entry& entry : compiled.entries)
    if (entry.spill_bytes != 0 || entry.local_bytes != 0)
      faults += fmt::format("{} for {} spills {} bytes and has {} bytes of local memory\n", entry.name,
                            target, entry.spill_bytes, entry.local_bytes);
  if (!faults.empty()) throw std::runtime_error(faults);
}

int run(int argc, char** argv) {
  std::string root, stem, target_name, symbol, output;
  std::vector<std::string> defines;
  bool specific = false;
  CLI::App app("Compiles a kernel file with NVRTC; writes OUTPUT.ptx, .cubin, .cpp and .d");
  app.add_option("--root", root, "Folder that source and include names are relative to")->required();
  app.add_option("--stem", stem, "Source without kernels/ and .cu, e.g. qpn2/gemm")->required();
  app.add_option("--target", target_name, "sm70, sm80 or sm90")->required();
  app.add_option("--symbol", symbol, "Name of the generated C++ object")->required();
  app.add_option("--output", output, "Path of the output files without extension")->required();
  app.add_option("--define", defines, "Macro to define");
  app.add_flag("--specific", specific, "For this architecture alone: sm_90a for sm90");
  CLI11_PARSE(app, argc, argv);

  const std::optional<Target> target = target_from_string(target_name);
  if (!target) throw std::runtime_error("unknown target " + target_name);
  const tools::Sources sources = tools::read_sources(root, "kernels/" + stem + ".cu");
  const tools::Compiled compiled = tools::compile(sources, *target, specific, defines);
  require_no_spills(compiled, target_name);

  write_file(output + ".ptx", compiled.ptx);
  write_file(output + ".cubin", compiled.cubin);
  write_file(output + ".cpp",
             tools::embedding(compiled, stem, *target, symbol, output + ".ptx", output + ".cubin"));
  std::string dependencies = output + ".cpp:";
  for (const std::filesystem::path& file : sources.files) dependencies += " " + file.string();
  write_file(output + ".d", dependencies + "\n");
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  try {
    return run(argc, argv);
  } catch (const std::exception& error) {
    std::fputs(error.what(), stderr);
    std::fputc('\n', stderr);
    return 1;
  }
}
