// Work captured on a stream.
#pragma once

#include <functional>
#include <string>

#include "harness/device/cuda/stream.hpp"

namespace quadpair::device {

class CudaGraph final : public Graph {
 public:
  /// Captures what `enqueue` puts on the stream; `names` says in messages what that is.
  CudaGraph(const CudaRuntime& cuda, const Stream& stream, std::string names,
            const std::function<void()>& enqueue);
  ~CudaGraph() override;
  CudaGraph(const CudaGraph&) = delete;
  CudaGraph& operator=(const CudaGraph&) = delete;

  void replay() override;
  std::optional<double> timed_replays(unsigned times) override;

 private:
  const CudaRuntime& cuda_;
  const Stream& stream_;
  std::string names_;
  Event begin_, end_;
  cudaGraphExec_t executable_ = nullptr;
};

}  // namespace quadpair::device
