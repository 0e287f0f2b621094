#include "reference/formats/decode_table.hpp"

#include <oneapi/tbb/parallel_for.h>

#include <map>

namespace quadpair::reference {

std::vector<Half> decode(const Nvfp4View& w, const std::function<DecodeTable(float global)>& rule) {
  check_shape(w);
  std::map<float, DecodeTable> tables;
  for (const float g : w.globals)
    if (!tables.contains(g)) tables.emplace(g, rule(g));
  std::vector<Half> weights(std::size_t{w.n} * w.k);
  tbb::parallel_for(0U, w.n, [&](std::uint32_t row) {
    const DecodeTable& table = tables.at(global_of(w, row));
    Half* const to = weights.data() + std::size_t{row} * w.k;
    for (std::uint32_t k0 = 0; k0 < w.k; k0 += group_k) {
      const auto& of_code = table[w.scales[(std::size_t{row} * w.k + k0) / group_k]];
      for (std::uint32_t k = k0; k < k0 + group_k; ++k) to[k] = of_code[code_at(w, row, k)];
    }
  });
  return weights;
}

}  // namespace quadpair::reference
