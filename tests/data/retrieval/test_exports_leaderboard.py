"""A leaderboard as CSV, LaTeX and HTML: the numbers come back, and no name breaks out of the text."""

from __future__ import annotations

import csv
import io
import re
from html.parser import HTMLParser

from hypothesis import given
from hypothesis import strategies as st

from data.retrieval.leaderboard import LeaderboardFile, csv_text, html_text, latex, latex_text
from tests.core.leaderboards import a_leaderboard

ODD = "=cmd|' /C calc'!A0 <script>alert(\"1\")</script> 50 % & $x_1$ \\input{x} #~^"
LABELS = {"ndcg@10": "nDCG@10", "map": "MAP"}


def a_file(name: str = "bm25", *, against: str | None = None, title: str = "Teas, test") -> LeaderboardFile:
    values = {name: {"ndcg@10": 1 / 3, "map": 0.2}, "other": {"ndcg@10": 0.5, "map": None}}
    board = a_leaderboard(values, clear=((name, "other"),))
    return LeaderboardFile(board, LABELS, title, against, ("made up",))


def read_csv(text: str) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(text, newline="")))


class Page(HTMLParser):
    """What a browser makes of it."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.texts: list[str] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)

    def handle_data(self, data: str) -> None:
        self.texts.append(data)


def test_csv_has_every_number_in_full() -> None:
    first, other = read_csv(csv_text(a_file()))
    assert float(first["ndcg@10"]) == 1 / 3
    assert float(first["ndcg@10_low"]) == 1 / 3 - 0.1
    assert (first["ndcg@10_compared_with"], float(first["ndcg@10_p_holm"])) == ("other", 0.001)
    assert (other["map"], other["map_low"], other["map_p_holm"]) == ("", "", "")
    assert (first["queries_scored"], first["queries_left_out"]) == ("4", "1")


def test_csv_compares_with_the_run_that_is_named() -> None:
    first, other = read_csv(csv_text(a_file(against="bm25")))
    assert first["ndcg@10_compared_with"] == ""
    assert other["ndcg@10_compared_with"] == "bm25"


def test_no_spreadsheet_runs_a_name() -> None:
    assert read_csv(csv_text(a_file(ODD)))[0]["run"] == f"'{ODD}"


def test_latex_says_what_stands_out() -> None:
    text = latex_text(a_file())
    assert r"\textbf{0.500}" in text
    assert r"0.333$^{\triangledown}$" in text
    assert r"nDCG@10 & MAP \\" in text
    assert "other & " in text
    assert "4 queries scored, 1 without a positive" in text
    assert r"{\scriptsize [0.233, 0.433]}" in text


@given(st.text(max_size=60))
def test_any_name_is_only_text_in_latex(name: str) -> None:
    said = latex(name)
    commands = re.sub(r"\\(text[a-z]+\{\}|[{}$&#%_])|\$-\$", "", said)
    assert not set(commands) & set('\\{}$&#%_^~<>|"')
    assert "\n" not in said


def test_braces_of_a_table_are_even() -> None:
    text = re.sub(r"\\[{}]", "", latex_text(a_file(ODD, title=ODD)))
    assert text.count("{") == text.count("}")
    assert r"\input" not in text.replace(r"\textbackslash{}input", "")


def test_html_shows_names_as_they_are_and_runs_none() -> None:
    page = Page(html_text(a_file(ODD, title=ODD)))
    assert "script" not in page.tags
    assert any(ODD in said for said in page.texts)
    assert page.tags.count("tr") == 3
    assert page.texts.count("0.333 ▼") == 1
    assert page.texts.count("–") == 1
    assert any("made up" in said for said in page.texts)


def test_files_say_what_the_signs_compare_with() -> None:
    assert "the best of" in html_text(a_file())
    assert "worse than bm25" in html_text(a_file(against="bm25"))
