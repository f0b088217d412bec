"""Ten made-up works as each source would answer for them, in the forms that its documentation describes."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from html import escape
from typing import Any

from core.library.records import Kind


@dataclass(frozen=True)
class SameWork:
    name: str
    number: int
    title: str
    kind: Kind = "article"
    year: int = 2019
    parts: tuple[tuple[str, str], ...] = (("", "We cook soup and measure how well people sleep."),)
    """Label and text of each part of the abstract."""

    @property
    def doi(self) -> str:
        return f"10.5555/same.{self.number}"

    @property
    def pmid(self) -> str:
        return str(31000000 + self.number)

    @property
    def abstract(self) -> str | None:
        return " ".join(f"{label}: {text}" if label else text for label, text in self.parts) or None


WORKS = (
    SameWork("article", 1, "Soup and sleep in nursing homes"),
    SameWork("trial", 2, "Warm broth before bed: a randomised trial"),
    SameWork("review", 3, "Soup as a sleeping aid: a review"),
    SameWork("retracted", 4, "Cold soup cures insomnia"),
    SameWork("preprint", 5, "A survey of midnight cooks", "preprint"),
    SameWork("chapter", 6, "The history of broth", "chapter", 2017),
    SameWork("conference", 7, "Detecting soup in pictures", "conference", 1992),
    SameWork("no abstract", 8, "Stew and naps in winter", parts=()),
    SameWork(
        "structured",
        9,
        "Stock cubes and dreams of cooks",
        parts=(("Objective", "This study counts dreams."), ("Results", "There were many dreams.")),
    ),
    SameWork("formula", 10, "Uptake of H2O when α=2 in noodles"),
)
MATH = (
    '<mml:math xmlns:mml="http://www.w3.org/1998/Math/MathML"><mml:semantics><mml:mrow><mml:mi>α</mml:mi>'
    "<mml:mo>=</mml:mo><mml:mn>2</mml:mn></mml:mrow>"
    '<mml:annotation encoding="application/x-tex">\\alpha=2</mml:annotation></mml:semantics>'
    "</mml:math>"
)
Types = Mapping[str, tuple[str, ...]]


def marked(work: SameWork, math: str = "<i>α</i>=2") -> str:
    """The title with the markup of a publisher."""
    return escape(work.title, quote=False).replace("H2O", "H<sub>2</sub>O").replace("α=2", math)


# PubMed: https://dtd.nlm.nih.gov/ncbi/pubmed/

_PUBMED_TYPES: Types = {
    "trial": ("Journal Article", "Randomized Controlled Trial"),
    "review": ("Review",),
    "retracted": ("Journal Article", "Retracted Publication"),
    "preprint": ("Journal Article", "Preprint"),
    "conference": ("Congress",),
    "no abstract": ("Case Reports",),
    "structured": ("Clinical Conference",),
}


def pubmed(works: tuple[SameWork, ...]) -> bytes:
    return f"<PubmedArticleSet>{''.join(map(_pubmed, works))}</PubmedArticleSet>".encode()


def _pubmed(work: SameWork) -> str:
    parts = "".join(
        f"<AbstractText Label='{label.upper()}' NlmCategory='{label.upper()}'>{text}</AbstractText>"
        if label
        else f"<AbstractText>{text}</AbstractText>"
        for label, text in work.parts
    )
    abstract = f"<Abstract>{parts}</Abstract>" if parts else ""
    ids = (
        f'<ArticleIdList><ArticleId IdType="pubmed">{work.pmid}</ArticleId>'
        f'<ArticleId IdType="doi">{work.doi}</ArticleId>'
        f'<ArticleId IdType="pmc">PMC{work.number + 7000}</ArticleId></ArticleIdList>'
    )
    if work.name == "chapter":
        return (
            f"<PubmedBookArticle><BookDocument><PMID>{work.pmid}</PMID>{ids}<Book><Publisher><PublisherName>P"
            "</PublisherName></Publisher><BookTitle>All about broth</BookTitle><PubDate><Year>2004</Year>"
            "</PubDate></Book>"
            f"<ArticleTitle>{marked(work)}</ArticleTitle><Language>eng</Language>"
            "<PublicationType>Review</PublicationType>"
            f"{abstract}<ContributionDate><Year>{work.year}</Year></ContributionDate></BookDocument>"
            "</PubmedBookArticle>"
        )
    types = "".join(
        f"<PublicationType>{text}</PublicationType>" for text in _PUBMED_TYPES.get(work.name, ("Journal Article",))
    )
    return (
        f"<PubmedArticle><MedlineCitation><PMID>{work.pmid}</PMID><Article><Journal>"
        "<ISSN IssnType='Print'>1234-567X</ISSN>"
        f"<JournalIssue><PubDate><Year>{work.year}</Year></PubDate></JournalIssue>"
        "<Title>Journal of Soup</Title></Journal>"
        f"<ArticleTitle>{marked(work, MATH)}.</ArticleTitle>{abstract}<Language>eng</Language>"
        f"<PublicationTypeList>{types}"
        "</PublicationTypeList></Article><MeshHeadingList><MeshHeading><DescriptorName MajorTopicYN='N'>Sleep"
        "</DescriptorName><QualifierName MajorTopicYN='Y'>drug effects</QualifierName><QualifierName MajorTopicYN='N'>"
        "physiology</QualifierName></MeshHeading><MeshHeading><DescriptorName MajorTopicYN='Y'>Soups</DescriptorName>"
        "</MeshHeading></MeshHeadingList><KeywordList><Keyword MajorTopicYN='N'>broth</Keyword></KeywordList>"
        f"</MedlineCitation><PubmedData>{ids}<ReferenceList><Reference><Citation>Kho L. Soup.</Citation><ArticleIdList>"
        "<ArticleId IdType='pubmed'>123456</ArticleId></ArticleIdList></Reference><ReferenceList>"
        "<Reference><Citation>A."
        "</Citation><ArticleIdList><ArticleId IdType='doi'>10.5555/CITED</ArticleId></ArticleIdList></Reference>"
        "</ReferenceList></ReferenceList></PubmedData></PubmedArticle>"
    )


# Europe PMC: https://europepmc.org/RestfulWebService, resultType=core

_EUROPEPMC_TYPES: Types = {
    "trial": ("Randomized Controlled Trial", "research-article"),
    "review": ("review-article",),
    "retracted": ("retracted publication", "Journal Article"),
    "preprint": ("Preprint",),
    "chapter": ("Book Chapter",),
    "conference": ("Congress",),
    "no abstract": ("case-report",),
    "structured": ("Clinical Conference",),
}


def europepmc(works: tuple[SameWork, ...]) -> dict[str, Any]:
    return {"hitCount": len(works), "resultList": {"result": [_europepmc(work) for work in works]}}


def _europepmc(work: SameWork) -> dict[str, Any]:
    is_preprint = work.kind == "preprint"
    found: dict[str, Any] = {
        "id": f"PPR{work.number}" if is_preprint else work.pmid,
        "source": "PPR" if is_preprint else "MED",
        "doi": work.doi,
        "title": f"{marked(work)}.",
        "authorString": "Kho L, Ames R.",
        "pubYear": str(work.year),
        "journalInfo": {"yearOfPublication": work.year, "journal": {"title": "Journal of Soup", "issn": "1234-567X"}},
        "pubTypeList": {"pubType": list(_EUROPEPMC_TYPES.get(work.name, ("research-article", "Journal Article")))},
        "language": "eng",
        "meshHeadingList": {
            "meshHeading": [
                {
                    "majorTopic_YN": "N",
                    "descriptorName": "Sleep",
                    "meshQualifierList": {
                        "meshQualifier": [
                            {"abbreviation": "DE", "qualifierName": "drug effects", "majorTopic_YN": "Y"},
                            {"abbreviation": "PH", "qualifierName": "physiology", "majorTopic_YN": "N"},
                        ]
                    },
                },
                {"majorTopic_YN": "Y", "descriptorName": "Soups"},
            ]
        },
        "keywordList": {"keyword": ["broth"]},
    }
    if not is_preprint:
        found |= {"pmid": work.pmid, "pmcid": f"PMC{work.number + 7000}"}
    if work.parts:
        found["abstractText"] = "".join(f"<h4>{label}</h4>{text}" if label else text for label, text in work.parts)
    return found


# Semantic Scholar: https://api.semanticscholar.org/api-docs/graph

_SEMANTICSCHOLAR_TYPES: Types = {
    "trial": ("ClinicalTrial",),
    "review": ("Review",),
    "chapter": ("BookSection",),
    "conference": ("JournalArticle", "Conference"),
    "no abstract": ("CaseReport",),
}


def semanticscholar(works: tuple[SameWork, ...]) -> dict[str, Any]:
    return {"total": len(works), "token": None, "data": [_semanticscholar(work) for work in works]}


def _semanticscholar(work: SameWork) -> dict[str, Any]:
    venue = "medRxiv" if work.kind == "preprint" else "Journal of Soup"
    return {
        "paperId": f"{work.number:040x}",
        "externalIds": {
            "DOI": work.doi.upper(),
            "PubMed": work.pmid,
            "PubMedCentral": str(work.number + 7000),
            "CorpusId": work.number,
        },
        "title": work.title,
        "abstract": work.abstract,
        "year": work.year,
        "venue": venue,
        "journal": {"name": venue},
        "publicationTypes": list(_SEMANTICSCHOLAR_TYPES.get(work.name, ("JournalArticle",))),
        "authors": [{"authorId": "1", "name": "Lena Kho"}],
        "citationCount": 3,
    }


# Crossref: https://api.crossref.org

_CROSSREF_TYPES = {"preprint": "posted-content", "chapter": "book-chapter", "conference": "proceedings-article"}


def crossref(works: tuple[SameWork, ...]) -> dict[str, Any]:
    items = [_crossref(work) for work in works]
    return {"status": "ok", "message-type": "work-list", "message": {"total-results": len(items), "items": items}}


def _crossref(work: SameWork) -> dict[str, Any]:
    title = f"RETRACTED: {work.title}" if work.name == "retracted" else marked(work, MATH)
    found: dict[str, Any] = {
        "DOI": work.doi.upper(),
        "title": [title],
        "type": _CROSSREF_TYPES.get(work.name, "journal-article"),
        "issued": {"date-parts": [[None if work.name == "conference" else work.year]]},
        "created": {"date-parts": [[2023, 5, 6]], "date-time": "2023-05-06T00:00:00Z"},
        "container-title": ["Journal of Soup"],
        "ISSN": ["1234-567X"],
        "author": [{"family": "Kho", "given": "Lena", "sequence": "first"}],
        "is-referenced-by-count": 3,
        "reference": [{"key": "1", "DOI": "10.5555/cited"}, {"key": "2", "unstructured": "Kho, L. Soup."}],
    }
    if work.name == "retracted":
        found["updated-by"] = [{"DOI": "10.5555/notice", "type": "retraction", "label": "Retraction"}]
    if work.name == "preprint":
        found |= {"subtype": "preprint", "posted": {"date-parts": [[work.year, 3, 1]]}}
    if work.name == "formula":
        found["subtitle"] = [marked(work).partition(" when ")[2]]
    if work.parts:
        found["abstract"] = "<jats:title>Abstract</jats:title>" + "".join(
            f"<jats:sec><jats:title>{label}</jats:title><jats:p>{text}</jats:p></jats:sec>"
            if label
            else f"<jats:p>{text}</jats:p>"
            for label, text in work.parts
        )
    return found


# OpenAlex: https://developers.openalex.org

_OPENALEX_TYPES = {"review": "review", "preprint": "preprint", "chapter": "book-chapter"}


def openalex(works: tuple[SameWork, ...]) -> dict[str, Any]:
    return {"meta": {"count": len(works), "next_cursor": None}, "results": [_openalex(work) for work in works]}


def _openalex(work: SameWork) -> dict[str, Any]:
    words = f"Abstract {' '.join(f'{label} {text}'.strip() for label, text in work.parts)}" if work.parts else ""
    words = words if work.name == "structured" else words.removeprefix("Abstract ")
    index: dict[str, list[int]] = {}
    for place, word in enumerate(words.split()):
        index.setdefault(word, []).append(place)
    found = {
        "id": f"https://openalex.org/W{work.number + 4000000}",
        "doi": f"https://doi.org/{work.doi}",
        "title": f"RETRACTED: {work.title}" if work.name == "retracted" else marked(work, MATH),
        "publication_year": work.year,
        "ids": {
            "pmid": f"https://pubmed.ncbi.nlm.nih.gov/{work.pmid}",
            "pmcid": f"https://www.ncbi.nlm.nih.gov/pmc/articles/{work.number + 7000}",
        },
        "type": _OPENALEX_TYPES.get(work.name, "article"),
        "language": "en",
        "is_retracted": work.name == "retracted",
        "primary_location": {
            "source": {
                "display_name": "Journal of Soup",
                "type": "conference" if work.kind == "conference" else "journal",
                "issn": ["1234-567X"],
            }
        },
        "referenced_works": ["https://openalex.org/W77"],
        "mesh": [
            _heading("D1", "Sleep", "Q1", "drug effects", is_major=True),
            _heading("D1", "Sleep", "Q2", "physiology", is_major=False),
            _heading("D2", "Soups", "", None, is_major=True),
        ],
        "keywords": [{"display_name": "broth", "score": 0.5}],
    }
    return found | {"abstract_inverted_index": index or None}


def _heading(ui: str, name: str, qualifier_ui: str, qualifier: str | None, *, is_major: bool) -> dict[str, Any]:
    described = {"descriptor_ui": ui, "descriptor_name": name, "qualifier_ui": qualifier_ui}
    return described | {"qualifier_name": qualifier, "is_major_topic": is_major}


# Dimensions: https://docs.dimensions.ai/dsl

_DIMENSIONS_TYPES = {"preprint": "preprint", "chapter": "chapter", "conference": "proceeding"}


def dimensions(works: tuple[SameWork, ...]) -> dict[str, Any]:
    return {"publications": [_dimensions(work) for work in works], "_stats": {"total_count": len(works)}}


def _dimensions(work: SameWork) -> dict[str, Any]:
    found: dict[str, Any] = {
        "id": f"pub.{work.number + 1000000}",
        "title": work.title,
        "year": work.year,
        "doi": work.doi,
        "pmid": work.pmid,
        "type": _DIMENSIONS_TYPES.get(work.name, "article"),
        "authors": [{"first_name": "Lena", "last_name": "Kho"}],
        "journal": {"id": "jour.1", "title": "Journal of Soup"},
        "pmcid": f"PMC{work.number + 7000}",
        "issn": ["1234-567X"],
        "mesh_terms": ["Sleep", "Soups"],
        "reference_ids": ["pub.77"],
    }
    if work.abstract:
        found["abstract"] = "".join(f"<h3>{label}</h3><p>{text}</p>" if label else text for label, text in work.parts)
    return found


ANSWERS: Mapping[str, Callable[[tuple[SameWork, ...]], Any]] = {
    "pubmed": pubmed,
    "europepmc": europepmc,
    "semanticscholar": semanticscholar,
    "crossref": crossref,
    "openalex": openalex,
    "dimensions": dimensions,
}
