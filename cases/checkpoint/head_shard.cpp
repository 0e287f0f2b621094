#include "cases/checkpoint/head_shard.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "cases/checkpoint/floats.hpp"
#include "cases/error.hpp"
#include "reference/formats/fp16.hpp"

namespace quadpair::cases {

HeadShard head_shard(const Projection& head, std::uint32_t stored_rows, std::uint32_t rank,
                     std::uint32_t tp) {
  HeadShard shard;
  shard.tensor = head.parts.at(0).tensor;
  shard.tied = head.tied;
  shard.rank = rank;
  shard.n = rows_of_head(stored_rows, tp);
  shard.first = rank * shard.n;
  shard.k = head.k;
  shard.stored_rows = stored_rows;
  shard.vocabulary = head.rows();
  return shard;
}

std::shared_ptr<const HeadMatrix> read_head(const Checkpoint& checkpoint, const HeadShard& shard,
                                            const std::string& name) {
  const std::string tensor = shard.tensor + ".weight";
  const Safetensors& file = checkpoint.file_of(tensor);
  HeadMatrix head{name, file.name(), shard.n, shard.k, shard.first, shard.vocabulary, {}};
  head.weights.reserve(std::size_t{shard.n} * shard.k);
  const std::uint64_t end = std::min<std::uint64_t>(std::uint64_t{shard.first} + shard.n, shard.stored_rows);
  for (std::uint64_t row = shard.first; row < end; ++row) {
    const RowRun one{row, 1};  // a row at a time: in FP32 a whole head would take gigabytes
    const std::vector<float> values = read_rows(file, tensor, {&one, 1});
    for (std::size_t i = 0; i < values.size(); ++i) {
      head.weights.push_back(reference::to_half(values[i]));
      if ((head.weights.back() & 0x7C00) == 0x7C00)
        throw DataError(fmt::format("{}: tensor '{}'[{}, {}] is {}: beyond FP16", file.name(), tensor, row, i,
                                    values[i]));
    }
  }
  head.weights.resize(std::size_t{shard.n} * shard.k);
  return std::make_shared<const HeadMatrix>(std::move(head));
}

}  // namespace quadpair::cases
