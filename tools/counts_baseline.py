#!/usr/bin/env python3
"""Prints the counts of a report's cases in the form that reports/baselines/counts has: each set of counts once, with
the cases that have it. Usage: counts_baseline.py REPORT.json"""
import json
import sys

with open(sys.argv[1], encoding="utf-8") as file:
    report = json.load(file)
cases = {}
for case in report["cases"]:
    if case["cost"]:
        cases.setdefault(json.dumps(case["cost"], sort_keys=True), []).append(case["id"])
print('{"schema": "quadpair.counts/1", "costs": [')
print(",\n".join(f'{{"cost": {cost},\n "cases": {json.dumps(ids)}}}' for cost, ids in cases.items()))
print("]}")
