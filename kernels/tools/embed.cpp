#include "kernels/tools/embed.hpp"

#include <fmt/core.h>
#include <openssl/evp.h>

#include <stdexcept>

namespace quadpair::tools {
namespace {

/// Declares `symbol` as the bytes of a file, in read-only data.
std::string include_bytes(const std::string& symbol, const std::filesystem::path& file) {
  return fmt::format(
      "asm(\".pushsection .rodata\\n.balign 64\\n.global {0}\\n.hidden {0}\\n{0}:\\n\"\n"
      "    \".incbin \\\"{1}\\\"\\n.byte 0\\n.popsection\\n\");\n"
      "extern \"C\" const char {0}[];\n",
      symbol, file.string());
}

}  // namespace

std::string sha256(const std::string& bytes) {
  unsigned char digest[EVP_MAX_MD_SIZE];
  unsigned size = 0;
  if (EVP_Digest(bytes.data(), bytes.size(), digest, &size, EVP_sha256(), nullptr) != 1)
    throw std::runtime_error("SHA-256 failed");
  std::string hex;
  for (unsigned i = 0; i < size; ++i) hex += fmt::format("{:02x}", digest[i]);
  return hex;
}

std::string embedding(const Compiled& compiled, const std::string& module_name, Target target,
                      const std::string& symbol, const std::filesystem::path& ptx,
                      const std::filesystem::path& cubin) {
  const std::string ptx_symbol = "quadpair_ptx_" + symbol, cubin_symbol = "quadpair_cubin_" + symbol;
  std::string kernels;
  for (const Entry& entry : compiled.entries)
    kernels += fmt::format("    {{\"{}\", {}, {}, {}, {}}},\n", entry.name, entry.registers,
                           entry.spill_bytes, entry.shared_bytes, entry.max_threads);
  return fmt::format(
      "// Generated from {module}.cu for {target}.\n"
      "#include \"kernels/common/module.hpp\"\n\n"
      "{ptx_bytes}{cubin_bytes}\n"
      "namespace quadpair::embedded {{\n"
      "namespace {{\n"
      "constexpr KernelInfo kernels[] = {{\n{kernels}}};\n"
      "}}  // namespace\n\n"
      "extern const Module {symbol};\n"
      "const Module {symbol}{{\n"
      "    \"{module}\", Target::{target}, {{{ptx_symbol}, {ptx_size}}},\n"
      "    std::as_bytes(std::span<const char>({cubin_symbol}, {cubin_size})),\n"
      "    \"{ptx_hash}\",\n    \"{cubin_hash}\",\n    \"{toolkit}\",\n    \"{options}\", kernels}};\n"
      "}}  // namespace quadpair::embedded\n",
      fmt::arg("module", module_name), fmt::arg("target", to_string(target)), fmt::arg("symbol", symbol),
      fmt::arg("kernels", kernels), fmt::arg("ptx_bytes", include_bytes(ptx_symbol, ptx)),
      fmt::arg("cubin_bytes", include_bytes(cubin_symbol, cubin)), fmt::arg("ptx_symbol", ptx_symbol),
      fmt::arg("cubin_symbol", cubin_symbol), fmt::arg("ptx_size", compiled.ptx.size()),
      fmt::arg("cubin_size", compiled.cubin.size()), fmt::arg("ptx_hash", sha256(compiled.ptx)),
      fmt::arg("cubin_hash", sha256(compiled.cubin)), fmt::arg("toolkit", compiled.toolkit),
      fmt::arg("options", compiled.options));
}

}  // namespace quadpair::tools
