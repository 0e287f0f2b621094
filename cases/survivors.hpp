// Mutants that survive every case, classified by hand.
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace quadpair::cases {

/// A surviving mutant as the list describes it; texts without numbers of registers and labels.
struct Survivor {
  std::string kernel, target;  ///< "qpn2/gemm", "sm70"
  std::string source, caller;  ///< "kernels/qpn2/tile.cuh:20"
  std::string kind, instruction, becomes;
};

class ClassifiedSurvivors {
 public:
  /// The committed list (cases/mutants/survivors.json).
  ClassifiedSurvivors();
  /// A list in that form. Throws DataError.
  explicit ClassifiedSurvivors(const std::string& text);

  /// Why no case can notice the mutant, or nothing where the list does not have it.
  std::optional<std::string> reason(const Survivor& survivor) const;

 private:
  struct Class {
    std::vector<std::string> kernels, targets, kinds;  ///< empty: any
    std::string source, reason;
    std::optional<std::string> caller, instruction, becomes;
    bool matches(const Survivor& survivor) const;
  };
  std::vector<Class> classes_;
};

}  // namespace quadpair::cases
