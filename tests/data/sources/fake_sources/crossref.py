"""Crossref, played: works by DOI, in the shape of its REST API, over made-up works."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from tests.data.sources.fake_sources.corpus import Corpus, Work
from tests.data.sources.fake_sources.server import Answer, Asked, as_json

_ELEMENTS = """
abstract URL resource member posted score created degree update-policy short-title license ISSN container-title issued
update-to issue prefix approved indexed article-number clinical-trial-number accepted author group-title DOI
is-referenced-by-count updated-by event chair standards-body original-title funder translator published archive
published-print alternative-id subject subtitle published-online publisher-location content-domain reference title link
type publisher volume references-count ISBN issn-type assertion deposited page content-created short-container-title
relation editor
"""
ELEMENTS = frozenset(_ELEMENTS.split())
"""What the service says may be selected, in its error for anything else."""
PARAMS = frozenset({"filter", "rows", "select", "mailto", "cursor", "offset"})
TYPES = {"conference": "proceedings-article", "preprint": "posted-content"}


def document(work: Work) -> dict[str, Any]:
    first, last = work.pages
    return {
        "DOI": (work.doi or "").upper(),
        "type": TYPES.get(work.kind, "journal-article"),
        "title": [work.title],
        "abstract": f"<jats:title>Abstract</jats:title><jats:p>{work.abstract}</jats:p>" if work.abstract else None,
        "issued": {"date-parts": [[work.year]]},
        "author": [{"family": family, "given": given, "sequence": "first"} for family, given in work.authors],
        "container-title": [work.journal],
        "volume": work.volume,
        "issue": work.issue,
        "page": f"{first}-{last}",
        "URL": f"https://doi.org/{work.doi}",
        "is-referenced-by-count": work.cited,
    }


@dataclass(eq=False)
class FakeCrossref:
    """The service. Every third hundred of DOIs belongs to another agency, so that some are unknown."""

    corpus: Corpus

    def answer(self, asked: Asked, fault: str) -> Answer:
        if asked.path.startswith("/works/"):
            work = self._work(asked.path.removeprefix("/works/"))
            if work is None:
                return Answer(b"Resource not found.", 404, {"content-type": "text/plain"})
            if "select" in asked.params:
                return _refused("Parameter select specified but there is no such parameter available on this route")
            return self._said(asked, "work", document(work))
        if asked.path != "/works" or asked.method != "GET" or set(asked.params) - PARAMS:
            return _refused(f"{asked.path} {sorted(asked.params)}")
        filters = [part.partition(":") for part in asked.params.get("filter", "").split(",")]
        if bad := [name for name, _, value in filters if name != "doi" or not value]:
            return _refused(f"Filter {bad[0]} specified but there is no such filter for this route")
        elements = set(asked.params.get("select", "DOI").split(","))
        if unknown := elements - ELEMENTS:
            return _refused(f"Select {sorted(unknown)[0]} specified but there is no such select for this route")
        works = [work for _, _, doi in filters if (work := self._work(doi)) is not None]
        rows = int(asked.params.get("rows", "20"))
        if not 0 <= rows <= 1000:
            return _refused("Integer specified as rows must be a positive integer less than or equal to 1000.")
        items = [{k: v for k, v in document(w).items() if k in elements and v is not None} for w in works[:rows]]
        name = "works" if fault == "format" else "items"
        return self._said(asked, "work-list", {"total-results": len(works), "items-per-page": rows, name: items})

    def _said(self, asked: Asked, kind: str, message: dict[str, Any]) -> Answer:
        limit = "3" if "mailto:" in asked.headers.get("user-agent", "") else "1"
        whole = {"status": "ok", "message-type": kind, "message-version": "1.0.0", "message": message}
        return as_json(whole, x_rate_limit_limit=limit, x_rate_limit_interval="1s")

    def _work(self, doi: str) -> Work | None:
        rows = self.corpus.rows_of_doi.get(doi.lower(), [])
        work = self.corpus.works[rows[0]] if rows else None
        return None if work is None or work.number // 100 % 3 == 2 else work


def _refused(why: str) -> Answer:
    fault = [{"type": "parameter-not-allowed", "value": "", "message": why}]
    return as_json({"status": "failed", "message-type": "validation-failure", "message": fault}, 400)
