"""The stand-ins by name, and what the one suite of tests needs to know of each."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from importlib import import_module
from typing import Any

from core.sources.source_forms import SourceId
from data.sources.connection import Connection
from data.sources.types import LiveSource
from tests.data.sources.fake_sources import crossref, dimensions, europepmc, openalex, pubmed, semanticscholar
from tests.data.sources.fake_sources.corpus import Corpus, Work
from tests.data.sources.fake_sources.server import Asked, FakeSources, Service


@dataclass(frozen=True)
class Stand:
    """One source that is played."""

    source: SourceId
    variable: str
    """Says where the source is."""
    key_variable: str
    key: str
    """That the stand-in takes."""
    class_name: str
    """In data/sources/SOURCE.py."""
    fake: Callable[[Corpus], Service]
    key_of: Callable[[Work], str | None]
    """By what name the source knows a work; None: it does not have it."""
    everything: str
    """The text of a form that finds all works."""
    brings: Callable[[Asked], bool]
    """Whether a request is one for records of a page."""
    insists: bool = True
    """Pages need a key."""
    forgets: bool = True
    """It may no longer know a place."""
    chooses: bool = True
    """The number of records on a page can be chosen."""

    def connect(self, server: FakeSources, *, key: str | None = None, **common: Any) -> Connection:
        """A connection to the stand-in, which waits for nothing."""
        module = import_module(f"data.sources.{self.source}")
        given = common if "patience" in common else {"sleep": lambda seconds: None, **common}
        connection: Connection = module.connect(server.address(self.source), self.key if key is None else key, **given)
        return connection

    def opened(self, connection: Connection) -> LiveSource:
        module = import_module(f"data.sources.{self.source}")
        source: LiveSource = getattr(module, self.class_name)(connection, has_key=connection.has_key)
        return source


STANDS: tuple[Stand, ...] = (
    Stand(
        "openalex",
        "QUERYSCAPE_OPENALEX_URL",
        "OPENALEX_API_KEY",
        openalex.KEY,
        "OpenAlex",
        openalex.FakeOpenAlex,
        openalex.id_of,
        "title_and_abstract.search:everything",
        lambda asked: bool({"cursor", "page"} & asked.params.keys()),
        insists=False,
    ),
    Stand(
        "pubmed",
        "QUERYSCAPE_PUBMED_URL",
        "NCBI_API_KEY",
        pubmed.KEY,
        "PubMed",
        pubmed.FakePubMed,
        lambda work: work.pmid,
        "everything",
        lambda asked: "efetch" in asked.path,
        insists=False,
    ),
    Stand(
        "europepmc",
        "QUERYSCAPE_EUROPEPMC_URL",
        "",
        "",
        "EuropePmc",
        europepmc.FakeEuropePmc,
        lambda work: ":".join(europepmc.name_of(work)),
        "everything",
        lambda asked: "resultType=core" in f"{asked.query}&{asked.body.decode()}",
        insists=False,
    ),
    Stand(
        "semanticscholar",
        "QUERYSCAPE_SEMANTICSCHOLAR_URL",
        "SEMANTIC_SCHOLAR_API_KEY",
        semanticscholar.KEY,
        "SemanticScholar",
        semanticscholar.FakeSemanticScholar,
        semanticscholar.id_of,
        "everything",
        lambda asked: "abstract" in asked.params.get("fields", "") and asked.method == "GET",
        insists=False,
        chooses=False,
    ),
    Stand(
        "dimensions",
        "QUERYSCAPE_DIMENSIONS_URL",
        "DIMENSIONS_API_KEY",
        dimensions.KEY,
        "Dimensions",
        dimensions.FakeDimensions,
        dimensions.id_of,
        'search publications in title_abstract_only for "everything"',
        lambda asked: b"abstract" in asked.body and b"where" not in asked.body,
        forgets=False,
    ),
)
"""Every source that can be searched."""
VARIABLES = {stand.source: stand.variable for stand in STANDS} | {"crossref": "QUERYSCAPE_CROSSREF_URL"}
"""Source -> the variable that says where it is."""
KEYS = {stand.key_variable: stand.key for stand in STANDS if stand.key_variable}
"""Variable -> the key that the stand-in takes."""


def services(corpus: Corpus, *, dollars: float = openalex.ALLOWED) -> dict[str, Service]:
    """Every stand-in over the same works, by the first part of its path."""
    every: dict[str, Service] = {stand.source: stand.fake(corpus) for stand in STANDS}
    return every | {
        "openalex": openalex.FakeOpenAlex(corpus, allowed=dollars),
        "crossref": crossref.FakeCrossref(corpus),
    }
