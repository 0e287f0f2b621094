#include "kernels/lm_head/pack_head.hpp"

#include "kernels/lm_head/check_rows.hpp"
#include "kernels/qpn2/layout.hpp"

namespace quadpair::lm_head {

std::vector<Launch> pack_head(const PackHeadArguments& a, Target target) {
  const std::string who = "lm_head_pack: ";
  require_shape(who, a.n, a.k);
  require_buffer(who, "head's weights", a.head, 16);
  require_buffer(who, "packed weights", a.packed, 16);
  constexpr std::uint32_t groups_of_block = 16;
  Launch launch;
  launch.module = &find_module("lm_head/pack_head", target);
  launch.entry = "lm_head_pack";
  launch.grid = {qpn2::pad_to_tile(a.n) / qpn2::tile_columns,
                 (a.k / qpn2::group_k + groups_of_block - 1) / groups_of_block, 1};
  launch.block = {256, 1, 1};
  launch.arguments.add(a.head).add(a.packed).add(a.n).add(a.k);
  return {launch};
}

}  // namespace quadpair::lm_head
