#include "kernels/lm_head/head.hpp"

#include "kernels/common/check.hpp"
#include "kernels/common/half.hpp"
#include "kernels/lm_head/pack_head.hpp"
#include "kernels/qpn2/layout.hpp"
#include "kernels/qpn8/pack.hpp"
#include "kernels/qpn8/quantize.hpp"

namespace quadpair::lm_head {

std::vector<StorageItem> storage(std::uint32_t n, std::uint32_t k, bool top1) {
  const std::uint32_t padded = qpn2::pad_to_tile(n);
  std::vector<StorageItem> items = {{"qpn8_codes", qpn8::code_bytes(padded, k)},
                                    {"qpn8_scales", qpn8::scale_bytes(qpn8::ScaleKind::channel, padded, k)},
                                    {"lm_head_fp16", std::size_t{n} * k * sizeof(std::uint16_t)}};
  if (top1) items.push_back({"lm_head_packed", packed_head_bytes(padded, k)});
  return items;
}

void prepare(const HeadWeights& head) {
  const std::string name = "tensor " + head.name;
  require(head.n != 0, name + ": N=0: no vocabulary rows");
  require(head.k != 0 && head.k % 64 == 0,
          name + ": K=" + std::to_string(head.k) + ": not a positive multiple of 64");
  require(head.weights.size() == std::size_t{head.n} * head.k,
          name + ": " + std::to_string(head.weights.size()) + " weights, not " + std::to_string(head.n) +
              " x " + std::to_string(head.k));
  require(std::uint64_t{head.first_id} + head.n <= head.vocabulary,
          name + ": rows " + std::to_string(head.first_id) + " to " +
              std::to_string(std::uint64_t{head.first_id} + head.n - 1) + " reach past the vocabulary of " +
              std::to_string(head.vocabulary) + ": no padding is admitted inside a shard");
  for (std::size_t i = 0; i < head.weights.size(); ++i)
    if (!is_finite_half(head.weights[i]))
      throw RangeError(name + ", row " + std::to_string(i / head.k) + ", k " + std::to_string(i % head.k) +
                       ": weight " + std::to_string(half_to_float(head.weights[i])) + " is not finite");
}

Head::Head(const HeadWeights& head, bool top1, Target target, const Allocate& allocate,
           const Execute& execute)
    : n_(head.n), k_(head.k), first_id_(head.first_id) {
  prepare(head);
  for (const StorageItem& item : storage(n_, k_, top1))
    items_.push_back({item, allocate(item.name, item.bytes)});
  for (const Item& item : items_)
    if (item.storage.name == "lm_head_fp16") item.memory->upload(std::as_bytes(head.weights));
  const auto codes = allocate("fp8_codes", std::size_t{n_} * k_);
  const auto scales = allocate("fp8_scales", std::size_t{n_} * sizeof(float));

  const DevicePtr weights = address("lm_head_fp16");
  std::vector<Launch> launches =
      qpn8::quantize({n_, k_, weights, codes->address(), scales->address()}, target);
  const auto add = [&](const std::vector<Launch>& more) {
    launches.insert(launches.end(), more.begin(), more.end());
  };
  add(qpn8::pack({n_, k_, qpn8::ScaleKind::channel, codes->address(), scales->address(),
                  address("qpn8_codes"), address("qpn8_scales")},
                 target));
  if (top1) add(pack_head({n_, k_, weights, address("lm_head_packed")}, target));
  execute(launches);
}

std::size_t Head::bytes() const {
  std::size_t sum = 0;
  for (const Item& item : items_) sum += item.storage.bytes;
  return sum;
}

DevicePtr Head::address(std::string_view item) const {
  for (const Item& held : items_)
    if (held.storage.name == item) return held.memory->address();
  return 0;
}

}  // namespace quadpair::lm_head
