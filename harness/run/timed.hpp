// How long work takes.
#pragma once

#include <chrono>

namespace quadpair::run {

/// Seconds that `work` takes, added to `total`; gives what work gives.
template <class Work>
auto timed(double& total, const Work& work) {
  const auto start = std::chrono::steady_clock::now();
  auto result = work();
  total += std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  return result;
}

}  // namespace quadpair::run
