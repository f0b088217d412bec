"""A source opened over its stand-in, with faults where a test wants them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime

from core.sources.source_forms import Form, SourceOptions
from data.http.client import FASTEST, Limiter, Patience
from data.sources.connection import Connection
from data.sources.types import LiveSource, SentRequest, SourcePage
from tests.data.sources.fake_sources.corpus import Corpus, made_up
from tests.data.sources.fake_sources.registry import Stand
from tests.data.sources.fake_sources.server import Asked, FakeSources, Service, serving

NOW = datetime(2031, 5, 6, 14, 0, tzinfo=UTC).timestamp()
CHOICES = SourceOptions()
N_FOR_FIXED_PAGES = 2300
"""Works for a source whose pages have a thousand, whatever one wants."""
N_WORKS = 130
MOST = 40
"""Records wanted of a page, so that there are several."""


@dataclass(eq=False)
class Played:
    """A source and all that a test looks at."""

    stand: Stand
    corpus: Corpus
    service: Service
    server: FakeSources
    connection: Connection
    source: LiveSource
    slept: list[float]
    sent: list[tuple[SentRequest, float | None]]
    most: int = MOST

    @property
    def everything(self) -> Form:
        return Form(0, self.stand.everything)

    @property
    def keys(self) -> list[str]:
        """Of all works that the source has."""
        return [key for work in self.corpus.works if (key := self.stand.key_of(work)) is not None]

    @property
    def asked(self) -> list[Asked]:
        return self.server.of(self.stand.source)

    def page(self, at: str | None = None) -> SourcePage:
        return self.source.page(self.everything, CHOICES, at, self.most)

    def pages(self, at: str | None = None, form: Form | None = None) -> list[SourcePage]:
        pages = [self.source.page(form or self.everything, CHOICES, at, self.most)]
        while (at := pages[-1].next) is not None:
            pages.append(self.source.page(form or self.everything, CHOICES, at, self.most))
            assert len(pages) < 500
        return pages


@dataclass
class OnPages:
    """Faults by the number of the request for records, from 1."""

    stand: Stand
    faults: Mapping[int, str]
    n: int = 0
    seen: list[Asked] = field(default_factory=list)

    def __call__(self, asked: Asked) -> str:
        if asked.source != self.stand.source or not self.stand.brings(asked):
            return ""
        self.n += 1
        self.seen.append(asked)
        return self.faults.get(self.n, "")


@contextmanager
def played(
    stand: Stand,
    faults: Mapping[int, str] | None = None,
    *,
    n: int | None = None,
    key: str | None = None,
    timeout: float = 20.0,
    n_attempts: int = 4,
) -> Iterator[Played]:
    """A source over so many works; `faults`: on the so manieth request for records."""
    corpus = made_up(n or (N_WORKS if stand.chooses else N_FOR_FIXED_PAGES))
    service = stand.fake(corpus)
    slept: list[float] = []
    sent: list[tuple[SentRequest, float | None]] = []
    patience = Patience(n_attempts, 1.0, 60.0, timeout, slept.append, lambda: NOW)
    with serving({stand.source: service}, OnPages(stand, faults or {})) as server:
        connection = stand.connect(
            server, key=key, patience=patience, on_sent=lambda one, left: sent.append((one, left))
        )
        connection._limiter = Limiter(FASTEST, sleep=lambda seconds: None)  # no test waits for its turn
        try:
            yield Played(stand, corpus, service, server, connection, stand.opened(connection), slept, sent)
        finally:
            connection.close()
