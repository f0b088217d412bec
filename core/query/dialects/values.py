"""Document types, languages and other values of lists, as each dialect writes them."""

from collections import defaultdict
from collections.abc import Mapping

from core.query.dialects.dates import DATE_FIELDS, date_named, date_written

# Publication types of the National Library of Medicine: the same names in every dialect that searches MEDLINE
# records. One concept per line: its name, then after "=" the spellings where they differ from the name.
_NLM_DIALECTS = ("pubmed", "ovid", "ebsco", "proquest", "cochrane")
_NLM_TYPES = """
adaptive clinical trial
address = address | addresses
autobiography
bibliography
biography
case report = case reports | case report
classical article
clinical conference
clinical study
clinical trial
clinical trial protocol
clinical trial, phase i
clinical trial, phase ii
clinical trial, phase iii
clinical trial, phase iv
clinical trial, veterinary
collected work = collected work | collected works
comment
comparative study
congress = congress | congresses
consensus development conference
consensus development conference, nih
controlled clinical trial
corrected and republished article
dataset
dictionary
directory
duplicate publication
editorial
electronic supplementary materials
english abstract
equivalence trial
erratum = published erratum
evaluation study = evaluation study | evaluation studies
expression of concern
festschrift
government publication = government publication | government publications
guideline
historical article
interactive tutorial
interview
introductory journal article
journal article
lecture = lecture | lectures
legal case = legal case | legal cases
legislation
letter
meta-analysis = meta-analysis | meta analysis
multicenter study
network meta-analysis
news
newspaper article
observational study
observational study, veterinary
overall
patient education handout
periodical index
personal narrative = personal narrative | personal narratives
portrait = portrait | portraits
practice guideline
pragmatic clinical trial
preprint
randomized controlled trial
randomized controlled trial, veterinary
research support, american recovery and reinvestment act
research support, n.i.h., extramural
research support, n.i.h., intramural
research support, non-u.s. gov't
research support, u.s. gov't, non-p.h.s.
research support, u.s. gov't, p.h.s.
research support, u.s. government
retracted publication
retraction = retraction of publication | retraction notice
review
scientific integrity review
scoping review
systematic review
technical report
twin study
validation study = validation study | validation studies
video-audio media
webcast = webcast | webcasts
"""

