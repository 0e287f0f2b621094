// What the cases of a run share.
#pragma once

#include <cstddef>

#include "harness/run/device_pool.hpp"
#include "harness/run/head/prepared_head.hpp"
#include "harness/run/matrix_cache.hpp"

namespace quadpair::run {

struct Resources {
  explicit Resources(const Options& options)
      : matrices(options.seed, cache_bytes, options.slices),
        heads(options.seed, options.slices),
        devices(options.make_device) {}

  MatrixCache matrices;
  HeadCache heads;
  DevicePool devices;

 private:
  static constexpr std::size_t cache_bytes = std::size_t{1} << 30;
};

}  // namespace quadpair::run
