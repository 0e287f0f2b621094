#!/usr/bin/env python3
"""Prints what a GPU's profiler counts of single accesses of one warp, in many patterns: the form of
reports/baselines/h200/access-patterns.json. Needs nvcc, `ncu` and a GPU. Usage: access_patterns.py"""
import json
import pathlib
import random
import subprocess
import tempfile

from profiler import SECTORS, profile

LANES = range(32)
CONFLICTS = ["l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_ld.sum",
             "l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_st.sum",
             "l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_ldgsts.sum"]
DRAW = random.Random(1)


def patterns(size):
    """Places of accesses of `size` bytes, by name; all lie in 16 KiB."""
    found = {f"stride {s}": [lane * s * size for lane in LANES] for s in (1, 2, 3, 4, 5, 8, 9, 16, 17, 32, 33)}
    found |= {f"exchanged by {x}": [(lane ^ x) * size for lane in LANES] for x in (1, 2, 4, 8, 16, 31)}
    found |= {"shifted": [(lane + 1) * size for lane in LANES], "one place": [64] * 32,
              "two places": [lane % 2 * 128 for lane in LANES], "pairs": [lane // 2 * size for lane in LANES],
              "halves": [lane % 16 * size for lane in LANES],
              "columns": [lane % 4 * 256 + lane // 4 * size for lane in LANES],
              "swizzled rows": [lane // 8 * 1024 + (lane % 8 ^ lane // 8) * size for lane in LANES],
              "padded rows": [lane // 16 * 272 + lane % 16 * size for lane in LANES]}
    for i in range(4):
        found[f"permuted {i}"] = DRAW.sample([lane * size for lane in LANES], 32)
        found[f"near {i}"] = [DRAW.randrange(256 // size) * size for _ in LANES]
        found[f"far {i}"] = [DRAW.randrange(8192 // size) * size for _ in LANES]
    return found


# Lanes that take part; of the patterns in MASKED each has its turn.
MASKS = (lambda lane: lane < 16, lambda lane: lane % 2 == 0, lambda lane: lane in (0, 1, 16, 17),
         lambda lane: lane == 5, lambda lane: lane % 8 < 3, lambda _: DRAW.random() < 0.5)
MASKED = ("stride 1", "stride 2", "stride 8", "exchanged by 4", "columns", "padded rows", "permuted 0", "near 0",
          "far 0", "far 1")


def accesses():
    """Kernel and places of each launch."""
    for size in (4, 8, 16):
        for action in ("load_shared", "store_shared", "load_global", "store_global"):
            for name, places in patterns(size).items():
                yield f"{action}_{size}", places
                for takes_part in MASKS if name in MASKED else ():
                    yield f"{action}_{size}", [place if takes_part(lane) else -1 for lane, place in zip(LANES, places)]
        on_end = [lane * size for lane in LANES]
        for places in patterns(size).values():
            yield f"copy_{size}", places + on_end
            if len(set(places)) == 32:  # two lanes that write one place would race
                yield f"copy_{size}", on_end + places
                yield f"copy_{size}", places + places
        for takes_part in MASKS:
            yield f"copy_{size}", [place if takes_part(lane) else -1 for lane, place in zip(LANES, on_end)] + on_end


def main():
    launches = list(accesses())
    with tempfile.TemporaryDirectory() as folder:
        source = pathlib.Path(__file__).with_suffix(".cu")
        subprocess.run(["nvcc", "-arch=native", source, "-o", f"{folder}/run"], check=True)
        with open(f"{folder}/accesses", "w", encoding="utf-8") as file:
            for kernel, places in launches:
                print(kernel, *places, file=file)
        counted = profile([f"{folder}/run", f"{folder}/accesses"], SECTORS + CONFLICTS)
    lines = []
    for (kernel, places), (_, counts) in zip(launches, counted, strict=True):
        # The kernel reads its places and writes its results, 128 bytes each; that of a copy reads twice as many.
        own = 12 if kernel.startswith("copy") else 8
        lines.append(json.dumps({"kernel": kernel, "places": places,
                                 "sectors": sum(counts[metric] for metric in SECTORS) - own,
                                 "conflicts": sum(counts[metric] for metric in CONFLICTS)}))
    device = subprocess.run(["nvidia-smi", "--query-gpu=name", "--format=csv,noheader"], check=True,
                            capture_output=True, text=True).stdout.splitlines()[0]
    print(f'{{"device": {json.dumps(device)}, "accesses": [')
    print(",\n".join(lines) + "]}")


main()
