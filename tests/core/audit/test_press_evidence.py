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
from tests.core.audit.press_scenes import TITLES, grounds, table, told


def test_concepts_are_told_with_what_each_finds_and_keeps_out():
    text = "heat AND tree*"
    assert "The string has 2 concepts that must all match: (1) “heat” and (2) “tree*”." in told(text, "question")
    found = table(text, "question", "press-1-concepts")
    assert [row[0] for row in found.rows] == ["heat", "tree*"]
    assert [row[3:5] for row in found.rows] == [(3, 2), (3, 2)]
    assert [row[5:] for row in found.rows] == [(1, 0), (1, 0)], "publications that only this concept keeps out"


def test_missed_core_publications_are_told_with_the_part_that_misses_them():
    text = "heat AND (tree* OR birch)"
    missed = table(text, "question", "press-1-missed")
    assert [(row[0], row[1]) for row in missed.rows] == [("birch shade in towns", "Concept 1 (heat)")]
    sentences = told(text, "question")
    assert "It finds 2 of 3 core publications." in sentences
    alone = "Concept 1 (heat) alone excludes 1 core publication that matches everything else: “birch shade in towns”."
    assert alone in sentences


def test_what_a_missed_publication_has_instead_is_told():
    near = table("heat NEAR/2 trees", "question", "press-1-missed", dialect="wos")
    assert "Its title has heat and trees 3 words apart" in near.rows[0][2]
    kept_out = table("heat AND tree* NOT review", "question", "press-1-missed")
    assert kept_out.rows[0] == ("review of heat waves and trees", "“NOT review”", "Everything else matches.")


def test_a_concept_that_keeps_nothing_out_is_told():
    said = told("(heat OR street) AND (heat OR street OR cats)", "question")
    assert "Concept 2 (heat, street and 1 more) excludes nothing here: without it the result is the same." in said


def test_a_topic_without_core_publications_claims_nothing_about_them():
    said = told("heat AND trees", "question", core=())
    assert "The topic has no core publications, so missed publications can't be listed." in said
    assert not any("of 0 core" in sentence for sentence in said)


def test_a_not_is_told_once_with_what_it_takes_away():
    said = told("heat AND tree* NOT review", "operators")
    costly = [sentence for sentence in said if "review" in sentence]
    assert costly == [
        "NOT “review” excludes 1 publication, 1 of them core: “review of heat waves and trees”.",
    ]
    assert "NOT “cats” excludes nothing here: without it the result is the same." in told("heat NOT cats", "operators")
    assert "There is no NOT, so nothing is excluded." in told("heat", "operators")


def test_a_proximity_stands_beside_the_same_words_anywhere():
    found = table("heat NEAR/2 trees", "operators", "press-2-proximity", dialect="wos")
    assert found.rows == (("heat NEAR/2 trees", 2, "no", 1, 2, 1),)


def test_mixed_operators_are_either_told_or_ruled_out():
    mixed, clear = told("heat OR trees AND shade", "operators"), told("(heat OR trees) AND shade", "operators")
    assert any("mixed without brackets:" in sentence for sentence in mixed)
    assert not any("never mixed without brackets" in sentence for sentence in mixed)
    assert any("never mixed without brackets" in sentence for sentence in clear)


def test_headings_are_told_with_the_concepts_that_lack_them():
    text = "(exp Trees/ or tree*) and heat"
    said = told(text, "headings", dialect="ovid")
    assert "1 subject heading is used." in said
    assert "Concepts without a subject heading: Concept 2 (heat)." in said
    assert any(sentence.startswith("Headings can't be tested here") for sentence in said)
    assert table(text, "headings", "press-3-headings", dialect="ovid").rows == (("Trees", "yes", "no", ""),)
    assert "Concepts with subject headings but no text words: Concept 1 (exp Trees/)." in told(
        "exp Trees/ and heat", "headings", dialect="ovid"
    )


def test_a_missing_heading_is_worth_a_look_only_where_there_are_headings():
    for dialect, look in (("pubmed", True), ("scopus", False)):
        domain = evidence_by_domain(grounds("heat AND trees", dialect=dialect))[2]
        assert [each.look for each in domain.evidence] == [look]


def test_each_term_is_told_with_what_only_it_brings():
    found = table("heat OR tree* OR birch", "words", "press-4-terms")
    assert found.rows == (("heat", 3, 2, 1, 0), ("tree*", 3, 2, 1, 0), ("birch", 1, 1, 1, 1))
    excluding = table("heat NOT cats", "words", "press-4-terms")
    assert [row[:3] for row in excluding.rows] == [("heat", 3, 2)], "what is excluded belongs to the operators"


def test_a_missing_spelling_is_told_with_what_it_would_bring():
    titles = ("color of leaves", "colour of leaves", "colour of bark")
    said = told("color", "words", titles=titles, core=(1,))
    assert any("It would add 2 publications, 1 of them core." in sentence for sentence in said)


def test_cut_words_are_told_with_what_they_stand_for():
    titles = tuple(f"ab{chr(97 + n // 26)}{chr(97 + n % 26)} leaf" for n in range(70))
    said = told("ab*", "words", titles=titles, core=())
    assert any("“ab*” matches 70 words here" in sentence for sentence in said)
    assert table("tree*", "words", "press-4-wildcards").rows == (("tree*", 2, "trees (2), tree (1)"),)
    one = "Matching only one word here: “birch*” (birch). Truncated too late, or no wildcard needed?"
    assert one in told("birch* OR tree*", "words")


