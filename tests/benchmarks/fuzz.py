"""Read changed files with every reader for some minutes: `python -m tests.benchmarks.fuzz --minutes 10 --seed 7`.

Prints each problem with what is needed to repeat it, and ends with status 1 if there was one.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections import Counter

from tests.data.mutated import mutations, problem_of
from tests.data.readers import READERS

ROUND = 20
"""Files for each reader before the next one has its turn."""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("--minutes", type=float, default=10.0)
    parser.add_argument("--seed", type=int, default=0, help="Number of the first round.")
    chosen = parser.parse_args()
    end = time.monotonic() + chosen.minutes * 60
    seed, n_files, slowest = chosen.seed, 0, (0.0, "")
    problems: Counter[str] = Counter()
    while time.monotonic() < end:
        for reader in READERS:
            for number, data in enumerate(mutations(reader, ROUND, seed)):
                begun = time.process_time()
                problem = problem_of(reader, data)
                slowest = max(slowest, (time.process_time() - begun, f"{reader.name}, round {seed}, file {number}"))
                n_files += 1
                if problem:
                    problems[f"{reader.name}: {problem[:60]}"] += 1
                    if problems[f"{reader.name}: {problem[:60]}"] == 1:
                        print(f"{reader.name}, round {seed}, file {number}: {problem}", flush=True)
            if time.monotonic() > end:
                break
        seed += 1
    print(f"{n_files:,} files, {len(READERS)} readers, {len(problems)} kinds of problems")
    print(f"slowest: {slowest[0]:.2f} CPU seconds ({slowest[1]})")
    sys.exit(bool(problems))


if __name__ == "__main__":
    main()
