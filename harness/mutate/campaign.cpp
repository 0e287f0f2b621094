#include "harness/mutate/campaign.hpp"

#include <algorithm>
#include <atomic>
#include <exception>
#include <memory>
#include <mutex>
#include <random>
#include <thread>

#include "harness/device/threads.hpp"
#include "harness/mutate/subjects.hpp"
#include "harness/mutate/trials.hpp"

namespace quadpair::mutate {
namespace {

/// Mutants of one entry that a thread takes at a time.
constexpr std::size_t together = 64;

struct EntryWork {
  std::string name;
  const EntryText& text;
  std::vector<Mutation> mutations;
  const std::vector<CostedSubject>& targets;
};

struct Piece {
  const EntryWork* entry;
  std::size_t first, end;  ///< of its mutations
};

class Campaign {
 public:
  Campaign(const Request& request, const Progress& progress, const std::stop_token& stop)
      : request_(request),
        progress_(progress),
        stop_(stop),
        entry_texts_(texts_of(*request.module)),
        subjects_(subjects_of(request, entry_texts_)) {
    for (const KernelInfo& kernel : request.module->kernels) {
      const std::string name(kernel.entry);
      const auto targets = subjects_.find(name);
      if (targets == subjects_.end()) {
        findings_.never_run.push_back(name);
        continue;
      }
      findings_.cases += targets->second.size();
      const EntryText& text = *entry_texts_.at(name);
      entries_.push_back(
          std::make_unique<EntryWork>(EntryWork{name, text, mutations_of(text), targets->second}));
    }
    draw();
    for (const auto& entry : entries_)
      for (std::size_t first = 0; first < entry->mutations.size(); first += together) {
        pieces_.push_back({entry.get(), first, std::min(first + together, entry->mutations.size())});
        total_ += pieces_.back().end - first;
      }
  }

  Findings run() {
    {
      std::vector<std::jthread> threads;
      for (unsigned i = 0; i < device::thread_count(request_.jobs); ++i)
        threads.emplace_back([this] { work(); });
    }
    if (error_) std::rethrow_exception(error_);
    std::ranges::sort(findings_.survivors, [](const Mutant& a, const Mutant& b) {
      return std::tie(a.entry, a.ptx_line, a.after) < std::tie(b.entry, b.ptx_line, b.after);
    });
    return std::move(findings_);
  }

 private:
  static Entries texts_of(const Module& module) {
    Entries entries;
    for (const KernelInfo& kernel : module.kernels)
      entries.emplace(kernel.entry, std::make_unique<const EntryText>(module, kernel.entry));
    return entries;
  }

  /// Leaves as many mutations as were asked for, each equally likely.
  void draw() {
    std::size_t all = 0;
    for (const auto& entry : entries_) all += entry->mutations.size();
    if (request_.sample == 0 || request_.sample >= all) return;
    std::vector<bool> drawn(all);
    std::fill_n(drawn.begin(), request_.sample, true);
    std::mt19937_64 random(request_.seed);
    for (std::size_t i = all; i > 1; --i) {  // Fisher and Yates; std::shuffle differs between libraries
      const std::size_t j = random() % i;
      const bool moved = drawn[i - 1];
      drawn[i - 1] = drawn[j];
      drawn[j] = moved;
    }
    std::size_t at = 0;
    for (const auto& entry : entries_)
      std::erase_if(entry->mutations, [&](const Mutation&) { return !drawn[at++]; });
  }

  void work() {
    try {
      std::unique_ptr<Trials> trials;
      const EntryWork* of = nullptr;
      for (std::size_t i = next_++; i < pieces_.size() && !stopped_ && !stop_.stop_requested(); i = next_++) {
        const Piece& piece = pieces_[i];
        if (piece.entry != of) trials = std::make_unique<Trials>(piece.entry->targets, piece.entry->text);
        of = piece.entry;
        for (std::size_t m = piece.first; m < piece.end && !stop_.stop_requested(); ++m)
          one(*of, of->mutations[m], *trials);
      }
    } catch (...) {
      const std::lock_guard lock(mutex_);
      error_ = std::current_exception();
      stopped_ = true;
    }
  }

  void one(const EntryWork& entry, const Mutation& mutation, Trials& trials) {
    const Fate fate = trials.judge(mutation);
    const std::lock_guard lock(mutex_);
    progress_(++done_, total_);
    if (!fate.loaded) return;
    if (fate.proof) {
      ++findings_.proved[*fate.proof];
      return;
    }
    Tally& of_kind = findings_.by_kind[mutation.kind];
    ++findings_.all.mutants;
    ++of_kind.mutants;
    if (fate.killed_by) {
      ++findings_.all.killed;
      ++of_kind.killed;
      ++findings_.killed_by[*fate.killed_by];
      ++findings_.noticed[fate.how->substr(0, fate.how->find(':'))];
      return;
    }
    const Place& place = entry.text.places()[mutation.place];
    findings_.survivors.push_back(
        {entry.name, place.ptx_line, place.source, place.caller, place.text, mutation.text, mutation.kind});
  }

  const Request& request_;
  const Progress& progress_;
  const std::stop_token& stop_;
  const Entries entry_texts_;
  const std::map<std::string, std::vector<CostedSubject>> subjects_;
  std::vector<std::unique_ptr<EntryWork>> entries_;
  std::vector<Piece> pieces_;
  std::size_t total_ = 0;
  std::atomic<std::size_t> next_ = 0;
  std::atomic<bool> stopped_ = false;
  std::mutex mutex_;  ///< guards what follows
  std::size_t done_ = 0;
  Findings findings_;
  std::exception_ptr error_;
};

}  // namespace

Findings campaign(const Request& request, const Progress& progress, const std::stop_token& stop) {
  return Campaign(request, progress, stop).run();
}

}  // namespace quadpair::mutate
