"""The Results view: mean grades of engines, their differences, and the judge's confidence."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from html import escape
from typing import Any

import streamlit as st

from core.collections import Query
from core.judge.confidence import calibration, sure_of
from core.judge.grades import JUDGE_METRICS, dimension_values, points_of
from core.judge.judgments import JudgedCandidate, Rubric
from core.judge.sampling import PairedSets, paired
from core.judge.scores import ALL as ALL_QUERIES
from core.judge.scores import ANSWERED as SHARED
from core.judge.scores import (
    EngineScores,
    JudgeComparison,
    JudgeScores,
    best_engines,
    counted_as,
    default_cut,
    judge_verdict,
    number,
    paired_groups_scores,
)
from core.judge.truth import KnownTruth, contradicts, truth_sentences
from core.stats import Interval
from core.text import many
from dashboard import cache, state
from dashboard.judge.figures import (
    NO_GRADE,
    agreement_figure,
    confidence_rows,
    difference_rows,
    differences_figure,
    dimension_figure,
    dimension_rows,
    level_rows,
    levels_figure,
    levels_in_words,
    pair_names,
    percent,
    rank_rows,
    ranks_figure,
    spread_figure,
)
from dashboard.judge.findings import SOURCE, scale_of
from dashboard.judge.selection import OpenedJudgeRun, graded_key, open_run, scores_of
from dashboard.kit.components import Row, choose_view, current_theme, draw_figure
from dashboard.kit.figure_frame import look_at
from dashboard.kit.link_controls import choose_one, choose_segment
from dashboard.kit.publication_lists import PublicationGroup, draw_table
from dashboard.kit.theme import COLOURS, Theme, range_track, score_table_style
from dashboard.messages import guarded, sentence
from dashboard.words import plain
from data.judge.demo_judge import DEMO_MODEL
from data.judge.findings import OVERRULED
from data.judge.runs import JudgeRunRow, list_judge_runs, load_judge
from data.judge.trust import PeopleSource, people_sources, values_of
from data.judge.truth import WHOLE as WHOLE_RANKINGS
from data.judge.truth import truth_of, truth_source
from data.store import content_hash

# Engines as a table: mean grade with its interval, share at the cut, coverage. Every text of a user is escaped.

NONE = "–"


def engines_html(scores: JudgeScores, theme: Theme, *, caption: str) -> str:
    """Render engines with the highest mean first; engines without one are last."""
    order, span = best_engines(scores), _span(scores)
    rest = [each for each in scores.engines if each not in order]
    places = {each.engine: place for place, each in enumerate(scores.engines)}
    body = "".join(_line(each, places[each.engine], scores.rubric, span, theme) for each in (*order, *rest))
    heads = (
        _head("mean_score_all"),
        _head("mean_score"),
        _head("answered"),
        _head("share_at_cut", f"Graded {scores.cut} or more"),
        _head("coverage"),
        '<th scope="col" title="Publications without a grade, and why">Without a grade</th>',
    )
    return (
        f'<div class="qs-scores qs-judged" tabindex="0" role="region" aria-label="{escape(caption)}"><table>'
        f'<thead><tr><th scope="col">Engine</th>{"".join(heads)}</tr></thead><tbody>{body}</tbody></table></div>'
        f"{score_table_style(theme)}{_more_style(theme)}"
    )


def _head(metric_id: str, label: str = "") -> str:
    words = JUDGE_METRICS[metric_id]
    text = escape(f"{words.sentence} {words.formula}. {words.undefined}")
    sort = ' aria-sort="descending"' if metric_id == "mean_score_all" else ""
    return f'<th scope="col" title="{text}"{sort}>{escape(label or words.label)}</th>'


def _span(scores: JudgeScores) -> tuple[float, float]:
    ends = [end for each in scores.engines if (interval := _range(each)) for end in interval]
    ends += [each.mean_all.value for each in scores.engines if each.mean_all.value is not None]
    low, high = (min(ends), max(ends)) if ends else (0.0, 1.0)
    return (low, high) if high > low else (low - 0.5, low + 0.5)


def _line(each: EngineScores, place: int, rubric: Rubric, span: tuple[float, float], theme: Theme) -> str:
    cells = (
        _number(each, rubric, span),
        _over_answered(each, rubric),
        NONE if each.answered is None else _answered(each, each.answered),
        _share(each),
        NONE if each.coverage is None else _coverage(each, each.coverage),
        _without(each),
    )
    colour = look_at(place, theme).colour
    name = f'<th scope="row"><i class="run" style="background:{colour}"></i>{escape(each.engine)}</th>'
    return f"<tr>{name}{''.join(f'<td>{cell}</td>' for cell in cells)}</tr>"


def _number(each: EngineScores, rubric: Rubric, span: tuple[float, float]) -> str:
    mean = each.mean_all
    if mean.value is None:
        return f'<span title="{escape(mean.reason)}">{NONE}</span>'
    text = f"<b>{number(mean.value, rubric.shown_max)}</b>"
    if mean.n < each.n_asked:
        text += f"<small>{many(mean.n, 'query')} of {each.n_asked:,}</small>"
    interval = _range(each)
    text += range_track(mean.value, interval, span)
    if interval is None:
        return f"{text}<small>no range: one query</small>"
    ends = " to ".join(number(end, rubric.shown_max) for end in interval)
    within = "" if mean.interval else "<small>within the query</small>"
    return f"{text}<small>{ends}</small>{within}"


def _range(each: EngineScores) -> Interval | None:
    """Return the interval over queries; with a single query, over its publications."""
    return each.mean_all.interval or (each.within.mean if each.within and each.mean_all.n == 1 else None)


def _over_answered(each: EngineScores, rubric: Rubric) -> str:
    """Format the mean over answered queries, with their number."""
    mean = each.mean
    if mean.value is None:
        return f'<span title="{escape(mean.reason)}">{NONE}</span>'
    return f"{number(mean.value, rubric.shown_max)}<small>over {many(mean.n, 'query')}</small>"


def _share(each: EngineScores) -> str:
    share = each.share_at_cut
    if share.value is None:
        return f'<span title="{escape(share.reason)}">{NONE}</span>'
    interval = share.interval or (each.within.share if each.within else None)
    over = f"<small>over {many(share.n, 'query')}</small>" if share.n < each.n_asked else ""
    if interval is None:
        return percent(share.value) + over
    return f"{percent(share.value)}<small>{' to '.join(f'{100 * end:.0f}' for end in interval)} %</small>{over}"


def _coverage(each: EngineScores, share: float) -> str:
    return f"{percent(share)}<small>{each.n_valid:,} of {each.n:,}</small>"


def _answered(each: EngineScores, share: float) -> str:
    without = f"<small>{each.n_without:,} without a grade</small>" if each.n_without else ""
    return f"{percent(share)}<small>{each.n_queries:,} of {many(each.n_asked, 'query')}</small>{without}"


def _without(each: EngineScores) -> str:
    n = each.n - each.n_valid
    if not n:
        return "0"
    listed = "; ".join(f"{reason}: {count:,}" for reason, count in each.missing.items())
    most, *more = each.missing
    shown = f"{most}: {each.missing[most]:,}" if more else most
    rest = f"<small>{_n_others(len(more))}</small>" if more else ""
    return f'<span title="{escape(listed)}">{n:,}<small>{escape(shown)}</small>{rest}</span>'


def _n_others(n: int) -> str:
    return "and one other reason" if n == 1 else f"and {n} other reasons"


def _more_style(theme: Theme) -> str:
    c = COLOURS[theme]
    return f"""<style>
