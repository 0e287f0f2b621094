#include "harness/cli/app.hpp"

#include <CLI/CLI.hpp>
#include <exception>
#include <filesystem>
#include <map>
#include <ostream>
#include <stdexcept>

#include "cases/error.hpp"
#include "harness/cli/command.hpp"
#include "harness/cli/version.hpp"
#include "harness/device/device.hpp"

namespace quadpair::cli {
namespace {

int complain(const Environment& environment, std::string_view message, Exit exit) {
  environment.err << "quadpair: " << message << "\n";
  return static_cast<int>(exit);
}

int parse_and_run(const std::vector<std::string>& words, const Environment& environment) {
  CLI::App program("Proves GPU kernels right, bit for bit, against an independent CPU reference.",
                   "quadpair");
  program.set_version_flag("--version", version_text, "Print version, git revision and kernel compiler");
  program.require_subcommand(0, 1);  // none is told apart below, so that an unknown one is named
  program.footer(
      "Examples:\n"
      "  quadpair verify                     the default suite on the best device\n"
      "  quadpair verify --suite production --m 8 --json r.json\n"
      "  quadpair merge shard*.json -o all.json\n"
      "  quadpair probe                      which tensor-core arithmetic the device has\n"
      "  quadpair bench --suite production --m 8,16,32\n"
      "  quadpair report r.json --html r.html  a page with tables and charts\n"
      "  quadpair compare old.json new.json  what changed\n"
      "  quadpair ledger models/llama --tp 4 what its weights take on each device\n"
      "  quadpair list kernels\n"
      "Exit status: 0 all as wanted, 1 wrong results, 2 slower or costlier than allowed,\n"
      "3 undecided or mistrusted, 4 nothing ran, 64 usage, or an output file cannot be written,\n"
      "65 bad input data, 69 no such device, or it is in use, 70 internal error,\n"
      "128 + N when signal N ended the run early (130 SIGINT, 143 SIGTERM).");
  const std::map<std::string, Action> actions{{"verify", add_verify(program, environment, words)},
                                              {"probe", add_probe(program, environment, words)},
                                              {"bench", add_bench(program, environment, words)},
                                              {"merge", add_merge(program, environment, words)},
                                              {"compare", add_compare(program, environment)},
                                              {"explain", add_explain(program, environment)},
                                              {"mutate", add_mutate(program, environment)},
                                              {"slice", add_slice(program, environment)},
                                              {"ledger", add_ledger(program, environment)},
                                              {"report", add_report(program, environment)},
                                              {"list", add_list(program, environment)},
                                              {"worker", add_worker(program, environment)},
                                              {"bench-worker", add_bench_worker(program, environment)},
                                              {"completion", add_completion(program, environment)}};
  try {
    std::vector<std::string> reversed(words.rbegin(), words.rend() - (words.empty() ? 0 : 1));
    program.parse(std::move(reversed));
    if (program.get_subcommands().empty())
      throw CLI::RequiredError(
          "A command (verify, probe, bench, report, compare, merge, explain, mutate, slice, ledger, list, "
          "completion)");
  } catch (const CLI::ParseError& e) {
    return program.exit(e, environment.out, environment.err) == 0 ? 0 : static_cast<int>(Exit::usage);
  }
  return actions.at(program.get_subcommands().at(0)->get_name())();
}

}  // namespace

int run(const std::vector<std::string>& words, const Environment& environment) {
  try {
    const int status = parse_and_run(words, environment);
    if (!environment.out.flush()) throw std::runtime_error("the results could not be written to stdout");
    return status;
  } catch (const Error& e) {
    return complain(environment, e.what(), e.exit);
  } catch (const cases::DataError& e) {
    return complain(environment, e.what(), Exit::bad_data);
  } catch (const device::Unavailable& e) {
    return complain(environment, e.what(), Exit::no_device);
  } catch (const std::exception& e) {
    return complain(environment, std::string("internal error: ") + e.what(), Exit::internal);
  }
}

}  // namespace quadpair::cli
