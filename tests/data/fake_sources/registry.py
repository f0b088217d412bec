"""The stand-ins by name, and what the one suite of tests needs to know of each."""

from __future__ import annotations

from tests.data.fake_sources import openalex, pubmed
from tests.data.fake_sources.corpus import Corpus
from tests.data.fake_sources.server import Service

VARIABLES = {
    "openalex": "QUERYSCAPE_OPENALEX_URL",
    "pubmed": "QUERYSCAPE_PUBMED_URL",
}
"""Source -> the variable that says where it is."""
KEYS = {"OPENALEX_API_KEY": openalex.KEY, "NCBI_API_KEY": pubmed.KEY}
"""Variable -> the key that the stand-in takes."""


def services(corpus: Corpus, *, dollars: float = openalex.ALLOWED) -> dict[str, Service]:
    """Every stand-in over the same works, by the first part of its path."""
    return {
        "openalex": openalex.FakeOpenAlex(corpus, allowed=dollars),
        "pubmed": pubmed.FakePubMed(corpus),
    }
