"""Reports for the tests of their formats: one with everything in it, and texts that would be marks somewhere."""

from __future__ import annotations

from hypothesis import strategies as st

from core.pictures import Box, Dots, Path, TextShape, VectorPicture
from core.report import (
    AnswerPrompt,
    Block,
    Figure,
    Listing,
    Paragraph,
    Remark,
    ReportColumn,
    ReportDocument,
    ReportHeading,
    Strategy,
    Table,
)

NASTY = (
    "<script>alert(1)</script> & <b>tea</b>",
    '=HYPERLINK("http://a.org","tea")',
    "| a | b |\n|---|---|\n| c | d |",
    "`tea` ``milk`` *a* _b_ ~~c~~ [x](http://a.org) ![y](z) <http://a.org> www.a.org",
    "$x^2$ \\frac{1}{2} 50% #5 @name &amp; &#60;",
    "1. not a list\n- nor this\n# nor a heading\n===\n---\n> no\n    no code\n```\n+ +",
    "\x00\x1b\ud800\ufffe tea\r\nmilk\u2028Büro 漢字 \U0001f375 ﷽",
    "a" * 400,
)
STRATEGY = '1. exp Tea/\n2.\t(green  adj3   tea*).ti,ab.   # "two  spaces"\n3. 1 OR 2\n\n4. ' + "camellia" * 40 + " \n"

PICTURE = VectorPicture(
    600,
    300,
    (
        Box(10, 30, 580, 250, "#f5f6f8", "#c3c9d1", 1, 6),
        Dots(((50, 60), (100, 90), (300, 200)), 4, "#0068b8"),
        Dots(((200, 100),), 6, "#ffffff", "#d55e00", 0.8),
        Path(((60, 60), (400, 80), (300, 250)), "#5b3fb5", 2, "#e3e6ea", True, 6, 0.5),
        TextShape(300, 20, "Tea – <b>&\"' 漢", 14, "#1b1f24", "middle", True),
    ),
)

texts = st.one_of(
    st.sampled_from(NASTY),
    st.text(max_size=60),
    st.text(alphabet="ab \n\t|`\\*_[]()<>#&;:$~!.=-+1\"'@", max_size=30),
)
values = st.one_of(st.none(), texts, st.integers(-(10**9), 10**9), st.floats())


@st.composite
def tables(draw: st.DrawFn) -> Table:
    """Any table."""
    kinds = draw(st.lists(st.sampled_from(("text", "code", "count", "number")), min_size=1, max_size=9))
    columns = tuple(ReportColumn(draw(texts), kind) for kind in kinds)
    rows = draw(st.lists(st.tuples(*[values] * len(kinds)), max_size=4))
    return Table("any-table", draw(texts), columns, tuple(rows), draw(texts))


def document(*blocks: Block, made_up: bool = False, title: str = "Tea: <b>a report</b>") -> ReportDocument:
    """A report of these blocks."""
    when = "2026-11-22T20:05:29+00:00"
    return ReportDocument("quality", title, "Versions 1 and 2 of the search", blocks, when, "Queryscape 0.1.0", made_up)


def whole() -> ReportDocument:
    """A report that holds everything that one can hold."""
    narrow = Table(
        "scores",
        "Scores of both versions",
        (
            ReportColumn("Score"),
            ReportColumn("Version 1", "number"),
            ReportColumn("Version 2", "number"),
            ReportColumn("Retrieved", "count"),
        ),
        (
            ("Core recall", 0.9, 0.85, 17573),
            ("Semantic precision (cosine)", 0.0712, None, 1234),
            ("Change of F2", -0.0123, 1.0, 0),
        ),
        "Intervals are at 95 %.",
    )
    wide = Table(
        "terms",
        "Terms one by one",
        (
            ReportColumn("Term", "code"),
            ReportColumn("Kind"),
            *(ReportColumn(f"Number of publications {n}", "count") for n in range(7)),
        ),
        tuple((f'"green tea {n}" AND {"leaf" * n}', "term", *range(n, n + 7)) for n in range(40)),
    )
    long = Table(
        "core",
        "Core publications",
        (ReportColumn("Title"), ReportColumn("Year"), ReportColumn("Reason")),
        tuple((f"{n}. {text[:200]}", 2000 + n, "Every word. " * 8) for n, text in enumerate(NASTY * 4)),
    )
    return document(
        Paragraph("The summary claims no more than is known.", is_lead=True),
        ReportHeading("Information sources and methods"),
        Paragraph("First sentence.\nSecond line.\n\nAnother paragraph."),
        Listing(("one", "two\nlines"), is_numbered=True),
        Listing(("again one", "and two"), is_numbered=True),
        Listing(("a point", "<i>another</i>")),
        AnswerPrompt("Say who was asked.", "prisma-s:6"),
        Remark("Good to know."),
        Remark("Look out.", is_warning=True),
        ReportHeading("Search strategies", 3),
        Strategy(STRATEGY, "Version 1 as it was run"),
        narrow,
        Figure("landscape-1", "The landscape of version 1", 'Three dots, one "ring" & <nothing> else.', PICTURE),
        ReportHeading("Terms", 3),
        wide,
        long,
        Table("nothing", "Nothing", (ReportColumn("Title"),), ()),
        made_up=True,
    )
