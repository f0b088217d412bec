"""Measure how well the tests protect core and data: break functions one at a time and run the tests that cover them.

Three steps, run from the top folder of a checkout (`cover` needs pytest-cov):

    python -m tests.benchmarks.mutations choose --n 60 --seed 0 --out chosen.json
    python -m tests.benchmarks.mutations cover --chosen chosen.json --data coverage.db
    python -m tests.benchmarks.mutations run --chosen chosen.json --data coverage.db --out results.json

Functions are identified by qualified name and places by their code, never by file or line, so a list that was chosen
before a refactoring can be covered and run again after it. Functions that can't be found are listed as gone, with the
most similar functions; map them with `--rename OLD=NEW` in both `cover` and `run`.
"""

from __future__ import annotations

import argparse
import ast
import importlib.util
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from difflib import SequenceMatcher
from hashlib import sha256
from itertools import permutations
from pathlib import Path
from typing import Any

FLOORS = ("core", "data")
MIN_STATEMENTS = 3
LIKE_ENOUGH = 0.6
"""Smallest similarity at which rewritten code still counts as the chosen place."""
NOT_COPIED = shutil.ignore_patterns(".venv", "node_modules", "__pycache__", ".*_cache", ".hypothesis", ".benchmarks")
LOGGING_CALL = re.compile(r"(logging|log|logger|_log|_logger|LOGGER|warnings)\.")
FAST = ("-q", "-p", "no:cacheprovider", "-m", "not slow", "-rfE")

Function = ast.FunctionDef | ast.AsyncFunctionDef

# --- Kinds of mutation: each returns the code that replaces a node, or None if it does not apply.

_OPPOSITES = [(ast.Lt, ast.GtE), (ast.Gt, ast.LtE), (ast.Eq, ast.NotEq), (ast.In, ast.NotIn), (ast.Is, ast.IsNot)]
OPPOSITE: dict[type[ast.cmpop], type[ast.cmpop]] = {a: b for pair in _OPPOSITES for a, b in permutations(pair)}
_SWAPS = [(ast.Add, ast.Sub), (ast.Mult, ast.Div)]
SWAPPED: dict[type[ast.operator], type[ast.operator]] = {a: b for pair in _SWAPS for a, b in permutations(pair)}


def flip_comparison(node: ast.AST) -> ast.AST | None:
    """Replace the first operator of a comparison by its opposite."""
    if not isinstance(node, ast.Compare):
        return None
    return ast.Compare(node.left, [OPPOSITE[type(node.ops[0])](), *node.ops[1:]], node.comparators)


def swap_arithmetic(node: ast.AST) -> ast.AST | None:
    """Swap + and -, and * and /, except next to a string."""
    if isinstance(node, ast.AugAssign) and type(node.op) in SWAPPED and not _is_text(node.value):
        return ast.AugAssign(node.target, SWAPPED[type(node.op)](), node.value)
    if isinstance(node, ast.BinOp) and type(node.op) in SWAPPED and not (_is_text(node.left) or _is_text(node.right)):
        return ast.BinOp(node.left, SWAPPED[type(node.op)](), node.right)
    return None


def swap_and_or(node: ast.AST) -> ast.AST | None:
    """Swap `and` and `or`."""
    if not isinstance(node, ast.BoolOp):
        return None
    return ast.BoolOp(ast.Or() if isinstance(node.op, ast.And) else ast.And(), node.values)


def flip_boolean(node: ast.AST) -> ast.AST | None:
    """Swap True and False."""
    return ast.Constant(not node.value) if isinstance(node, ast.Constant) and isinstance(node.value, bool) else None


def increment_integer(node: ast.AST) -> ast.AST | None:
    """Add one to an integer."""
    return ast.Constant(node.value + 1) if isinstance(node, ast.Constant) and type(node.value) is int else None


def negate_test(node: ast.AST) -> ast.AST | None:
    """Negate the test of an `if` statement; the node is the test."""
    if not isinstance(node, ast.expr):
        return None
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
        return node.operand
    return ast.UnaryOp(ast.Not(), node)