# The other dialects' own values, and values that one database of a host adds to the names above (Embase on Ovid,
# CINAHL on EBSCO). A concept too long for one line has two. Embase.com offers the evidence types (systematic review,
# meta analysis, the trials, cochrane review) only as limits: [systematic review]/lim, never 'systematic review'/it.
_OTHER_TYPES = """
abstract: ebsco=Abstract
abstract of published item: wos=Abstract of Published Item
abstract report: scopus=ab
art exhibit review: wos=Art Exhibit Review
article: scopus=ar; wos=Article; embase=article; ovid=article; openalex=article
article: dimensions=RESEARCH_ARTICLE | research article
article in press: embase=article in press; ovid=article in press; scopus=ip
bibliography: wos=Bibliography
biographical item: wos=Biographical-Item
book: scopus=bk; wos=Book; openalex=book; ebsco=Book; proquest=Book; ovid=book
book chapter: scopus=ch; wos=Book Chapter; embase=chapter; ovid=chapter | book chapter; openalex=book-chapter
book chapter: ebsco=Book Chapter | Chapter; proquest=Book Chapter; dimensions=chapter
book review: wos=Book Review; ebsco=Book Review; proquest=Book Review; openalex=book-review
book review: dimensions=BOOK_REVIEW | book review
brief item: ebsco=Brief Item
business article: scopus=bz
care plan: ebsco=Care Plan
case study: ebsco=Case Study; proquest=Case Study
chronology: wos=Chronology
cochrane review: embase=cochrane review
commentary: ebsco=Commentary; proquest=Commentary
conference abstract: embase=conference abstract; ovid=conference abstract; wos=Meeting Abstract
conference abstract: dimensions=CONFERENCE_ABSTRACT | conference abstract
conference paper: scopus=cp; wos=Proceedings Paper; embase=conference paper; ovid=conference paper
conference paper: proquest=Conference Paper; dimensions=CONFERENCE_PAPER | conference paper
conference proceeding: proquest=Conference Proceeding; cochrane=conference proceeding; dimensions=proceeding
conference review: scopus=cr; embase=conference review; ovid=conference review
controlled clinical trial: embase=controlled clinical trial
dance performance review: wos=Dance Performance Review
data paper: scopus=dp; wos=Data Paper; embase=data papers | data paper
database review: wos=Database Review
dataset: openalex=dataset; wos=Data Set
discussion: wos=Discussion
dissertation: openalex=dissertation; proquest=Dissertation/Thesis
doctoral dissertation: ebsco=Doctoral Dissertation
early access: wos=Early Access
edited book: dimensions=book
editorial: scopus=ed; embase=editorial; openalex=editorial; dimensions=EDITORIAL
editorial material: wos=Editorial Material
erratum: scopus=er; wos=Correction | Correction, Addition; embase=erratum; ovid=erratum; openalex=erratum
erratum: dimensions=CORRECTION_ERRATUM; ebsco=Corrected Article
excerpt: wos=Excerpt
expression of concern: wos=Expression of Concern
feature: proquest=Feature
fiction, creative prose: wos=Fiction, Creative Prose
film review: wos=Film Review
hardware review: wos=Hardware Review
item about an individual: wos=Item About An Individual
item withdrawal: wos=Item Withdrawal
journal content: dimensions=article
letter: scopus=le; wos=Letter; embase=letter; openalex=letter; dimensions=LETTER_TO_EDITOR | letter to editor
letter: proquest=Letter to the Editor
libguides: openalex=libguides
masters thesis: ebsco=Masters Thesis
meeting summary: wos=Meeting Summary
meta-analysis: embase=meta analysis
monograph: dimensions=monograph
multimedia: scopus=mm
music performance review: wos=Music Performance Review
music score: wos=Music Score
music score review: wos=Music Score Review
news: wos=News Item
note: scopus=no; embase=note; ovid=note
note, web of science: wos=Note
obituary: ebsco=Obituary; proquest=Obituary
other: openalex=other
pamphlet: ebsco=Pamphlet
paratext: openalex=paratext
peer review: openalex=peer-review
poetry: wos=Poetry; ebsco=Poetry
practice guideline: ebsco=Practice Guidelines
preprint: embase=preprint; openalex=preprint; dimensions=preprint; wos=Preprint
press release: scopus=pr
proceedings: ebsco=Proceedings
publication with expression of concern: wos=Publication With Expression Of Concern
questionnaire/scale: ebsco=Questionnaire/Scale
randomized controlled trial: embase=randomized controlled trial
record review: wos=Record Review
reference entry: openalex=reference-entry
reference work: dimensions=REFERENCE_WORK
report: scopus=rp; openalex=report; proquest=Report
reprint: wos=Reprint
research: ebsco=Research
research chapter: dimensions=RESEARCH_CHAPTER
retracted publication: scopus=tb; wos=Retracted Publication
retraction: wos=Retraction; openalex=retraction
review: scopus=re; wos=Review | Review Article; embase=review; openalex=review
review: dimensions=REVIEW_ARTICLE | review article
script: wos=Script
seminar: dimensions=seminar
short survey: scopus=sh; embase=short survey; ovid=short survey
software review: wos=Software Review
speech or lecture: proquest=Speech/Lecture
standard: openalex=standard
supplementary materials: openalex=supplementary-materials
systematic review: embase=systematic review
theater review: wos=Theater Review
trial registry record: cochrane=trial registry record
tv or radio review: wos=TV Review, Radio Review | TV Review, Radio Review, Video
withdrawn publication: wos=Withdrawn Publication
working paper or preprint: proquest=Working Paper/Pre-Print
"""