.qs-judged table {{ width: 100%; }}
.qs-judged:focus-visible {{ outline: 2px solid {c["accent"]}; outline-offset: 2px; }}
.qs-judged th:first-child {{ white-space: normal; min-width: 9rem; max-width: 18rem; overflow-wrap: anywhere; }}
.qs-judged td .track {{ width: 120px; margin-left: auto; margin-top: 1px; }}
.qs-judged .run {{ display: inline-block; width: 9px; height: 9px; border-radius: 50%; margin-right: 7px; }}
.qs-judged td:last-child small {{ white-space: normal; min-width: 11rem; max-width: 20rem; margin-left: auto; }}
@media (max-width: 640px) {{
  .qs-judged th:first-child {{ min-width: 6rem; max-width: 7.5rem; }}
  .qs-judged td .track {{ width: 90px; }}
}}
</style>"""


# The counts of each engine, and the judgments behind them.

PUBLICATIONS, GRADED = "Publications", "Graded"


def count_rows(scores: JudgeScores) -> list[Row]:
    """Count the publications of each engine by grade; ungraded ones by reason."""
    reasons = dict.fromkeys(reason for each in scores.engines for reason in each.missing)
    return [
        {
            "Engine": each.engine,
            PUBLICATIONS: each.n,
            GRADED: each.n_valid,
            **{str(points): each.levels[points] for points in reversed(scores.rubric.points)},
            NO_GRADE: each.n - each.n_valid,
            **{f"{NO_GRADE}: {reason}": each.missing.get(reason, 0) for reason in reasons},
        }
        for each in scores.engines
    ]


def counted_in(
    judged: Sequence[JudgedCandidate], scores: JudgeScores, engine: str, column: str
) -> tuple[JudgedCandidate, ...]:
    """Return the judgments counted in a cell of these rows, or in a segment of a bar of grades."""

    def is_in(counted: int | str) -> bool:
        if isinstance(counted, int):
            return column in (PUBLICATIONS, GRADED, str(counted))
        return column in (PUBLICATIONS, NO_GRADE, f"{NO_GRADE}: {counted}")

    own = (each for each in judged if each.candidate.engine == engine)
    return tuple(each for each in own if is_in(counted_as(each, judge_alone=scores.judge_alone)))


def graded_at(judged: Sequence[JudgedCandidate], confidence: int, points: int | None) -> tuple[JudgedCandidate, ...]:
    """Return the triples of a bar of confidence, or of one grade's segment."""
    return tuple(each for each, stated, given in sure_of(judged) if stated == confidence and points in (None, given))


