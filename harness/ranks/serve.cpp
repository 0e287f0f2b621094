#include "harness/ranks/serve.hpp"

#include <fmt/format.h>

#include <thread>

namespace quadpair::ranks {

void serve(Messages& messages, const Introduction& introduction, const run::Options& options,
           const run::Isolation& isolation, const Turn& turn, const Patience& patience) {
  using Clock = std::chrono::steady_clock;
  constexpr unsigned leader = 0;
  Lane lane(options, isolation, turn);
  std::optional<Clock::time_point> heard;
  Clock::time_point said = Clock::now();
  const auto say = [&](const Said& what) {
    messages.send(leader, to_text(what));
    said = Clock::now();
  };
  say({.introduction = introduction});
  while (true) {
    while (const auto message = messages.take()) {
      heard = Clock::now();
      Said order = said_from_text(message->text);
      if (order.stop) return;
      if (order.given) lane.start(std::move(*order.given));
    }
    if (auto finished = lane.take()) say({.finished = std::move(finished)});
    const Clock::time_point now = Clock::now();
    if (now - said > patience.alive) say({});
    if (heard && now - *heard > patience.lost)
      throw NoMessages(fmt::format("no sign of life from rank 0 for {} s",
                                   std::chrono::duration_cast<std::chrono::seconds>(patience.lost).count()));
    std::this_thread::sleep_for(patience.nap);
  }
}

}  // namespace quadpair::ranks
