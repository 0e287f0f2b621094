// Where in the source an instruction comes from.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "harness/device/emulator/ptx/ir.hpp"

namespace quadpair::ptx {

/// "kernels/qpn2/tile.cuh:20" for what a .loc numbers, without the root that the build gave the path; empty
/// for a file that is not known.
std::string source_place(const std::vector<SourceFile>& files, std::uint32_t file, std::uint32_t line);

}  // namespace quadpair::ptx