def group_counted(opened: OpenedJudgeRun, scores: JudgeScores, engine: str, column: str) -> PublicationGroup:
    name = f"{engine}, grade {column}" if column.isdecimal() else f"{engine}, {column.lower()}"
    return judgment_group(opened, scores, name, counted_in(opened.judged, scores, engine, column))


def judgment_group(
    opened: OpenedJudgeRun, scores: JudgeScores, name: str, judged: Sequence[JudgedCandidate], noun: str = "publication"
) -> PublicationGroup:
    text_of = {query.query_id: query.text for query in opened.field.queries}
    return PublicationGroup(
        name,
        rows=tuple(
            judgment_row(each, text_of[each.candidate.query_id], judge_alone=scores.judge_alone) for each in judged
        ),
        noun=noun,
    )


def judgment_row(judged: JudgedCandidate, query: str, *, judge_alone: bool) -> Row:
    candidate, verdict = judged.candidate, judged.verdict
    points = points_of(judged, judge_alone=judge_alone)
    return {
        "Title": candidate.title or candidate.doc_id,
        "Query": f"{candidate.query_id}: {query}",
        "Engine": candidate.engine,
        "Rank": candidate.rank,
        "Grade": points,
        **({"Without a grade": str(counted_as(judged, judge_alone=judge_alone))} if points is None else {}),
        "Confidence": None if verdict is None else verdict.confidence,
        "Document": candidate.doc_id,
    }