def return_none(node: ast.AST) -> ast.AST | None:
    """Return None instead of a value."""
    if not isinstance(node, ast.Return) or node.value is None:
        return None
    is_none = isinstance(node.value, ast.Constant) and node.value.value is None
    return None if is_none else ast.Return(ast.Constant(None))


def drop_call(node: ast.AST) -> ast.AST | None:
    """Drop a statement that is nothing but a call."""
    return ast.Pass() if isinstance(node, ast.Expr) and isinstance(node.value, ast.Call) else None


KINDS: dict[str, Callable[[ast.AST], ast.AST | None]] = {
    "and/or": swap_and_or,
    "arithmetic": swap_arithmetic,
    "boolean": flip_boolean,
    "call": drop_call,
    "comparison": flip_comparison,
    "if": negate_test,
    "integer": increment_integer,
    "return": return_none,
}


def _is_text(node: ast.AST) -> bool:
    return isinstance(node, ast.JoinedStr) or (isinstance(node, ast.Constant) and isinstance(node.value, str | bytes))


# --- Functions and the places in them


@dataclass(frozen=True)
class Mutation:
    """One change to one function, identified in a way that survives moving and reformatting the function."""

    qualname: str
    floor: str
    kind: str
    ordinal: int
    """Position among the places of this kind in the function body, in the order of the syntax tree."""
    n_places: int
    before: str
    after: str
    path: str
    """The file at the time of choosing, for the reader only."""
    source: str
    """The function at the time of choosing, to recognise it after a renaming."""


@dataclass(frozen=True)
class Place:
    """A node that can be mutated, what replaces it, and the simple statement or header that holds it."""

    kind: str
    ordinal: int
    node: Any
    replacement: ast.AST
    holder: tuple[int, int]

    @property
    def before(self) -> str:
        return ast.unparse(self.node)

    @property
    def after(self) -> str:
        return ast.unparse(ast.fix_missing_locations(self.replacement))


@dataclass(frozen=True)
class Located:
    """A function and its file."""

    path: Path
    qualname: str
    node: Function


def functions_in(path: Path) -> Iterator[Located]:
    """Yield the functions of a module and the methods of its classes."""
    for node in ast.parse(path.read_text("utf-8")).body:
        if isinstance(node, Function):
            yield Located(path, node.name, node)
        elif isinstance(node, ast.ClassDef):
            methods = (child for child in node.body if isinstance(child, Function))
            yield from (Located(path, f"{node.name}.{child.name}", child) for child in methods)


def functions_by_name(root: Path, floors: Iterable[str] = FLOORS) -> dict[str, list[Located]]:
    """Return all functions of the product under their qualified names."""
    found = defaultdict(list)
    for floor in floors:
        for path in sorted((root / floor).rglob("*.py")):
            for function in functions_in(path):
                found[function.qualname].append(function)
    return dict(found)


def _body(function: Function) -> list[ast.stmt]:
    return function.body[1:] if ast.get_docstring(function) is not None else function.body


def _n_statements(function: Function) -> int:
    return sum(isinstance(node, ast.stmt) for statement in _body(function) for node in ast.walk(statement))


def _visible(node: ast.AST, holder: tuple[int, int]) -> Iterator[tuple[ast.AST, tuple[int, int]]]:
    """Yield nodes in source order, without raises, annotations, formatted strings, logging and `strict=` guards."""
    if isinstance(node, ast.Raise | ast.Assert | ast.JoinedStr | ast.arguments):
        return
    if isinstance(node, ast.Expr) and LOGGING_CALL.match(ast.unparse(node)):
        return
    if isinstance(node, ast.keyword) and node.arg == "strict":
        return
    if isinstance(node, ast.stmt):
        inner = [child.lineno for child in getattr(node, "body", []) if isinstance(child, ast.stmt)]
        holder = (node.lineno, max(node.lineno, min(inner) - 1) if inner else node.end_lineno or node.lineno)
    yield node, holder
    hidden = {"annotation", "returns", "decorator_list"}
    for name, value in ast.iter_fields(node):
        for child in value if isinstance(value, list) else [value]:
            if isinstance(child, ast.AST) and name not in hidden:
                yield from _visible(child, holder)


