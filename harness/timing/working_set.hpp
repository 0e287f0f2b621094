// How a sample is made: how many tensors rotate, how many nodes a graph has, how often it is replayed.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace quadpair::timing {

/// The shape of one sample, comparable and printable. One graph holds whole rotations over the tensors, so
/// that the distance between two uses of a tensor is the same inside a replay and across replays, and the
/// replays of a sample run back to back between one pair of events.
struct SamplePlan {
  std::uint32_t tensors = 1;  ///< distinct sets of weights, node i uses set i % tensors
  std::uint32_t nodes = 16;   ///< uses of the operator in a graph, a multiple of tensors
  std::uint32_t replays = 10;
  std::uint64_t launches() const { return std::uint64_t{nodes} * replays; }
  friend bool operator==(const SamplePlan&, const SamplePlan&) = default;
};

/// E.g. "18 nodes a graph over 6 tensors, 10 replays a sample".
std::string to_string(const SamplePlan& plan);

/// The fewest tensors of `tensor_bytes` such that more than twice the L2 is touched by others between two
/// uses of one. With sides that read different numbers of bytes, give the smaller. Throws
/// std::invalid_argument for 0 bytes and for a set of more than 2^20 tensors.
std::uint32_t cold_tensors(std::uint64_t tensor_bytes, std::uint64_t l2_bytes);

/// 16 nodes a graph for M <= 32, one above, rounded up to whole rotations over the tensors (1: a hot cache).
/// Throws std::invalid_argument for no tensors.
SamplePlan sample_plan(std::uint32_t m, std::uint32_t tensors);

/// Throws std::invalid_argument unless `uses` is plan.tensors.
void require_tensors(std::size_t uses, const SamplePlan& plan);

/// The work of a graph's nodes, in order: `uses[t]` is what one use of the operator on tensor t takes. Throws
/// std::invalid_argument unless there are plan.tensors of them.
template <class Work>
std::vector<Work> rotation(const std::vector<std::vector<Work>>& uses, const SamplePlan& plan) {
  require_tensors(uses.size(), plan);
  std::vector<Work> nodes;
  for (std::uint32_t node = 0; node < plan.nodes; ++node) {
    const std::vector<Work>& use = uses[node % plan.tensors];
    nodes.insert(nodes.end(), use.begin(), use.end());
  }
  return nodes;
}

}  // namespace quadpair::timing