def draw_counts(opened: OpenedJudgeRun, scores: JudgeScores) -> None:
    rows = count_rows(scores)

    def group_of(row: int, column: str) -> PublicationGroup | None:
        if column == "Engine":
            return None
        return group_counted(opened, scores, scores.engines[row].engine, column)

    with st.expander("Publications by grade"):
        draw_table(rows, group_of, key="judge-counts")


# The parts of the view "Results": differences, kinds of query, grades, ranks, confidence.

MOST_SENTENCES = 15


def draw_comparisons(opened: OpenedJudgeRun, scores: JudgeScores) -> None:
    if not scores.comparisons:
        st.info("There is only one engine. Judge another one on the same queries to compare them here.")
        return
    comparisons, over = _chosen_comparisons(scores)
    order = sorted(comparisons, key=lambda c: (not c.is_clear, -abs(c.difference or 0.0)))
    if any(c.interval for c in order):
        st.markdown("\n".join(f"- {plain(c.sentence)}" for c in order[:MOST_SENTENCES]))
        if len(order) > MOST_SENTENCES:
            st.caption(f"{len(order) - MOST_SENTENCES:,} more pairs are in the table.")
    else:
        st.markdown("No two engines can be compared: no pair has valid grades for two shared queries.")
    named = pair_names(tuple(order))
    draw_figure(
        differences_figure(named, rubric=scores.rubric, theme=current_theme()),
        key="judge-differences",
        name=f"{opened.row.name} differences",
        reading=f"to the right of 0 the first engine is graded higher{over}. A difference is clear for this judge "
        "if its range excludes 0 and the test agrees after correction for all pairs.",
        rows=difference_rows(named),
        notes=[f"{JUDGE_METRICS['difference'].label}: {JUDGE_METRICS['difference'].sentence}"],
    )


OVER = {ALL_QUERIES: "All queries, 0 for unanswered", SHARED: "Shared queries only"}


def _chosen_comparisons(scores: JudgeScores) -> tuple[Sequence[JudgeComparison], str]:
    """Choose the comparisons, and describe their basis; there is no choice if every engine answers every query."""
    if not scores.has_silence:
        return scores.comparisons, ""
    over = choose_segment(st, "Compared over", OVER, key="judge_over", format_func=lambda key: OVER[str(key)])
    if over == SHARED:
        return scores.comparisons, ", over the queries that both answer"
    return scores.comparisons_all, ", over all queries with 0 for unanswered ones"


def draw_dimensions(opened: OpenedJudgeRun, scores: JudgeScores) -> None:
    names = list(scores.dimensions)
    if not names:
        st.info("These queries have no dimensions, so they can't be grouped by kind.")
        return
    words = {name: name.replace("_", " ") for name in names}
    by = choose_one(st.selectbox, "Queries by", names, key="judge_dimension", names=words)
    groups, shown = scores.dimensions[by], words[by]
    engines = [each.engine for each in scores.engines]
    draw_figure(
        dimension_figure(groups, engines, dimension=shown, rubric=scores.rubric, theme=current_theme()),
        key="judge-dimension",
        name=f"{opened.row.name} by {shown}",
        reading="a sign is the mean grade of an engine over the queries of a group that it answers, its line the "
        "95 % range. A hollow sign is based on few queries and is unreliable. The table has the mean "
        "over all queries.",
        rows=dimension_rows(groups, shown),
        notes=["Differences between groups were explored afterwards: they are hypotheses, not results."],
    )


def draw_levels(opened: OpenedJudgeRun, scores: JudgeScores) -> None:
    figure = levels_figure(scores.engines, scores.rubric, cut=scores.cut, theme=current_theme())
    rows = level_rows(scores.engines, scores.rubric)

    def of_point(point: Mapping[str, Any]) -> PublicationGroup:
        name = str(figure.data[point["curve_number"]].name)
        return group_counted(opened, scores, scores.engines[int(point["y"])].engine, name)

    def of_row(row: int, _: str) -> PublicationGroup:
        grade, meaning = rows[row]["Grade"], str(rows[row]["Meaning"])
        return group_counted(opened, scores, str(rows[row]["Engine"]), meaning if grade is None else str(grade))

    draw_figure(
        figure,
        key="judge-levels",
        name=f"{opened.row.name} grades",
        reading="each bar holds all publications of an engine, from the highest grade on the left to ungraded "
        f"ones. {levels_in_words(scores.rubric)}.",
        rows=rows,
        group_of=of_point,
        group_of_row=of_row,
    )


