#include "harness/bench/side.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "harness/run/launches.hpp"

namespace quadpair::bench {

void Side::append_output(std::vector<std::byte>& bytes) const {
  const std::size_t before = bytes.size();
  bytes.resize(before + output_.buffer->bytes());
  output_.buffer->download(std::span(bytes).subspan(before));
}

std::vector<reports::Check> Side::check(const std::string& what) const {
  std::vector<std::byte> bytes;
  append_output(bytes);
  return output_.judge(fmt::format("{} {}", name_, what), bytes);
}

std::vector<reports::Check> Side::verify(std::uint32_t tensors) {
  std::vector<std::byte> bytes;
  for (std::uint32_t tensor = 0; tensor < tensors; ++tensor) {
    poison();
    run(tensor);
    append_output(bytes);
  }
  return output_.judge(name_ + " before timing", bytes);
}

std::unique_ptr<device::Graph> KernelSide::capture(const timing::SamplePlan& plan) {
  return device_.capture(timing::rotation(uses_, plan));
}

std::vector<reports::KernelRecord> KernelSide::kernels() const {
  std::vector<reports::KernelRecord> records;
  run::add_kernels(uses_.at(0), device_, records);
  return records;
}

std::string KernelSide::route() const {
  std::vector<std::string> names;
  for (const reports::KernelRecord& kernel : kernels()) {
    std::string name = fmt::format("{}@{}", kernel.name, kernel.target);
    if (std::ranges::find(names, name) == names.end()) names.push_back(std::move(name));
  }
  return fmt::format("{}", fmt::join(names, " + "));
}

std::unique_ptr<device::Graph> LibrarySide::capture(const timing::SamplePlan& plan) {
  return library_->capture(timing::rotation(uses_, plan));
}

}  // namespace quadpair::bench
