#include <algorithm>

#include "kernels/common/check.hpp"
#include "kernels/dense/dense_prefill.hpp"
#include "kernels/qpn2/layout.hpp"

namespace quadpair::dense {
namespace {

void require_here(bool condition, const std::string& message) {
  require(condition, std::string("dense_prefill: ").append(message));
}

/// Decodes `tiles` tiles from `first` on to the workspace.
Launch decode(const PrefillArguments& arguments, std::uint32_t first, std::uint32_t tiles, Target target) {
  const qpn2::GemmArguments& a = arguments.gemm;
  constexpr std::uint32_t warps = 8, k_of_block = warps * 64;
  const std::uint32_t rows = first * qpn2::tile_columns;
  Launch launch;
  launch.module = &find_module("dense/decode", target);
  launch.entry = a.layout == qpn2::CodeLayout::turbomind ? "dense_decode_shared" : "dense_decode_qpn2";
  launch.grid = {tiles, (a.k - 1) / k_of_block + 1, 1};
  launch.block = {warps * 32, 1, 1};
  launch.arguments.add(a.codes + qpn2::code_bytes(rows, a.k))
      .add(a.scales + qpn2::scale_bytes(rows, a.k))
      .add(a.global.tiles == 0 ? DevicePtr{0} : a.global.tiles + first * std::size_t{2})
      .add(arguments.workspace)
      .add(a.k)
      .add(a.global.value);
  return launch;
}

void require_admitted(const PrefillArguments& arguments) {
  const qpn2::GemmArguments& a = arguments.gemm;
  require_here(a.n != 0, "N=0: no output features");
  require_here(a.k != 0 && a.k % 64 == 0, "K=" + std::to_string(a.k) + ": not a positive multiple of 64");
  if (a.m == 0) return;
  require_here(a.codes != 0 && a.codes % 16 == 0, "codes are null or not 16-byte aligned");
  require_here(a.scales != 0 && a.scales % 16 == 0, "scales are null or not 16-byte aligned");
  require_here(a.global.tiles % 2 == 0, "global scales are not 2-byte aligned");
  require_here(a.global.tiles != 0 || (a.global.value > 0 && a.global.value < 0x7C00),
               "the global scale is not a positive finite FP16 number");
  require_here(arguments.workspace != 0 && arguments.workspace % 256 == 0,
               "the workspace is null or not 256-byte aligned");
}

}  // namespace

std::size_t workspace_bytes(std::uint32_t padded_n, std::uint32_t k, std::size_t limit) {
  const std::size_t tile = std::size_t{qpn2::tile_columns} * k * 2;
  require_here(tile != 0 && limit >= tile, "a workspace of " + std::to_string(limit) +
                                               " bytes does not hold a tile of " + std::to_string(tile));
  const std::size_t tiles = padded_n / qpn2::tile_columns;
  const std::size_t chunks = (tiles * tile + limit / tile * tile - 1) / (limit / tile * tile);
  return (tiles + chunks - 1) / chunks * tile;  // chunks of equal size, to a tile
}

std::vector<Chunk> prefill_chunks(const PrefillArguments& arguments, Target target) {
  require_admitted(arguments);
  const qpn2::GemmArguments& a = arguments.gemm;
  const std::uint32_t padded = qpn2::pad_to_tile(a.n), tiles = padded / qpn2::tile_columns;
  const std::size_t bytes = workspace_bytes(padded, a.k, arguments.workspace_limit);
  if (a.m == 0) return {};
  const auto of_chunk = static_cast<std::uint32_t>(bytes / (std::size_t{qpn2::tile_columns} * a.k * 2));
  std::vector<Chunk> chunks;
  for (std::uint32_t tile = 0; tile < tiles; tile += of_chunk) {
    const std::uint32_t count = std::min(of_chunk, tiles - tile), first = tile * qpn2::tile_columns;
    Chunk chunk;
    chunk.first = first;
    chunk.decode = {decode(arguments, tile, count, target)};
    chunk.product = {a.m,
                     std::min(count * qpn2::tile_columns, a.n - first),
                     a.k,
                     a.x,
                     a.ldx,
                     arguments.workspace,
                     a.y + std::size_t{first} * 2,
                     a.ldy};
    chunks.push_back(std::move(chunk));
  }
  return chunks;
}

std::vector<Launch> dense_prefill(const PrefillArguments& arguments, Target target) {
  std::vector<Launch> launches;
  for (const Chunk& chunk : prefill_chunks(arguments, target)) {
    const GemmArguments& product = chunk.product;
    launches.insert(launches.end(), chunk.decode.begin(), chunk.decode.end());
    for (Launch& launch : gemm(product, tuned(product.m, product.n, product.k, target), target))
      launches.push_back(std::move(launch));
  }
  return launches;
}

}  // namespace quadpair::dense