def places_in(function: Function) -> list[Place]:
    """Return all places of a function that can be mutated."""
    places: list[Place] = []
    counts: Counter[str] = Counter()
    for statement in _body(function):
        for node, holder in _visible(statement, (statement.lineno, statement.lineno)):
            for kind, mutate in KINDS.items():
                if (kind == "if") != isinstance(node, ast.If):
                    continue
                target = node.test if isinstance(node, ast.If) else node
                if (changed := mutate(target)) is not None:
                    places.append(Place(kind, counts[kind], target, changed, holder))
                    counts[kind] += 1
    return places


# --- Choosing


def stable_number(*parts: object) -> int:
    """Return a number that depends only on these parts."""
    return int.from_bytes(sha256(":".join(map(str, parts)).encode()).digest()[:8])


def choose(root: Path, n: int, seed: int) -> list[Mutation]:
    """Choose functions, half from core and half from data, and one place in each, by hashes of seed and name."""
    eligible: dict[str, list[tuple[Located, list[Place]]]] = {floor: [] for floor in FLOORS}
    for found in functions_by_name(root).values():
        function = found[0]
        is_candidate = len(found) == 1 and not function.node.name.startswith("__")
        if is_candidate and _n_statements(function.node) >= MIN_STATEMENTS and (places := places_in(function.node)):
            eligible[function.path.relative_to(root).parts[0]].append((function, places))
    chosen = []
    for i, floor in enumerate(FLOORS):
        share = (n + i) // len(FLOORS)
        ranked = sorted(eligible[floor], key=lambda pair: stable_number(seed, pair[0].qualname))
        chosen += [_choose_place(root, function, places, seed) for function, places in ranked[:share]]
    return chosen


def _choose_place(root: Path, function: Located, places: list[Place], seed: int) -> Mutation:
    """Choose the kind first, so that frequent kinds don't crowd out the others."""
    kinds = sorted({place.kind for place in places})
    kind = kinds[stable_number(seed, function.qualname, "kind") % len(kinds)]
    of_kind = [place for place in places if place.kind == kind]
    place = of_kind[stable_number(seed, function.qualname, "place") % len(of_kind)]
    path = function.path.relative_to(root)
    return Mutation(
        *(function.qualname, path.parts[0], kind, place.ordinal, len(of_kind)),
        *(place.before, place.after, path.as_posix()),
        source=ast.unparse(function.node),
    )


# --- Finding a chosen place again, also after a refactoring


@dataclass(frozen=True)
class Target:
    """A chosen mutation in this checkout. Without a place it is gone, and `note` says why."""

    mutation: Mutation
    function: Located | None = None
    place: Place | None = None
    note: str = ""


def likeness(one: str, other: str) -> float:
    """Return how similar two pieces of code are, from 0 to 1."""
    return SequenceMatcher(None, one, other, autojunk=False).ratio()


def find_target(mutation: Mutation, by_name: Mapping[str, list[Located]], renames: Mapping[str, str]) -> Target:
    """Find the function by its name, of several the most similar one, and the place in it."""
    found = by_name.get(renames.get(mutation.qualname, mutation.qualname), [])
    if not found:
        everything = [function for functions in by_name.values() for function in functions]
        scores = {f.qualname: SequenceMatcher(None, mutation.source, ast.unparse(f.node)) for f in everything}
        hopeful = {name: s.ratio() for name, s in scores.items() if s.real_quick_ratio() > 0.5 < s.quick_ratio()}
        best = sorted(hopeful, key=lambda name: -hopeful[name])[:3]
        return Target(mutation, note="no such function; similar: " + ", ".join(best))
    function = max(found, key=lambda f: likeness(mutation.source, ast.unparse(f.node)))
    place = find_place(mutation, function.node)
    if place is None:
        return Target(mutation, function, note=f"no {mutation.kind} like {mutation.before}")
    return Target(mutation, function, place, "" if place.before == mutation.before else f"rewritten: {place.before}")


