"""Pictures as PNG: of the right size, with the colours that were given, whatever their words are."""

from __future__ import annotations

import io

import pytest
from hypothesis import given, settings
from PIL import Image

from core.errors import InputError
from core.pictures import Box, Dots, Path, TextShape, VectorPicture
from data.audit.docx import plain_signs, png
from tests.data.audit_documents import NASTY, PICTURE, texts


def drawn(picture: VectorPicture, scale: float = 1) -> Image.Image:
    return Image.open(io.BytesIO(png(picture, scale=scale))).convert("RGB")


def test_size_ground_and_resolution() -> None:
    image = Image.open(io.BytesIO(png(PICTURE)))
    assert image.size == (1200, 600)
    assert image.getpixel((0, 0)) == (255, 255, 255)
    assert image.info["dpi"] == pytest.approx((192, 192), abs=0.1)
    assert png(PICTURE) == png(PICTURE)


def test_shapes_lie_where_they_belong() -> None:
    blue, red, green = (0, 0, 255), (255, 0, 0), (0, 255, 0)
    image = drawn(
        VectorPicture(
            100,
            100,
            (
                Box(10, 10, 20, 20, "#0000ff", "#ff0000", 4),
                Dots(((60, 20),), 8, "#00ff00", "#ff0000"),
                Path(((10, 60), (40, 60), (40, 90), (10, 90)), None, fill="#0000ff", is_closed=True),
                Path(((60, 60), (90, 60)), "#ff0000", 6),
                Path(((60, 80), (90, 80)), "#ff0000", 6, dash=5),
            ),
        )
    )
    assert image.getpixel((20, 20)) == image.getpixel((25, 75)) == blue
    assert image.getpixel((60, 20)) == green
    assert image.getpixel((9, 20)) == image.getpixel((75, 60)) == red
    assert [image.getpixel((x, 80)) for x in (62, 67, 72, 77)] == [red, (255, 255, 255)] * 2


def test_edges_are_soft_and_opacity_mixes() -> None:
    image = drawn(VectorPicture(40, 40, (Dots(((20, 20),), 15, "#000000", opacity=0.5),)))
    assert image.getpixel((20, 20)) == (127, 127, 127)
    shades = {colour for _, colour in image.getcolors(1600) or []}
    assert len(shades) > 8


@settings(max_examples=40)
@given(texts)
def test_any_words_can_be_drawn(text: str) -> None:
    assert drawn(VectorPicture(60, 20, (TextShape(30, 14, text, 12, "#000000", "middle", True),))).size == (60, 20)


@pytest.mark.parametrize(("said", "instead"), [("Crème – ≥", "Creme - >="), ("“β” × 2", '"beta" x 2'), ("漢", "?")])
def test_missing_signs_look_like_their_stand_ins(said: str, instead: str) -> None:
    pictures = [VectorPicture(120, 20, (TextShape(2, 14, text, 12, "#000000"),)) for text in (said, instead)]
    if "“" not in said:  # the font has these quotation marks itself
        assert png(pictures[0]) == png(pictures[1])
    assert plain_signs(said, str.isascii) == instead


@pytest.mark.parametrize("text", NASTY)
def test_stand_ins_are_plain(text: str) -> None:
    assert plain_signs(text, str.isascii).isascii()
    assert plain_signs(text, str.isascii).isprintable()


@pytest.mark.parametrize("size", [(0, 10), (10, 0), (100_000, 100_000)])
def test_sizes_that_make_no_picture_are_refused(size: tuple[float, float]) -> None:
    with pytest.raises(InputError, match="another size"):
        png(VectorPicture(*size, ()))


def test_nothing_to_draw_is_drawn() -> None:
    empty = (Dots((), 1, "#000000"), Path((), "#000000"), Path(((1, 1),), "#000000"), Box(1, 1, 0, 5, "#000000"))
    assert drawn(VectorPicture(10, 10, empty)).getcolors() == [(100, (255, 255, 255))]
