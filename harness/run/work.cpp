#include "harness/run/work.hpp"

namespace quadpair::run {

void Work::run() {
  if (library_)
    library_->run(products_);
  else
    device_.run(launches_);
}

std::unique_ptr<device::Graph> Work::capture() {
  return library_ ? library_->capture(products_) : device_.capture(launches_);
}

std::vector<Launch> Work::launches() const {
  std::vector<Launch> all = launches_;
  for (const device::LibraryGemm& product : products_)
    all.insert(all.end(), product.before.begin(), product.before.end());
  return all;
}

std::vector<device::LibraryGemm> library_products(const Problem& problem, const Operands& operands) {
  std::vector<device::LibraryGemm> products;
  for (dense::Chunk& chunk : problem.op.chunks(operands)) {
    const dense::GemmArguments& g = chunk.product;
    products.push_back({g.m, g.n, g.k, g.x, g.w, g.y, g.ldx, g.ldy, std::move(chunk.decode)});
  }
  return products;
}

std::vector<device::LibraryGemm> control_products(const Problem& problem, const Operands& operands,
                                                  DevicePtr weights) {
  std::vector<device::LibraryGemm> products;
  for (const dense::Chunk& chunk : problem.op.chunks(operands)) {
    const dense::GemmArguments& g = chunk.product;
    const DevicePtr w = weights + std::uint64_t{chunk.first} * g.k * sizeof(std::uint16_t);
    products.push_back({g.m, g.n, g.k, g.x, w, g.y, g.ldx, g.ldy, {}});
  }
  return products;
}

}  // namespace quadpair::run
