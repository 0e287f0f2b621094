#include <string_view>
#include <unordered_set>
#include <utility>

#include "harness/device/emulator/ptx/declarations.hpp"
#include "harness/device/emulator/ptx/entry_parser.hpp"

namespace quadpair::ptx {
namespace {

constexpr std::uint32_t most_parameter_bytes = 32764;  ///< PTX ISA, "Kernel Function Parameters"
constexpr std::uint64_t most_threads = 1u << 20;       ///< far above any device's limit

void parse_parameters(Cursor& cursor, Entry& entry) {
  if (cursor.accept(')')) return;
  std::unordered_set<std::string> names;
  do {
    const Token& token = cursor.peek();
    if (!cursor.accept(".param")) cursor.fail(".param expected");
    Variable variable = parse_variable(cursor);
    if (variable.size == 0) cursor.fail("parameter without a size", token);
    if (!names.insert(variable.name).second) cursor.fail("parameter declared twice", token);
    const std::uint32_t offset = align_up(entry.parameter_bytes, variable.align);
    entry.parameter_bytes = offset + variable.size;
    if (entry.parameter_bytes > most_parameter_bytes) cursor.fail("too many parameters", token);
    entry.parameters.push_back({std::move(variable.name), offset, variable.size, variable.align});
  } while (cursor.accept(','));
  cursor.expect(')');
}

/// The product of up to three sizes.
std::uint32_t parse_thread_count(Cursor& cursor) {
  std::uint64_t threads = 1;
  do {
    const Token& token = cursor.peek();
    threads *= cursor.small_number("number of threads");
    if (threads > most_threads) cursor.fail("too many threads", token);
  } while (cursor.accept(','));
  return static_cast<std::uint32_t>(threads);
}

}  // namespace

void skip_pragma(Cursor& cursor) {
  cursor.string("string");
  cursor.expect(';');
}

void parse_entry_header(Cursor& cursor, Entry& entry) {
  entry.name = cursor.word("name of an entry");
  if (cursor.accept('(')) parse_parameters(cursor, entry);
  while (!cursor.at('{')) {
    if (cursor.accept(".maxntid") || cursor.accept(".reqntid")) {
      entry.max_threads = parse_thread_count(cursor);
    } else if (cursor.accept(".minnctapersm") || cursor.accept(".maxnctapersm") ||
               cursor.accept(".maxnreg")) {
      cursor.small_number("number");
    } else if (cursor.accept(".pragma")) {
      skip_pragma(cursor);
    } else {
      cursor.fail("unknown directive of an entry");
    }
  }
}

}  // namespace quadpair::ptx
