"""Compare what the commands answer with --json on the demo, before and after a change, all but times.

    python -m tests.benchmarks.documents write --out after
    git worktree add ../before COMMIT
    python -m tests.benchmarks.documents write --checkout ../before --out before
    python -m tests.benchmarks.documents compare before after

`compare` prints each place that differs and ends with 1 if there is one. Keys that only the later one has are listed
apart and allowed: documents may grow.
"""

from __future__ import annotations

import argparse
import json
import os
import shlex
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

OF_VERSION = ("evaluate --intervals --strata", "query terms", "query explain", "query apart")
OF_TOPIC = (
    "duplicates",
    "versions",
    "search 'urban heat' --retriever bm25 --k 5",
    "query translate 'urban heat AND tree*[ti]' --from pubmed --to ovid",
    "query write --dry-run",
    "report press list",
    "project",
)
OF_WORKSPACE = (
    "query batch",
    "studies facts",
    "studies scores",
    "studies strata",
    "studies strings",
    "studies thresholds --curves own",
    "benchmark --collection demo --retrievers bm25 dense --embedder lsa --seed 1",
    "benchmark --collection demo-relations --retrievers bm25 hybrid graph --seed 1",
    "judge --collection demo --retrievers bm25 --model demo --dry-run",
    "judge --collection demo --retrievers bm25 --model demo --yes --name judged --k 3",
    "judge runs",
    "knowledge list",
    "knowledge statistics demo",
    "knowledge statistics --collection demo-relations",
    "knowledge answers demo",
    "knowledge synthesize demo --n 2 --dry-run",
    "source runs",
    "query writings",
    "query check 'heat AND (tree* OR shade'",
)
TIMES = frozenset({"elapsed_ms", "latency_ms", "seconds", "query_seconds", "data_dir"})


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = parser.add_subparsers(dest="command", required=True)
    writing = commands.add_parser("write")
    writing.add_argument("--checkout", type=Path, default=Path())
    writing.add_argument("--out", type=Path, required=True)
    comparing = commands.add_parser("compare")
    comparing.add_argument("before", type=Path)
    comparing.add_argument("after", type=Path)
    chosen = parser.parse_args()
    if chosen.command == "write":
        write_all(chosen.checkout.resolve(), chosen.out.resolve())
        return 0
    return compare_all(chosen.before, chosen.after)


def write_all(checkout: Path, out: Path) -> None:
    out.mkdir(parents=True, exist_ok=True)

    def answer(name: str, *command: str) -> Any:
        asked = [sys.executable, "-m", "dashboard", *command, "--data-dir", str(out / "workspace")]
        env = {**os.environ, "PYTHONPATH": str(checkout)}
        done = subprocess.run(asked, cwd=checkout, env=env, capture_output=True, text=True, check=False)
        document = json.loads(done.stdout) if "--json" in command and done.stdout else None
        if document is None:
            print(f"{name}: exit {done.returncode}, {done.stderr.strip()[-200:]}")
        if document is not None:
            text = json.dumps(without_times(document), indent=1, sort_keys=True)
            (out / f"{name}.json").write_text(text, "utf-8")
        return document

    answer("demo", "demo", "--json")
    topics = answer("topics", "topics", "--json")["topics"]
    for i, topic in enumerate(topics):
        of_topic = ("--topic", topic["topic"])
        versions = [version["version"] for version in topic["versions"]]
        for version in versions:
            for command in OF_VERSION:
                words = shlex.split(command)
                answer(f"{i} {version} {' '.join(words)}", *words, *of_topic, "--version", version, "--json")
        for command in OF_TOPIC:
            words = shlex.split(command)
            answer(f"{i} {' '.join(words)}", *words, *of_topic, "--json")
        answer(f"{i} compare", "compare", *of_topic, "--versions", *versions, "--sensitivity", "--json")
    for command in OF_WORKSPACE:
        words = shlex.split(command)
        answer(" ".join(words), *words, "--json")
    for lab in answer("labs", "labs", "--json")["labs"]:
        answer(f"labs {lab['lab']}", "labs", lab["lab"], "--json")


def without_times(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: without_times(each) for key, each in value.items() if key not in TIMES}
    return [without_times(each) for each in value] if isinstance(value, list) else value


def compare_all(before: Path, after: Path) -> int:
    names = sorted({path.name for folder in (before, after) for path in folder.glob("*.json")})
    n_different = 0
    for name in names:
        texts = [
            (folder / name).read_text("utf-8") if (folder / name).exists() else "null" for folder in (before, after)
        ]
        for place, what in differences(*map(json.loads, texts), ""):
            n_different += what != "new"
            print(f"{name}{place}: {what}")
    print(f"{len(names)} documents, {n_different} differences")
    return int(n_different > 0)


def differences(before: Any, after: Any, place: str) -> Iterator[tuple[str, str]]:
    if isinstance(before, dict) and isinstance(after, dict):
        for key in sorted({*before, *after}):
            if key not in before:
                yield f"{place}.{key}", "new"
            else:
                yield from differences(before[key], after.get(key), f"{place}.{key}")
    elif isinstance(before, list) and isinstance(after, list) and len(before) == len(after):
        for i, (one, other) in enumerate(zip(before, after, strict=True)):
            yield from differences(one, other, f"{place}[{i}]")
    elif before != after:
        yield place, f"{json.dumps(before)[:80]} is now {json.dumps(after)[:80]}"


if __name__ == "__main__":
    sys.exit(main())
