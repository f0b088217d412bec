"""The lines of a strategy with their hits, and the limits in it."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from core.audit.strategies import counted_lines, limits_in, parts_in
from core.query.parser import parse
from core.query.tree import Node

OVID = """1. exp Heat/ 12,345
2. (tree$ or canop*).ti,ab. 6789
3. 1 and 2 (321)
4. limit 3 to (english language and yr="2010 -Current")
5. shade.ti. 17"""


def texts(text: str) -> list[str]:
    return [part.text for part in parts_in(parse(text))]


def fate(start: int, end: int, node: Node | None) -> str:
    return "left out" if node is None else "sent"


def test_a_strategy_in_lines_keeps_them_with_the_hits_that_stand_behind() -> None:
    lines = counted_lines(parse(OVID, "ovid"), count=None, counted_in="", n_whole=None, whole_in="")
    assert (lines[0].number, lines[0].text) == (1, "exp Heat/")
    assert "in the strategy" in lines[0].counted_in
    assert [line.n_hits for line in lines] == [12_345, 6_789, 321, None, 17]
    assert lines[2].text == "1 and 2"


def test_a_string_in_one_piece_is_cut_at_its_and_and_not() -> None:
    assert texts("heat AND (tree OR canopy) NOT (indoor OR roof)") == [
        *("heat", "(tree OR canopy)", "(indoor OR roof)", "1 AND 2 NOT 3")
    ]
    assert texts("heat OR tree") == ["heat OR tree"]
    assert texts("Do trees cool streets?") == ["Do trees cool streets?"]
    assert texts("") == []


def test_the_whole_is_what_the_run_found_and_parts_are_counted() -> None:
    lines = counted_lines(
        parse("heat AND tree"), count=lambda node: len(str(node.span)), counted_in="here", n_whole=7, whole_in="there"
    )
    assert [line.counted_in for line in lines] == ["here", "here", "there"]
    assert lines[-1].n_hits == 7
    unknown = counted_lines(
        parse("heat AND tree"), count=lambda node: None, counted_in="here", n_whole=None, whole_in="there"
    )
    assert {(line.n_hits, line.counted_in) for line in unknown} == {(None, "")}


@given(st.text(alphabet='ab 12.\n()ANDORT*[]"#', max_size=60))
def test_any_text_has_lines_that_are_numbered_upwards(text: str) -> None:
    parts = parts_in(parse(text))
    numbers = [part.number for part in parts]
    assert numbers == sorted(set(numbers))
    assert sum(part.is_whole for part in parts) <= 1
    limits_in(parse(text), fate)


def test_limits_are_found_with_their_fate() -> None:
    assert limits_in(parse(OVID, "ovid"), fate) == ()  # nothing refers to the line with the limit
    used = OVID.rsplit("\n", 1)[0]
    assert limits_in(parse(used, "ovid"), fate) == (
        'publication years: “limit 3 to (english language and yr="2010 -Current")”; sent',
        'language: “limit 3 to (english language and yr="2010 -Current")”; sent',
    )
    humans = used.replace("english language", "humans")
    assert limits_in(parse(humans, "ovid"), fate)[1] == ('“limit 3 to (humans and yr="2010 -Current")”; left out')
    pubmed = "heat[tiab] AND (english[la] OR french[la]) NOT (editorial[pt] OR letter[pt]) AND humans[mh]"
    languages, kinds, humans = limits_in(parse(pubmed, "pubmed"), fate)
    assert languages == "language: “(english[la] OR french[la])”; sent"
    assert kinds.startswith("kind of publication")
    assert kinds.endswith("with NOT: “(editorial[pt] OR letter[pt])”; sent")
    assert humans == "humans or animals: “humans[mh]”; sent"
    assert limits_in(parse("heat[ti] AND tree[tiab] AND exp[mh]", "pubmed"), fate) == ()
    assert limits_in(parse("", "pubmed"), fate) == ()