def draw_ranks(opened: OpenedJudgeRun, scores: JudgeScores) -> None:
    draw_figure(
        ranks_figure(scores.ranks, rubric=scores.rubric, theme=current_theme()),
        key="judge-ranks",
        name=f"{opened.row.name} by rank",
        reading="each line is the mean grade of an engine at each rank, over all queries with a grade there. The "
        "table has ranges and the number of queries.",
        rows=rank_rows(scores.ranks),
    )


# The calibration of a judge's stated confidence against people; without people, the spread of grades over it.


def draw_confidence(opened: OpenedJudgeRun, scores: JudgeScores) -> None:
    source = _choose_people(opened)
    found = calibration(opened.judged, scores.rubric, human=_grades(opened, source))
    st.markdown(plain(found.sentence))
    rows = confidence_rows(found, scores.rubric)
    if found.source == "people":
        draw_figure(
            agreement_figure(found, theme=current_theme()),
            key="judge-agreement",
            name=f"{opened.row.name} confidence against people",
            reading="each sign is the share of triples with this confidence where a person gave the same grade "
            "as the judge.",
            rows=rows,
        )
    figure = spread_figure(found, scores.rubric, theme=current_theme())

    def of_bin(confidence: int, points: int | None) -> PublicationGroup:
        grade = "" if points is None else f", grade {points}"
        listed = graded_at(opened.judged, confidence, points)
        return judgment_group(opened, scores, f"Confidence {confidence}{grade}", listed, noun="triple")

    def of_cell(row: int, column: str) -> PublicationGroup | None:
        points = {"Triples": None, **{f"{grade.points} {grade.name}": grade.points for grade in scores.rubric.grades}}
        return of_bin(found.bins[row].confidence, points[column]) if column in points else None

    draw_figure(
        figure,
        key="judge-confidence",
        name=f"{opened.row.name} confidence",
        reading="each bar holds the triples with this confidence, in the colours of their grades. "
        f"{levels_in_words(scores.rubric)}.",
        rows=rows,
        group_of=lambda point: of_bin(int(point["x"]), int(figure.data[point["curve_number"]].name)),
        group_of_row=of_cell,
        notes=[f"{found.n_silent:,} triples have a grade but no confidence."] if found.n_silent else [],
    )


def _choose_people(opened: OpenedJudgeRun) -> PeopleSource | None:
    sources = {
        each.collection or OVERRULED: each
        for each in people_sources(cache.workspace().store, opened.row.run_id, opened.judged)
    }
    if not sources:
        return None
    labels = {key: f"{each.label} ({each.n:,})" for key, each in sources.items()}
    source = sources[choose_one(st.selectbox, "Human grades", list(labels), key=SOURCE, names=labels)]
    if source.note:
        st.warning(plain(source.note), icon=":material/warning:")
    if not source.is_overruled:
        scale = scale_of(opened, source)
        text = ", ".join(f"{value} counts as {scale.get(value, 'left out')}" for value in source.values)
        st.caption(plain(f"Human values on the judge's scale: {text}. Change this in the view Trust."))
    return source


def _grades(opened: OpenedJudgeRun, source: PeopleSource | None) -> Mapping[str, int] | None:
    """Return people's grades by triple, on the judge's scale; None: use overruled grades."""
    if source is None or source.collection is None:
        return None
    scale = scale_of(opened, source)
    values = values_of(cache.workspace().store, opened.row.run_id, source.collection)
    found = {}
    for each in opened.judged:
        value = values.get((each.candidate.query_id, each.candidate.doc_id))
        if value is not None and value in scale:
            found[each.triple_key] = scale[value]
    return found


