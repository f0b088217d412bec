"""Citation of Queryscape and of the methods that it implements: the only place of these facts in code."""

from __future__ import annotations

from dataclasses import dataclass

from core.version import VERSION

TITLE = "Queryscape"
AUTHORS = "The Queryscape authors"
YEAR = 2026
RELEASED = "2026-11-28"
LICENSE = "MIT"
ABSTRACT = "Explore the quality of literature search queries"


@dataclass(frozen=True, slots=True)
class CitedWork:
    """A method or benchmark that Queryscape implements."""

    title: str
    first_author: str
    """Family name; the others are not listed here."""
    year: int
    address: str
    use: str


WORKS = (
    CitedWork(
        "LitQEval",
        "Saknini",
        2024,
        "https://github.com/Mohammadsaknini/LitQEval",
        "semantic precision, decay and F-beta",
    ),
    CitedWork(
        "STaRK: Benchmarking LLM Retrieval on Textual and Relational Knowledge Bases",
        "Wu",
        2024,
        "https://arxiv.org/abs/2404.13207",
        "questions over knowledge bases, and retrievers",
    ),
)


def citation_text() -> str:
    """Return one line for a list of references.

    >>> citation_text().startswith("The Queryscape authors (2026). Queryscape (version ")
    True
    """
    return f"{AUTHORS} ({YEAR}). {TITLE} (version {VERSION}) [Computer software]."


def citation_bibtex() -> str:
    """Return a BibTeX entry. The braces keep the authors from being read as a person."""
    return "\n".join(
        (
            f"@software{{queryscape-{VERSION},",
            f"  author = {{{{{AUTHORS}}}}},",
            f"  title = {{{{{TITLE}}}: {ABSTRACT}}},",
            f"  version = {{{VERSION}}},",
            f"  year = {{{YEAR}}}",
            "}",
        )
    )


def works_sentence() -> str:
    """Return the methods to cite, too."""
    return "; ".join(f"{work.title} ({work.first_author} et al., {work.year}) for {work.use}" for work in WORKS)


def citation_document() -> dict[str, object]:
    """Return the citation for machines, by the names of CITATION.cff where it has one."""
    return {
        "title": TITLE,
        "version": VERSION,
        "authors": [AUTHORS],
        "date_released": RELEASED,
        "license": LICENSE,
        "text": citation_text(),
        "bibtex": citation_bibtex(),
        "references": [
            {
                "title": work.title,
                "first_author": work.first_author,
                "year": work.year,
                "url": work.address,
                "use": work.use,
            }
            for work in WORKS
        ],
    }
