#!/usr/bin/env python3
"""Runs cases on a GPU under Nsight Compute and prints what its counters say of each case's first, eager run: the form
of reports/baselines/h200/profiler.json. Needs `ncu` on the PATH and a user who may read the GPU's counters.
Usage: profiler_counts.py QUADPAIR SUITE FILTER [SUITE FILTER ...]"""
import csv
import json
import re
import subprocess
import sys
import tempfile

# By the emulator's name, metrics that add up to the counter, or are taken off where they begin with "-".
COUNTERS = {
    "global_sectors": ["l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum",
                       "l1tex__t_sectors_pipe_lsu_mem_global_op_st.sum"],
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
METRICS = [metric.lstrip("-") for metrics in COUNTERS.values() for metric in metrics]


def exact(text):
    return "^" + re.escape(text) + "$"


def total(row, header, metrics):
    """The counter that `metrics` make up, of one launch."""
    value = lambda metric: int(row[header.index(metric.lstrip("-"))].replace(",", ""))
    return sum(-value(metric) if metric.startswith("-") else value(metric) for metric in metrics)


def profile(quadpair, suite, case):
    """The report of a case, and what the profiler counted of its first eager run, with the hashes of its kernels."""
    with tempfile.TemporaryDirectory() as folder:
        verify = [quadpair, "verify", "--suite", suite, "--filter", exact(case), "--device", "cuda", "--repeats", "1",
                  "--timeout", "600", "--quiet", "--json", f"{folder}/r.json"]
        subprocess.run(verify, check=True, stdout=subprocess.DEVNULL)
        with open(f"{folder}/r.json", encoding="utf-8") as file:
            report = json.load(file)
        route = report["cases"][0]["route"].split(" + ")
        entries = [re.search(r":(\w+)@", kernel)[1] for kernel in route]
        ncu = ["ncu", "--clock-control", "none", "--target-processes", "all", "--csv", "--page", "raw",
               "--kernel-name", "regex:^(" + "|".join(sorted(set(entries))) + ")$", "--metrics", ",".join(METRICS)]
        found = subprocess.run(ncu + verify, check=True, capture_output=True, text=True).stdout
    rows = [row for row in csv.reader(found.splitlines()) if len(row) > len(METRICS)]
    header, launches = rows[0], rows[2:]
    kernel = header.index("Kernel Name")
    names = [row[kernel].split("(")[0] for row in launches]
    # Every eager run and every replay has the same launches; the same kernels may have run before, on weights.
    period = next((p for p in range(len(entries), len(names) // 2 + 1)
                   if names[-p:] == names[-2 * p:-p] and set(names[-p:]) == set(entries)), None)
    if not entries or period is None:
        sys.exit(f"{case}: launches {names}, route {entries}")
    first = len(names) % period
    hashes = {f"{kernel['name']}@{kernel['target']}": kernel["sha256"] for kernel in report["run"]["kernels"]}
    return report, {"suite": suite, "kernels": {kernel: hashes[kernel] for kernel in route},
                    **{name: sum(total(row, header, metrics) for row in launches[first:first + period])
                       for name, metrics in COUNTERS.items()}}


def main():
    quadpair, *selections = sys.argv[1:]
    run, cases = None, []
    for suite, pattern in zip(selections[::2], selections[1::2]):
        listed = subprocess.run([quadpair, "list", "cases", "--suite", suite, "--filter", pattern], check=True,
                                capture_output=True, text=True).stdout
        for case in listed.splitlines()[1:]:  # below the heading
            report, counted = profile(quadpair, suite, case)
            run = run or {key: report["run"][key] for key in ("version", "git", "host", "device")}
            cases.append(f"{json.dumps(case)}: {json.dumps(counted)}")
    print(f'{{"run": {json.dumps(run)},\n"cases": {{')
    print(",\n".join(cases))
    print("}}")


main()
