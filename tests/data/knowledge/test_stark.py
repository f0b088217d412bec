"""Files with the structure that STaRK publishes are read back; what is missing or damaged is said."""

from __future__ import annotations

import json
import pickle
import zipfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from core.errors import FormatError
from data.knowledge.base import KnowledgeBase
from data.knowledge.bases import KnowledgeBases
from data.knowledge.load_values import MOST_VALUES, shelf_at, value_text
from data.knowledge.stark import read_stark
from tests.data.notes import is_noted
from tests.data.stark_files import write_stark, write_tensor
from tests.messages import refusal

MAG: dict[int, dict[str, Any]] = {
    0: {"id": 0, "DisplayName": "Ito", "NormalizedName": "ito", "PaperCount": 3, "Rank": -1, "type": "author"},
    1: {"id": 1, "DisplayName": np.str_("Roy"), "PaperCount": np.int64(9), "type": "author"},
    2: {"id": 2, "DisplayName": "University of Elm", "Url": "-1", "type": "institution"},
    3: {"id": 3, "DisplayName": "heat transfer", "type": "field_of_study"},
    4: {
        "id": 4,
        "mag_id": 2_964_230_983,
        "title": "Nanofluids in small pipes",
        "abstract": "We measure it.",
        "Date": "2015-03-01",
        "OriginalVenue": "Journal of Pipes",
        "ConferenceSeriesDisplayName": -1,
        "PaperCitationCount": 12.0,
        "Volume": float("nan"),
        "type": "paper",
    },
    5: {"id": 5, "title": "Ageing", "abstract": -1, "type": "paper"},
}
MAG_TYPES = [0, 0, 1, 2, 3, 3]
MAG_RELATIONS = [(0, 0, 2), (5, 1, 4), (4, 2, 3), (0, 3, 4), (1, 3, 4), (1, 3, 4), (1, 3, 99)]

AMAZON: dict[int, dict[str, Any]] = {
    0: {
        "title": "Rain coat",
        "brand": "Elm & Co",
        "category": ["coats", "rain"],
        "price": "",
        "description": ["Keeps dry.", ""],
        "feature": ["Two pockets", "Hood"],
        "rank": -1,
        "details": {"Weight": "1 kg", "none": None},
        "review": [{"reviewerID": f"r{n}", "summary": f"Fine {n}", "reviewText": "Dry."} for n in range(30)],
        "qa": [{"question": "Is it red?", "answer": "No."}, {"question": "Why?"}],
        "asin": "B01",
    },
    1: {"brand_name": np.str_("Elm & Co")},
    2: {"category_name": np.str_("coats")},
    3: {"color_name": np.str_("blue")},
}
AMAZON_NAMES = {0: "product", 1: "brand", 2: "category", 3: "color"}
AMAZON_RELATIONS = {0: "also_buy", 1: "also_view", 2: "has_brand", 3: "has_category", 4: "has_color"}

PRIME: dict[int, dict[str, Any]] = {
    0: {
        "id": 0,
        "type": "gene/protein",
        "name": "ABC1",
        "source": "NCBI",
        "details": {"_id": "9", "summary": "Binds."},
    },
    1: {
        "id": 1,
        "type": "disease",
        "name": "long cough",
        "source": "MONDO",
        "details": {"mondo_id": 7, "mondo_definition": "A cough.", "umls": float("nan"), "orphanet": ["a", ["b"]]},
    },
    2: {"id": 2, "type": "gene/protein", "name": "XYZ", "source": "NCBI"},
}
PRIME_NAMES = {0: "disease", 1: "gene/protein"}


def prime(folder: Path) -> Path:
    """Each relation is given both ways."""
    relations = [(0, 0, 1), (1, 0, 0), (0, 1, 2), (2, 1, 0)]
    names = {0: "associated with", 1: "ppi"}
    return write_stark(folder, PRIME, [1, 0, 1], relations, type_names=PRIME_NAMES, relation_names=names)


def mag(folder: Path, **changed: Any) -> Path:
    return write_stark(folder, MAG, MAG_TYPES, MAG_RELATIONS, **changed)


def brought(where: Path, root: Path) -> KnowledgeBase:
    bases = KnowledgeBases(root / "bases")
    bases.save("it", read_stark(shelf_at(where), []), origin="here")
    return bases.open("it")


