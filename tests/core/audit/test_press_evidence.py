"""What the tool tells a reviewer: numbers that are counted, and each finding once where it belongs."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.audit.press import DOMAIN_OF_RULE, DOMAINS
from core.audit.press_evidence import NO_TREE, evidence_by_domain
from core.audit.strategies import SearchFacts
from core.query.match import count
from core.report import Table
from tests.core.audit.press_scenes import TITLES, grounds, table, telling, told

MIXED, CLEAR = "heat OR trees AND shade", "(heat OR trees) AND shade"
HEADED = "(exp Trees/ or tree*) and heat"
UNTESTED = "heat[tiab] NOT (cats[tiab] OR letter[pt])"
CURLY = "“heat waves”[tiab]"
COLOURS = ("color of leaves", "colour of leaves", "colour of bark")
HEATWAVES = ("heatwave and trees",) * 6
MANY = tuple(f"ab{chr(97 + n // 26)}{chr(97 + n % 26)} leaf" for n in range(70))


@pytest.mark.parametrize(
    ("domain", "text", "facts", "how"),
    [
        ("question", "heat AND tree*", ("2 concepts", "(1) “heat” and (2) “tree*”"), {}),
        (
            "question",
            "(heat OR street) AND (heat OR street OR cats)",
            ("Concept 2 (heat, street and 1 more)", "excludes nothing"),
            {},
        ),
        ("question", "heat AND trees", ("no core publications",), {"core": ()}),
        ("question", "exp Trees/ or tree*", ("one concept", "1 term", "1 subject heading"), {"dialect": "ovid"}),
        ("question", "xylophone AND zebra", ("finds 0 publications", "the 6 publications"), {}),
        ("question", UNTESTED, ("1 part", "can't be tested"), {"dialect": "pubmed"}),
        ("operators", "heat NOT cats", ("NOT “cats” excludes nothing",), {}),
        ("operators", "heat", ("no NOT",), {}),
        ("operators", MIXED, ("mixed without brackets:",), {}),
        ("operators", CLEAR, ("never mixed",), {}),
        ("operators", "heat NOT (waves NOT trees)", ("NOT “trees” adds 2 publications, 2 of them core",), {}),
        ("operators", "cats OR NOT trees", ("NOT “trees” adds 3 publications, 1 of them core",), {}),
        (
            *("operators", UNTESTED),
            *(("NOT “(cats[tiab] OR letter[pt])” excludes nothing", "parts of it"), {"dialect": "pubmed"}),
        ),
        ("headings", HEADED, ("1 subject heading",), {"dialect": "ovid"}),
        ("headings", HEADED, ("Concepts without", "Concept 2 (heat)"), {"dialect": "ovid"}),
        ("headings", HEADED, ("Headings can't be",), {"dialect": "ovid"}),
        ("headings", "exp Trees/ and heat", ("no text words", "Concept 1 (exp Trees/)"), {"dialect": "ovid"}),
        ("words", "color", ("add 2 publications, 1 of them core",), {"titles": COLOURS, "core": (1,)}),
        ("words", "ab*", ("“ab*” matches 70 words",), {"titles": MANY, "core": ()}),
        ("words", "birch* OR tree*", ("only one word", "“birch*” (birch)"), {}),
        ("words", "heatwve", ("No publication here",), {"titles": HEATWAVES}),
        ("words", f"{CURLY} OR {CURLY}", (f"{CURLY}: ", "same OR"), {"dialect": "pubmed"}),
        ("spelling", "heatwve", ("“heatwve”", "“heatwave” occurs 6 times"), {"titles": HEATWAVES}),
        ("spelling", "heat AND trees", ("without database syntax",), {}),
        ("spelling", CURLY, ("quotes are curly",), {"dialect": "pubmed"}),
    ],
)
def test_what_is_so_is_told(domain, text, facts, how):
    assert telling(text, domain, *facts, **how)


@pytest.mark.parametrize(
    ("domain", "text", "fact", "how"),
    [
        ("question", "heat AND trees", "of 0 core", {"core": ()}),
        ("question", "xylophone AND zebra", "excludes nothing", {}),
        ("question", "heat NOT cats", "can't be tested", {}),
        ("operators", MIXED, "never mixed", {}),
        ("operators", "heat AND trees", "No proximity", {}),
        ("headings", "heat[tiab] AND english[la]", "english", {"dialect": "pubmed"}),
        *(
            ("spelling", text, "misspelt", {"titles": ("island colour heatwave",) * 6})
            for text in ("islands", "color", "heatwve OR heatwave")
        ),
    ],
)
def test_what_is_not_so_is_not_told(domain, text, fact, how):
    assert not telling(text, domain, fact, **how)


def test_concepts_are_told_with_what_each_finds_and_keeps_out():
    found = table("heat AND tree*", "question", "press-1-concepts")
    assert [row[0] for row in found.rows] == ["heat", "tree*"]
    assert [row[3:5] for row in found.rows] == [(3, 2), (3, 2)]
    assert [row[5:] for row in found.rows] == [(1, 0), (1, 0)], "publications that only this concept keeps out"


def test_missed_core_publications_are_told_with_the_part_that_misses_them():
    text = "heat AND (tree* OR birch)"
    missed = table(text, "question", "press-1-missed")
    assert [(row[0], row[1]) for row in missed.rows] == [("birch shade in towns", "Concept 1 (heat)")]
    assert telling(text, "question", "2 of 3 core")
    assert telling(text, "question", "Concept 1 (heat) alone", "1 core publication", "“birch shade in towns”")


def test_what_a_missed_publication_has_instead_is_told():
    near = table("heat NEAR/2 trees", "question", "press-1-missed", dialect="wos")
    assert "Its title has heat and trees 3 words apart" in near.rows[0][2]
    kept_out = table("heat AND tree* NOT review", "question", "press-1-missed")
    assert kept_out.rows[0] == ("review of heat waves and trees", "“NOT review”", "Everything else matches.")


def test_a_not_is_told_once_with_what_it_takes_away():
    (costly,) = telling("heat AND tree* NOT review", "operators", "review")
    assert costly == "NOT “review” excludes 1 publication, 1 of them core: “review of heat waves and trees”."


def test_a_proximity_stands_beside_the_same_words_anywhere():
    found = table("heat NEAR/2 trees", "operators", "press-2-proximity", dialect="wos")
    assert found.rows == (("heat NEAR/2 trees", 2, "no", 1, 2, 1),)


def test_headings_stand_in_a_table_and_count_among_what_a_concept_asks_for():
    headings = table(HEADED, "headings", "press-3-headings", dialect="ovid")
    assert headings.rows == (("Trees", "yes", "no", ""),)
    concepts = table(HEADED, "question", "press-1-concepts", dialect="ovid")
    assert [row[2] for row in concepts.rows] == [2, 1]


def test_a_missing_heading_is_worth_a_look_only_where_there_are_headings():
    for dialect, look in (("pubmed", True), ("scopus", False)):
        domain = evidence_by_domain(grounds("heat AND trees", dialect=dialect))[2]
        assert [each.look for each in domain.evidence] == [look]


def test_each_term_is_told_with_what_only_it_brings():
    found = table("heat OR tree* OR birch", "words", "press-4-terms")
    assert found.rows == (("heat", 3, 2, 1, 0), ("tree*", 3, 2, 1, 0), ("birch", 1, 1, 1, 1))
    excluding = table("heat NOT cats", "words", "press-4-terms")
    assert [row[:3] for row in excluding.rows] == [("heat", 3, 2)], "what is excluded belongs to the operators"


def test_cut_words_are_told_with_what_they_stand_for():
    assert table("tree*", "words", "press-4-wildcards").rows == (("tree*", 2, "trees (2), tree (1)"),)


def test_lines_stand_with_their_hits_and_whether_they_are_used():
    text = "1. heat\n2. tree*\n3. cats\n4. 1 and 2"
    found = table(text, "spelling", "press-5-lines", dialect="ovid")
    assert [row[0] for row in found.rows] == [1, 2, 3, 4]
    assert [row[2:] for row in found.rows] == [(3, 2, "yes"), (3, 2, "yes"), (1, 0, "no"), (2, 2, "yes")]
    assert telling(text, "spelling", "Line 3 is never used", dialect="ovid")


def test_limits_are_told_also_where_they_cannot_be_counted():
    text = "heat[tiab] AND english[la]"
    limit, reason = told(text, "limits", dialect="pubmed")
    assert "State a reason" in reason
    assert limit.startswith("Language: “english[la]”; ")
    assert "can't be counted" in limit

    (none,) = told("heat", "limits")
    assert "no limits" in none
    choice, advice = told("(english[la] OR heat) AND trees[tiab]", "limits", dialect="pubmed")
    assert "joined by OR" in advice
    assert choice.startswith("Language: “english[la]”; ")
    assert "excludes nothing" in choice


def test_a_term_that_is_joined_by_and_has_nothing_that_only_it_brings():
    found = table("heat AND (trees OR waves)", "words", "press-4-terms")
    assert [row[3:] for row in found.rows] == [(None, None), (0, 0), (0, 0)]
    assert found.note.startswith("–: joined by AND")
    assert table("heat", "words", "press-4-terms").note == ""


def test_a_word_of_hardly_any_missed_publication_is_not_told():
    titles = (*(f"warmth of leaves {n}" for n in range(9)), "rare birds", *(f"other things {n}" for n in range(60)))
    (said,) = telling("heat", "words", "unusually frequent", titles=titles, core=tuple(range(10)))
    assert "warmth" in said
    assert "birds" not in said


def test_what_a_source_did_is_told():
    search = SearchFacts(
        *("v1", "PubMed", "its API", "live", "heat", "pubmed", ("heat",), ()),
        limits=("language: “english[la]”; sent to PubMed with the string",),
        began=None,
        ended=None,
        n_total=812,
        n_records=800,
        n_publications=799,
        sentence="PubMed was searched.",
        losses=("“tree*” was left out: no wildcards there",),
        is_cut=True,
        advice="The cap cut it.",
        choices="Plurals count.",
    )
    assert "PubMed was searched." in told("heat", "question", search=search)
    said = told("heat", "limits", search=search)
    assert "In PubMed: language: “english[la]”; sent to PubMed with the string." in said
    assert "Sent to PubMed: “tree*” was left out: no wildcards there" in said
    assert "The cap cut it." in said
    assert "Options of PubMed: Plurals count." in said


def test_a_sentence_never_repeats_a_string_without_end():
    search = SearchFacts(
        *("v1", "PubMed", "", "live", "heat", "pubmed", (), (), (), None, None, None, None, None),
        sentence="x" * 90_000,
    )
    found = evidence_by_domain(grounds("heat", search=search))
    assert max(len(each.text) for domain in found for each in domain.evidence) == 2_000


@pytest.mark.parametrize("text", ["", "((", "Which trees cool a street?", "x" * 100_001])
def test_what_has_no_tree_is_said_to_have_none(text):
    found = evidence_by_domain(grounds(text))
    assert [each.domain for each in found] == [domain.id for domain in DOMAINS]
    assert all(each.evidence for each in found), "never silent"
    assert any(each.text == NO_TREE for domain in found for each in domain.evidence)
    assert not any(domain.tables for domain in found)


WORDS = st.sampled_from(["heat", "tree*", '"heat waves"', "cats", "treees", "NOT", "AND", "OR", "(", ")", "[ti]", "1."])


@given(st.lists(WORDS, max_size=12))
def test_any_string_has_evidence_in_every_domain_and_counts_within_the_corpus(words):
    where = grounds(" ".join(words))
    found = evidence_by_domain(where)
    assert all(each.evidence for each in found)
    for finding in where.findings:
        assert finding.rule in DOMAIN_OF_RULE
    names = [made.name for each in found for made in each.tables]
    assert len(set(names)) == len(names)
    for made in (made for each in found for made in each.tables):
        for row in made.rows:
            for column, value in zip(made.columns, row, strict=True):
                if column.title in ("Publications", "Core", "Core found", "Kept out by it alone"):
                    assert value is None or 0 <= value <= len(TITLES)
    if where.counted is not None:
        n = count(where.counted.asked.retrieved)
        assert any(f" {n} publication" in each.text for each in found[0].evidence)


def test_no_finding_is_told_in_two_domains():
    text = "1. heat$.ti.\n2. tree?.ti,ab.\n3. exp Trees/\n4. 2 or 3\n5. 1 and 4\n6. limit 5 to english language"
    found = evidence_by_domain(grounds(text, dialect="ovid"))
    for domain, each in zip(DOMAINS, found, strict=True):
        rules = {told.rule for told in each.evidence if told.rule} - {"not-testable"}
        assert rules <= set(domain.rules)
    assert all(isinstance(made, Table) for each in found for made in each.tables)
