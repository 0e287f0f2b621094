#!/usr/bin/env python3
"""Runs cases on a GPU under Nsight Compute and prints what its counters say of each case's first, eager run: the form
of reports/baselines/h200/profiler.json. Needs `ncu` on the PATH and a user who may read the GPU's counters.
Usage: profiler_counts.py QUADPAIR SUITE FILTER [SUITE FILTER ...]"""
import json
import re
import subprocess
import sys
import tempfile

from profiler import SECTORS, profile

# By the emulator's name, metrics that add up to the counter, or are taken off where they begin with "-".
COUNTERS = {
    "global_sectors": SECTORS,
    "shared_conflicts": ["memory_l1_wavefronts_shared", "-memory_l1_wavefronts_shared_ideal"],
    "divergent_branches": ["smsp__sass_branch_targets_threads_divergent.sum"],
    "mma": ["sm__inst_executed_pipe_tensor_op_hmma.sum", "-sm__inst_executed_pipe_tensor_op_hmma_type_hfma2.sum",
            "-sm__inst_executed_pipe_tensor_op_gmma.sum"],
    "wgmma": ["sm__inst_executed_pipe_tensor_op_gmma.sum"],
    "load.global": ["smsp__sass_inst_executed_op_global_ld.sum"],
    "store.global": ["smsp__sass_inst_executed_op_global_st.sum"],
    "load.shared": ["smsp__sass_inst_executed_op_shared_ld.sum"],
    "store.shared": ["smsp__sass_inst_executed_op_shared_st.sum"],
    "copy.async": ["smsp__inst_executed_op_ldgsts.sum"],
    "instructions": ["smsp__inst_executed.sum"],
}
METRICS = sorted({metric.lstrip("-") for metrics in COUNTERS.values() for metric in metrics})


def exact(text):
    return "^" + re.escape(text) + "$"


def total(counted, metrics):
    """The counter that `metrics` make up, of one launch."""
    return sum(-counted[metric[1:]] if metric.startswith("-") else counted[metric] for metric in metrics)


def first_run(names, entries):
    """Which launches are the first of the runs, each of the same kernels, that `names` ends with."""
    for period in range(len(entries), len(names) // 2 + 1):
        run = names[-period:]
        if set(run) == set(entries) and names[-2 * period:-period] == run:
            first = len(names) - 2 * period
            while names[first - period:first] == run:  # earlier launches were on weights
                first -= period
            return range(first, first + period)
    return None


def count(quadpair, suite, case):
    """The report of a case, and what the profiler counted of its first eager run."""
    with tempfile.TemporaryDirectory() as folder:
        verify = [quadpair, "verify", "--suite", suite, "--filter", exact(case), "--device", "cuda", "--repeats", "1",
                  "--timeout", "600", "--quiet", "--json", f"{folder}/r.json"]
        subprocess.run(verify, check=True, stdout=subprocess.DEVNULL)
        with open(f"{folder}/r.json", encoding="utf-8") as file:
            report = json.load(file)
        entries = re.findall(r":(\w+)@", report["cases"][0]["route"])
        launches = profile(verify, METRICS, ["--kernel-name", f"regex:^({'|'.join(sorted(set(entries)))})$"])
    names = [name for name, _ in launches]
    run = first_run(names, entries)
    if run is None:
        sys.exit(f"{case}: the launches {names} are no runs of {entries}")
    return report, {"suite": suite, **{name: sum(total(launches[i][1], metrics) for i in run)
                                       for name, metrics in COUNTERS.items()}}


def main():
    quadpair, *selections = sys.argv[1:] or sys.exit(__doc__)
    if not selections or len(selections) % 2 != 0:
        sys.exit(__doc__)
    run, cases = None, []
    for suite, pattern in zip(selections[::2], selections[1::2]):
        listed = subprocess.run([quadpair, "list", "cases", "--suite", suite, "--filter", pattern], check=True,
                                capture_output=True, text=True).stdout.splitlines()[1:]  # below the heading
        if not listed:
            sys.exit(f"no case of suite {suite} matches {pattern}")
        for case in listed:
            report, counted = count(quadpair, suite, case)
            run = run or {key: report["run"][key] for key in ("version", "git", "host", "device")}
            cases.append(f"{json.dumps(case)}: {json.dumps(counted)}")
    print(f'{{"run": {json.dumps(run)},\n"cases": {{')
    print(",\n".join(cases))
    print("}}")


main()