def find_place(mutation: Mutation, function: Function) -> Place | None:
    """Find the place with the most similar code, or else the one in the same position if none came or went."""
    places = [place for place in places_in(function) if place.kind == mutation.kind]

    def closeness(place: Place) -> tuple[float, int]:
        return likeness(mutation.before, place.before), -abs(place.ordinal - mutation.ordinal)

    best = max(places, key=closeness, default=None)
    if best is None or closeness(best)[0] >= LIKE_ENOUGH:
        return best
    return places[mutation.ordinal] if len(places) == mutation.n_places else None


def find_targets(root: Path, chosen: Path, renames: Iterable[str]) -> list[Target]:
    """Find all chosen mutations in this checkout."""
    by_name = functions_by_name(root)
    pairs = dict(rename.split("=", 1) for rename in renames)
    return [find_target(Mutation(**item), by_name, pairs) for item in json.loads(chosen.read_text("utf-8"))]


def mutated_text(target: Target) -> str:
    """Return the text of the file with the mutation in it, and check that nothing else changed."""
    assert target.function is not None
    assert target.place is not None
    text, node = target.function.path.read_text("utf-8"), target.place.node
    lines = text.encode().splitlines(keepends=True)
    start = sum(map(len, lines[: node.lineno - 1])) + node.col_offset
    end = sum(map(len, lines[: node.end_lineno - 1])) + node.end_col_offset
    after = target.place.after if isinstance(node, ast.stmt) else f"({target.place.after})"
    changed = (text.encode()[:start] + after.encode() + text.encode()[end:]).decode()
    expected = ast.unparse(_Swap(target.place).visit(ast.parse(text)))
    assert ast.unparse(ast.parse(changed)) == expected != ast.unparse(ast.parse(text)), target.mutation.qualname
    return changed


class _Swap(ast.NodeTransformer):
    """Replace the node that stands at the place in a tree that was parsed again."""

    def __init__(self, place: Place) -> None:
        self.place = place

    def visit(self, node: ast.AST) -> Any:
        old = self.place.node
        if type(node) is type(old) and all(getattr(node, a) == getattr(old, a) for a in old._attributes):
            return ast.fix_missing_locations(ast.copy_location(self.place.replacement, node))
        return self.generic_visit(node)


# --- Coverage


def cover(root: Path, targets: Sequence[Target], data: Path) -> int:
    """Run the fast tests once and record which test covers which line of the files with chosen functions."""
    files = sorted({str(target.function.path.resolve()) for target in targets if target.function})
    config = data.with_suffix(".ini")
    include = "".join(f"\n    {name}" for name in files)
    config.write_text(f"[run]\nrelative_files = true\ndata_file = {data}\ninclude ={include}\n", "utf-8")
    contexts = ["--cov", f"--cov-config={config}", "--cov-context=test", "--cov-report="]
    command = [sys.executable, "-m", "pytest", *FAST, *contexts, "--durations=0", "--durations-min=0.02"]
    with data.with_suffix(".log").open("w", encoding="utf-8") as log:
        done = subprocess.run(command, cwd=root, env=_environment(), stdout=log, stderr=log, check=False)
    print(data.with_suffix(".log").read_text("utf-8").strip().splitlines()[-1])
    return done.returncode


def _environment() -> dict[str, str]:
    """Let property tests ask the same questions in each run."""
    return {**os.environ, "CI": "1", "QUERYSCAPE_ALL_EXAMPLES": "1"}


