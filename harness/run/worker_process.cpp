#include "harness/run/worker_process.hpp"

#include <fmt/format.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <system_error>
#include <thread>

namespace quadpair::run {
namespace {

using Clock = std::chrono::steady_clock;

[[noreturn]] void throw_errno(const char* what) {
  throw std::system_error(errno, std::generic_category(), what);
}

/// In the child, where only async-signal-safe calls are allowed.
[[noreturn]] void become(const char* path, char* const* words, int socket, pid_t parent) {
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  // What libraries opened is not the worker's: it would hold their files locked for a moment longer than a
  // parent that is killed.
  close_range(STDERR_FILENO + 1, ~0U, CLOSE_RANGE_CLOEXEC);
  if (getppid() == parent && dup2(socket, STDIN_FILENO) >= 0 && dup2(socket, STDOUT_FILENO) >= 0)
    execv(path, words);
  _exit(127);
}

std::string ending(int status) {
  if (!WIFSIGNALED(status)) return fmt::format("exited with status {}", WEXITSTATUS(status));
  const char* name = sigabbrev_np(WTERMSIG(status));
  return name != nullptr ? fmt::format("killed by SIG{}", name)
                         : fmt::format("killed by signal {}", WTERMSIG(status));
}

}  // namespace

WorkerProcess::WorkerProcess(const std::vector<std::string>& command) {
  std::vector<std::string> copies = command;
  std::vector<char*> words;
  words.reserve(copies.size() + 1);
  for (std::string& word : copies) words.push_back(word.data());
  words.push_back(nullptr);
  std::array<int, 2> ends{};
  if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends.data()) != 0) throw_errno("a socket pair");
  const pid_t parent = getpid();
  pid_ = fork();
  if (pid_ == 0) become(words[0], words.data(), ends[1], parent);
  const int error = errno;
  close(ends[1]);
  socket_ = ends[0];
  if (pid_ > 0) return;
  close(socket_);
  throw std::system_error(error, std::generic_category(), "a worker process");
}

WorkerProcess::~WorkerProcess() {
  end();
  close(socket_);
}

std::string WorkerProcess::end() {
  if (pid_ == 0) return "";
  kill(pid_, SIGKILL);  // does not change how an ended process ended
  int status = 0;
  constexpr auto patience = std::chrono::seconds(30);
  constexpr auto nap = std::chrono::milliseconds(2);
  const Clock::time_point until = Clock::now() + patience;
  pid_t reaped = 0;
  while ((reaped = waitpid(pid_, &status, WNOHANG)) == 0 && Clock::now() < until)
    std::this_thread::sleep_for(nap);
  pid_ = 0;
  // A driver that does not let go of the process: it is left behind.
  return reaped > 0 ? ending(status) : "does not even end when killed";
}

void WorkerProcess::send(std::string_view text) {
  while (!text.empty()) {
    const ssize_t sent = ::send(socket_, text.data(), text.size(), MSG_NOSIGNAL);
    if (sent < 0 && errno == EINTR) continue;
    if (sent < 0) throw WorkerLost(end());
    text.remove_prefix(static_cast<std::size_t>(sent));
  }
}

bool WorkerProcess::readable_within(std::chrono::milliseconds time) const {
  pollfd waiting{socket_, POLLIN, 0};
  return poll(&waiting, 1, static_cast<int>(time.count())) > 0;
}

std::optional<std::string> WorkerProcess::ask(std::string_view line, std::chrono::seconds timeout,
                                              const std::stop_token& stop, std::chrono::seconds grace) {
  constexpr auto step = std::chrono::milliseconds(50);
  send(fmt::format("{}\n", line));
  const Clock::time_point until = Clock::now() + timeout;
  std::optional<Clock::time_point> give_up;
  std::size_t searched = 0;
  while (true) {
    if (const std::size_t newline = received_.find('\n', searched); newline != std::string::npos) {
      std::string answer = received_.substr(0, newline);
      received_.erase(0, newline + 1);
      return answer;
    }
    searched = received_.size();
    const Clock::time_point now = Clock::now();
    if (now >= until) {
      end();
      throw WorkerLost(fmt::format("no answer in {} s", timeout.count()));
    }
    if (stop.stop_requested() && !give_up) give_up = now + grace;
    if (give_up && now >= *give_up) return std::nullopt;
    if (!readable_within(step)) continue;
    std::array<char, 1 << 16> part{};
    const ssize_t got = recv(socket_, part.data(), part.size(), 0);
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) throw WorkerLost(end());
    received_.append(part.data(), static_cast<std::size_t>(got));
  }
}

}  // namespace quadpair::run
