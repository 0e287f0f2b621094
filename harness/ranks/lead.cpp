#include "harness/ranks/lead.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <deque>
#include <map>
#include <thread>

#include "harness/run/case_runner.hpp"

namespace quadpair::ranks {
namespace {

using Clock = std::chrono::steady_clock;

/// Another rank, as far as is known here.
struct Other {
  std::optional<Introduction> introduction{};
  std::optional<std::size_t> given{};  ///< index of the case that it has
  Clock::time_point heard{}, told{};
  bool lost = false;
};

class Leading {
 public:
  Leading(Messages& messages, const Introduction& introduction, const std::vector<cases::Case>& cases,
          const run::Options& options, const run::Isolation& isolation, const Turn& turn,
          const run::OnFinished& on_finished, const OnLost& on_lost, const Patience& patience)
      : messages_(messages),
        introduction_(introduction),
        cases_(cases),
        options_(options),
        on_finished_(on_finished),
        on_lost_(on_lost),
        patience_(patience),
        lane_(options, isolation, turn) {
    for (std::size_t i = 0; i < cases.size(); ++i) waiting_.push_back(i);
    for (unsigned rank = 1; rank < messages.size(); ++rank) others_[rank].heard = Clock::now();
  }

  void run(const std::stop_token& stop) {
    while (finished_ < cases_.size() && !stop.stop_requested()) {
      while (const auto message = messages_.take()) hear(*message);
      if (auto finished = lane_.take()) finish(std::move(*finished));
      hand_out();
      look_after();
      std::this_thread::sleep_for(patience_.nap);
    }
    for (const auto& [rank, other] : others_)
      if (!other.lost && other.given)
        on_lost_(
            fmt::format("{} had {} when the run was stopped", name(rank, other), cases_[*other.given].id));
  }

 private:
  void hear(const Message& message);
  void hand_out();
  void look_after();
  void lose(unsigned rank, Other& other, const std::string& why);
  void finish(Finished finished) {
    ++finished_;
    on_finished_(finished.index, std::move(finished.record));
  }
  std::optional<std::size_t> next();
  std::string name(unsigned rank, const Other& other) const {
    return other.introduction ? fmt::format("rank {} on {}", rank, other.introduction->host)
                              : fmt::format("rank {}", rank);
  }
  /// Whether it could be told.
  bool tell(unsigned rank, Other& other, const Said& what);

  Messages& messages_;
  const Introduction& introduction_;
  const std::vector<cases::Case>& cases_;
  const run::Options& options_;
  const run::OnFinished& on_finished_;
  const OnLost& on_lost_;
  const Patience patience_;
  Lane lane_;
  std::deque<std::size_t> waiting_;
  std::map<unsigned, Other> others_;
  std::map<std::size_t, unsigned> ranks_lost_with_;  ///< by index of the case
  std::size_t finished_ = 0;
};

void Leading::hear(const Message& message) {
  Other& other = others_.at(message.from);
  if (other.lost) return;  // given up already: another has its case
  other.heard = Clock::now();
  Said said = said_from_text(message.text);
  if (said.introduction) {
    const Introduction& theirs = *said.introduction;
    for (const auto& [their, our] :
         {std::pair{theirs.device, introduction_.device}, std::pair{theirs.program, introduction_.program}})
      if (their != our)
        throw OtherRank(fmt::format("rank {} on {} has {}, and rank 0 on {} has {}", message.from,
                                    theirs.host, their, introduction_.host, our));
    other.introduction = theirs;
  }
  if (said.finished && other.given == said.finished->index) {
    other.given.reset();
    finish(std::move(*said.finished));
  }
}

/// The next case to run; those that are skipped are finished on the way.
std::optional<std::size_t> Leading::next() {
  while (!waiting_.empty()) {
    const std::size_t index = waiting_.front();
    waiting_.pop_front();
    reports::CaseRecord record = run::begin_record(cases_[index], options_);
    if (record.status != reports::Status::skipped) return index;
    finish({index, std::move(record)});
  }
  return std::nullopt;
}

bool Leading::tell(unsigned rank, Other& other, const Said& what) {
  try {
    messages_.send(rank, to_text(what));
    other.told = Clock::now();
    return true;
  } catch (const NoMessages& e) {
    lose(rank, other, e.what());
    return false;
  }
}

void Leading::hand_out() {
  for (auto& [rank, other] : others_) {
    if (other.lost || !other.introduction || other.given) continue;
    const auto index = next();
    if (!index) return;
    other.given = index;
    tell(rank, other, {.given = Given{*index, cases_[*index]}});
  }
  if (lane_.idle())
    if (const auto index = next()) lane_.start({*index, cases_[*index]});
}

void Leading::look_after() {
  const Clock::time_point now = Clock::now();
  for (auto& [rank, other] : others_) {
    if (other.lost) continue;
    if (now - other.heard > patience_.lost)
      lose(rank, other,
           fmt::format("no sign of life for {} s",
                       std::chrono::duration_cast<std::chrono::seconds>(patience_.lost).count()));
    else if (now - other.told > patience_.alive)
      tell(rank, other, {});
  }
}

void Leading::lose(unsigned rank, Other& other, const std::string& why) {
  constexpr unsigned most_ranks = 2;  // that one case may cost
  other.lost = true;
  std::string what = fmt::format("{} is lost: {}", name(rank, other), why);
  if (other.given) {
    const std::size_t index = *other.given;
    what += fmt::format("; it had {}", cases_[index].id);
    if (++ranks_lost_with_[index] < most_ranks) {
      waiting_.push_front(index);
    } else {
      reports::CaseRecord record = run::begin_record(cases_[index], options_);
      record.reason = what;
      finish({index, std::move(record)});
    }
  }
  on_lost_(what);
}

}  // namespace

StopAll::~StopAll() {
  for (unsigned rank = 1; rank < messages_.size(); ++rank) try {
      messages_.send(rank, to_text({.stop = true}));
    } catch (const std::exception&) {
      continue;  // it cannot be told, and need not be
    }
}

void lead(Messages& messages, const Introduction& introduction, const std::vector<cases::Case>& cases,
          const run::Options& options, const run::Isolation& isolation, const Turn& turn,
          const run::OnFinished& on_finished, const OnLost& on_lost, const std::stop_token& stop,
          const Patience& patience) {
  Leading(messages, introduction, cases, options, isolation, turn, on_finished, on_lost, patience).run(stop);
}

}  // namespace quadpair::ranks