# Name, code of the National Library of Medicine (ISO 639-2/B) and of OpenAlex (ISO 639-1); "-" where there is none.
# A comma separates further names of the same language.
_LANGUAGES = """
afrikaans | afr | af
albanian | alb | sq
amharic | amh | am
arabic | ara | ar
armenian | arm | hy
azerbaijani | aze | az
basque | baq | eu
belarusian, belorussian | bel | be
bengali | ben | bn
bosnian | bos | bs
bulgarian | bul | bg
burmese | bur | my
catalan | cat | ca
chinese | chi | zh
croatian | hrv | hr
czech | cze | cs
danish | dan | da
dutch | dut | nl
english | eng | en
esperanto | epo | eo
estonian | est | et
faroese | fao | fo
finnish | fin | fi
french | fre | fr
galician | glg | gl
georgian | geo | ka
german | ger | de
greek, greek modern | gre | el
gujarati | guj | gu
hebrew | heb | he
hindi | hin | hi
hungarian | hun | hu
icelandic | ice | is
indonesian | ind | id
irish, irish gaelic | gle | ga
italian | ita | it
japanese | jpn | ja
kannada | kan | kn
kazakh | kaz | kk
khmer | khm | km
kirghiz, kyrgyz | kir | ky
korean | kor | ko
lao | lao | lo
latin | lat | la
latvian | lav | lv
lithuanian | lit | lt
luxembourgish | ltz | lb
macedonian | mac | mk
malay | may | ms
malayalam | mal | ml
maltese | mlt | mt
maori | mao | mi
marathi | mar | mr
moldavian | mol | -
mongolian | mon | mn
multiple languages | mul | -
nepali | nep | ne
norwegian | nor | no
persian, farsi | per | fa
polish | pol | pl
portuguese | por | pt
punjabi | pan | pa
romanian, rumanian | rum | ro
russian | rus | ru
sanskrit | san | sa
serbian | srp | sr
serbo-croatian | - | -
sinhalese, sinhala | sin | si
slovak | slo | sk
slovenian, slovene | slv | sl
spanish | spa | es
swahili | swa | sw
swedish | swe | sv
tagalog | tgl | tl
tamil | tam | ta
telugu | tel | te
thai | tha | th
tibetan | tib | bo
turkish | tur | tr
ukrainian | ukr | uk
urdu | urd | ur
uzbek | uzb | uz
vietnamese | vie | vi
welsh | wel | cy
yiddish | yid | yi
"""

# Scopus writes a code; ProQuest and OpenAlex a name.
_SOURCE_TYPES = """
journal: scopus=j; proquest=Scholarly Journals; openalex=journal
book: scopus=b; proquest=Books; openalex=ebook platform
book series: scopus=k; openalex=book series
conference proceedings: scopus=p; proquest=Conference Papers & Proceedings; openalex=conference
report: scopus=r; proquest=Reports
trade journal: scopus=d; proquest=Trade Journals
audio or video: proquest=Audio & Video Works
dissertation: proquest=Dissertations & Theses
encyclopedia or reference work: proquest=Encyclopedias & Reference Works
evidence-based medical resource: proquest=Evidence-Based Medical Resources
government publication: proquest=Government & Official Publications
historical newspaper: proquest=Historical Newspapers
magazine: proquest=Magazines
newspaper: proquest=Newspapers
other: proquest=Other Sources; openalex=other
repository: openalex=repository
web resource: proquest=Blogs, Podcasts, & Websites
wire feed: proquest=Wire Feeds
working paper: proquest=Working Papers
"""

# Author countries that surely have the same name everywhere, with their ISO codes; others are left out. The
# United Kingdom has no name in Web of Science, which lists its parts.
_COUNTRIES = """
argentina AR|australia AU|austria AT|belgium BE|brazil BR|canada CA|chile CL|china CN|colombia CO|denmark DK|egypt EG
finland FI|france FR|germany DE|greece GR|hungary HU|india IN|indonesia ID|ireland IE|israel IL|italy IT
japan JP|kenya KE|malaysia MY|mexico MX|netherlands NL|new zealand NZ|nigeria NG|norway NO|pakistan PK|poland PL
portugal PT|romania RO|saudi arabia SA|singapore SG|south africa ZA|south korea KR|spain ES|sweden SE|switzerland CH
thailand TH|united kingdom GB|united states US
"""
_COUNTRIES_OF_WOS = {"china": ("Peoples R China",), "united kingdom": (), "united states": ("USA",)}

# Other kinds of open access (gold, green) are not the same in any two dialects.
_OPEN_ACCESS = """
open access: scopus=1 | all; openalex=true
"""

# The two-letter codes of MeSH subheadings: Ovid writes the code, PubMed the name.

_SUBHEADINGS = """
ab abnormalities|ad administration & dosage|ae adverse effects|ag agonists|aa analogs & derivatives|an analysis
ah anatomy & histology|ai antagonists & inhibitors|bi biosynthesis|bs blood supply|bl blood|cf cerebrospinal fluid
ch chemistry|ci chemically induced|cs chemical synthesis|cl classification|co complications|cn congenital
cy cytology|df deficiency|di diagnosis|dg diagnostic imaging|dh diet therapy|de drug effects|dt drug therapy
ec economics|ed education|em embryology|en enzymology|ep epidemiology|es ethics|eh ethnology|et etiology
ge genetics|gd growth & development|hi history|im immunology|in injuries|ir innervation|ip instrumentation
is isolation & purification|lj legislation & jurisprudence|me metabolism|mt methods|mi microbiology|mo mortality
nu nursing|og organization & administration|ps parasitology|py pathogenicity|pa pathology|pk pharmacokinetics
pd pharmacology|pp physiopathology|ph physiology|po poisoning|pc prevention & control|px psychology|re radiation effects
rt radiotherapy|rh rehabilitation|sc secondary|st standards|sn statistics & numerical data|sd supply & distribution
su surgery|tu therapeutic use|th therapy|to toxicity|tm transmission|tr transplantation|td trends|ul ultrastructure
ur urine|ut utilization|ve veterinary|vi virology
"""

