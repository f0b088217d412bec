"""A review as the one file that goes from requestor to reviewer and back: plain JSON that says all a reviewer needs."""

from __future__ import annotations

import json
import re
from dataclasses import asdict

from core.audit.press.reading import FORMAT, FORMAT_VERSION
from core.audit.press.types import DomainReview, Review

ENDING = ".press.json"
LONGEST_NAME = 60


def as_json(review: Review) -> str:
    """The text of the file; the same review gives the same text.

    >>> as_json(Review("0123456789abcdef", "Heat", "v1", "heat", None, "", "")).splitlines()[1]
    '  "format": "queryscape-press",'
    """
    document: dict[str, object] = {
        "format": FORMAT,
        "version": FORMAT_VERSION,
        "review_id": review.review_id,
        "topic": review.topic,
        "label": review.version,
        "text": review.text,
        "dialect": review.dialect,
        "requested_at": review.requested_at,
        "counted_in": review.counted_in,
        "made_up": review.made_up,
        "request": asdict(review.request),
        "requestor": asdict(review.requestor),
        "reviewer": asdict(review.reviewer),
        "domains": [_domain(each) for each in review.domains],
        "overall": {
            "verdict": review.overall,
            "comments": review.overall_comments,
            "reply": review.overall_reply,
        },
        "signature": _signature(review),
        "replied_at": review.replied_at,
        "others": [asdict(other) for other in review.others],
        "side": review.side,
        "written_at": review.written_at,
        "seen_at": review.seen_at,
        "base": dict(review.base),
    }
    return json.dumps(document, ensure_ascii=False, indent=2, allow_nan=False) + "\n"


def _domain(each: DomainReview) -> dict[str, object]:
    return {
        "domain": each.domain,
        "number": each.about.number,
        "title": each.about.title,
        "evidence": [asdict(found) for found in each.evidence],
        "tables": [asdict(table) for table in each.tables],
        "verdict": each.verdict,
        "comments": each.comments,
        "reply": each.reply,
    }


def _signature(review: Review) -> dict[str, object] | None:
    if review.signature is None:
        return None
    return {**asdict(review.signature), "parts": dict(review.signature.parts)}


def file_name(review: Review) -> str:
    """What to call the file: topic and version, as far as any system takes them.

    >>> file_name(Review("0123456789abcdef", "Urban heat & trees", "v 2/b", "heat", None, "", ""))
    'urban-heat-trees-v-2-b.press.json'
    """
    name = "-".join(re.findall(r"[a-z0-9]+", f"{review.topic} {review.version}".lower()))
    return f"{name[:LONGEST_NAME].strip('-') or 'review'}{ENDING}"
