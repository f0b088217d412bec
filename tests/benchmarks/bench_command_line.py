"""The processor time of the command line's help, against an import that every evaluation needs.

python tests/benchmarks/bench_command_line.py
"""

from __future__ import annotations

import resource
import subprocess
import sys
from statistics import median

TIMES = 15
COMMANDS = {
    "queryscape --help": ("-m", "queryscape", "--help"),
    "queryscape evaluate --help": ("-m", "queryscape", "evaluate", "--help"),
    "queryscape --version": ("-m", "queryscape", "--version"),
    "import numpy, duckdb": ("-c", "import numpy, duckdb"),
}


def cpu_seconds(arguments: tuple[str, ...]) -> float:
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run([sys.executable, *arguments], check=True, capture_output=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def main() -> None:
    taken = {name: median(cpu_seconds(arguments) for _ in range(TIMES)) for name, arguments in COMMANDS.items()}
    base = taken["import numpy, duckdb"]
    for name, seconds in taken.items():
        print(f"{name:30} {seconds:.3f} CPU s, {seconds / base:.2f} times the import")


if __name__ == "__main__":
    main()
