"""A report as one HTML file: what is in it, and that no text breaks out of its place."""

from __future__ import annotations

import gzip
import re
from base64 import b64decode, b64encode
from dataclasses import replace
from hashlib import sha256
from html.parser import HTMLParser

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.audit.quality_report import quality_report
from core.pictures import Box, Dots, VectorPicture
from core.report import MADE_UP, Figure, Paragraph, ReportColumn, ReportDocument, ReportHeading, Strategy, Table
from dashboard.audit.report_files import REPORT_FORMATS, document_file, html, linked, live_landscape
from tests.audit_cases import HOSTILE, STRATEGY, document, quality_facts, without_results
from tests.dashboard.payloads import unpack

VOID = {"meta", "br", "rect", "circle", "path"}


class Page(HTMLParser):
    """Elements as they open, their texts, and whether every one is closed."""

    def __init__(self, written: bytes) -> None:
        super().__init__(convert_charrefs=True)
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.open: list[str] = []
        self.texts: list[tuple[str, str]] = []
        self.feed(written.decode("utf-8"))
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))
        if tag != "meta":
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        if self.open:
            self.texts.append((self.open[-1], data))

    def of(self, tag: str) -> list[dict[str, str | None]]:
        return [attributes for name, attributes in self.tags if name == tag]

    def texts_in(self, *tags: str) -> list[str]:
        return [text for tag, text in self.texts if tag in tags]


def plain(*blocks: object) -> ReportDocument:
    return ReportDocument("prisma-s", "A title", "", blocks, "2026-05-06T10:00:00+00:00", "Queryscape")  # type: ignore[arg-type]


def test_the_page_allows_its_own_script_and_style_and_nothing_else() -> None:
    facts = quality_facts()
    page = Page(html(document(facts), live=[live_landscape(facts.versions[0], facts)]))
    assert page.open == []
    [policy] = [meta["content"] for meta in page.of("meta") if meta.get("http-equiv") == "Content-Security-Policy"]
    running = [text for text in page.texts_in("script") if "addEventListener" in text]
    [script], [style] = running, page.texts_in("style")
    hashes = [b64encode(sha256(text.encode()).digest()).decode() for text in (script, style)]
    assert policy == (
        f"default-src 'none'; script-src 'sha256-{hashes[0]}'; style-src 'sha256-{hashes[1]}'; "
        "base-uri 'none'; form-action 'none'"
    )
    kinds = [attributes["type"] for attributes in page.of("script")]
    assert kinds == ["application/json", *["application/octet-stream"] * 3, "module"]


def test_nothing_is_loaded_and_no_text_becomes_an_element_or_a_handler() -> None:
    facts = quality_facts()
    page = Page(html(document(facts), live=[live_landscape(facts.versions[0], facts)]))
    assert {tag for tag, _ in page.tags} & {"img", "link", "iframe", "object", "embed", "base", "form", "b", "i"} <= {
        "b"
    }
    for tag, attributes in page.tags:
        assert not {"src", "srcset", "style", "action", "poster"} & set(attributes), tag
        assert not [name for name in attributes if name.startswith("on")], tag
        if "href" in attributes:
            assert re.match(r"#part-|https://doi\.org/10\.", attributes["href"] or ""), attributes
    cells = page.texts_in("th", "td", "li", "p", "span", "code", "text")
    for title in HOSTILE:
        assert title in cells


def test_strategies_are_kept_sign_by_sign() -> None:
    text = "\n\n  (a\tOR  b)\r\nAND c\n"
    page = Page(html(plain(Strategy(text, "As run"))))
    assert page.texts_in("code") == [text.replace("\r\n", "\n")]
    assert STRATEGY in "".join(Page(html(document())).texts_in("code"))


def test_tables_have_captions_heads_and_rows_that_are_named() -> None:
    table = Table(
        "t",
        "What was found",
        (ReportColumn("Line"), ReportColumn("Found", "count")),
        (("a", 1_234), ("b", None)),
        "Counted.",
    )
    page = Page(html(plain(table)))
    assert "What was found" in page.texts_in("span")
    assert [attributes["scope"] for attributes in page.of("th")] == ["col", "col", "row", "row"]
    assert page.texts_in("td") == ["1,234", "–"]
    assert all(attributes["class"] == "n" for attributes in page.of("td"))
    assert not [a for a in page.of("div") if "tabindex" in a]  # a short table does not scroll


def test_a_long_table_can_be_scrolled_by_keyboard() -> None:
    [box] = [a for a in Page(html(document(n_rows=30))).of("div") if a.get("tabindex") == "0"]
    assert (box["role"], box["aria-label"]) == ("region", HOSTILE[3])


def test_a_short_table_stays_on_one_sheet() -> None:
    def looks(n_rows: int) -> set[str]:
        found = Page(html(document(n_rows=n_rows))).of("div")
        return {a["class"] or "" for a in found if "table" in (a.get("class") or "").split()}

    assert any("short" in look.split() for look in looks(3))
    assert any("long" in look.split() and "short" not in look.split() for look in looks(30))


