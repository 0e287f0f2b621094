#include "harness/mutate/mutations.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <map>
#include <optional>

#include "harness/mutate/instruction_text.hpp"
#include "harness/mutate/operators.hpp"

namespace quadpair::mutate {
namespace {

bool is_register(std::string_view operand) {
  return operand.starts_with("%") && operand.find('.') == std::string_view::npos;
}

/// "%r" of "%r12": registers of one class have one name.
std::string_view class_of(std::string_view reg) {
  return reg.substr(0, reg.find_first_of("0123456789"));
}

std::optional<std::int64_t> integer(std::string_view text) {
  std::int64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || end != text.data() + text.size()) return std::nullopt;
  return value;
}

/// Bytes of one element of an access: "v4.u32" has elements of 4.
std::int64_t element_bytes(const InstructionText& code) {
  if (code.mnemonic.starts_with("cp.")) return integer(code.operands.at(2)).value_or(1);
  const std::size_t type = code.mnemonic.rfind('.') + 2;
  return integer(std::string_view(code.mnemonic).substr(type)).value_or(8) / 8;
}

class Mutator {
 public:
  Mutator(const EntryText& entry, std::vector<Mutation>& found) : entry_(entry), found_(found) {}

  void run() {
    for (place_ = 0; place_ < entry_.places().size(); ++place_) {
      code_ = parts_of_instruction(entry_.places()[place_].text);
      operations();
      constants();
      addresses();
      guards();
      exchanged_operands();
      other_registers();
      exchanged_elements();
      dropped();
      remember();
    }
  }

 private:
  bool begins(std::string_view name) const { return code_.mnemonic.starts_with(name); }
  bool has_destination() const {
    return !begins("st.") && !begins("bra") && !begins("bar") && !begins("cp.") && !begins("ret") &&
           !begins("griddepcontrol");
  }

  void add(Kind kind, const InstructionText& changed) { add(kind, changed.text()); }
  void add(Kind kind, std::string text) {
    if (text == code_.text()) return;
    for (auto m = found_.rbegin(); m != found_.rend() && m->place == place_; ++m)
      if (m->text == text) return;
    found_.push_back({place_, kind, std::move(text)});
  }

  void operations() {
    InstructionText changed = code_;
    for (const std::string& mnemonic : other_operations(code_.mnemonic)) {
      changed.mnemonic = mnemonic;
      add(Kind::operation, changed);
    }
    for (const std::string& mnemonic : other_roundings(code_.mnemonic)) {
      changed.mnemonic = mnemonic;
      add(Kind::rounding, changed);
    }
  }

  void constants() {
    for (std::size_t i = has_destination() ? 1 : 0; i < code_.operands.size(); ++i) {
      const std::string& operand = code_.operands[i];
      InstructionText changed = code_;
      const auto put = [&](std::string text) {
        changed.operands[i] = std::move(text);
        add(Kind::constant, changed);
      };
      if (operand.starts_with("0f")) {
        std::uint32_t bits = 0;
        std::from_chars(operand.data() + 2, operand.data() + operand.size(), bits, 16);
        put(fmt::format("0f{:08X}", bits ^ 1));
        put(fmt::format("0f{:08X}", bits ^ 0x80000000U));
      } else if (operand.starts_with("0x")) {
        std::uint64_t bits = 0;
        std::from_chars(operand.data() + 2, operand.data() + operand.size(), bits, 16);
        put(fmt::format("0x{:X}", bits + 1));
        put(fmt::format("0x{:X}", bits - 1));
      } else if (const auto value = integer(operand)) {
        put(std::to_string(*value + 1));
        put(std::to_string(*value - 1));
      }
    }
  }

  void addresses() {
    for (std::size_t i = 0; i < code_.operands.size(); ++i) {
      const std::string& operand = code_.operands[i];
      if (!operand.starts_with("[")) continue;
      const std::string inside = operand.substr(1, operand.size() - 2);
      const std::size_t plus = inside.find('+');
      const std::string base = inside.substr(0, plus);
      const std::int64_t offset =
          plus == std::string::npos ? 0 : integer(std::string_view(inside).substr(plus + 1)).value_or(0);
      for (const std::int64_t step : {element_bytes(code_), -element_bytes(code_)}) {
        InstructionText changed = code_;
        changed.operands[i] = fmt::format("[{}+{}]", base, offset + step);
        add(Kind::address, changed);
      }
    }
  }