def said_of(base: KnowledgeBase, entity_id: str) -> tuple[str, str, str, Mapping[str, str]]:
    entity = base.entity(entity_id)
    told = base.text(entity.row)
    return entity.type, entity.title, told.text, told.attributes


@pytest.mark.parametrize("protocol", [2, 4])
def test_mag_has_its_types_in_no_file(tmp_path: Path, protocol: int) -> None:
    base = brought(mag(tmp_path / "processed", protocol=protocol), tmp_path)
    assert base.about.templates == "mag"
    assert base.answer_types == ("paper",)
    assert {name: kind.n for name, kind in base.types.items()} == {
        "author": 2,
        "institution": 1,
        "field_of_study": 1,
        "paper": 2,
    }
    assert {(r.name, r.source, r.target, r.n) for r in base.relation_types} == {
        ("author___affiliated_with___institution", "author", "institution", 1),
        ("paper___cites___paper", "paper", "paper", 1),
        ("paper___has_topic___field_of_study", "paper", "field_of_study", 1),
        ("author___writes___paper", "author", "paper", 2),
    }
    assert said_of(base, "4") == (
        "paper",
        "Nanofluids in small pipes",
        "We measure it.",
        {
            "mag_id": "2964230983",
            "Date": "2015-03-01",
            "OriginalVenue": "Journal of Pipes",
            "PaperCitationCount": "12",
        },
    )
    assert said_of(base, "5") == ("paper", "Ageing", "", {})
    assert said_of(base, "0") == ("author", "Ito", "", {"PaperCount": "3"})
    assert said_of(base, "1") == ("author", "Roy", "", {"PaperCount": "9"})
    assert said_of(base, "2")[3] == {}
    assert is_noted(base.about.notes, "missing entity, left out: 1")
    assert is_noted(base.about.notes, "repeated relations, kept once: 1")


def test_amazon_is_found_in_its_cache(tmp_path: Path) -> None:
    relations = [(0, 2, 1), (0, 3, 2), (0, 4, 3), (0, 0, 0)]
    folder = tmp_path / "amazon/processed/cache/brand-category-color"
    names = {"type_names": AMAZON_NAMES, "relation_names": AMAZON_RELATIONS}
    write_stark(folder, AMAZON, [0, 1, 2, 3], relations, **names)
    write_stark(folder.with_name("brand"), {0: AMAZON[0]}, [0], [], **names)
    base = brought(tmp_path / "amazon", tmp_path)
    assert (base.about.templates, base.answer_types) == ("amazon", ("product",))
    kind, title, text, attributes = said_of(base, "0")
    assert (kind, title) == ("product", "Rain coat")
    lines = text.split("\n")
    assert lines[:3] == ["Keeps dry.", "Features: Two pockets; Hood", "Review: Fine 0. Dry."]
    assert sum(line.startswith("Review: ") for line in lines) == 25
    assert lines[-2:] == ["Question: Is it red? Answer: No.", "Question: Why?"]
    assert attributes == {
        "brand": "Elm & Co",
        "category": "coats; rain",
        "details": "Weight: 1 kg",
        "asin": "B01",
    }
    assert [base.entity(str(n)).title for n in (1, 2, 3)] == ["Elm & Co", "coats", "blue"]
    assert any("was not: name its folder" in note for note in base.about.notes)


def test_prime_keeps_both_ways(tmp_path: Path) -> None:
    base = brought(prime(tmp_path / "prime"), tmp_path)
    assert (base.about.templates, base.answer_types) == ("prime", ("gene/protein", "disease"))
    assert base.about.n_relations == 4
    assert said_of(base, "0") == ("gene/protein", "ABC1", "summary: Binds.", {"source": "NCBI"})
    assert said_of(base, "1")[2] == "mondo definition: A cough.\norphanet: a; b"
    assert [e.entity_id for e in base.entities(range(3))] == ["0", "2", "1"]


def test_a_zip_is_read_as_it_is(tmp_path: Path) -> None:
    folder = prime(tmp_path / "prime")
    packed = tmp_path / "processed.zip"
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        for path in folder.iterdir():
            archive.write(path, f"processed/{path.name}")
            archive.writestr(f"__MACOSX/processed/._{path.name}", b"\0")
    ids = [entity.entity_id for entity in brought(packed, tmp_path).entities(range(3))]
    assert ids == ["0", "2", "1"]
    packed.write_bytes(packed.read_bytes()[:-300])
    with refusal(FormatError):
        shelf_at(packed)