# Two sets of queries with the same settings: one of another run, or both of this run.

WHOLE = ""
ALL = ""


@dataclass(frozen=True, eq=False)
class QuerySetScores:
    name: str
    queries: tuple[Query, ...]
    scores: JudgeScores
    judge_key: str


def draw_against(opened: OpenedJudgeRun, scores: JudgeScores) -> None:
    st.caption(
        "Compares two sets of queries pair by pair. The queries of a pair have the same settings and "
        "differ only in their subject."
    )
    parts, others = parts_of(opened.field.queries), _other_runs(opened)
    if len(parts) == 1 and not others:
        st.info("Nothing to compare with yet: judge a second set of queries under the same rubric.")
        return
    sides = _choose_sides(opened, scores, parts, others)
    matched = paired(sides[0].queries, sides[1].queries)
    st.markdown(plain(matched.sentence))
    if sides[0].judge_key != sides[1].judge_key:
        st.warning(
            "Different judges graded these sets, so differences may come from the judges.", icon=":material/warning:"
        )
    if matched.alike:
        _draw(opened, sides, matched)


def parts_of(queries: Sequence[Query]) -> Mapping[str, tuple[Query, ...]]:
    """Split a run into its sets: a collection of several files has ids that begin with the file, up to a slash."""
    found: dict[str, list[Query]] = {}
    for query in queries:
        found.setdefault(query.query_id.rpartition("/")[0], []).append(query)
    if len(found) < 2 or WHOLE in found:
        return {WHOLE: tuple(queries)}
    return {name: tuple(part) for name, part in found.items()}


def _other_runs(opened: OpenedJudgeRun) -> dict[str, JudgeRunRow]:
    store = cache.workspace().store
    same = {key: load_judge(store, key).rubric_key for key in {row.judge_key for row in list_judge_runs(store)}}
    return {
        row.run_id: row
        for row in list_judge_runs(store)
        if row.run_id != opened.row.run_id and same[row.judge_key] == opened.judge.rubric_key
    }


def _choose_sides(
    opened: OpenedJudgeRun,
    scores: JudgeScores,
    parts: Mapping[str, tuple[Query, ...]],
    others: Mapping[str, JudgeRunRow],
) -> tuple[QuerySetScores, QuerySetScores]:
    left, right = st.columns(2)
    first = next(iter(parts))
    if len(parts) > 1:
        first = choose_one(left.selectbox, "Set", list(parts), key="judge_set")
    else:
        left.selectbox("Set", [opened.row.name], disabled=True, key="judge-only-set")
    names = {f"part:{name}": name for name in parts if name != first}
    names |= {f"run:{run_id}": row.name for run_id, row in others.items()}
    chosen = choose_one(right.selectbox, "Compare with", list(names), key="judge_against", names=names)
    one = QuerySetScores(first or opened.row.name, parts[first], scores, opened.row.judge_key)
    kind, _, name = chosen.partition(":")
    if kind == "part":
        return one, QuerySetScores(name, parts[name], scores, opened.row.judge_key)
    return one, _of_run(others[name], scores)


def _of_run(row: JudgeRunRow, like: JudgeScores) -> QuerySetScores:
    opened = open_run(row)
    return QuerySetScores(
        row.name, opened.field.queries, scores_of(opened, cut=like.cut, judge_alone=like.judge_alone), row.judge_key
    )