def test_a_landscape_without_anything_to_count_stays_a_picture() -> None:
    for facts, is_live in ((without_results(), False), (quality_facts(60), True)):
        report = quality_report(facts, made_at="2026-11-22T10:00:00+00:00", made_with="Queryscape")
        page = Page(document_file(report, REPORT_FORMATS["html"], facts))
        assert any("data-live" in a for a in page.of("figure")) == is_live
        assert page.of("svg")


def test_the_contents_lead_to_parts_that_are_there() -> None:
    page = Page(
        html(
            plain(
                ReportHeading("Same"),
                ReportHeading("Same"),
                ReportHeading("ß & <x>", 3),
                ReportHeading("deep", 4),
                Paragraph("x"),
            )
        )
    )
    targets = [(a["href"] or "")[1:] for a in page.of("a")]
    there = [a["id"] for tag, a in page.tags if tag in ("h2", "h3")]
    assert targets == [i for i in there if i != "contents"]
    assert len(set(targets)) == 3


def test_what_is_made_up_says_so_at_its_head() -> None:
    made_up = document()
    assert MADE_UP in Page(html(made_up)).texts_in("p")
    assert MADE_UP not in Page(html(replace(made_up, made_up=False))).texts_in("p")


def test_a_picture_is_dark_in_the_dark_only_if_all_of_it_can_be() -> None:
    looks = []
    for colour in ("#1B1F24", "#123456"):
        picture = VectorPicture(100, 50, [Box(0, 0, 9, 9, "#ffffff", colour), Dots(((1, 1),), 2, "#0068b8")])
        looks += [a["class"] for a in Page(html(plain(Figure("f", "c", "a", picture)))).of("div")]
    assert [look for look in looks if look and "still" in look] == ["still roles", "still"]


def test_the_same_report_is_the_same_file() -> None:
    facts = quality_facts()
    twice = [html(document(facts), live=[live_landscape(facts.versions[0], facts)]) for _ in range(2)]
    assert twice[0] == twice[1]


def test_a_landscape_without_a_figure_is_left_out() -> None:
    facts = quality_facts()
    written = html(plain(Paragraph("x")), live=[live_landscape(facts.versions[0], facts)])
    assert b"<script" not in written
    assert b"script-src 'none'" in written


def test_the_live_landscape_carries_what_the_scores_are_read_from() -> None:
    facts = quality_facts(n_versions=2)
    version = facts.versions[1]
    page = Page(html(document(facts), live=[live_landscape(version, facts)]))
    assert [a["data-live"] for a in page.of("figure") if "data-live" in a] == ["landscape-2"]
    packed = [text for text in page.texts_in("script") if re.fullmatch(r"[A-Za-z0-9+/=]+", text)]
    points, curve, regions = (unpack(gzip.decompress(b64decode(text))) for text in packed)
    rows = version.rows
    assert points[0]["n"] == rows.n_retrieved
    np.testing.assert_array_equal(points[1]["similarity"], rows.similarities)
    assert bytes(points[1]["titles"]).decode().split("\n") == list(rows.titles)
    assert points[0]["sources"] == ["version 1", "version 2"]
    assert set(points[1]["source"][: rows.n_retrieved]) <= {2, 3}
    assert rows.points is not None
    extent = np.ptp(rows.points, axis=0).max()
    assert np.abs(points[1]["x"] - rows.points[:, 0]).max() < extent / 8_000
    for kind, mask in rows.masks.items():
        if kind != "cosine":
            np.testing.assert_array_equal(np.unpackbits(regions[1][f"mask_{kind}"])[: len(mask)], mask)
    cosine = version.evaluation.regions["cosine"]
    at = int(np.searchsorted(rows.similarities[: rows.n_retrieved], cosine.defines["min_similarity"] - 1e-6))
    assert curve[1]["f_beta"][at] == pytest.approx(cosine.f_beta, rel=1e-6)
    assert rows.n_retrieved - at == cosine.n_relevant


def test_a_version_without_results_and_one_without_a_landscape_have_their_page_too() -> None:
    empty = without_results()
    live = live_landscape(empty.versions[0], empty)
    assert Page(html(document(empty), live=[live])).open == []
    assert unpack(live.payloads["points"])[0]["n"] == 0
    facts = quality_facts(60, ranges=False)
    version = facts.versions[0]
    flat = replace(version, rows=replace(version.rows, points=None, outlines={}))
    assert live_landscape(flat, facts).document["landscape"]["no_landscape"]


@given(st.text(), st.text())
def test_any_text_stays_text(text: str, other: str) -> None:
    page = Page(html(plain(ReportHeading(text or "x"), Paragraph(text), Strategy(other, text), Paragraph(other))))
    assert page.open == []
    expected = Page(html(plain(ReportHeading("x"), Paragraph("x"), Strategy("x", "x"), Paragraph("x"))))
    shown = [tag for tag, _ in page.tags if tag != "figcaption"]
    assert shown == [tag for tag, _ in expected.tags if tag != "figcaption"]


@given(st.text())
def test_only_a_doi_becomes_a_link(text: str) -> None:
    assert "<a" not in linked(text) or re.fullmatch(r"10\.\d{4,9}/\S+", text)
    link = linked(f"10.5555/{text}x")
    assert "<a" not in link or re.fullmatch(r'<a href="https://doi\.org/[^"<>\s]+" [^<>]+>.*</a>', link, re.DOTALL)
