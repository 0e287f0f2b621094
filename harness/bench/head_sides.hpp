// The LM head's two sides: screening with its rerank, and the dense head.
#pragma once

#include <memory>
#include <vector>

#include "harness/bench/options.hpp"
#include "harness/bench/side.hpp"
#include "harness/run/head/head_on_device.hpp"

namespace quadpair::bench {

/// A case of an LM head with everything that is made before a device is asked.
struct HeadCase {
  run::HeadProblem problem;
  std::shared_ptr<const run::PreparedHead> prepared;
  std::vector<std::uint16_t> x;  ///< FP16 [m, ldx]
  run::HeadOutput expected;

  std::uint64_t weight_bytes() const;  ///< of the FP8 copy
  /// Of screening and rerank: the FP8 copy, the candidates' rows of the FP16 head, x and the results.
  std::uint64_t contract_bytes() const;
};

/// Throws as run::verify_head.
HeadCase make_head_case(const cases::Case& c, const Options& options, run::HeadCache& heads);

/// Both sides on one device, over as many copies of the head as rotate.
class HeadSides {
 public:
  HeadSides(device::Device& device, const HeadCase& c, std::uint32_t tensors,
            const run::ModuleLookup& find_module);

  Sides sides() const;

 private:
  const HeadCase& case_;
  std::unique_ptr<device::Buffer> x_;
  std::vector<lm_head::Head> heads_;
  std::unique_ptr<Side> candidate_, control_;
};

}  // namespace quadpair::bench
