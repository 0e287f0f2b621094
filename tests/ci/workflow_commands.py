"""Runs the shell commands of the CI examples, as their runners would: workflow_commands.py PROGRAM ROOT.

The GitHub workflow's jobs `verify` and `report`, and GitLab's, run in folders of their own with a small suite; the
bundle is a link to the program that was built.
"""

import os
import pathlib
import re
import subprocess
import sys
import tempfile

from ruamel.yaml import YAML


SUITE = "compact-scales-real"


def shell(command, folder, **variables):
    subprocess.run(["bash", "-euo", "pipefail", "-c", command], cwd=folder, check=True, env={**os.environ, **variables})


def bundle(folder, program):
    (folder / "bin").mkdir(parents=True)
    (folder / "bin" / "quadpair").symlink_to(program)


def commands(steps):
    return [step["run"] for step in steps if "run" in step and "bundle/bin" in step["run"]]


def github(workflow, folder, program):
    bundle(folder / "bundle", program)
    verify = workflow["jobs"]["verify"]
    shards = verify["strategy"]["matrix"]["shard"]
    summary = folder / "summary.md"
    for shard in shards:
        for command in commands(verify["steps"]):
            values = {"matrix.shard": str(shard), "strategy.job-total": str(len(shards))}
            filled = re.sub(r"\$\{\{ *([\w.-]+) *\}\}", lambda m: values[m.group(1)], command)
            shell(filled, folder, SUITE=SUITE)
    ran = commands(workflow["jobs"]["report"]["steps"])
    for command in ran:
        shell(command, folder, GITHUB_STEP_SUMMARY=str(summary))
    assert len(ran) == 2, ran
    assert summary.stat().st_size > 0
    for name in ["report.json", "report.html", "junit.xml"]:
        assert (folder / name).stat().st_size > 0, name


def gitlab(pipeline, folder, program):
    bundle(folder / "build" / "bundle", program)
    total = pipeline["verify"]["parallel"]
    for index in range(1, total + 1):
        for command in pipeline["verify"]["script"]:
            shell(command, folder, SUITE=SUITE, CI_NODE_INDEX=str(index), CI_NODE_TOTAL=str(total))
    for command in pipeline["report"]["script"]:
        shell(command, folder)
    for name in ["report.json", "report.md", "report.html", "junit.xml"]:
        assert (folder / name).stat().st_size > 0, name


def main():
    program, root = (pathlib.Path(argument).resolve() for argument in sys.argv[1:])
    read = YAML(typ="safe", pure=True).load
    for run, file in [(github, ".github/workflows/quadpair.yml"), (gitlab, "docs/ci/gitlab-ci.yml")]:
        with tempfile.TemporaryDirectory() as folder:
            run(read(root / file), pathlib.Path(folder), program)


main()
