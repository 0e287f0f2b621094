#include "harness/device/cuda/graph.hpp"

#include <utility>

namespace quadpair::device {

CudaGraph::CudaGraph(const CudaRuntime& cuda, const Stream& stream, std::string names,
                     const std::function<void()>& enqueue)
    : cuda_(cuda), stream_(stream), names_(std::move(names)), begin_(cuda), end_(cuda) {
  cudaGraph_t graph = nullptr;
  cuda_.check(cuda_.cudaStreamBeginCapture(stream_.get(), cudaStreamCaptureModeThreadLocal),
              "beginning a capture");
  try {
    enqueue();
  } catch (...) {
    if (cuda_.cudaStreamEndCapture(stream_.get(), &graph) == cudaSuccess && graph != nullptr)
      cuda_.check_no_throw(cuda_.cudaGraphDestroy(graph), "cudaGraphDestroy");
    throw;
  }
  cuda_.check(cuda_.cudaStreamEndCapture(stream_.get(), &graph), "ending a capture");
  const cudaError_t status = cuda_.cudaGraphInstantiate(&executable_, graph, 0);
  cuda_.check_no_throw(cuda_.cudaGraphDestroy(graph), "cudaGraphDestroy");
  cuda_.check(status, "instantiating a graph");
}

CudaGraph::~CudaGraph() {
  cuda_.check_no_throw(cuda_.cudaGraphExecDestroy(executable_), "cudaGraphExecDestroy");
}

void CudaGraph::replay() {
  cuda_.check(cuda_.cudaGraphLaunch(executable_, stream_.get()), ("replay of " + names_).c_str());
  stream_.wait("replay of " + names_);
}

std::optional<double> CudaGraph::timed_replays(unsigned times) {
  cuda_.check(cuda_.cudaEventRecord(begin_.get(), stream_.get()), "recording an event");
  for (unsigned i = 0; i < times; ++i)
    cuda_.check(cuda_.cudaGraphLaunch(executable_, stream_.get()), ("replay of " + names_).c_str());
  cuda_.check(cuda_.cudaEventRecord(end_.get(), stream_.get()), "recording an event");
  stream_.wait("replay of " + names_);
  float milliseconds = 0;
  cuda_.check(cuda_.cudaEventElapsedTime(&milliseconds, begin_.get(), end_.get()), "elapsed time");
  return milliseconds * 1e-3;
}

}  // namespace quadpair::device
