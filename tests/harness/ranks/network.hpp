// Ranks that are threads, and messages that are kept in memory.
#pragma once

#include <deque>
#include <map>
#include <memory>
#include <mutex>

#include "harness/ranks/messages.hpp"

namespace quadpair::ranks {

class Network {
 public:
  void put(unsigned to, Message message) {
    const std::lock_guard lock(mutex_);
    boxes_[to].push_back(std::move(message));
  }
  std::optional<Message> take(unsigned rank) {
    const std::lock_guard lock(mutex_);
    auto& box = boxes_[rank];
    if (box.empty()) return std::nullopt;
    Message message = std::move(box.front());
    box.pop_front();
    return message;
  }

 private:
  std::mutex mutex_;
  std::map<unsigned, std::deque<Message>> boxes_;
};

class InMemory final : public Messages {
 public:
  InMemory(Network& network, unsigned rank, unsigned size) : network_(network), rank_(rank), size_(size) {}
  unsigned rank() const override { return rank_; }
  unsigned size() const override { return size_; }
  unsigned local_rank() const override { return rank_; }
  unsigned local_size() const override { return size_; }
  void send(unsigned to, std::string_view text) override { network_.put(to, {rank_, std::string(text)}); }
  std::optional<Message> take() override { return network_.take(rank_); }

 private:
  Network& network_;
  unsigned rank_, size_;
};

}  // namespace quadpair::ranks
