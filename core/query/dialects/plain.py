"""Queryscape's own dialect: it can express any tree."""

from typing import get_args

from core.query.dialects.base import DAYS, HEADING, TOPIC, Dialect, NearForm, Tag, text
from core.query.tree import ANY_ENDING, OTHER_FIELDS, TEXT_FIELDS, Gap, Thesaurus

_THESAURI = tuple(name for name in get_args(Thesaurus) if name)
PLAIN = Dialect(
    id="plain",
    label="Plain",
    reference="Queryscape",
    wildcards={"*": ANY_ENDING, "?": Gap(1, 1), "$": Gap(0, 1)},
    leading_wildcard=True,
    tag_style="colon",
    near_forms=(NearForm("NEAR/"), NearForm("PRE/", ordered=True), NearForm("W/"), NearForm("ADJ", more=1)),
    window="tilde",
    exact_braces=True,
    untagged=TEXT_FIELDS,
    all_tag="all",
    unary_not=True,
    tags={
        "title": text("title"),
        "abstract": text("abstract"),
        "keywords": text("keywords"),
        "tiab": text("title", "abstract"),
        "topic": TOPIC,
        "ti": text("title"),
        "ab": text("abstract"),
        "kw": text("keywords"),
        "all": text(),
        "subject": HEADING,
        "subject_only": Tag("heading", explode=False),
        "major": Tag("heading", major=True),
        "major_only": Tag("heading", explode=False, major=True),
        **{
            f"{thesaurus}{'_major' if major else ''}{'' if explode else '_only'}": Tag(
                "heading", explode=explode, major=major, thesaurus=thesaurus
            )
            for thesaurus in _THESAURI
            for major in (False, True)
            for explode in (True, False)
        },
        "year": DAYS,
        **{name: text(name) for name in OTHER_FIELDS if name not in ("subject", "year")},
        "index_terms": text("subject"),
        "subheadings": text("subheading", "subheading_below"),
    },
)