  void guards() {
    if (code_.guard.empty()) return;
    InstructionText changed = code_;
    changed.guard = code_.guard.starts_with("@!") ? fmt::format("@{}", code_.guard.substr(2))
                                                  : fmt::format("@!{}", code_.guard.substr(1));
    add(Kind::guard, changed);
    changed.guard.clear();
    add(Kind::guard, changed);
  }

  void exchanged_operands() {
    constexpr std::array<std::string_view, 9> either_way = {"add.", "mul.", "and.", "or.", "xor.",
                                                            "min.", "max.", "mov.", "mma."};
    if (std::ranges::any_of(either_way, [&](std::string_view name) { return begins(name); })) return;
    if (!has_destination() || code_.operands.size() < 3 || code_.operands[1].starts_with("[")) return;
    InstructionText changed = code_;
    std::swap(changed.operands[1], changed.operands[2]);
    if (!begins("fma.") && !begins("mad.")) add(Kind::operands, changed);
    if (code_.operands.size() < 4) return;
    changed = code_;
    std::swap(changed.operands[2], changed.operands[3]);
    add(Kind::operands, changed);
  }

  /// Each source register in turn becomes the one of its class that was written last before, if it is
  /// another.
  void other_registers() {
    for (std::size_t i = has_destination() ? 1 : 0; i < code_.operands.size(); ++i) {
      const std::string& operand = code_.operands[i];
      const bool address = operand.starts_with("[%");
      if (operand.starts_with("{")) continue;
      const std::string reg = address ? operand.substr(1, operand.find_first_of("+]") - 1) : operand;
      if (!is_register(reg)) continue;
      const auto& written = written_[std::string(class_of(reg))];
      const auto other =
          std::find_if(written.rbegin(), written.rend(), [&](const std::string& one) { return one != reg; });
      if (other == written.rend()) continue;
      InstructionText changed = code_;
      changed.operands[i] = address ? fmt::format("[{}{}", *other, operand.substr(1 + reg.size())) : *other;
      add(Kind::reg, changed);
    }
  }

  void exchanged_elements() {
    for (std::size_t i = 0; i < code_.operands.size(); ++i) {
      std::vector<std::string> elements = elements_of(code_.operands[i]);
      if (elements.size() < 2) continue;
      std::swap(elements[0], elements[1]);
      InstructionText changed = code_;
      changed.operands[i] = vector_of(elements);
      add(Kind::exchange, changed);
    }
  }

  void dropped() {
    if (begins("st.") || begins("bar") || begins("cp.") || begins("griddepcontrol") || begins("bra")) {
      add(Kind::dropped, "");
    } else if (begins("mma.")) {
      InstructionText changed = code_;
      changed.operands[1] = vector_of(std::vector<std::string>(elements_of(code_.operands[1]).size(), "0"));
      add(Kind::dropped, changed);
    }
  }

  void remember() {
    if (!has_destination() || code_.operands.empty()) return;
    for (const std::string& reg : elements_of(code_.operands[0]))
      if (is_register(reg)) written_[std::string(class_of(reg))].push_back(reg);
  }

  const EntryText& entry_;
  std::vector<Mutation>& found_;
  std::size_t place_ = 0;
  InstructionText code_;
  std::map<std::string, std::vector<std::string>> written_;  ///< by class, in the order of the text
};

}  // namespace

std::string_view to_string(Kind kind) {
  switch (kind) {
    case Kind::operation: return "operation";
    case Kind::rounding: return "rounding";
    case Kind::constant: return "constant";
    case Kind::address: return "address";
    case Kind::guard: return "guard";
    case Kind::operands: return "operands";
    case Kind::reg: return "register";
    case Kind::exchange: return "exchange";
    case Kind::dropped: return "dropped";
  }
  return "unknown";
}

std::vector<Mutation> mutations_of(const EntryText& entry) {
  std::vector<Mutation> found;
  Mutator(entry, found).run();
  return found;
}

}  // namespace quadpair::mutate
