// Writes a report full of text that means something elsewhere, and its samples: awkward FILE.json FILE.h5.
#include <fstream>

#include "reports/hdf5.hpp"
#include "reports/json.hpp"
#include "tests/reports/example.hpp"

int main(int, char** arguments) {
  using namespace quadpair::reports;
  Report report = example_report();
  CaseRecord& failed = report.cases[0];
  failed.id = "op/<script>window.harmed=1</script>/m2/\"onmouseover=\"window.harmed=1";
  failed.reason =  // NOLINTNEXTLINE(misc-misleading-bidirectional): it is to mislead
      "</script><img src=x onerror=window.harmed=1> {{title}} \u202Etxt.exe \x1b[31m ]]> --> &amp;";
  failed.operation = "<b onclick='window.harmed=1'>op</b>";
  failed.repro = "quadpair verify --filter '^</pre></div><script>window.harmed=1</script>$' \\\n  --seed 1";
  report.timings[0].id = failed.id;
  report.timings[0].sampling = "<svg onload=window.harmed=1>";
  report.weighted[0].name = std::string(300, 'w').append("</script><script>window.harmed=1</script>");
  report.run.device.name = "device </title><script>window.harmed=1</script>";
  report.ledger->policies[0].policy = "'\"><script>window.harmed=1</script>";
  std::ofstream(arguments[1]) << to_json(report).dump(1);
  Hdf5File samples(arguments[2]);
  samples.set_run({{"id", report.run.id}});
  samples.add({.id = failed.id,
               .samples = {{0, 0, 0, 2e-6, 0, 0, 0}, {0, 0, 1, 2e-6, 0, 0, 1}, {1, 0, 2, 3e-6, 0, 0, 1}}});
  samples.publish();
}
