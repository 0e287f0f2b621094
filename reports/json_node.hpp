// Internal to the readers: a JSON value that knows its place, and says it when it is not what is wanted.
#pragma once

#include <fmt/format.h>

#include <concepts>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "reports/json_read.hpp"

namespace quadpair::reports {

/// Refers to the JSON, which outlives it. Each reading throws ReadError where the value is of another type.
class Node {
 public:
  explicit Node(const Json& json, std::string path = "") : json_(json), path_(std::move(path)) {}

  [[noreturn]] void wrong(const std::string& what) const {
    throw ReadError(fmt::format("{}: {}", path_.empty() ? "/" : path_, what));
  }

  Node operator[](const std::string& name) const {
    if (!json_.is_object()) wrong("no object");
    const auto member = json_.find(name);
    if (member == json_.end()) wrong(fmt::format("\"{}\" is missing", name));
    return Node(*member, path_ + "/" + name);
  }
  bool has(const std::string& name) const { return json_.contains(name); }
  bool is_null() const { return json_.is_null(); }
  bool is_empty() const { return json_.is_object() && json_.empty(); }

  std::string text() const {
    if (!json_.is_string()) wrong("no text");
    return json_.get<std::string>();
  }
  bool flag() const {
    if (!json_.is_boolean()) wrong("neither true nor false");
    return json_.get<bool>();
  }
  double number() const {
    if (!json_.is_number()) wrong("no number");
    return json_.get<double>();
  }
  std::optional<double> optional_number() const { return is_null() ? std::nullopt : std::optional(number()); }
  template <std::unsigned_integral T>
  T count() const {
    if (!json_.is_number_unsigned() || json_.get<std::uint64_t>() > std::numeric_limits<T>::max())
      wrong(fmt::format("no whole number from 0 to {}", std::numeric_limits<T>::max()));
    return json_.get<T>();
  }
  std::int64_t integer() const {
    if (!json_.is_number_integer()) wrong("no whole number");
    return json_.get<std::int64_t>();
  }

  /// What `read` makes of each element of an array.
  template <class Read>
  auto each(const Read& read) const {
    if (!json_.is_array()) wrong("no array");
    std::vector<decltype(read(*this))> values;
    for (std::size_t i = 0; i < json_.size(); ++i)
      values.push_back(read(Node(json_[i], fmt::format("{}/{}", path_, i))));
    return values;
  }
  /// Calls `read` with name and value of each member of an object.
  template <class Read>
  void each_member(const Read& read) const {
    if (!json_.is_object()) wrong("no object");
    for (const auto& [name, value] : json_.items()) read(name, Node(value, path_ + "/" + name));
  }

 private:
  const Json& json_;
  std::string path_;
};

/// Throws unless `written` holds all that `read` holds: what the writer would not write again was not
/// understood.
inline void require_kept(const Json& read, const Json& written) {
  for (const Json& change : Json::diff(read, written))
    if (change["op"] != "add")
      throw ReadError(fmt::format("{}: not understood", change["path"].get<std::string>()));
}

/// Part of a report.
Ledger read_ledger(const Node& node);

}  // namespace quadpair::reports
