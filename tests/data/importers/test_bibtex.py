"""BibTeX: every entry is read, however it is written, or accounted for."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from data.importers.bibtex import plain_from_latex
from data.importers.reading import read_data
from tests.data.importers.bibliographies import only, reading, titles


def test_an_entry_is_read_whole():
    record = only(
        "@inproceedings{smith2003,\n author = {Smith, A. and {World Health Organization} and others},\n"
        ' title = "The {DNA} of {\\"U}bung \\& {\\alpha}-helix",\n booktitle = {Proc. of X},\n pages = {1--9},\n'
        " year = 2003,\n month = mar,\n keywords = {soup; stew, thick},\n url = {https://doi.org/10.1000/AB.1/full},\n"
        " note = {PMID: 12345}\n}"
    )
    assert record.title == "The DNA of Übung & α-helix"
    assert record.authors == ("Smith, A.", "World Health Organization")
    assert (record.venue, record.year, record.pages, record.kind) == ("Proc. of X", 2003, "1-9", "conference")
    assert record.keywords == ("soup", "stew, thick")
    assert (record.doi, record.pmid, record.own_id) == ("10.1000/ab.1", "12345", None)


@pytest.mark.parametrize(
    ("latex", "plain"),
    [
        (r"\'{e} \'e {\'e} {\'{\i}} \^\i", "é é é í î"),
        (r"\c{c}a va, \v{S}koda, \r{a}, \aa, \o, {\ss}, \L{}", "ça va, Škoda, å, å, ø, ß, Ł"),
        (r"100\% \_ \$ \# \{a\}", "100% _ $ # {a}"),
        (r"\textit{in vivo} \emph{{E.} coli} {\it x}", "in vivo E. coli x"),
        (r"H$_2$O, $p < 0.05$, $\alpha_{1}$", "H2O, p < 0.05, α1"),
        ("it costs $5 or more, not $6", "it costs $5 or more, not $6"),
        ("1--2 --- ``so'' a~b about ~5", "1–2 — “so” a b about ~5"),
        (r"\unknown stays", r"\unknown stays"),
    ],
)
def test_latex_becomes_plain_text(latex: str, plain: str):
    assert plain_from_latex(latex) == plain


def test_strings_comments_and_preambles_are_no_records():
    found = reading(
        '@preamble{"x"}\n@string{j = {Journal of }}\n@comment{jabref-meta: a;}\nA line of prose.\n'
        '@article(k, title = "a" # { b}, journal = j # "Soup", month = jan)\n@misc{,title={No key}}\n'
    )
    assert titles(found) == ["a b", "No key"]
    assert found.records[0].venue == "Journal of Soup"
    assert (found.records_in_file, found.rejected) == (2, ())


def test_an_entry_inside_a_comment_is_accounted_for():
    found = reading("@comment{\n@article{a, title = {Left out}}\n}\n@article{b, title = {Read}}")
    assert titles(found) == ["Read"]
    assert [(r.line, r.reason[:23]) for r in found.rejected] == [(2, "an entry inside @commen")]


def test_the_same_key_twice_is_two_records():
    assert titles(reading("@misc{a, title={One}}\n@misc{a, title={Two}}")) == ["One", "Two"]


def test_a_field_twice_counts_once():
    record = only("@misc{a, title={One}, title={Other}, keywords={x}, keywords={y}}")
    assert (record.title, record.keywords) == ("One", ("x", "y"))


@pytest.mark.parametrize(
    "broken",
    [
        "@article{b, title = {Broken {one}, \n year = 2001\n}",  # a brace too few
        "@article{b, title = {Broken one}, year = 2001",  # never closed
        "@article{b\n title = {Broken one},\n year = 2001\n}",  # no comma after the key
        "@article{b, title = {Broken one}\n year = 2001\n}",  # no comma between fields
        '@article{b, title = "Broken one,\n year = 2001\n}',  # a quote too few
        "@article{b, title = {Broken one}}, year = 2001\n}",  # a brace too many
        "@article\n{b c, title = {Broken one}, year = 2001\n}",
    ],
)
def test_a_broken_entry_costs_nothing_after_it(broken: str):
    found = reading(f"@misc{{a, title = {{First}}}}\n{broken}\n@misc{{c, title = {{Last}}}}\n")
    assert [t.replace("{", "") for t in titles(found)] == ["First", "Broken one", "Last"]
    assert found.records[1].year == 2001
    assert (found.records_in_file, found.rejected) == (3, ())


def test_a_backslash_at_the_end_of_a_line_moves_no_line_number():
    found = reading("@misc{a, title = {One\\\\\n\\\n more}}\n@misc{b, title = {Two}}\n\n@misc{b, title = {Three}}")
    assert [(r.line, r.title) for r in found.records] == [(1, "One more"), (4, "Two"), (6, "Three")]


def test_what_says_nothing_is_rejected_with_its_line():
    found = reading("@misc{a, title = {First}}\n\n@misc{b, author = {Nobody}}\n")
    assert [(r.line, "no title" in r.reason) for r in found.rejected] == [(3, True)]


def test_strings_of_strings_do_not_double_for_ever():
    strings = "".join(f"@string{{s{i} = s{i - 1} # s{i - 1}}}\n" for i in range(1, 200))
    found = reading(f'@string{{s0 = "tea "}}\n{strings}@misc{{a, title = s3 # {{time}}}}\n@misc{{b, title = s199}}\n')
    assert found.records[0].title == "tea " * 8 + "time"
    assert len(found.records[1].title) < 10_000


def test_a_formula_in_a_table_is_no_bibtex():
    found = read_data(b"title,year,doi\n@SUM(1),2021,10.1000/g\nGreen tea,2020,10.1000/t\n", "a.csv")
    assert (found.format_id, titles(found)) == ("csv", ["@SUM(1)", "Green tea"])
    assert read_data(b"@string(j = {Tea})\n@misc(a,\n title = {Green}\n)\n", "a.bib").format_id == "bibtex"


def test_a_paper_takes_what_its_proceedings_say():
    found = reading("@inproceedings{a, title={A}, crossref={P}}\n@proceedings{P, title={Proc}, year=1999}")
    assert (found.records[0].venue, found.records[0].year) == ("Proc", 1999)


WORDS = st.text(st.sampled_from("abc XYZ 12 äé"), min_size=1, max_size=20).map(lambda t: f"T{' '.join(t.split())}")


@settings(max_examples=50, deadline=None)
@given(st.lists(WORDS, min_size=1, max_size=6), st.randoms(use_true_random=False))
def test_written_bibtex_comes_back(written: list[str], random):
    def marked(title: str) -> str:
        """The same title with braces and accents as LaTeX writes them."""
        signs = {"ä": ['\\"a', '{\\"{a}}', "ä"], "é": ["\\'{e}", "{\\'e}", "é"], "X": ["{X}", "X", "{{X}}"]}
        return "".join(random.choice(signs.get(letter, [letter])) for letter in title)

    entries = [f"@article{{k{i % 2},\n title = {{{marked(t)}}},\n year = 2000}}" for i, t in enumerate(written)]
    found = reading("\n\n".join(entries))
    assert titles(found) == written
    assert (found.records_in_file, found.rejected) == (len(written), ())