def _draw(opened: OpenedJudgeRun, sides: tuple[QuerySetScores, QuerySetScores], matched: PairedSets) -> None:
    by, groups = _groups(matched)
    one, other = sides
    found = paired_groups_scores(one.scores, other.scores, groups, names=(one.name, other.name))
    named = _named(found)
    if not named:
        st.info("The sets share no engine name: only the results of one engine for both sets can be compared.")
        return
    if by == ALL:
        st.markdown("\n".join(f"- **{plain(engine)}**: {plain(c.sentence)}" for engine, c in found[ALL].items()))
        _say_unmatched(sides)
    draw_figure(
        differences_figure(named, rubric=one.scores.rubric, theme=current_theme()),
        key="judge-against",
        name=f"{other.name} against {one.name}",
        reading=f"to the right of 0 publications are graded higher for {other.name}, to the left for {one.name}. "
        "A difference is clear if its range excludes 0 and the test agrees after correction for all "
        "rows.",
        rows=difference_rows(named),
        notes=[] if by == ALL else ["Hollow signs are not clear. Groups with few pairs are seldom clear."],
    )


def _groups(matched: PairedSets) -> tuple[str, dict[str, list[tuple[str, str]]]]:
    pairs = {a.query_id: (a.query_id, b.query_id) for a, b in matched.alike}
    dimensions = dimension_values([a for a, _ in matched.alike])
    options = [ALL, *dimensions]
    words = {name: name.replace("_", " ") or "all" for name in options}
    by = choose_one(st.selectbox, "Pairs by", options, key="judge_pairs", usual="", names=words)
    if by == ALL:
        return ALL, {ALL: list(pairs.values())}
    return by, {value: [pairs[query_id] for query_id in ids] for value, ids in dimensions[by].items()}


def _named(found: Mapping[str, Mapping[str, JudgeComparison]]) -> dict[str, JudgeComparison]:
    return {
        f"{value}\n{engine}" if value else engine: c
        for value, engines in found.items()
        for engine, c in engines.items()
    }


def _say_unmatched(sides: tuple[QuerySetScores, QuerySetScores]) -> None:
    there = [{each.engine for each in side.scores.engines} for side in sides]
    for side, names, theirs in zip(sides, there, there[::-1], strict=True):
        if only := [name for name in names if name not in theirs]:
            st.caption(plain(sentence(f"only in {side.name}: {', '.join(sorted(only))}")))


# The view "Results": the scores of engines by the judge's grades, and their uncertainty.

PARTS: dict[str, Callable[[OpenedJudgeRun, JudgeScores], None]] = {
    "Differences": draw_comparisons,
    "Kinds of query": draw_dimensions,
    "Grades": draw_levels,
    "Ranks": draw_ranks,
    "Confidence": draw_confidence,
    "Two sets": draw_against,
}
MOST_WARNINGS = 4
PEOPLE, ALONE = "with people's grades", "the judge alone"


@dataclass(frozen=True, slots=True)
class GradeChoice:
    cut: int
    judge_alone: bool


def draw_results(opened: OpenedJudgeRun) -> None:
    head = st.container()
    counted = _choose_counted(opened)
    scores = scores_of(opened, cut=counted.cut, judge_alone=counted.judge_alone)
    with head:
        st.header(plain(judge_verdict(scores)), anchor=False)
        with guarded():
            _draw_truth(opened, scores)
    st.html(engines_html(scores, current_theme(), caption=f"Engines of {opened.row.name}"))
    st.caption(plain(_reading(opened, scores)))
    draw_counts(opened, scores)
    _draw_warnings(scores.warnings)
    for note in opened.field.notes:
        st.caption(plain(sentence(note)))
    part = choose_view(PARTS, key="judge_part", label="Part")
    with guarded():
        PARTS[str(part)](opened, scores)
    _draw_definitions()