def test_damage_inside_a_zip_is_said(tmp_path: Path) -> None:
    folder = prime(tmp_path / "prime")
    packed = tmp_path / "processed.zip"
    with zipfile.ZipFile(packed, "w") as archive:
        for path in folder.iterdir():
            archive.write(path, f"processed/{path.name}")
    packed.write_bytes(packed.read_bytes().replace(b"long cough", b"long cold!"))
    with refusal(FormatError):
        brought(packed, tmp_path)


@pytest.mark.parametrize("missing", ["edge_index.pt", "node_types.pt", "edge_type_dict.pkl"])
def test_a_missing_file_is_named(tmp_path: Path, missing: str) -> None:
    folder = prime(tmp_path / "prime")
    (folder / missing).unlink()
    with pytest.raises(FormatError, match=f"{missing} is missing"):
        brought(folder, tmp_path)


def test_only_mag_goes_without_dictionaries(tmp_path: Path) -> None:
    folder = prime(tmp_path / "prime")
    for name in ("node_type_dict.pkl", "edge_type_dict.pkl"):
        (folder / name).unlink()
    with refusal(FormatError):
        brought(folder, tmp_path)


@pytest.mark.parametrize(
    ("name", "values", "said"),
    [
        ("node_types.pt", np.zeros(5, np.int64), "has 6 entities, but node_types.pt has 5"),
        ("node_types.pt", np.zeros((6, 1), np.int64), "2 axes"),
        ("node_types.pt", np.zeros(6), "float64, not 1 of whole numbers"),
        ("edge_types.pt", np.zeros(3, np.int64), "edge_types.pt has 3"),
        ("edge_index.pt", np.zeros((3, 7), np.int64), "3 rows of 7"),
    ],
)
def test_lengths_that_disagree_are_said(tmp_path: Path, name: str, values: Any, said: str) -> None:
    folder = mag(tmp_path / "mag")
    write_tensor(folder / name, values)
    with pytest.raises(FormatError, match=said):
        brought(folder, tmp_path)


def test_entities_have_to_be_entities(tmp_path: Path) -> None:
    folder = mag(tmp_path / "mag")
    for value, message in (
        ([1, 2], "but a list"),
        ({n + 1: {"title": "x"} for n in range(6)}, "for entity 0"),
        ({**MAG, 3: "heat"}, "for entity 3"),
    ):
        (folder / "node_info.pkl").write_bytes(pickle.dumps(value))
        with pytest.raises(FormatError, match=message):
            brought(folder, tmp_path)


def test_unknown_types_and_names_are_kept_under_their_numbers(tmp_path: Path) -> None:
    infos = {0: {"name": "a", "text": "b", "size": 3}, 1: {}}
    names = {"type_names": {0: "thing"}, "relation_names": {0: "near"}}
    base = brought(write_stark(tmp_path / "own", infos, [0, 7], [(0, 0, 1), (1, 9, 0)], **names), tmp_path)
    assert said_of(base, "0") == ("thing", "a", "b", {"size": "3"})
    assert said_of(base, "1")[:2] == ("type 7", "type 7 1")
    assert sorted(base.relation_numbers) == ["near", "relation 9"]
    assert len([note for note in base.about.notes if "number" in note]) == 3


def test_values_inside_one_another_come_to_an_end() -> None:
    value: Any = ["x"] * 10
    for _ in range(60):
        value = [value, value]
    assert len(value_text(value)) < MOST_VALUES * 3
    wide = ["x"] * 10**5
    assert value_text(wide).count("x") == MOST_VALUES
    assert value_text({"a": {"b": {"c": {"d": {"e": "too deep"}}}}, "f": 2}) == "f: 2"


def test_halves_of_characters_do_no_harm(tmp_path: Path) -> None:
    infos = {**MAG, 5: {"title": "Half \ud83d", "abstract": "a\0b", "type": "paper"}}
    base = brought(write_stark(tmp_path / "mag", infos, MAG_TYPES, []), tmp_path)
    assert said_of(base, "5")[1:3] == ("Half ?", "a b")
    assert json.dumps(said_of(base, "5"))
