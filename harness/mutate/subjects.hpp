// The cases that launch a module, made ready.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "harness/mutate/campaign.hpp"
#include "harness/mutate/subject.hpp"

namespace quadpair::mutate {

/// A subject and the warp instructions that its launches take, whatever they are.
struct CostedSubject {
  std::unique_ptr<const Subject> subject;
  std::uint64_t instructions = 0;
};

/// The entries of a module, by name.
using Entries = std::map<std::string, std::unique_ptr<const EntryText>, std::less<>>;

/// By entry; the cheapest first. Cases that are to be refused are left out. Throws std::runtime_error where
/// the sound kernel does not give what the reference says.
std::map<std::string, std::vector<CostedSubject>> subjects_of(const Request& request, const Entries& entries);

}  // namespace quadpair::mutate
