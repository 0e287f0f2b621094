#include "cases/heads.hpp"

#include <oneapi/tbb/parallel_for.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <utility>

#include "cases/embedded.hpp"
#include "cases/error.hpp"
#include "cases/safetensors.hpp"
#include "kernels/common/half.hpp"
#include "kernels/lm_head/candidates.hpp"

namespace quadpair::cases {
namespace {

/// About normal with deviation 1: the sum of four uniform 16-bit numbers, moved and scaled.
float draw(const RandomStream& stream, std::uint64_t index) {
  const std::uint64_t bits = stream(index);
  std::int32_t sum = -2 * 65535;
  for (unsigned shift = 0; shift < 64; shift += 16) sum += static_cast<std::int32_t>(bits >> shift & 0xFFFF);
  return static_cast<float>(sum) * (0x1.BB67AEp+0F * 0x1p-16F);  // sqrt(3): four uniforms have variance 1/3
}

void drawn(HeadMatrix& head, std::uint64_t seed) {
  draw_head(head, RandomStream(seed, head.name));
}

/// Seven different rows over and over: equal logits inside chunks, across them, and at every chunk's 64th.
void repeated(HeadMatrix& head, std::uint64_t seed) {
  drawn(head, seed);
  for (std::size_t row = 7; row < head.n; ++row)
    std::copy_n(head.weights.begin() + static_cast<std::ptrdiff_t>(row % 7 * head.k), head.k,
                head.weights.begin() + static_cast<std::ptrdiff_t>(row * head.k));
}

/// Of three rows one holds zeros, of both signs.
void with_zero_rows(HeadMatrix& head, std::uint64_t seed) {
  drawn(head, seed);
  for (std::size_t i = 0; i < head.weights.size(); ++i)
    if (i / head.k % 3 == 1) head.weights[i] &= 0x8000;
}

void with_nan(HeadMatrix& head, std::uint64_t seed) {
  drawn(head, seed);
  head.weights[5 * head.k + 3] = 0x7E00;
}

void with_infinity(HeadMatrix& head, std::uint64_t seed) {
  drawn(head, seed);
  head.weights[5 * head.k + 3] = 0xFC00;
}

void padded(HeadMatrix& head, std::uint64_t seed) {
  drawn(head, seed);
  head.vocabulary = head.n - 1;
}

struct MadeUpHead {
  std::string_view name;
  std::uint32_t n, k;
  void (*fill)(HeadMatrix& head, std::uint64_t seed);
};

constexpr MadeUpHead made_up_heads[] = {
    {"lm_head", lm_head::chunk_rows, 5120, drawn},
    {"edge.head.ties", lm_head::chunk_rows + 64, 128, repeated},
    {"edge.head.repeats", 300, 128, repeated},
    {"edge.head.zeros", 1000, 256, with_zero_rows},
    {"edge.head.few", 12, 128, drawn},
    {"refused.head.nan", 64, 128, with_nan},
    {"refused.head.infinite", 64, 128, with_infinity},
    {"refused.head.padded", 64, 128, padded},
    {"refused.head.k192", 64, 192, drawn},
};

constexpr std::string_view real_name = "whisper.head";
constexpr std::uint32_t real_rows = 2816, real_k = 768, ranks = 4;

/// The rank of "whisper.head@r2", `ranks` for the whole head; nothing for another name.
std::optional<std::uint32_t> real_rank(std::string_view name) {
  if (name == real_name) return ranks;
  for (std::uint32_t rank = 0; rank < ranks; ++rank)
    if (name == std::string(real_name).append("@r").append(std::to_string(rank))) return rank;
  return std::nullopt;
}

const MadeUpHead* find_made_up(std::string_view name) {
  const auto* const found = std::ranges::find(made_up_heads, name, &MadeUpHead::name);
  return found == std::end(made_up_heads) ? nullptr : found;
}

HeadMatrix load_real(const std::string& name, std::uint32_t rank) {
  const Safetensors file(find_embedded(real_slices_file).value().bytes, std::string(real_slices_file));
  const Tensor& tensor = file.require(std::string(real_name).append(".weight"), "F16", 2);
  HeadMatrix head{name, std::string(real_slices_file), real_rows, real_k, 0, real_rows, {}};
  if (rank < ranks) {
    head.n = real_rows / ranks;
    head.first_id = rank * head.n;
  }
  const std::size_t row_bytes = std::size_t{real_k} * 2;
  if (tensor.bytes.size() != real_rows * row_bytes) throw DataError(name + ": the head has another shape");
  head.weights.resize(std::size_t{head.n} * real_k);
  std::memcpy(head.weights.data(), tensor.bytes.data() + head.first_id * row_bytes, head.n * row_bytes);
  return head;
}

}  // namespace

void draw_head(HeadMatrix& head, const RandomStream& stream) {
  constexpr float common_rms = 0.0149F, own_rms = 0.0098F;
  const RandomStream commons = stream.child(0), scales = stream.child(1), own = stream.child(2);
  std::vector<float> common(head.k);
  for (std::uint32_t k = 0; k < head.k; ++k) {
    // Twice the deviation for one number in eight, half for another: heavier tails than a normal number's.
    const float level = std::array{2.0F, 0.5F, 1.0F, 1.0F, 0.8F, 0.8F, 0.7F, 0.7F}[commons(k) & 7];
    common[k] = common_rms * level * draw(commons.child(1), k);
  }
  head.weights.resize(std::size_t{head.n} * head.k);
  tbb::parallel_for(0U, head.n, [&](std::uint32_t row) {
    const float scale = own_rms * (0.75F + 0.5F * static_cast<float>(scales(row) >> 40) * 0x1p-24F);
    for (std::uint32_t k = 0; k < head.k; ++k) {
      const std::size_t i = std::size_t{row} * head.k + k;
      head.weights[i] = float_to_half(common[k] + scale * draw(own, i));
    }
  });
}

std::optional<SliceShape> head_shape(std::string_view name) {
  if (const auto rank = real_rank(name))
    return *rank == ranks ? SliceShape{real_rows, real_k}
                          : SliceShape{real_rows / ranks, real_k, 1, *rank, ranks};
  if (const MadeUpHead* head = find_made_up(name)) return SliceShape{head->n, head->k};
  return std::nullopt;
}

std::shared_ptr<const HeadMatrix> load_head(const std::string& name, std::uint64_t seed) {
  if (const auto rank = real_rank(name)) return std::make_shared<const HeadMatrix>(load_real(name, *rank));
  const MadeUpHead* const made_up = find_made_up(name);
  if (made_up == nullptr) throw DataError("head '" + name + "' is not known");
  HeadMatrix head{
      name, std::string("made-up, seed ").append(std::to_string(seed)), made_up->n, made_up->k, 0, made_up->n,
      {}};
  made_up->fill(head, seed);
  return std::make_shared<const HeadMatrix>(std::move(head));
}

}  // namespace quadpair::cases
