"""A tiny knowledge base for each published set of templates, and the answers of every template by hand."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

Relations = list[tuple[str, str, str]]


@dataclass(frozen=True)
class Case:
    """A filled template, its answers, and others that a wrong turn would lead to."""

    template_id: str
    given: Mapping[str, str]
    answers: str
    tempting: str


def entities(by_type: Mapping[str, str]) -> dict[str, tuple[str, str]]:
    """Ids by type, parted by spaces."""
    return {entity_id: (kind, f"Title of {entity_id}") for kind, ids in by_type.items() for entity_id in ids.split()}


def relations(by_name: Mapping[str, str]) -> Relations:
    """Pairs "source-target" by name, parted by spaces."""
    return [
        (*pair.split("-")[:1], name, *pair.split("-")[1:]) for name, said in by_name.items() for pair in said.split()
    ]


MAG = entities(
    {
        "author": "ito roy kim",
        "institution": "elm oak",
        "field_of_study": "heat cells shade",
        "paper": "p1 p2 p3 p4 p5 p6",
    }
)
MAG_RELATIONS = relations(
    {
        "author___affiliated_with___institution": "ito-elm roy-elm kim-oak",
        # p1 cites itself; p1 and p3 cite each other.
        "paper___cites___paper": "p1-p1 p1-p3 p3-p1 p1-p4 p2-p1 p4-p2",
        # The last is of a wrong type.
        "paper___has_topic___field_of_study": "p1-heat p2-heat p3-cells p4-heat p5-cells p1-shade p3-shade kim-heat",
        "author___writes___paper": "ito-p1 ito-p2 roy-p2 roy-p3 kim-p4 kim-p6 roy-p5 ito-elm",
    }
)
MAG_CASES = [
    Case("mag-author", {"author": "ito"}, "p1 p2", "elm p3"),
    Case("mag-cited", {"paper": "p1"}, "p3 p4", "p1 p2"),
    Case("mag-field", {"field_of_study": "heat"}, "p1 p2 p4", "kim p3"),
    Case("mag-institution", {"institution": "elm"}, "p1 p2 p3 p5", "p4 p6 ito"),
    Case("mag-coauthors", {"paper": "p2"}, "p1 p3 p5", "p2 p4 elm"),
    Case("mag-coauthors-field", {"paper": "p2"}, "p1", "p2 p3 p4 kim"),
    Case("mag-institution-field", {"institution": "elm", "field_of_study": "heat"}, "p1 p2", "p3 p4 kim"),
    Case("mag-citing", {"paper": "p1"}, "p2 p3", "p1 p4"),
]

AMAZON = entities({"product": "a b c d e f", "brand": "acme bolt", "category": "lamps chairs", "color": "red blue"})
AMAZON_RELATIONS = relations(
    {
        "also_buy": "a-b c-a a-a",
        "also_view": "a-d d-a e-a a-acme",
        "has_brand": "a-acme b-acme c-acme d-bolt e-bolt f-acme lamps-acme",
        "has_category": "a-lamps d-lamps e-lamps f-lamps b-chairs c-chairs acme-lamps",
        "has_color": "a-red d-red c-red b-blue e-blue f-blue bolt-red",
    }
)
AMAZON_CASES = [
    Case("amazon-brand", {"brand": "acme"}, "a b c f", "d lamps"),
    Case("amazon-similar", {"product": "a"}, "b d", "a c e acme"),
    Case("amazon-color", {"color": "red"}, "a c d", "b bolt"),
    Case("amazon-category", {"category": "lamps"}, "a d e f", "b acme"),
    Case("amazon-color+amazon-brand", {"color": "red", "brand": "acme"}, "a c", "b d"),
    Case("amazon-category+amazon-brand", {"category": "lamps", "brand": "acme"}, "a f", "b d"),
    Case("amazon-category+amazon-color", {"category": "lamps", "color": "red"}, "a d", "c e"),
    Case("amazon-similar+amazon-brand", {"product": "a", "brand": "acme"}, "b", "a c d"),
    Case("amazon-similar+amazon-color", {"product": "a", "color": "red"}, "d", "a b c"),
    Case(
        "amazon-category+amazon-color+amazon-brand",
        {"category": "lamps", "color": "red", "brand": "acme"},
        "a",
        "b c d e f",
    ),
]

PRIME = entities(
    {
        "disease": "s1 s2 s3 s4 s5",
        "gene/protein": "g1 g2 g3 g4 g5",
        "molecular_function": "m1",
        "drug": "d1 d2 d3 d4 d5",
        "pathway": "w1 w2 w3 w4",
        "anatomy": "a1 a2 a3",
        "effect/phenotype": "e1 e2 e3 e4",
        "biological_process": "b1 b2 b3",
        "cellular_component": "c1 c2",
        "exposure": "x1 x2",
    }
)
PRIME_RELATIONS = relations(
    {
        # That of a gene is no drug's indication.
        "indication": "d1-s1 d1-s4 d2-s4 d3-s5 d5-s1 g5-s2",
        "contraindication": "d1-s2 d1-s3 d2-s1 d4-s5",
        "phenotype absent": "e1-s1 e1-s2 e2-s3",
        "phenotype present": "e3-s2 e4-s4 e1-s3 e2-s1",
        "associated with": "g1-s2 g1-s4 g2-s3 g2-s4 g3-s5 g5-s2 g1-e1 g3-e1 g4-e2 g5-e1",
        "expression present": "a1-g1 a1-g2 a2-g3",
        "expression absent": "a2-g1 a3-g2 a3-g1 a1-g4 a2-g4 a3-g3",
        "carrier": "d1-g1 d1-g2 d2-g2 d2-g3 d3-g1 d4-g3",
        "target": "d1-g1 d4-g2 d5-g3",
        "enzyme": "d2-g1 d5-g4 d3-g2",
        "transporter": "d1-g3 d1-g5 d2-g3 d2-g1 d4-g2",
        "side effect": "d1-e1 d2-e1 d2-e2 d3-e2 d4-e3",
        "interacts with": "g1-c1 g2-c2 g2-m1 g3-m1 g1-b1 g1-b2 g2-b2 g2-b3 g1-w1 g1-w2 g1-w4 g2-w2 g2-w3 x1-g1 x2-g3",
        "synergistic interaction": "d1-d2 d1-d4 d2-d3 d3-d5 d2-d2",
        "parent-child": "s1-s2 s2-s3 s4-s5 w1-w2 w3-w1",
        "ppi": "g1-g2 g2-g4 g3-g5 g1-g1 g1-g3",
    }
)
PRIME_CASES = [
    Case("prime-01", {"effect/phenotype": "e1"}, "s2", "s1 s3 s5"),
    Case("prime-02", {"drug": "d1", "gene/protein": "g1"}, "s2", "s3 s4"),
    Case("prime-03", {"anatomy": "a1", "anatomy_2": "a2"}, "g1", "g2 g4"),
    Case("prime-04", {"anatomy": "a2", "anatomy_2": "a3"}, "g1", "g2 g3 g4"),
    Case("prime-05", {"drug": "d1", "drug_2": "d2"}, "g2", "g1 g3"),
    Case("prime-06", {"anatomy": "a1"}, "d1 d4", "d5"),
    Case("prime-07", {"drug": "d1"}, "d2", "d1 d3"),
    Case("prime-08", {"drug": "d1"}, "d2 d3", "d1 d4"),
    Case("prime-09", {"anatomy": "a1"}, "d2 d3", "d5"),
    Case("prime-10", {"cellular_component": "c1"}, "d1 d3", "d2"),
    Case("prime-11", {"molecular_function": "m1"}, "d4 d5", "d1"),
    Case("prime-12", {"effect/phenotype": "e1"}, "d1 d2 d3 d4", "d5"),
    Case("prime-13", {"disease": "s4"}, "s1 s2 s3", "s4 s5"),
    Case("prime-14", {"disease": "s2"}, "e1 e2", "e3 e4"),
    Case("prime-15", {"gene/protein": "g3"}, "e1 e2", "e3"),
    Case("prime-16", {"drug": "d1"}, "x2", "x1"),
    Case("prime-17", {"pathway": "w1"}, "g1 g2 g3", "g4"),
    Case("prime-18", {"drug": "d1"}, "g1 g2 g3", "g5"),
    Case("prime-19", {"biological_process": "b1"}, "b2", "b1 b3 c1 w1 x1"),
    Case("prime-20", {"effect/phenotype": "e1"}, "b1 b2", "b3 c1 w1 x1"),
    Case("prime-21", {"drug": "d1"}, "a2", "a1 a3"),
    Case("prime-22", {"drug": "d1"}, "c1", "c2 b1 w1 x1"),
    Case("prime-23", {"biological_process": "b1"}, "a2 a3", "a1"),
    Case("prime-24", {"effect/phenotype": "e2"}, "a1 a2", "a3"),
    Case("prime-25", {"drug": "d1"}, "d2", "d1 d4 d5"),
    Case("prime-26", {"pathway": "w1"}, "w2", "w1 w3 w4"),
    Case("prime-27", {"gene/protein": "g1"}, "g2", "g1 g3 g5"),
    Case("prime-28", {"gene/protein": "g1"}, "g3", "g1 g2 g5"),
]

SCENES: dict[str, tuple[dict[str, tuple[str, str]], Relations, list[Case]]] = {
    "mag": (MAG, MAG_RELATIONS, MAG_CASES),
    "amazon": (AMAZON, AMAZON_RELATIONS, AMAZON_CASES),
    "prime": (PRIME, PRIME_RELATIONS, PRIME_CASES),
}
