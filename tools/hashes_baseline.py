#!/usr/bin/env python3
"""Prints of a report the run and, for every case that passed, the hashes of what kernels and device wrote, as
reports/baselines/h200 has them. Usage: hashes_baseline.py REPORT.json"""
import json
import sys

OF_THE_RUN = {"guards", "inputs unchanged", "bytes between outputs", "route", "nothing launched", "ledger",
              "memory returned", "same in another process", "repeats"}

with open(sys.argv[1], encoding="utf-8") as file:
    report = json.load(file)
cases = []
for case in report["cases"]:
    if case["status"] == "passed":
        hashes = {check["name"]: check["actual_hash"]
                  for check in case["checks"] if check["kind"] == "bitwise" and check["name"] not in OF_THE_RUN}
        cases.append(f'{json.dumps(case["id"])}: {json.dumps(hashes)}')
print(f'{{"run": {json.dumps(report["run"])},\n"outputs": {{')
print(",\n".join(cases))
print("}}")