@dataclass(frozen=True)
class Covered:
    """Which tests run which lines, how long each test takes, and how many of the traced lines it runs."""

    tests_by_line: dict[Path, dict[int, set[str]]]
    seconds: dict[str, float]
    n_lines: Counter[str]
    failing: frozenset[str]

    @classmethod
    def read(cls, root: Path, data: Path) -> Covered:
        """Read what `cover` wrote."""
        from coverage import CoverageData

        stored = CoverageData(str(data))
        stored.read()
        lines: dict[Path, dict[int, set[str]]] = {}
        n_lines: Counter[str] = Counter()
        for name in stored.measured_files():
            by_line = stored.contexts_by_lineno(name).items()
            tests = {line: {c.rpartition("|")[0] for c in contexts} - {""} for line, contexts in by_line}
            lines[(root / name).resolve()] = tests
            n_lines.update(test for found in tests.values() for test in found)
        log = data.with_suffix(".log").read_text("utf-8")
        seconds: dict[str, float] = defaultdict(float)
        for duration, test in re.findall(r"^(\d+\.\d+)s (?:setup|call|teardown) +(.+)$", log, re.MULTILINE):
            seconds[test] += float(duration)
        failed = [line.partition(" ")[2] for line in log.splitlines() if line.startswith(("FAILED ", "ERROR "))]
        failing = {test for test in n_lines for line in failed if f"{line} ".startswith(f"{test} ")}
        return cls(lines, dict(seconds), n_lines, frozenset(failing))

    def tests_of(self, target: Target) -> list[str]:
        """Return the tests that cover a place, distinct and specific ones first, variants of one test last."""
        assert target.function is not None
        assert target.place is not None
        by_line = self.tests_by_line.get(target.function.path.resolve(), {})
        node, found = target.place.node, set[str]()
        for first, last in ((node.lineno, node.end_lineno), target.place.holder):
            found = found or {test for line in range(first, last + 1) for test in by_line.get(line, ())}
        variants: Counter[str] = Counter()
        order: list[tuple[int, int, str]] = []
        for test in sorted(found - self.failing, key=lambda t: (self.n_lines[t], self.seconds.get(t, 0.0), t)):
            order.append((variants[test.partition("[")[0]], len(order), test))
            variants[test.partition("[")[0]] += 1
        return [test for _, _, test in sorted(order)]

    def batches(self, tests: Sequence[str], limit: int, budget: float) -> list[list[str]]:
        """Split tests into a first batch of at most `limit` and a last one; none lasts longer than the budget."""
        batches: list[list[str]] = []
        left = list(tests)
        for size in (limit, 10 * limit):
            batch: list[str] = []
            total = 0.0
            for test in left:
                cost = self.seconds.get(test, 0.01)
                if len(batch) < size and (total + cost <= budget or not batch):
                    batch.append(test)
                    total += cost
            taken = set(batch)
            left = [test for test in left if test not in taken]
            batches += [batch] if batch else []
        return batches


# --- Running


@dataclass(frozen=True)
class Outcome:
    """How a batch of tests ended: passed, failed, broken (nothing could be collected) or timeout."""

    state: str
    test: str | None
    last_words: str


def run_tests(scratch: Path, tests: Sequence[str], timeout: float) -> Outcome:
    """Run tests until one fails."""
    command = [sys.executable, "-m", "pytest", "-x", "-n", "0", *FAST, *tests]
    process = subprocess.Popen(
        command,
        cwd=scratch,
        env=_environment(),
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        encoding="utf-8",
        errors="replace",
        start_new_session=True,
    )
    try:
        output, _ = process.communicate(timeout=timeout)
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, signal.SIGKILL)
        process.communicate()
        return Outcome("timeout", None, f"more than {timeout:.0f} s")
    failed = [line for line in output.splitlines() if line.startswith(("FAILED ", "ERROR ", "E   "))]
    named = [test for test in tests for line in failed if f"{line} ".startswith((f"FAILED {test} ", f"ERROR {test} "))]
    state = {0: "passed", 1: "failed"}.get(process.returncode, "broken")
    return Outcome(state, max(named, key=len, default=None), (failed or output.splitlines() or [""])[-1][:300])


