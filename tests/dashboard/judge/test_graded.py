"""Judgments of a query as a document: no text breaks out of it, and what has no grade is a dash."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from core.judge.judgments import STATUSES, GradeOverride, JudgeCandidate, JudgedCandidate, TripleVerdict
from dashboard.judge.judgments import MOST_LISTED, EngineAnswer, grade_words, graded_html, graded_rows
from tests.dashboard.judge.judge_documents import Document
from tests.data.judged_runs import RUBRIC

ODD = "<script>alert(1)</script> \"quoted\" 'and' &amp; </li>"


def judged(
    verdict: TripleVerdict | None, *, rank: int = 1, text: str = "T", said: GradeOverride | None = None
) -> JudgedCandidate:
    return JudgedCandidate(JudgeCandidate(text, "q", rank, text, text, text), f"k{rank}", verdict, said)


def document(*rows: JudgedCandidate, engine: str = "a", chosen: str | None = None) -> Document:
    return Document(graded_html([EngineAnswer(engine, rows)], RUBRIC, "light", chosen=chosen))


@given(st.text(max_size=40) | st.just(ODD), st.sampled_from(STATUSES))
def test_no_text_breaks_out(text: str, status: str) -> None:
    points = 3 if status in ("ok", "repaired", "no_abstract") else None
    row = judged(TripleVerdict(status, points, 5, text), text=text)  # type: ignore[arg-type]
    over = judged(TripleVerdict("refused", reason=text), text=text, said=GradeOverride("k", 2, text, text, "now"))
    told = document(row, over, engine=text)
    assert set(told.tags) == {"style", "div", "section", "h2", "p", "b", "ol", "li", "span", "i", "small"}
    assert told.tags.count("li") == 2


def test_what_has_no_grade_is_a_dash_and_fills_no_bar() -> None:
    for row in (judged(None), judged(TripleVerdict("invalid_scale", reason="84 is no grade"))):
        told = document(row)
        assert "–" in told.texts
        assert "width:0%" in told.html
        assert "0" not in told.texts
    assert "0" in document(judged(TripleVerdict("ok", 0))).texts


def test_a_persons_grade_is_told_from_the_judges() -> None:
    said = GradeOverride("k", 4, "Ada", "It fits.", "now")
    told = document(judged(TripleVerdict("ok", 1, 9, "Near."), said=said))
    assert "level 4 · by Ada; the judge: 20" in told.texts
    assert "It fits." in told.texts
    assert 'class="person" style="width:80%"' in told.html
    assert grade_words(judged(TripleVerdict("refused"), said=said), RUBRIC) == "level 4 · by Ada; the judge: no grade"


def test_long_answers_are_listed_in_part_and_tabled_whole() -> None:
    rows = [judged(TripleVerdict("ok", 3), rank=rank) for rank in range(1, MOST_LISTED + 8)]
    told = document(*rows, chosen="k2")
    assert told.tags.count("li") == MOST_LISTED
    assert any(text.startswith("7 more") for text in told.texts)
    assert told.html.count('class="open"') == 1
    assert len(graded_rows([EngineAnswer("a", tuple(rows))], RUBRIC)) == MOST_LISTED + 7


def test_means_are_over_what_has_a_grade() -> None:
    told = document(judged(TripleVerdict("ok", 5)), judged(TripleVerdict("filtered")), judged(TripleVerdict("ok", 2)))
    assert "70.0" in told.texts
    assert " · 2 of 3 graded" in told.texts
    assert "nothing found" in " ".join(document().texts)
