// Mutants that survive every case, classified by hand.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace quadpair::cases {

/// A surviving mutant as the list describes it; texts without numbers of registers and labels.
struct Survivor {
  std::string kernel, target;  ///< "qpn2/gemm", "sm70"
  std::string entry;
  std::string source, caller;  ///< "kernels/qpn2/tile.cuh:20"
  std::string kind, instruction, becomes;
};

class ClassifiedSurvivors {
 public:
  /// The committed list (cases/mutants/survivors.json).
  ClassifiedSurvivors();
  /// A list in that form. Throws DataError.
  explicit ClassifiedSurvivors(const std::string& text);
  ~ClassifiedSurvivors();

  struct Class {
    std::size_t number;  ///< in the list
    std::string reason;  ///< why no case can notice the mutants
  };

  /// The first class that has the mutant, or nothing where the list does not have it.
  std::optional<Class> classify(const Survivor& survivor) const;

  /// What is out of date after all mutants of a kernel have run, in words: classes that name the kernel and
  /// target and have none of the survivors, or another number of them than the list says. `found`: survivors
  /// by class.
  std::vector<std::string> stale(const std::string& kernel, const std::string& target,
                                 const std::map<std::size_t, std::uint64_t>& found) const;

 private:
  struct Pattern;
  std::vector<std::unique_ptr<const Pattern>> patterns_;
};

}  // namespace quadpair::cases