@dataclass(frozen=True)
class Result:
    """What became of one mutation."""

    qualname: str
    status: str
    """noticed, unnoticed, not covered or gone."""
    kind: str
    before: str
    after: str
    file: str = ""
    n_covering: int = 0
    n_run: int = 0
    by: str = ""
    note: str = ""
    seconds: float = 0.0


class Laboratory:
    """A copy of the checkout in which code is broken and restored."""

    def __init__(self, root: Path, scratch: Path, covered: Covered, args: argparse.Namespace) -> None:
        self.root, self.covered, self.args = root.resolve(), covered, args
        self.scratch = scratch / "checkout"
        shutil.copytree(root, self.scratch, symlinks=True, ignore=NOT_COPIED)

    def write(self, target: Target, text: str) -> None:
        """Write the text of a file and forget its compiled form."""
        assert target.function is not None
        copy = self.scratch / target.function.path.resolve().relative_to(self.root)
        copy.write_text(text, "utf-8")
        Path(importlib.util.cache_from_source(str(copy))).unlink(missing_ok=True)

    def run(self, tests: Sequence[str], target: Target | None = None) -> Outcome:
        """Run tests on the code as it is, or broken at one place."""
        if target is None or target.function is None:
            return run_tests(self.scratch, tests, self.args.timeout)
        self.write(target, mutated_text(target))
        try:
            return run_tests(self.scratch, tests, self.args.timeout)
        finally:
            self.write(target, target.function.path.read_text("utf-8"))

    def judge(self, target: Target) -> Result:
        """Break one place and find out whether a test that covers it notices."""
        m = target.mutation
        result = Result(m.qualname, "gone", m.kind, m.before, m.after, note=target.note)
        if target.function is None or target.place is None:
            return result
        start, path = time.perf_counter(), target.function.path.resolve().relative_to(self.root).as_posix()
        tests = self.covered.tests_of(target)
        result = replace(result, status="unnoticed" if tests else "not covered", file=path, n_covering=len(tests))
        for batch in self.covered.batches(tests, self.args.limit, self.args.budget):
            result = replace(result, n_run=result.n_run + len(batch))
            if by := self.noticed_by(target, batch):
                result = replace(result, status="noticed", by=by)
                break
        return replace(result, seconds=round(time.perf_counter() - start, 1))

    def noticed_by(self, target: Target, tests: list[str]) -> str:
        """Say what notices the mutation; a test that fails on intact code as well does not count."""
        left = list(tests)
        while left:
            outcome = self.run(left, target)
            if outcome.state == "passed":
                return ""
            intact = self.run([outcome.test] if outcome.test else left)
            if intact.state == "passed":
                return outcome.last_words if outcome.test else f"{outcome.state}: {outcome.last_words}"
            print(f"  fails on intact code too: {intact.test or outcome.test or intact.state}", file=sys.stderr)
            if outcome.test is None:
                return ""
            left.remove(outcome.test)
        return ""


def check_sample(laboratory: Laboratory, targets: Sequence[Target], n: int) -> None:
    """Stop unless the tests of some targets pass on intact code."""
    targets = [target for target in targets if target.place and laboratory.covered.tests_of(target)]
    for target in sorted(targets, key=lambda t: stable_number("sample", t.mutation.qualname))[:n]:
        batch = laboratory.covered.batches(laboratory.covered.tests_of(target), laboratory.args.limit, 10.0)[0]
        outcome = laboratory.run(batch)
        if outcome.state != "passed":
            sys.exit(f"The tests of {target.mutation.qualname} fail on intact code: {outcome.last_words}")


