"""Which entities a question names."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.knowledge.entities import Mention, title_key
from data.knowledge.base import KnowledgeBase
from data.knowledge.titles import MOST_QUESTION_CHARACTERS, find_mentions
from tests.data.knowledge_bases import base_of, parts_of

RAIN = "Rain gardens as green infrastructure: a cost study from Elmsworth"
ENTITIES = {
    "ito": ("author", "Haruka Ito"),
    "ito2": ("author", "Haruka Ito"),
    "velden": ("author", "Mara J. Velden"),
    "costa": ("author", "Mara Velden-Costa"),
    "roy": ("author", "Rósa Œdelund"),
    "ren": ("author", "Ren Okamura"),
    "riku": ("author", "Riku Okamura"),
    "mori": ("author", "森瀬 遥"),
    "elm": ("institution", "University of Elm"),
    "med": ("institution", "University of Elm Medical Centre"),
    "heat": ("field", "Heat"),
    "sleep": ("field", "Sleep"),
    "debt": ("field", "Sleep debt"),
    "cell": ("field", "Fuel cell"),
    "battery": ("field", "Battery"),
    "what": ("field", "What"),
    "p-heat": ("paper", "Heat"),
    "p-rain": ("paper", RAIN),
    "p-who": (
        "paper",
        "Who sleeps where, and for how long, when the night is a working day for everybody else in town?",
    ),
}
WORDS = st.sampled_from(
    [
        *(word for _, title, *_ in ENTITIES.values() for word in title.split()),
        "of",
        "by",
        '"',
        "<",
        ">",
        "and",
        "H.",
        "papers",
    ]
)


@pytest.fixture(scope="module")
def base(tmp_path_factory: pytest.TempPathFactory) -> KnowledgeBase:
    return base_of(tmp_path_factory.mktemp("bases"), parts_of(ENTITIES, [], answer_types=("paper",)))


def linked(base: KnowledgeBase, text: str, types: list[str] | None = None) -> list[tuple[str, str]]:
    """What stands in the question, and the ids of what it may name."""
    return [
        (text[mention.start : mention.end], " ".join(entity.entity_id for entity in mention.entities))
        for mention in find_mentions(base, text, types=types)
    ]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("papers by Haruka Ito", [("Haruka Ito", "ito ito2")]),
        ("PAPERS BY HARUKA ITO, ON HEAT?", [("HARUKA ITO", "ito ito2"), ("HEAT", "heat p-heat")]),
        ("who at the university of elm medical centre?", [("university of elm medical centre", "med")]),
        ("Haruka Ito of University of Elm", [("Haruka Ito", "ito ito2"), ("University of Elm", "elm")]),
        ("the University of Elm, medical matters", [("University of Elm", "elm")]),
        ("rosa oedelund on sleep debt", [("rosa oedelund", "roy"), ("sleep debt", "debt")]),
        ("Ro\u0301sa Œdelund's sleep", [("Ro\u0301sa Œdelund", "roy"), ("sleep", "sleep")]),
        ("论文 by 森瀬 遥", [("森瀬 遥", "mori")]),
        (f"what cites {RAIN.lower()}", [(RAIN.lower(), "p-rain")]),
    ],
)
def test_whole_titles_word_for_word(base: KnowledgeBase, text: str, expected: list[tuple[str, str]]) -> None:
    assert linked(base, text) == expected
    assert all(mention.is_exact for mention in find_mentions(base, text))


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("papers by Harukka Ito", [("Harukka Ito", "ito ito2")]),
        ("papers by haruka itto please", [("haruka itto", "ito ito2")]),
        ("show newer studies rosters harukka ito nurses stress", [("harukka ito", "ito ito2")]),
        ("papers by H. Ito", [("H. Ito", "ito ito2")]),
        ("papers by Ito, Haruka", [("Ito, Haruka", "ito ito2")]),
        ("papers by Mara Velden", [("Mara Velden", "velden")]),
        ("papers by M. Velden", [("M. Velden", "velden")]),
        ("from Univrsity of Elm Medcal Centre", [("Univrsity of Elm Medcal Centre", "med")]),
        ("from univrsity of elm medcal centre", [("univrsity of elm medcal centre", "med")]),
        ("on fuel cells and batteries", [("fuel cells", "cell"), ("batteries", "battery")]),
        ("what cites rain garden as green infrastucture: a cost study from Elmsworth", [(
            "rain garden as green infrastucture: a cost study from Elmsworth", "p-rain")]),
    ],
)  # fmt: skip
def test_names_with_typos_and_initials(base: KnowledgeBase, text: str, expected: list[tuple[str, str]]) -> None:
    assert linked(base, text) == expected
    assert not any(mention.is_exact for mention in find_mentions(base, text))


@pytest.mark.parametrize(
    "text",
    [
        "nothing that anybody knows",
        "papers by R. Okamura",  # two could be meant
        "papers by Mara K. Velden",  # another initial is somebody else
        "what of it?",
        "",
        "?",
        "papers by Unknown Person of Nowhere",
    ],
)
def test_what_names_nothing(base: KnowledgeBase, text: str) -> None:
    assert linked(base, text) == []


def test_quotes_say_where_a_title_ends(base: KnowledgeBase) -> None:
    assert linked(base, "in <Sleep> debt") == [("Sleep", "sleep")]
    assert linked(base, "on “What”") == [("What", "what")]
    title = ENTITIES["p-who"][1]
    assert linked(base, f'like "{title}"') == [(title.rstrip("?"), "p-who")]
    assert linked(base, f'like "{title.replace("everybody", "evrybody")}"')[0][1] == "p-who"


def test_only_the_types_that_are_wanted(base: KnowledgeBase) -> None:
    text = "Haruka Ito on heat at University of Elm Medical Centre"
    assert linked(base, text, ["paper"]) == [("heat", "p-heat")]
    assert linked(base, text, ["author"]) == [("Haruka Ito", "ito ito2")]
    assert linked(base, text, []) == []
    assert linked(base, text, ["unknown"]) == []


def sound(base: KnowledgeBase, text: str) -> tuple[Mention, ...]:
    found = find_mentions(base, text)
    places = [place for mention in found for place in (mention.start, mention.end)]
    assert places == sorted(places)
    for mention in found:
        assert 0 <= mention.start < mention.end <= len(text)
        assert mention.entities
        assert 0 < mention.score <= 1
        keys = {title_key(entity.title) for entity in mention.entities}
        assert mention.is_exact == (keys == {title_key(text[mention.start : mention.end])})
    assert found == find_mentions(base, text)
    return found


@settings(max_examples=50)
@given(st.lists(WORDS, max_size=14).map(" ".join))
def test_mentions_lie_in_the_question_apart_from_each_other(base: KnowledgeBase, text: str) -> None:
    sound(base, text)


@settings(max_examples=50)
@given(st.text(st.characters(), max_size=40))
def test_any_text_can_be_a_question(base: KnowledgeBase, text: str) -> None:
    sound(base, text)


@settings(max_examples=20)
@given(st.sampled_from(sorted(ENTITIES)), st.lists(st.sampled_from(["show", "written", "near"]), max_size=3))
def test_a_quoted_title_is_found(base: KnowledgeBase, entity_id: str, before: list[str]) -> None:
    found = sound(base, f'{" ".join(before)} "{ENTITIES[entity_id][1]}"')
    assert entity_id in {entity.entity_id for entity in found[-1].entities}


@pytest.mark.parametrize("part", ["Heat ", "haruka Ito ", '"Ito ', "<", "A. ", "Xa Yb Zc ", "\0", "\ud800", "Σ\u0301"])
def test_a_long_question_is_read_as_far_as_its_limit(base: KnowledgeBase, part: str) -> None:
    text = part * (2 * MOST_QUESTION_CHARACTERS // len(part))
    assert all(mention.end <= MOST_QUESTION_CHARACTERS for mention in sound(base, text))