CODES = {
    name: code for pair in _SUBHEADINGS.replace("\n", "|").split("|") if pair for code, name in [pair.split(" ", 1)]
}
"""The two-letter code of each name, in lower case."""

# NLM's groups of subheadings: PubMed searches a subheading with the narrower ones, each with those below it in turn.

_NARROWER = """
analysis: blood|cerebrospinal fluid|isolation & purification|urine
anatomy & histology: blood supply|cytology|embryology|innervation
cytology: pathology|ultrastructure
embryology: abnormalities
chemistry: agonists|analogs & derivatives|antagonists & inhibitors|chemical synthesis
diagnosis: diagnostic imaging|pathology
etiology: chemically induced|complications|congenital|embryology|genetics|immunology|microbiology|parasitology
etiology: transmission
complications: secondary
microbiology: virology
organization & administration: economics|legislation & jurisprudence|standards|supply & distribution|trends|utilization
pharmacology: administration & dosage|adverse effects|agonists|antagonists & inhibitors|pharmacokinetics
adverse effects: poisoning|toxicity
physiology: genetics|growth & development|immunology|metabolism|physiopathology
metabolism: biosynthesis|blood|cerebrospinal fluid|deficiency|enzymology|pharmacokinetics|urine
statistics & numerical data: epidemiology|supply & distribution|utilization
epidemiology: ethnology|mortality
therapeutic use: administration & dosage|adverse effects|poisoning
therapy: diet therapy|drug therapy|nursing|prevention & control|radiotherapy|rehabilitation|surgery
surgery: transplantation
"""


def _narrower_codes() -> dict[str, frozenset[str]]:
    lines = [line.split(": ") for line in _NARROWER.strip().splitlines()]
    below = defaultdict[str, list[str]](list)
    for name, parts in lines:
        below[CODES[name]] += [CODES[part] for part in parts.split("|")]

    def all_below(code: str) -> set[str]:
        return {code}.union(*map(all_below, below.get(code, ())))

    return {code: frozenset(all_below(code)) for code in CODES.values()}


NARROWER_SUBHEADINGS = _narrower_codes()
"""By code: the codes of a subheading and of those grouped below it."""
NAMES = {code: name for name, code in CODES.items()}
"""The name of each two-letter code."""

Values = Mapping[str, Mapping[str, tuple[str, ...]]]


def _parts(text: str, separator: str) -> tuple[str, ...]:
    return tuple(part.strip() for part in text.split(separator))


def _by_dialect(table: str) -> dict[str, dict[str, tuple[str, ...]]]:
    found: dict[str, dict[str, tuple[str, ...]]] = {}
    for line in table.strip().splitlines():
        concept, values = line.split(": ", 1)
        pairs = (pair.split("=", 1) for pair in _parts(values, ";"))
        known = found.setdefault(concept, {})
        known.update((dialect, _parts(spellings, "|")) for dialect, spellings in pairs)
    return found


def _document_types() -> Values:
    found: dict[str, dict[str, tuple[str, ...]]] = {}
    for line in _NLM_TYPES.strip().splitlines():
        concept, _, names = line.partition(" = ")
        found[concept] = dict.fromkeys(_NLM_DIALECTS, _parts(names or concept, "|"))
    for concept, values in _by_dialect(_OTHER_TYPES).items():
        known = found.setdefault(concept, {})
        for dialect, spellings in values.items():
            known[dialect] = known.get(dialect, ()) + spellings
    return {concept: {"plain": (concept,), **values} for concept, values in sorted(found.items())}


def _languages() -> Values:
    found = {}
    for line in _LANGUAGES.strip().splitlines():
        written, code, short = _parts(line, "|")
        names = _parts(written, ",")
        titles = tuple(name.title() for name in names)
        codes: tuple[str, ...] = () if code == "-" else (code,)
        spellings = {"pubmed": (*names, *codes), "proquest": (*titles, *(part.upper() for part in codes))}
        spellings |= dict.fromkeys(("ovid", "scopus", "embase"), names)
        spellings |= dict.fromkeys(("wos", "ebsco", "plain"), titles)
        if short != "-":
            spellings["openalex"] = (short,)
        found[names[0]] = spellings
    return found


