"""MeSH: names, places, explosion and proposals, against plain loops over a small tree."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from core.library.headings import HeadingIndex, carried_headings, heading_grid
from core.library.mesh import MeshHeading, MeshThesaurus, heading_key, merged_headings

SOUPS = MeshThesaurus(
    (
        MeshHeading("Soups", ("J01.100",), ("Broths",), ("Pottages",), 1980),
        MeshHeading("Bean Soups", ("J01.100.200", "J02.300")),
        MeshHeading("Lentil Soups", ("J01.100.200.010",), (), (), 2011),
        MeshHeading("Stews", ("J01.1000",)),
        MeshHeading("Salads", ("J02",)),
    ),
    2024,
    ("made.bin",),
)

places = st.lists(st.sampled_from(["001", "002", "010"]), max_size=3).map(lambda parts: ".".join(["A01", *parts]))
owners = st.dictionaries(places, st.sampled_from("abcdefgh"), min_size=1)
"""A place has one heading; a heading can have several places."""


def test_a_heading_explodes_over_all_its_places_and_no_neighbour() -> None:
    assert SOUPS.exploded("soups") == {"soups", "bean soups", "lentil soups"}
    assert SOUPS.exploded("Lentil Soups") == {"lentil soups"}
    assert SOUPS.exploded("unknown") == {"unknown"}
    assert [heading.name for heading in SOUPS.narrower("Soups")] == ["Bean Soups"]
    assert [heading.name for heading in SOUPS.narrower("Salads")] == ["Bean Soups"]


@given(owners)
def test_explosion_is_the_plain_loop_over_tree_numbers(owner: dict[str, str]) -> None:
    tree = {name: [place for place in owner if owner[place] == name] for name in owner.values()}
    mesh = MeshThesaurus(tuple(MeshHeading(name, tuple(found)) for name, found in tree.items()))
    for name, own in tree.items():
        below = {
            other
            for other, found in tree.items()
            if any(place == up or place.startswith(f"{up}.") for place in found for up in own)
        }
        assert mesh.exploded(name) == below


def test_other_names_lead_to_the_heading() -> None:
    assert [h.name for h in SOUPS.replacements("broths")] == ["Soups"]
    assert [h.name for h in SOUPS.replacements("Pottages")] == ["Soups"]
    assert SOUPS.replacements("Soups") == ()


def test_only_one_near_name_is_proposed() -> None:
    found = SOUPS.proposal("Lentli Soups")
    assert found is not None
    assert found.name == "Lentil Soups"
    assert SOUPS.proposal("Quantum Physics") is None
    assert SOUPS.proposal("Soups") is None
    near = MeshThesaurus((MeshHeading("Bean Soups"), MeshHeading("Beam Soups")))
    assert near.proposal("Beax Soups") is None


def test_lines_of_one_heading_are_merged() -> None:
    (merged,) = merged_headings([MeshHeading("Soups", ("J01",)), MeshHeading("soups", ("J02",), ("Broths",))])
    assert (merged.places, merged.entry_terms) == (("J01", "J02"), ("Broths",))


def test_keywords_are_headings_only_beside_stars_or_qualifiers() -> None:
    ovid = ["*Soups", "Humans", "Stews/ae [Adverse Effects]", "*Salads/hi [History]"]
    assert carried_headings(ovid, []) == ("*Soups", "Humans", "Stews/ae", "Salads/*hi")
    assert carried_headings(["soups"], []) == ()
    assert carried_headings(["soups", "*x"], ["Soups/*history"]) == ("Soups/*history",)


names = st.sampled_from(["Soups", "Stews", "Salads"])
carried = st.lists(
    st.lists(st.tuples(names, st.booleans(), st.sampled_from(["", "history", "trends"]), st.booleans()), max_size=4),
    max_size=70,
)


def _written(name: str, star: bool, qualifier: str, major: bool) -> str:
    return f"{'*' * star}{name}" + (f"/{'*' * major}{qualifier}" if qualifier else "")


@given(carried, st.frozensets(names), st.booleans(), st.sampled_from(["", "history"]))
def test_rows_are_those_of_a_plain_loop(
    rows: list[list[tuple[str, bool, str, bool]]], wanted: frozenset[str], major: bool, qualifier: str
) -> None:
    index = HeadingIndex.of([[_written(*each) for each in row] for row in rows])
    is_qualifier = (lambda name: name == qualifier) if qualifier else None
    found = set(index.rows(map(heading_key, wanted), major=major, is_qualifier=is_qualifier).tolist())

    def fits(name: str, star: bool, below: str, below_major: bool) -> bool:
        if name not in wanted or (qualifier and below != qualifier):
            return False
        is_major = (below_major and bool(below)) if qualifier else star or (below_major and bool(below))
        return is_major or not major

    assert found == {i for i, row in enumerate(rows) if any(fits(*each) for each in row)}


def test_shared_headings_come_first_in_the_grid() -> None:
    grid = heading_grid([("a", {"Soups": False, "Stews": True}), ("b", {"Stews": False}), ("c", {})])
    assert [(c.name, c.n_publications, c.n_major) for c in grid.columns] == [("Stews", 2, 1), ("Soups", 1, 0)]
    assert grid.rows == (("a", ("major", "yes")), ("b", ("yes", "")))
    assert grid.without == ("c",)
