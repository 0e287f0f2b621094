// A process that answers lines with lines, and may crash or hang.
#pragma once

#include <chrono>
#include <optional>
#include <stdexcept>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include <sys/types.h>

namespace quadpair::run {

/// A worker that gave no answer, and why: "killed by SIGSEGV", "exited with status 3", "no answer in 120 s".
struct WorkerLost : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// Lives no longer than this object or the thread that made it, however that ends.
class WorkerProcess {
 public:
  /// Starts `command`, a program's path and arguments, with this end of a socket as its stdin and stdout.
  /// Signals blocked here stay blocked there. Throws std::system_error.
  explicit WorkerProcess(const std::vector<std::string>& command);
  WorkerProcess(const WorkerProcess&) = delete;
  WorkerProcess& operator=(const WorkerProcess&) = delete;
  /// Kills it.
  ~WorkerProcess();

  pid_t pid() const { return pid_; }

  /// The answer to a line, both without their newline; nothing when a stop was requested and no answer came
  /// within `grace` of it. Throws WorkerLost when there is no answer within `timeout`, or the process ended.
  /// A worker without an answer is of no more use.
  std::optional<std::string> ask(std::string_view line, std::chrono::seconds timeout,
                                 const std::stop_token& stop,
                                 std::chrono::seconds grace = std::chrono::seconds(10));

 private:
  void send(std::string_view text);
  bool readable_within(std::chrono::milliseconds time) const;
  std::string end();  ///< kills it where it still runs, and says how it ended

  int socket_ = -1;
  pid_t pid_ = 0;
  std::string received_;
};

}  // namespace quadpair::run
