#!/usr/bin/env python3
"""Writes into cases/mutants/survivors.json how many survivors each class has, from the JSON of complete runs of
`quadpair mutate`. Usage: survivor_counts.py REPORT.json..."""
import json
import pathlib
import sys

path = pathlib.Path(__file__).parent.parent / "cases/mutants/survivors.json"
survivors = json.loads(path.read_text(encoding="utf-8"))["survivors"]
for name in sys.argv[1:]:
    with open(name, encoding="utf-8") as file:
        report = json.load(file)
    if report["sample"] != 0 or report["suites"] != ["default", "edges"]:
        sys.exit(f"{name} is no complete run")
    subject = f"{report['kernel']} {report['target']}"
    numbers = [survivor["class"] for survivor in report["survivors"]]
    for number, entry in enumerate(survivors):
        counts = entry.pop("counts", {})
        counts.pop(subject, None)
        if number in numbers:
            counts[subject] = numbers.count(number)
        if counts:
            entry["counts"] = dict(sorted(counts.items()))
lines = ",\n".join("    " + json.dumps(entry) for entry in survivors)
path.write_text(f'{{\n  "schema": "quadpair.survivors/2",\n  "survivors": [\n{lines}\n  ]\n}}\n', encoding="utf-8")
