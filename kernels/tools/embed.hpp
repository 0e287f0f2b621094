// Generated C++ that puts compiled kernels into the library.
#pragma once

#include <filesystem>
#include <string>

#include "kernels/tools/compiler.hpp"

namespace quadpair::tools {

/// Lower-case hex SHA-256.
std::string sha256(const std::string& bytes);

/// The C++ source that defines `extern const quadpair::Module quadpair::embedded::SYMBOL`; its bytes are
/// included by the assembler from the files `ptx` and `cubin`.
std::string embedding(const Compiled& compiled, const std::string& module_name, Target target,
                      const std::string& symbol, const std::filesystem::path& ptx,
                      const std::filesystem::path& cubin);

}  // namespace quadpair::tools