def run(root: Path, targets: Sequence[Target], args: argparse.Namespace) -> None:
    """Try all mutations that have no result yet and write each result at once."""
    stored = json.loads(args.out.read_text("utf-8")) if args.out.exists() else []
    results = {item["qualname"]: Result(**item) for item in stored}
    missing = [target for target in targets if target.mutation.qualname not in results]
    with tempfile.TemporaryDirectory(prefix="mutations-") as scratch:
        if missing:
            laboratory = Laboratory(root, Path(scratch), Covered.read(root, args.data), args)
            check_sample(laboratory, missing, args.sample)
        for target in missing:
            result = laboratory.judge(target)
            results[result.qualname] = result
            print(row(result), flush=True)
            args.out.write_text(json.dumps([asdict(r) for r in results.values()], indent=1) + "\n", "utf-8")
    print(f"\n{len(missing)} tried now, {len(results)} in all\n")
    print("\n".join(map(row, results.values())))
    totals = Counter(result.status for result in results.values())
    print("\nTotal: " + ", ".join(f"{count} {status}" for status, count in totals.most_common()))
    if args.baseline:
        before = {
            item["qualname"] for item in json.loads(args.baseline.read_text("utf-8")) if item["status"] == "noticed"
        }
        lost = [
            f"{r.qualname} ({r.status})" for r in results.values() if r.qualname in before and r.status != "noticed"
        ]
        print(f"Noticed in the baseline: {len(before)}. No longer noticed: {', '.join(lost) or 'none'}")
        sys.exit(totals["noticed"] < len(before))


def row(result: Result) -> str:
    """Return the table row of a result."""
    change = f"{result.before[:40]} -> {result.after[:40]}".replace("\n", " ")
    note = f"  ({result.note})" if result.note else ""
    return (
        f"{result.status:12}{result.kind:11}{result.n_run:>4}/{result.n_covering:<5}{result.qualname:45} {change}{note}"
    )


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--root", type=Path, default=Path(), help="top folder of the checkout")
    commands = parser.add_subparsers(dest="command", required=True)
    choosing = commands.add_parser("choose", help="choose functions and places")
    choosing.add_argument("--n", type=int, default=60, help="number of functions")
    choosing.add_argument("--seed", type=int, default=0)
    choosing.add_argument("--out", type=Path, default=Path("chosen.json"))
    covering = commands.add_parser("cover", help="record which tests cover the chosen functions")
    running = commands.add_parser("run", help="break the functions and run the tests that cover them")
    for command in (covering, running):
        command.add_argument("--chosen", type=Path, default=Path("chosen.json"))
        command.add_argument("--data", type=Path, default=Path("coverage.db"), help="coverage data, next to its log")
        command.add_argument("--rename", action="append", default=[], metavar="OLD=NEW", help="renamed function")
    running.add_argument("--out", type=Path, default=Path("results.json"))
    running.add_argument("--baseline", type=Path, help="earlier results; fewer noticed mutations are an error")
    running.add_argument("--limit", type=int, default=40, help="tests in the first batch; a second has ten times more")
    running.add_argument("--budget", type=float, default=45.0, help="seconds that the tests of a batch took together")
    running.add_argument("--timeout", type=float, default=120.0, help="seconds after which a batch is ended: noticed")
    running.add_argument("--sample", type=int, default=3, help="functions whose tests are first run on intact code")
    return parser.parse_args()


def main() -> None:
    """Run one of the three steps."""
    args = _arguments()
    root = args.root.resolve()
    if args.command == "choose":
        chosen = choose(root, args.n, args.seed)
        args.out.write_text(json.dumps([asdict(mutation) for mutation in chosen], indent=1) + "\n", "utf-8")
        print("\n".join(f"{m.floor:6}{m.kind:11}{m.qualname:45} {m.before[:50]} -> {m.after[:50]}" for m in chosen))
        return
    args.data = args.data.resolve()
    targets = find_targets(root, args.chosen, args.rename)
    for target in targets:
        if target.note:
            print(f"{'gone' if target.place is None else 'found'}: {target.mutation.qualname}: {target.note}")
    if args.command == "cover":
        sys.exit(cover(root, targets, args.data))
    run(root, targets, args)


if __name__ == "__main__":
    main()
