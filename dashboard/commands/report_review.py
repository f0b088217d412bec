"""A peer review as commands show it: a table for people, and the keys of their JSON."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

from core.audit.press.domains import VERDICTS, Review, Verdict, edited_parts, words_of
from core.audit.press.reading import shown_other
from core.text import listed
from dashboard.commands.output import NONE, results, row, say, shown, table


def review_document(review: Review) -> dict[str, Any]:
    """Every `report press` command's --json: review, topic, version, state, requestor, reviewer, requested_at,
    signed_at, edited_after_signing, replied_at, overall, domains, n_others, others.

    `state`: requested, under review, signed or replied; `overall`: verdict (none, suggested or required), comments and
    reply; `domains`: number, domain, title, n_evidence, n_to_look_at, verdict, comments, reply; `n_others`: texts that
    one side wrote where the other did too; `others`: each with its number for `choose`, place, side, written_at, text.
    """
    signature = review.signature
    return {
        "review": review.review_id,
        "topic": review.topic,
        "version": review.version,
        "state": review.state,
        "requestor": asdict(review.requestor),
        "reviewer": asdict(review.reviewer),
        "requested_at": review.requested_at,
        "signed_at": signature.signed_at if signature else None,
        "edited_after_signing": list(edited_parts(review)),
        "replied_at": review.replied_at or None,
        "overall": {"verdict": review.overall, "comments": review.overall_comments, "reply": review.overall_reply},
        "domains": [
            {
                "number": each.about.number,
                "domain": each.domain,
                "title": each.about.title,
                "n_evidence": len(each.evidence),
                "n_to_look_at": sum(evidence.look for evidence in each.evidence),
                "verdict": each.verdict,
                "comments": each.comments,
                "reply": each.reply,
            }
            for each in review.domains
        ],
        "n_others": len(review.others),
        "others": [
            {
                "number": number,
                "place": words_of(other.part),
                "side": other.side,
                "written_at": other.written_at or None,
                "text": shown_other(other),
            }
            for number, other in enumerate(review.others, start=1)
        ],
    }


def verdict_words(verdict: Verdict | None) -> str:
    """As the form names it, or a dash."""
    return VERDICTS[verdict] if verdict else NONE


def print_review(review: Review) -> None:
    """The domains with what was found and decided."""
    title = f"{review.topic} · {review.version} · peer review {review.review_id[:8]}, {review.state}"
    grid = table(title, "", "Domain", "Noticed", "To look at", "Verdict", "Comments", "Reply", right=(0, 2, 3))
    for each in review.domains:
        n_look = sum(evidence.look for evidence in each.evidence)
        cells = (str(each.about.number), each.about.title, str(len(each.evidence)), str(n_look))
        row(grid, *cells, verdict_words(each.verdict), each.comments or NONE, each.reply or NONE)
    out = results()
    out.print(grid)
    verdict = VERDICTS[review.overall] if review.overall else "no verdict yet"
    overall = f"Overall: {verdict}. {review.overall_comments}".strip()
    out.print(shown(overall), soft_wrap=True)
    if review.signature is not None:
        signed = f"Signed by {review.signature.name} on {review.signature.signed_at}."
        out.print(shown(signed), soft_wrap=True)
        edited = edited_parts(review)
        if edited:
            say(f"Note: changed after signing, so it has to be signed again: {listed(edited)}.", "yellow")
    _print_others(review)


def _print_others(review: Review) -> None:
    """What is still to be chosen between."""
    if not review.others:
        return
    grid = table("Written in the same place by the other side", "", "Place", "By", "Their words", right=(0,))
    for number, other in enumerate(review.others, start=1):
        row(grid, str(number), words_of(other.part), f"the {other.side}", " ".join(shown_other(other).split()))
    results().print(grid)
    say(f"Next: report press choose {review.review_id[:8]} 1 --take, or --let-go.")
