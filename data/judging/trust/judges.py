"""Other judges that graded the same triples, in whatever run."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from core.judging.types import Judged
from data.judging.keeping.runs import Judge, load_judge
from data.store import Store

ORDERS = {"score_first": "grade first", "reason_first": "reason first"}
MOST_JUDGES = 8


@dataclass(frozen=True, eq=False)
class OtherJudge:
    """One judge with what it said of a run's triples."""

    judge_key: str
    name: str
    judge: Judge
    grades: Mapping[str, int]
    """By triple."""


def judges_of(store: Store, judge: Judge, judged: Sequence[Judged]) -> tuple[OtherJudge, ...]:
    """The run's own judge, and those whose rubric has the same grades, by how much they graded of the same.

    A judge that was asked the same again is no other judge.
    """
    keys = list(dict.fromkeys(each.triple_key for each in judged))
    found = store.rows(
        """
        SELECT judge_key, count(DISTINCT triple_key) AS n FROM judge_answers
        WHERE triple_key IN (SELECT unnest($keys::VARCHAR[])) AND points IS NOT NULL AND judge_key != $own
        GROUP BY judge_key ORDER BY n DESC, judge_key
        """,
        {"keys": keys, "own": judge.judge_key},
    )
    chosen, seen = [(judge.judge_key, judge)], {_once(judge)}
    for key, _ in found:
        other = load_judge(store, key)
        if other.rubric.points != judge.rubric.points or _once(other) in seen:
            continue
        seen.add(_once(other))
        chosen.append((key, other))
        if len(chosen) == MOST_JUDGES:
            break
    names = _names([each for _, each in chosen])
    return tuple(
        OtherJudge(key, name, each, _grades(store, key, keys)) for (key, each), name in zip(chosen, names, strict=True)
    )


def _once(judge: Judge) -> str:
    """The same for all repeats of one judge."""
    return replace(judge, settings=replace(judge.settings, repeat=0)).judge_key


def _grades(store: Store, judge_key: str, keys: Sequence[str]) -> dict[str, int]:
    found = store.rows(
        """
        SELECT triple_key, points FROM judge_answers
        WHERE judge_key = $judge AND triple_key IN (SELECT unnest($keys::VARCHAR[]))
        QUALIFY attempt = max(attempt) OVER (PARTITION BY triple_key)
        """,
        {"judge": judge_key, "keys": list(keys)},
    )
    return {key: points for key, points in found if points is not None}


def _names(judges: Sequence[Judge]) -> list[str]:
    """By model, and as much more as tells them apart."""
    names = [each.settings.model for each in judges]
    for more in (
        [ORDERS[each.settings.order] for each in judges],
        [each.rubric.name for each in judges],
        [f"temperature {each.settings.temperature:g}" for each in judges],
        [f"{number}" for number in range(1, len(judges) + 1)],
    ):
        taken = [name for name in names if names.count(name) > 1]
        same = {name for name in taken if len({m for n, m in zip(names, more, strict=True) if n == name}) > 1}
        names = [f"{name}, {m}" if name in same else name for name, m in zip(names, more, strict=True)]
    return names
