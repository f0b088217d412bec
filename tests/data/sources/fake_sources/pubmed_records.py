"""Made-up works in the shape of PubMed's XML (the DTD of PubMed, as of 1 January 2025)."""

from __future__ import annotations

from datetime import date, timedelta
from xml.sax.saxutils import escape, quoteattr

from tests.data.sources.fake_sources.corpus import FIRST_YEAR, Work

HEAD = (
    '<?xml version="1.0" ?>\n<!DOCTYPE PubmedArticleSet PUBLIC "-//NLM//DTD PubMedArticle, 1st January 2025//EN" '
    '"https://dtd.nlm.nih.gov/ncbi/pubmed/out/pubmed_250101.dtd">\n<PubmedArticleSet>\n'
)
TAIL = "</PubmedArticleSet>\n"
LABELS = ("BACKGROUND", "METHODS", "RESULTS", "CONCLUSIONS")
TYPES = {
    "article": "Journal Article",
    "review": "Review",
    "conference": "Congress",
    "preprint": "Preprint",
}
EVERY_BOOK = 97
"""Every so manieth work is a book."""


def entered(work: Work) -> date:
    """The day on which PubMed took it in."""
    first = date(work.year or FIRST_YEAR, 1, 1)
    return first + timedelta(days=work.number * 7919 % 365)


def article_set(works: list[Work]) -> str:
    return HEAD + "".join(map(record, works)) + TAIL


def record(work: Work) -> str:
    return _book(work) if work.number % EVERY_BOOK == 0 else _article(work)


def _article(work: Work) -> str:
    day, types = entered(work), ["Journal Article"]
    if (named := TYPES.get(work.kind, "Journal Article")) not in types:
        types.append(named)
    year = f"<Year>{work.year}</Year><Month>Mar</Month>" if work.year else "<MedlineDate>date unknown</MedlineDate>"
    first, last = work.pages
    title = work.title and f"{work.title}."
    headings = "".join(
        f'<MeshHeading><DescriptorName UI="D{work.number % 99999:06}" MajorTopicYN="N">{escape(word)}</DescriptorName>'
        '<QualifierName UI="Q000379" MajorTopicYN="N">methods</QualifierName></MeshHeading>'
        for word in ("Humans", "Models, Theoretical")
    )
    kinds = "".join(f'<PublicationType UI="D016428">{kind}</PublicationType>' for kind in types)
    words = "".join(f'<Keyword MajorTopicYN="N">{escape(word)}</Keyword>' for word in work.keywords)
    return (
        f'<PubmedArticle><MedlineCitation Status="MEDLINE" Owner="NLM" IndexingMethod="Automated">'
        f'<PMID Version="1">{work.pmid}</PMID><DateRevised><Year>{day.year}</Year><Month>{day.month:02}</Month>'
        f'<Day>{day.day:02}</Day></DateRevised><Article PubModel="Print-Electronic"><Journal><ISSN IssnType='
        f'"Electronic">0000-0000</ISSN><JournalIssue CitedMedium="Internet"><Volume>{work.volume}</Volume>'
        f"<Issue>{work.issue}</Issue><PubDate>{year}</PubDate></JournalIssue><Title>{escape(work.journal)}</Title>"
        f"<ISOAbbreviation>J Inv Res</ISOAbbreviation></Journal><ArticleTitle>{title}</ArticleTitle>"
        f"<Pagination><StartPage>{first}</StartPage><EndPage>{last}</EndPage><MedlinePgn>{first}-{last}</MedlinePgn></Pagination>"
        f"{_location(work)}{_abstract(work)}{_authors(work)}<Language>eng</Language><PublicationTypeList>{kinds}</PublicationTypeList></Article>"
        f"<MedlineJournalInfo><Country>Nowhere</Country><MedlineTA>J Inv Res</MedlineTA></MedlineJournalInfo>"
        f"<CitationSubset>IM</CitationSubset><MeshHeadingList>{headings}</MeshHeadingList>"
        f'<KeywordList Owner="NOTNLM">{words}</KeywordList></MedlineCitation><PubmedData>{_history(day)}'
        f"<PublicationStatus>ppublish</PublicationStatus>{_ids(work)}{_references(work)}</PubmedData></PubmedArticle>\n"
    )


def _book(work: Work) -> str:
    year = f"<PubDate><Year>{work.year}</Year></PubDate>" if work.year else ""
    return (
        f'<PubmedBookArticle><BookDocument><PMID Version="1">{work.pmid}</PMID><ArticleIdList><ArticleId '
        f'IdType="bookaccession">NBK{work.number}</ArticleId></ArticleIdList><Book><Publisher><PublisherName>Press of '
        f'Nowhere</PublisherName></Publisher><BookTitle book="b{work.number}">{work.title}</BookTitle>{year}'
        f"{_location(work)}</Book><Language>eng</Language>{_authors(work)}{_abstract(work)}</BookDocument>"
        f"<PubmedBookData>{_history(entered(work))}<PublicationStatus>ppublish</PublicationStatus></PubmedBookData>"
        "</PubmedBookArticle>\n"
    )


def _location(work: Work) -> str:
    return f'<ELocationID EIdType="doi" ValidYN="Y">{escape(work.doi)}</ELocationID>' if work.doi else ""


def _abstract(work: Work) -> str:
    if not work.sentences:
        return ""
    if work.number % 3:
        return f"<Abstract><AbstractText>{escape(work.abstract or '')}</AbstractText></Abstract>"
    parts = zip(LABELS * 3, work.sentences, strict=False)
    named = (f"<AbstractText Label={quoteattr(label)}>{escape(text)}</AbstractText>" for label, text in parts)
    return f"<Abstract>{''.join(named)}</Abstract>"


def _authors(work: Work) -> str:
    named = "".join(
        f'<Author ValidYN="Y"><LastName>{escape(family)}</LastName><ForeName>{escape(given)}</ForeName><Initials>'
        f"{escape(given[:1])}</Initials><AffiliationInfo><Affiliation>Department of Things That Are Not, University of "
        "Nowhere, Nowhere.</Affiliation></AffiliationInfo></Author>"
        for family, given in work.authors
    )
    return f'<AuthorList CompleteYN="Y">{named}</AuthorList>'


def _history(day: date) -> str:
    written = f"<Year>{day.year}</Year><Month>{day.month}</Month><Day>{day.day}</Day>"
    dates = "".join(
        f'<PubMedPubDate PubStatus="{status}">{written}<Hour>6</Hour><Minute>0</Minute></PubMedPubDate>'
        for status in ("received", "accepted", "entrez", "pubmed", "medline")
    )
    return f"<History>{dates}</History>"


def _ids(work: Work) -> str:
    doi = f'<ArticleId IdType="doi">{escape(work.doi)}</ArticleId>' if work.doi else ""
    return f'<ArticleIdList><ArticleId IdType="pubmed">{work.pmid}</ArticleId>{doi}</ArticleIdList>'


def _references(work: Work) -> str:
    """Works that it cites: their numbers are not its own."""
    cited = "".join(
        f"<Reference><Citation>Castrel A, Hirano G. Of other things, part {i}. Imaginary Letters. 1994;{i}:1-9."
        f'</Citation><ArticleIdList><ArticleId IdType="doi">10.5555/cited.{work.number}.{i}</ArticleId><ArticleId '
        f'IdType="pubmed">{i + 1}</ArticleId></ArticleIdList></Reference>'
        for i in range(work.number % 12)
    )
    return f"<ReferenceList>{cited}</ReferenceList>" if cited else ""