def _countries() -> Values:
    found: dict[str, dict[str, tuple[str, ...]]] = {}
    for country in _COUNTRIES.strip().replace("\n", "|").split("|"):
        name, code = country.rsplit(" ", 1)
        title = (name.title(),)
        found[name] = {**dict.fromkeys(("scopus", "embase"), title), "openalex": (code,), "plain": (name,)}
        found[name]["wos"] = _COUNTRIES_OF_WOS.get(name, title)
    return found


def _subheadings() -> Values:
    found = {}
    for name, code in CODES.items():
        names = (name, name.replace(" & ", " and "))
        found[name] = {"pubmed": (*names, code), "ovid": (code, *names), "plain": (name,)}
    return found


def code_of(name: str) -> str:
    """Return the two-letter code of a subheading; a name without one stays, in lower case.

    >>> code_of("Adverse Effects"), code_of("prevention and control"), code_of("ae")
    ('ae', 'pc', 'ae')
    """
    plain = " ".join(name.lower().replace(" and ", " & ").split())
    return CODES.get(plain, plain).removeprefix("dd_").removeprefix("dv_")  # of drugs and devices, in Embase.com


DOCUMENT_TYPES: Values = _document_types()
TYPES_OF_EMBASE = frozenset(name for name, of in _by_dialect(_OTHER_TYPES).items() if "ovid" in of and "embase" in of)
"""Document types that Ovid has in Embase only: they find nothing in MEDLINE."""
TYPES_WITH_NARROWER = frozenset(
    {
        "biography",
        "clinical study",
        "clinical trial",
        "consensus development conference",
        "controlled clinical trial",
        "guideline",
        "meta-analysis",
        "randomized controlled trial",
        "research support, u.s. government",
        "review",
        "systematic review",
    }
)
"""Document types with narrower ones in MeSH: PubMed includes those, other hosts of MEDLINE do not."""
TYPE_FIELDS = ("publication_type", "publication_type_only")
"""Fields of document types, with and without the narrower ones."""
LANGUAGES: Values = _languages()
SOURCE_TYPES: Values = {name: {"plain": (name,), **kinds} for name, kinds in _by_dialect(_SOURCE_TYPES).items()}

OPEN_ACCESS: Values = {name: {"plain": (name,), **kinds} for name, kinds in _by_dialect(_OPEN_ACCESS).items()}
SUBHEADING_FIELDS = frozenset({"subheading", "subheading_below"})

CLOSED: Mapping[str, Values] = {
    **dict.fromkeys(TYPE_FIELDS, DOCUMENT_TYPES),
    "language": LANGUAGES,
    "source_type": SOURCE_TYPES,
    "country": _countries(),
    "open_access": OPEN_ACCESS,
    **dict.fromkeys(sorted(SUBHEADING_FIELDS), _subheadings()),
}
"""Fields with a list of values: a value that a dialect lacks finds nothing there."""
CLOSED_FIELDS = frozenset(CLOSED) | DATE_FIELDS
EMBASE_LIMITS = frozenset(
    {
        "cochrane review",
        "controlled clinical trial",
        "meta analysis",
        "randomized controlled trial",
        "systematic review",
    }
)
"""Publication types that Embase.com writes only as a limit: [systematic review]/lim."""
_CONCEPTS = {
    (field, dialect, spelling.casefold()): concept
    for field, values in CLOSED.items()
    for concept, dialects in values.items()
    for dialect, spellings in dialects.items()
    for spelling in reversed(spellings)
}


def value_named(field: str, text: str, dialect_id: str) -> str | None:
    """Return the meaning of a value in a dialect; None: it is not in the list.

    >>> value_named("publication_type", "re", "scopus"), value_named("language", "eng", "pubmed")
    ('review', 'english')
    """
    if field in DATE_FIELDS:
        return date_named(text, dialect_id)
    return _CONCEPTS.get((field, dialect_id, " ".join(text.split()).casefold()))


def spelling_of(field: str, value: str, dialect_id: str) -> str | None:
    """Return a dialect's spelling of a value; None: it does not have the value.

    >>> spelling_of("publication_type", "review", "scopus"), spelling_of("language", "english", "openalex")
    ('re', 'en')
    """
    if field in DATE_FIELDS:
        return date_written(value, dialect_id)
    spellings = CLOSED[field].get(value, {}).get(dialect_id, ())
    return spellings[0] if spellings else None
