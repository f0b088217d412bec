"""A review as a document: the form's order, what is open as a prompt, and nothing claimed that nobody said."""

from __future__ import annotations

from dataclasses import replace

from core.audit.press import DOMAINS, NO_PROOF, DomainReview, OtherText, Request, signed, words_of
from core.audit.press_exchange import LOOK, press_document
from core.report import AnswerPrompt, Listing, Paragraph, Remark, ReportDocument, ReportHeading, Strategy, Table
from tests.core.audit.press_scenes import AT, LAST, LATER, decided, review, with_comments


def document(each) -> ReportDocument:
    return press_document(each, made_at=LAST, made_with="Queryscape 0.1.0")


def blocks(made: ReportDocument, kind):
    return [block for block in made.blocks if isinstance(block, kind)]


def sentences(made: ReportDocument):
    return [block.text for block in made.blocks if isinstance(block, Paragraph | Remark | AnswerPrompt)]


def section(made: ReportDocument, title: str):
    """What stands under a heading of the second level."""
    at = next(i for i, block in enumerate(made.blocks) if isinstance(block, ReportHeading) and block.text == title)
    end = next(
        (i for i, b in enumerate(made.blocks) if i > at and isinstance(b, ReportHeading) and b.level == 2),
        len(made.blocks),
    )
    return made.blocks[at + 1 : end]


def test_the_form_stands_in_its_order():
    made = document(review())
    heads = [block.text for block in blocks(made, ReportHeading) if block.level == 2]
    assert heads[:2] == ["Request", "Search string"]
    assert heads[2:8] == [f"{domain.number}. {domain.title}" for domain in DOMAINS]
    *rest, method = heads[8:]
    assert rest == ["Overall", "Signature"]
    assert (made.kind, made.made_at) == ("press", LAST)
    assert "10.1016/j.jclinepi.2016.01.021" in section(made, method)[0].text


def test_the_string_stands_sign_by_sign():
    text = 'heat  AND\n\t"trees"  '
    assert [block.text for block in blocks(document(review(text=text)), Strategy)] == [text]


def test_a_review_that_has_not_begun_prompts_for_everything():
    made = document(review(request=Request()))
    assert [prompt.item for prompt in blocks(made, AnswerPrompt)] == [
        *("press:question", "press:1", "press:2", "press:3", "press:4", "press:5", "press:6"),
        *("press:overall", "press:signature"),
    ]
    assert "has not started" in made.blocks[0].text
    assert not any("comments" in text for text in sentences(made)[1:-1]), "nobody wrote any, and nobody had to"


def test_each_domain_has_evidence_verdict_comments_and_reply():
    done = signed(decided(review()), at=LATER)
    done = done.with_domain(replace(done.domain("words"), reply="Added.\n\nAll of them."))
    part = section(document(replace(done, replied_at=LAST)), "4. Text word searching")
    texts = [block.text for block in part if isinstance(block, Paragraph)]
    assert [text.split()[0] for text in texts if text.endswith(":")] == [
        *("Questions", "Evidence", "Reviewer's", "Requestor's"),
    ]
    assert (texts[3], texts[5:]) == ("On Text word searching.", ["Added.", "All of them."])
    assert ReportHeading("Verdict on domain 4: Revision(s) suggested", 3) in part
    evidence = [block for block in part if isinstance(block, Listing)][1]
    assert len(evidence.items) == len(done.domain("words").evidence)
    n_to_look_at = sum(each.look for each in done.domain("words").evidence)
    assert sum(item.startswith(LOOK) for item in evidence.items) == n_to_look_at
    assert any(isinstance(block, Table) and block.name == "press-4-terms" for block in part)


def test_a_signed_review_says_who_and_when_and_that_it_is_no_proof():
    made = document(signed(decided(review()), at=LATER))
    assert made.blocks[0].text == ("Signed by Rob Reads on 7 May 2031, 12:00 UTC. Overall: Revision(s) suggested.")
    assert NO_PROOF in sentences(made)
    signature = next(table for table in made.tables if table.name == "press-signature")
    assert signature.rows[-1] == ("Changed since", "nothing")


def test_an_edit_after_signing_is_a_warning_at_the_head():
    made = document(with_comments(signed(decided(review()), at=LATER), "words", "Fine."))
    (warning,) = [block.text for block in blocks(made, Remark) if block.is_warning]
    assert warning.startswith("Changed after signing:")
    assert words_of("words.comments") in warning


def test_what_the_other_side_wrote_is_in_the_document():
    other = OtherText("words.comments", "Add synonyms.", "requestor", AT)
    string = OtherText("string", "cats", "reviewer", "")
    made = document(review(others=(other, string)))
    part = section(made, "Conflicting texts from the other side")
    assert ReportHeading("The comments on domain 4, by the requestor on 6 May 2031, 12:00 UTC", 3) in part
    assert Paragraph("Add synonyms.") in part
    assert Strategy("cats") in part


def test_two_tables_of_one_name_from_a_foreign_file_are_told_apart():
    table = Table("x", "", (), ())
    made = document(review(domains=tuple(DomainReview(domain.id, (), (table, table)) for domain in DOMAINS)))
    names = [each.name for each in made.tables]
    assert len(names) == len(set(names))


def test_only_the_summary_leads_so_that_a_whole_audit_leaves_the_verdicts_where_they_are():
    made = document(signed(decided(review()), at=LATER))
    assert [block for block in blocks(made, Paragraph) if block.is_lead] == [made.blocks[0]]


def test_a_made_up_topic_says_so():
    assert document(review(made_up=True)).made_up
    assert not document(review()).made_up
