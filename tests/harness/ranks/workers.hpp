// Workers that are shell scripts: each answers whatever case comes, after a wait that its id tells.
#pragma once

#include <string>
#include <vector>

#include "harness/ranks/lane.hpp"
#include "harness/run/worker.hpp"
#include "tests/harness/run/support.hpp"

namespace quadpair::ranks {

inline cases::Case named(const std::string& id) {
  cases::Case c = run::small_case();
  c.id = id;
  return c;
}

/// "crash..." kills its worker, "slow..." takes 0.3 s, "long..." 6 s; the plan of an answer is the worker's
/// process.
inline run::Isolation scripted() {
  reports::CaseRecord record;
  record.id = "ID";
  record.status = reports::Status::passed;
  record.route = "qpn2/gemm@sm70";
  record.plan = "PROCESS";
  const std::string script =
      "while read -r line; do id=$(echo \"$line\" | sed 's/.*\"id\":\"\\([^\"]*\\)\".*/\\1/'); "
      "case $id in crash*) kill -SEGV $$;; slow*) sleep 0.3;; long*) sleep 6;; esac; "
      "echo '" +
      run::answer_text(record) + "' | sed \"s/ID/$id/;s/PROCESS/$$/\"; done";
  return {{"/bin/sh", "-c", script}};
}

inline Turn always() {
  return [](const std::stop_token&) { return nullptr; };
}

}  // namespace quadpair::ranks
