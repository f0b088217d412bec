"""This project's own dialect: whatever a tree can hold can be written in it."""

from core.query.dialects.base import HEADING, TOPIC, YEARS, Dialect, NearForm, Tag, text
from core.query.tree import ANY_ENDING, OTHER_FIELDS, Gap

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
        "year": YEARS,
        **{name: text(name) for name in OTHER_FIELDS if name not in ("subject", "year")},
        "index_terms": text("subject"),
    },
)
