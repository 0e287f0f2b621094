// Text between the processes of one run, its ranks. Rank 0 leads.
#pragma once

#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>

namespace quadpair::ranks {

struct Message {
  unsigned from = 0;
  std::string text;
};

/// A run that was started as several processes, which cannot talk to each other.
struct NoMessages : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// Used by the thread that made it.
class Messages {
 public:
  virtual ~Messages() = default;
  virtual unsigned rank() const = 0;
  virtual unsigned size() const = 0;
  virtual unsigned local_rank() const = 0;  ///< among those of this host
  virtual unsigned local_size() const = 0;
  /// What one rank sends another arrives in order.
  virtual void send(unsigned to, std::string_view text) = 0;
  /// The next one, from whomever, if there is one already.
  virtual std::optional<Message> take() = 0;
};

}  // namespace quadpair::ranks
