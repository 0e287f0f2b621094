"""Nsight Compute's counters of each kernel that a command launches."""
import csv
import subprocess
import sys

SECTORS = ["l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum", "l1tex__t_sectors_pipe_lsu_mem_global_op_st.sum"]


def profile(command, metrics, options=()):
    """Of each launch, in order, the kernel's name and the number of each metric. Ends the program with what `ncu` said
    when it counted nothing."""
    ncu = ["ncu", "--clock-control", "none", "--target-processes", "all", "--csv", "--page", "raw", *options,
           "--metrics", ",".join(metrics)]
    try:
        done = subprocess.run(ncu + command, capture_output=True, text=True)
    except FileNotFoundError:
        sys.exit("ncu, the command line of Nsight Compute, is not on the PATH")
    rows = [row for row in csv.reader(done.stdout.splitlines()) if len(row) > len(metrics)]
    if done.returncode != 0 or len(rows) < 3:  # a heading, units, launches
        sys.exit(f"ncu counted nothing (exit status {done.returncode}):\n{done.stdout}{done.stderr}")
    header = rows[0]
    return [(row[header.index("Kernel Name")].split("(")[0],
             {metric: int(row[header.index(metric)].replace(",", "")) for metric in metrics}) for row in rows[2:]]
