"""ProQuest: codes before brackets, headings of several thesauri, NOT last."""

from core.query.dialects.base import YEARS, Dialect, NearForm, Tag, name, read_only, text
from core.query.tree import Gap, Thesaurus

_THESAURI: tuple[tuple[str, str, Thesaurus], ...] = (
    ("mesh", "mjmesh", "mesh"),
    ("emb", "mjemb", "emtree"),
    ("mainsubject", "mjsub", ""),
)
_HEADINGS = {
    f"{name}.exact{'.explode' if explode else ''}": Tag("heading", explode=explode, major=is_major, thesaurus=thesaurus)
    for any_name, major, thesaurus in _THESAURI
    for name, is_major in ((any_name, False), (major, True))
    for explode in (True, False)
}
PROQUEST = Dialect(
    id="proquest",
    label="ProQuest",
    reference="ProQuest platform, search tips, Clarivate",
    binding=(("NEAR",), ("AND",), ("OR",), ("NOT",)),
    wildcards={"*": Gap(0, 5), "?": Gap(1, 1)},
    limited_wildcards=True,
    leading_wildcard=True,
    tag_style="call",
    thesaurus="proquest_other",
    databases={"medline": "mesh", "embase": "emtree", "psycinfo": "apa", "other": "proquest_other"},
    near_forms=(NearForm("NEAR/"), NearForm("PRE/", ordered=True), NearForm("N/"), NearForm("P/", ordered=True)),
    near_default=4,
    line_mark="S",
    tags={
        "ti": text("title"),
        "ab": text("abstract"),
        "if": text("keywords"),
        "ti,ab": text("title", "abstract"),
        "ti,ab,if": text("title", "abstract", "keywords"),
        "anywhere": text(),
        "noft": text("title", "abstract", "keywords", "subject", "other"),
        "ft": text("full_text"),
        "su": text("subject"),
        "mainsubject": text("subject"),
        "mesh": text("subject"),
        "emb": text("subject"),
        "mjsub": text("major_subject"),
        **_HEADINGS,
        "su.exact": Tag("heading", explode=False, read_only=True),
        "su.exact.explode": Tag("heading", read_only=True),
        "la.exact": read_only("language"),
        "dtype.exact": read_only("publication_type_only"),
        "stype.exact": read_only("source_type"),
        "pub.exact": read_only("journal"),
        "subst": text("substance"),
        "rn": text("cas_number"),
        "dtype": text("publication_type_only"),
        "stype": text("source_type"),
        "py": YEARS,
        "yr": YEARS,
        "pd": Tag("years", days=True),
        "la": text("language"),
        "au": name("author"),
        "ca": text("group_author"),
        "ed": name("editor"),
        "af": text("affiliation"),
        "pub": text("journal_word"),
        "jn": text("journal_word"),
        "bk": text("source_title"),
        "issn": text("issn"),
        "isbn": text("isbn"),
        "vo": text("volume"),
        "iss": text("issue"),
        "page": text("pages"),
        "doi": text("doi"),
        "an": text("proquest_accession_number"),
        "pmid": text("pmid"),
        "gi": text("grant"),
        "cc": text("proquest_classification"),
        "per": name("personal_name"),
        "loc": text("proquest_location"),
    },
)