def _draw_truth(opened: OpenedJudgeRun, scores: JudgeScores) -> None:
    """Draw the headline's check against known judgments; nothing if there are none."""
    source = truth_source(cache.workspace(), opened.row, opened.judged)
    if source is None:
        return
    scale = scale_of(opened, source)
    key = content_hash(
        ["truth", opened.row.run_id, repr(source), repr(sorted(scale.items())), graded_key(opened, scores)]
    )
    truth = cache.ranked().get(key)
    if not isinstance(truth, KnownTruth):
        with st.spinner("Comparing with known judgments"):
            truth = truth_of(
                cache.workspace(),
                opened.row,
                opened.field,
                opened.judged,
                opened.judge.rubric,
                cut=scores.cut,
                scale=scale,
            )
        if truth is None:
            return
        cache.keep_ranked(key, truth)
    text = plain(" ".join(truth_sentences(truth, scores)))
    if contradicts(truth, scores):
        st.warning(text, icon=":material/balance:")
    else:
        st.markdown(text)
    as_there = ", as on the page Retrievers" if truth.over == WHOLE_RANKINGS else " alone"
    st.caption(
        plain(f"These metrics are over {truth.over}{as_there}. Publications without a judgment count as not relevant.")
    )


def _draw_warnings(warnings: Sequence[str]) -> None:
    lines = [plain(warning) for warning in warnings]
    if not lines:
        return
    shown = "\n".join(f"- {line}" for line in lines[:MOST_WARNINGS]) if len(lines) > 1 else lines[0]
    st.warning(shown, icon=":material/warning:")
    if len(lines) > MOST_WARNINGS:
        n = len(lines) - MOST_WARNINGS
        with st.expander(f"{n:,} more {'warning' if n == 1 else 'warnings'}"):
            st.markdown("\n".join(f"- {line}" for line in lines[MOST_WARNINGS:]))


def _choose_counted(opened: OpenedJudgeRun) -> GradeChoice:
    rubric = opened.judge.rubric
    left, right = st.columns([0.3, 0.7], vertical_alignment="bottom")
    names = {str(grade.points): f"{grade.points} {grade.name}" for grade in rubric.grades}
    key, usual = "judge_cut", str(default_cut(rubric))
    state.settle_named(key, [usual, *names])
    cut = str(
        left.selectbox(
            "Relevant from grade",
            list(names),
            key=key,
            format_func=lambda points: names.get(points, points),
            help=JUDGE_METRICS["share_at_cut"].sentence,
        )
    )
    state.write_in_link(key, [cut])
    n = sum(each.overruled is not None and each.overruled.points is not None for each in opened.judged)
    alone = False
    if n:
        whose = choose_segment(right, f"Grades ({n:,} overruled)", (PEOPLE, ALONE), key="judge_whose")
        alone = whose == ALONE
    return GradeChoice(int(cut), alone)


def _reading(opened: OpenedJudgeRun, scores: JudgeScores) -> str:
    whose = "the demo judge, which is not a language model" if _is_demo(opened) else opened.judge.settings.model
    by_title = sum(each.n_by_title for each in scores.engines)
    within = any(each.within for each in scores.engines)
    over = "publications of this query, not valid for other queries" if within else "queries"
    rubric = opened.judge.rubric
    scale = f", {rubric.points[0]} to {rubric.points[-1]}, shown × {rubric.shown_factor}"
    parts = [
        f"Graded by {whose}{scale if rubric.shown_factor != 1 else ''}",
        "1 query" if scores.n_queries == 1 else f"{scores.n_queries:,} queries, each counting the same",
        *(["an unanswered query counts 0 in the mean over all queries"] if scores.has_silence else []),
        f"whiskers: 95 % bootstrap ranges over {over}, all on one scale",
        "publications without a grade are ignored; they never count as not relevant",
    ]
    if by_title:
        without = many(by_title, "publication")
        parts.append(f"{without} without an abstract graded by the title alone")
    return ". ".join(sentence(part).rstrip(".") for part in parts) + "."


def _is_demo(opened: OpenedJudgeRun) -> bool:
    return opened.judge.settings.model == DEMO_MODEL


def _draw_definitions() -> None:
    with st.expander("Definitions"):
        for words in JUDGE_METRICS.values():
            st.markdown(
                f"- **{plain(words.label)}**: {plain(words.sentence)} {plain(sentence(words.formula))} "
                f"{plain(sentence(words.range))} {plain(words.undefined)}"
            )