def test_terms_that_find_nothing_and_misspelt_words_are_told():
    titles = ("heatwave and trees",) * 6
    assert any("No publication here matches this" in sentence for sentence in told("heatwve", "words", titles=titles))
    said = told("heatwve", "spelling", titles=titles)
    assert any("no publication has “heatwve”, but “heatwave” occurs 6 times" in sentence for sentence in said)


def test_lines_stand_with_their_hits_and_whether_they_are_used():
    text = "1. heat\n2. tree*\n3. cats\n4. 1 and 2"
    found = table(text, "spelling", "press-5-lines", dialect="ovid")
    assert [row[0] for row in found.rows] == [1, 2, 3, 4]
    assert [row[2:] for row in found.rows] == [(3, 2, "yes"), (3, 2, "yes"), (1, 0, "no"), (2, 2, "yes")]
    assert any("Line 3 is never used" in sentence for sentence in told(text, "spelling", dialect="ovid"))


def test_limits_are_told_also_where_they_cannot_be_counted():
    text = "heat[tiab] AND english[la]"
    said = told(text, "limits", dialect="pubmed")
    assert said == ["Language: “english[la]”; its effect can't be counted here."]
    assert not any("english" in sentence for sentence in told(text, "headings", dialect="pubmed"))
    (none,) = told("heat", "limits")
    assert none.startswith("The string has no limits to years, languages or publication types.")
    choice = told("(english[la] OR heat) AND trees[tiab]", "limits", dialect="pubmed")
    assert choice == ["Language: “english[la]”; one alternative of an OR, so it excludes nothing."]


def test_a_not_in_another_not_or_in_an_or_brings_publications():
    said = told("heat NOT (waves NOT trees)", "operators")
    assert "NOT “trees” adds 2 publications, 2 of them core: without it the string does not find them." in said
    said = told("cats OR NOT trees", "operators")
    assert "NOT “trees” adds 3 publications, 1 of them core: without it the string does not find them." in said


def test_what_cannot_be_tested_here_is_told_and_not_called_harmless():
    text = "heat[tiab] NOT (cats[tiab] OR letter[pt])"
    assert "NOT “(cats[tiab] OR letter[pt])” excludes nothing here, but parts of it can't be tested." in told(
        text, "operators", dialect="pubmed"
    )
    said = told(text, "question", dialect="pubmed")
    assert any(sentence.startswith("1 part of the string can't be tested") for sentence in said)
    assert not any("can't be tested" in sentence for sentence in told("heat NOT cats", "question"))


def test_no_concept_is_called_idle_where_the_string_finds_nothing():
    said = told("xylophone AND zebra", "question")
    assert "Overall, it finds 0 publications among the 6 publications of this topic." in said
    assert not any("excludes nothing" in sentence for sentence in said)


def test_a_term_that_is_joined_by_and_has_nothing_that_only_it_brings():
    found = table("heat AND (trees OR waves)", "words", "press-4-terms")
    assert [row[3:] for row in found.rows] == [(None, None), (0, 0), (0, 0)]
    assert found.note == "–: joined by AND, a term narrows what is found."
    assert table("heat", "words", "press-4-terms").note == ""


def test_headings_count_among_what_a_concept_asks_for():
    text = "(exp Trees/ or tree*) and heat"
    found = table(text, "question", "press-1-concepts", dialect="ovid")
    assert [row[2] for row in found.rows] == [2, 1]
    said = told("exp Trees/ or tree*", "question", dialect="ovid")
    assert "The string has one concept, with 1 term and 1 subject heading." in said


def test_a_plural_another_english_and_a_word_that_is_asked_for_too_are_not_misspelt():
    titles = ("island colour heatwave",) * 6
    for text in ("islands", "color", "heatwve OR heatwave"):
        assert not any("misspelt" in sentence for sentence in told(text, "spelling", titles=titles)), text


def test_a_string_of_no_database_is_told_so_and_is_offered_no_proximity():
    said = told("heat AND trees", "spelling")
    assert any("without database syntax" in sentence for sentence in said)
    assert not any("No proximity" in sentence for sentence in told("heat AND trees", "operators"))


def test_a_phrase_with_curly_quotes_has_one_pair():
    said = told("“heat waves”[tiab] OR “heat waves”[tiab]", "words", dialect="pubmed")
    assert any(sentence.startswith("“heat waves”[tiab]: This is already in the same OR") for sentence in said)
    said = told("“heat waves”[tiab]", "spelling", dialect="pubmed")
    assert any(sentence.startswith("These quotes are curly.") for sentence in said)


def test_a_word_of_hardly_any_missed_publication_is_not_told():
    titles = (*(f"warmth of leaves {n}" for n in range(9)), "rare birds", *(f"other things {n}" for n in range(60)))
    said = [
        s
        for s in told("heat", "words", titles=titles, core=tuple(range(10)))
        if s.startswith("Words that are unusually frequent")
    ]
    assert len(said) == 1
    assert "warmth" in said[0]
    assert "birds" not in said[0]


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
        choices="Synonyms did not count.",
    )
    assert "PubMed was searched." in told("heat", "question", search=search)
    said = told("heat", "limits", search=search)
    assert "In PubMed: language: “english[la]”; sent to PubMed with the string." in said
    assert "Sent to PubMed: “tree*” was left out: no wildcards there" in said
    assert "The cap cut it." in said
    assert "Options of PubMed: Synonyms did not count." in said


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
