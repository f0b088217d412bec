"""Pictures as SVG: always XML, always the same, nothing in them but what was given."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st
from lxml import etree

from core.errors import InputError
from core.pictures import Box, Dots, Path, Shape, TextShape, VectorPicture, svg
from core.text import for_xml
from tests.data.audit_documents import NASTY, PICTURE, texts

SPACE = "{http://www.w3.org/2000/svg}"

places = st.lists(st.tuples(*[st.floats(-2000, 2000)] * 2), max_size=5).map(tuple)
colours = st.from_regex(r"#[0-9a-f]{6}", fullmatch=True)
sizes = st.floats(0, 2000)
shapes = st.one_of(
    st.builds(Dots, places, st.floats(0, 50), colours, st.none() | colours, st.floats(0, 1)),
    st.builds(
        Path,
        places,
        st.none() | colours,
        st.floats(0, 9),
        st.none() | colours,
        st.booleans(),
        st.none() | st.floats(0.5, 20),
        st.floats(0, 1),
    ),
    st.builds(Box, sizes, sizes, sizes, sizes, st.none() | colours, st.none() | colours, st.floats(0, 9), sizes),
    st.builds(TextShape, sizes, sizes, texts, st.floats(1, 40), colours, st.sampled_from(["start", "middle", "end"])),
)


def parsed(written: str) -> etree._Element:
    """What a strict reader of XML makes of it."""
    return etree.fromstring(written.encode())


@given(st.lists(shapes, max_size=6), texts)
def test_any_picture_is_xml_with_few_decimals(drawn: list[Shape], alternative: str) -> None:
    written = svg(VectorPicture(600, 400, drawn), alternative=alternative)
    root = parsed(written)
    numbers = re.findall(r"\d\.(\d+)", re.sub(r">[^<]*<|aria-label=\"[^\"]*\"", "", written))
    assert all(len(decimals) <= 2 for decimals in numbers)
    words = [shape for shape in drawn if isinstance(shape, TextShape)]
    said = [element.text or "" for element in root.iter(f"{SPACE}text")]
    assert said == [re.sub(r"[\n\t]", " ", for_xml(each.text)) for each in words]
    assert "nan" not in re.sub(r">[^<]*<|\"[^\"]*\"", "", written)


@pytest.mark.parametrize("text", NASTY)
def test_what_it_shows_is_said_and_never_run(text: str) -> None:
    root = parsed(svg(PICTURE, alternative=text))
    plain = re.sub(r"[\n\t]", " ", for_xml(text))
    assert root.get("aria-label") == root.findtext(f"{SPACE}desc") == plain
    assert {etree.QName(element).localname for element in root.iter()} <= {
        *("svg", "desc", "rect", "g", "path", "circle", "text")
    }
    assert not [name for element in root.iter() for name in element.attrib if name.startswith("on")]


def test_a_picture_without_words_is_decoration() -> None:
    root = parsed(svg(PICTURE))
    assert root.get("aria-hidden") == "true"
    assert root.get("role") is None
    assert root.get("viewBox") == "0 0 600 300"


def test_later_shapes_lie_over_earlier_ones() -> None:
    drawn = [etree.QName(element).localname for element in parsed(svg(PICTURE))]
    assert drawn == ["rect", "rect", "path", "g", "path", "text"]


def test_the_same_picture_is_the_same_text() -> None:
    assert svg(PICTURE) == svg(replace(PICTURE, shapes=list(PICTURE.shapes)))
    assert 'cx="0" cy="0.13"' in svg(VectorPicture(9, 9, (Dots(((-0.001, 0.125001),), 1, "#000000", "#ffffff"),)))


def test_thousands_of_dots_stay_small() -> None:
    dots = tuple((n % 900 + 0.25, n / 20) for n in range(17_573))
    assert len(svg(VectorPicture(900, 900, (Dots(dots, 2, "#98a1ad", opacity=0.6),)))) < 600_000
    assert len(svg(VectorPicture(900, 900, (Dots(dots, 2, "#98a1ad"),)))) < 320_000


@pytest.mark.parametrize("colour", ["red", "#fff", '"/><script>', "url(http://a.org)"])
def test_only_colours_are_colours(colour: str) -> None:
    with pytest.raises(InputError, match="no colour"):
        svg(VectorPicture(9, 9, (Dots(((1, 1),), 1, colour),)))
