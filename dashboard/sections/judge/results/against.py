"""Two sets of queries with the same settings, one of them of another run or both of this one."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import streamlit as st

from core.judging.means import dimension_values
from core.judging.sampling import PairedSets, paired
from core.judging.scores import JudgeComparison, JudgeScores, paired_groups_scores
from core.ranking.check import Query
from dashboard import cache, state
from dashboard.components.mount import current_theme
from dashboard.figures.judge.differences import difference_rows, differences_figure
from dashboard.messages import sentence
from dashboard.sections.figure import draw_figure
from dashboard.sections.judge.choosing import Opened, open_run
from dashboard.sections.judge.results.scores import scores_of
from dashboard.words import plain
from data.judging.keeping.runs import JudgeRunRow, list_judge_runs, load_judge

WHOLE = ""
ALL = ""


@dataclass(frozen=True, eq=False)
class Side:
    """One of the two sets."""

    name: str
    queries: tuple[Query, ...]
    scores: JudgeScores
    judge_key: str


def draw_against(opened: Opened, scores: JudgeScores) -> None:
    """Choose the two sets, then how they differ."""
    st.caption(
        "Sets of queries that were written to the same settings, key by key, are compared pair by pair: what differs "
        "is what the queries are about."
    )
    parts, others = parts_of(opened.field.queries), _other_runs(opened)
    if len(parts) == 1 and not others:
        st.info("There is nothing to compare with yet: judge a second set of queries under the same rubric.")
        return
    sides = _choose_sides(opened, scores, parts, others)
    matched = paired(sides[0].queries, sides[1].queries)
    st.markdown(plain(matched.sentence))
    if sides[0].judge_key != sides[1].judge_key:
        st.warning("Two different judges graded these sets: a difference may be theirs.", icon=":material/warning:")
    if matched.alike:
        _draw(opened, sides, matched)


def parts_of(queries: Sequence[Query]) -> Mapping[str, tuple[Query, ...]]:
    """The sets that one run holds: ids of a collection of several files begin with the file, up to a slash."""
    found: dict[str, list[Query]] = {}
    for query in queries:
        found.setdefault(query.query_id.rpartition("/")[0], []).append(query)
    if len(found) < 2 or WHOLE in found:
        return {WHOLE: tuple(queries)}
    return {name: tuple(part) for name, part in found.items()}


def _other_runs(opened: Opened) -> dict[str, JudgeRunRow]:
    """Other runs under the same rubric, by id."""
    store = cache.workspace().store
    same = {key: load_judge(store, key).rubric_key for key in {row.judge_key for row in list_judge_runs(store)}}
    return {
        row.run_id: row
        for row in list_judge_runs(store)
        if row.run_id != opened.row.run_id and same[row.judge_key] == opened.judge.rubric_key
    }


def _choose_sides(
    opened: Opened,
    scores: JudgeScores,
    parts: Mapping[str, tuple[Query, ...]],
    others: Mapping[str, JudgeRunRow],
) -> tuple[Side, Side]:
    left, right = st.columns(2)
    first = next(iter(parts))
    if len(parts) > 1:
        state.settle_named("judge_set", list(parts))
        first = str(left.selectbox("Set", list(parts), key="judge_set"))
        state.write_in_link("judge_set", [first])
    else:
        left.selectbox("Set", [opened.row.name], disabled=True, key="judge-only-set")
    names = {f"part:{name}": name for name in parts if name != first}
    names |= {f"run:{run_id}": row.name for run_id, row in others.items()}
    state.settle_named("judge_against", list(names))
    chosen = str(
        right.selectbox(
            "Against", list(names), key="judge_against", format_func=lambda option: names.get(str(option), str(option))
        )
    )
    state.write_in_link("judge_against", [chosen])
    one = Side(first or opened.row.name, parts[first], scores, opened.row.judge_key)
    kind, _, name = chosen.partition(":")
    if kind == "part":
        return one, Side(name, parts[name], scores, opened.row.judge_key)
    return one, _of_run(others[name], scores)


def _of_run(row: JudgeRunRow, like: JudgeScores) -> Side:
    """Another run, counted as this one is."""
    opened = open_run(row)
    return Side(
        row.name, opened.field.queries, scores_of(opened, cut=like.cut, judge_alone=like.judge_alone), row.judge_key
    )


def _draw(opened: Opened, sides: tuple[Side, Side], matched: PairedSets) -> None:
    by, groups = _groups(matched)
    one, other = sides
    found = paired_groups_scores(one.scores, other.scores, groups, names=(one.name, other.name))
    named = _named(found)
    if not named:
        st.info("No engine of the same name is in both: only what one engine finds for both sets can be compared.")
        return
    if by == ALL:
        st.markdown("\n".join(f"- **{plain(engine)}**: {plain(c.sentence)}" for engine, c in found[ALL].items()))
        _say_unmatched(sides)
    draw_figure(
        differences_figure(named, rubric=one.scores.rubric, theme=current_theme()),
        key="judge-against",
        name=f"{other.name} against {one.name}",
        reading=f"to the right of 0 publications are graded higher for {other.name}, to the left for {one.name}. A "
        "difference is clear where its range leaves out 0 and the test agrees after correction for all rows.",
        rows=difference_rows(named),
        notes=[] if by == ALL else ["Hollow signs are not clear, and groups of few pairs seldom are."],
    )


def _groups(matched: PairedSets) -> tuple[str, dict[str, list[tuple[str, str]]]]:
    """All pairs, or those of each value of a dimension."""
    pairs = {a.query_id: (a.query_id, b.query_id) for a, b in matched.alike}
    dimensions = dimension_values([a for a, _ in matched.alike])
    options = [ALL, *dimensions]
    state.settle_named("judge_pairs", options)
    by = str(
        st.selectbox(
            "Pairs by",
            options,
            key="judge_pairs",
            format_func=lambda name: str(name).replace("_", " ") or "all together",
        )
    )
    state.write_in_link("judge_pairs", [by] if by else [])
    if by == ALL:
        return ALL, {ALL: list(pairs.values())}
    return by, {value: [pairs[query_id] for query_id in ids] for value, ids in dimensions[by].items()}


def _named(found: Mapping[str, Mapping[str, JudgeComparison]]) -> dict[str, JudgeComparison]:
    """A row for each engine, or for each engine in each group."""
    return {
        f"{value}\n{engine}" if value else engine: c
        for value, engines in found.items()
        for engine, c in engines.items()
    }


def _say_unmatched(sides: tuple[Side, Side]) -> None:
    there = [{each.engine for each in side.scores.engines} for side in sides]
    for side, names, theirs in zip(sides, there, there[::-1], strict=True):
        if only := [name for name in names if name not in theirs]:
            st.caption(plain(sentence(f"only in {side.name}: {', '.join(sorted(only))}")))
