// Machines whose true times are known, with the noise of real ones.
#pragma once

#include <algorithm>
#include <cmath>
#include <random>
#include <string>

#include "harness/timing/sampling.hpp"

namespace quadpair::timing {

/// Relative amounts.
struct Noise {
  double tails;                ///< scale of a Student t with 3 degrees of freedom
  double spikes;               ///< how often a sample is up to 50 % longer
  double drift;                ///< over 320 samples
  double wander, persistence;  ///< an autoregressive process: its deviation, and its step-to-step correlation
  double between_runs = 0;     ///< deviation of each subject's true time from run to run
  double step = 0;             ///< by how much the clock falls at some sample of a run, in every second run
};

/// Both sides run on one machine, whose state goes on from sample to sample. A machine is one run.
class Machine {
 public:
  Machine(const Noise& noise, unsigned seed) : noise_(noise), random_(seed) {
    if (noise.step > 0 && uniform_(random_) < 0.5) steps_at_ = 160 * uniform_(random_);
  }

  double seconds(double true_seconds) {
    wander_ = noise_.persistence * wander_ +
              std::sqrt(1 - noise_.persistence * noise_.persistence) * noise_.wander * normal_(random_);
    ++samples_;
    double slow = (1 + noise_.drift * samples_ / 320) * std::exp(wander_);
    if (samples_ > steps_at_) slow *= 1 + noise_.step;
    const double tail = std::max(0.5, 1 + noise_.tails * student_(random_));
    const double spike = uniform_(random_) < noise_.spikes ? 1 + 0.5 * uniform_(random_) : 1;
    return true_seconds * slow * tail * spike;
  }

  /// What a time becomes by where this run's code and data lie.
  double of_this_run(double true_seconds) {
    return noise_.between_runs > 0 ? true_seconds * std::exp(noise_.between_runs * normal_(random_))
                                   : true_seconds;
  }

 private:
  Noise noise_;
  std::mt19937_64 random_;
  std::normal_distribution<double> normal_;
  std::student_t_distribution<double> student_{3};
  std::uniform_real_distribution<double> uniform_;
  double wander_ = 0, samples_ = 0, steps_at_ = 1e9;
};

class Simulated final : public Subject {
 public:
  Simulated(Machine& machine, double seconds) : machine_(machine), seconds_(machine.of_this_run(seconds)) {}
  const std::string& name() const override { return name_; }
  double sample() override { return machine_.seconds(seconds_); }

 private:
  std::string name_ = "simulated";
  Machine& machine_;
  double seconds_;
};

}  // namespace quadpair::timing
