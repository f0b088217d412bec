"""Several reports as one document."""

from __future__ import annotations

from dataclasses import replace

from core.errors import InputError
from core.pictures import VectorPicture
from core.report import (
    AnswerPrompt,
    Block,
    Figure,
    Listing,
    Paragraph,
    Remark,
    ReportColumn,
    ReportDocument,
    ReportHeading,
    ReportKind,
    Table,
    together,
    whole,
)
from tests.messages import refusal

AT = "2031-05-06T12:00:00+00:00"
CLEAR = Paragraph("Clear.", is_lead=True)


def table(name: str) -> Table:
    return Table(name, name, (ReportColumn("A"),), (("a",),))


def part(kind: ReportKind, *blocks: Block, title: str = "A part", made_up: bool = False) -> ReportDocument:
    return ReportDocument(kind, title, "Versions: first", blocks, AT, "Queryscape 1", made_up)


def audit(*parts: ReportDocument, remarks: tuple[str, ...] = ()) -> ReportDocument:
    return whole(parts, topic="Tea", made_at=AT, made_with="Queryscape 1", remarks=remarks)


def headings(document: ReportDocument) -> list[tuple[int, str]]:
    return [(block.level, block.text) for block in document.blocks if isinstance(block, ReportHeading)]


def test_parts_stand_under_their_names_one_level_lower() -> None:
    made = audit(
        part("prisma-s", ReportHeading("Items"), ReportHeading("One", 3), ReportHeading("Deep", 4), table("items")),
        part("press", ReportHeading("Domains"), table("lines")),
        part("quality", ReportHeading("Scores"), table("scores")),
    )
    assert [(level, text.split()[0]) for level, text in headings(made)] == [
        *((2, "Record"), (3, "Items"), (4, "One"), (4, "Deep")),
        *((2, "Peer"), (3, "Domains"), (2, "Quality"), (3, "Scores")),
    ]
    assert (made.kind, made.made_at) == ("audit", AT)
    assert made.title.endswith(": Tea")


def test_several_of_a_kind_stand_under_their_own_titles() -> None:
    made = audit(part("press", title="Review of first"), part("press", title="Review of second"))
    assert [text for _, text in headings(made)] == ["Review of first", "Review of second"]


def test_what_leads_stands_on_the_title_page_and_nowhere_else() -> None:
    made = audit(
        part("prisma-s", Paragraph("14 of 16.", is_lead=True), ReportHeading("Items"), Paragraph("Ours.")),
        part("quality", ReportHeading("Summary"), CLEAR, ReportHeading("Scores"), table("scores")),
        remarks=("There is no review.",),
    )
    assert made.blocks[:6] == (
        ReportHeading("Summary"),
        Remark("There is no review.", for_author=True),
        ReportHeading("The record", 3),
        Paragraph("14 of 16.", is_lead=True),
        ReportHeading("The scores", 3),
        CLEAR,
    )
    rest = made.blocks[6:]
    assert not any(isinstance(block, Paragraph) and block.is_lead for block in rest)
    assert ReportHeading("Summary", 3) not in rest, "a heading that nothing is left under goes with it"
    assert ReportHeading("Scores", 3) in rest


def test_the_points_of_a_summary_stay_with_what_leads_to_them() -> None:
    points, others = Listing(("One.", "Two.")), Listing(("Later.",))
    made = audit(part("quality", CLEAR, points, ReportHeading("Scores"), others))
    assert made.blocks[:4] == (ReportHeading("Summary"), ReportHeading("The scores", 3), CLEAR, points)
    assert made.blocks[-1] == others


def test_a_heading_that_still_holds_something_stays() -> None:
    kept = (ReportHeading("Summary"), CLEAR, Paragraph("More."))
    made = audit(
        part("quality", *kept, ReportHeading("Empty before as well"), ReportHeading("Scores"), table("scores"))
    )
    assert CLEAR in made.blocks[:3]
    assert [text for _, text in headings(made)][3:] == ["Summary", "Empty before as well", "Scores"]


def test_what_leads_further_down_stays_where_it_is() -> None:
    verdict = Paragraph("Verdict: none.", is_lead=True)
    made = audit(part("press", Paragraph("Signed.", is_lead=True), ReportHeading("One"), table("lines"), verdict))
    assert made.blocks[:3] == (
        ReportHeading("Summary"),
        ReportHeading("The peer review", 3),
        Paragraph("Signed.", is_lead=True),
    )
    assert made.blocks[-1] == verdict


def test_names_stay_unique_and_those_of_landscapes_stay_as_they_are() -> None:
    figure = Figure("landscape-1", "", "", VectorPicture(1, 1, ()))
    made = audit(
        part("prisma-s", table("lines")),
        part("press", table("lines"), title="One"),
        part("press", table("lines"), table("press-lines"), title="Two"),
        part("quality", table("lines"), figure),
    )
    names = [block.name for block in made.tables]
    assert len(set(names)) == len(names) == 5
    assert names[:2] == ["lines", "press-lines"]
    assert [block.name for block in made.figures] == ["landscape-1"]


def test_prompts_keep_their_items_and_made_up_topics_say_so() -> None:
    made = audit(part("prisma-s", AnswerPrompt("Say it.", "prisma-s:5")), part("quality", made_up=True))
    assert AnswerPrompt("Say it.", "prisma-s:5") in made.blocks
    assert made.made_up


def test_one_review_stays_as_it_is_and_no_part_is_no_report() -> None:
    alone = part("press", ReportHeading("Domains"))
    assert together([alone], topic="Tea", made_at=AT, made_with="Q") is alone
    two = together([alone, alone], topic="Tea", made_at=AT, made_with="Q")
    assert (two.kind, len(headings(two))) == ("press", 4)
    with refusal(InputError):
        audit()


def test_two_of_one_title_are_told_apart_by_what_they_are_about() -> None:
    reviews = [replace(part("press", Paragraph("Asked.", is_lead=True), title="Review"), subtitle=at) for at in "AB"]
    found = headings(audit(*reviews))
    assert [text for _, text in found if text.startswith("Review")] == ["Review: A", "Review: B"] * 2
