"""Small bibliographies of text, read as a file is."""

from __future__ import annotations

from core.library.records import Record
from data.importers.reading import read_data
from data.importers.source import FileReading


def reading(text: str) -> FileReading:
    """A file of this text."""
    return read_data(text.encode(), "made up")


def only(text: str) -> Record:
    found = reading(text)
    assert found.rejected == ()
    (record,) = found.records
    return record


def titles(found: FileReading) -> list[str]:
    return [record.title for record in found.records]


def pubmed(*articles: str) -> str:
    """A file of PubMed's with these citations."""
    inner = "\n".join(f"<PubmedArticle><MedlineCitation>{one}</MedlineCitation></PubmedArticle>" for one in articles)
    return f'<?xml version="1.0"?>\n<PubmedArticleSet>\n{inner}\n</PubmedArticleSet>'
