"""What an audit and a quality report are made of, made up and small: scored by the real thing, over random vectors."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from core.audit.quality_facts import (
    CoreFacts,
    EmbedderFacts,
    FindingFacts,
    LandscapeFacts,
    LandscapeRows,
    QualityFacts,
    TermFacts,
    VersionFacts,
)
from core.audit.strategies import AuditAnswer, AuditFacts, Deduplication, FileFacts, SearchFacts, StrategyLine
from core.explore.compare import Comparison, Entrant, compare
from core.explore.evaluate import evaluate_scene
from core.explore.landscape import honesty, lay_out, name_groups
from core.explore.regions import DEFAULT_REGIONS
from core.explore.regions.hull import fit_hull
from core.explore.regions.mvee import fit_mvee
from core.explore.scene import Fit, FittedRegion, Scene
from core.explore.uncertainty import sensitivity
from core.pictures import Dots, Shape, TextShape, VectorPicture
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
    Value,
)
from core.settings import EvaluationSettings
from core.types import Ids, Points, RegionKind
from tests.core.scenes import Topic, random_topic

TOPIC = "Urban heat and street trees (made up)"
SETTINGS = EvaluationSettings()
STRATEGY = '("street tree*" OR "urban canop*")\nAND\n(heat OR "air temperature")\nNOT (indoor)'
HOSTILE = (
    "<script>document.title = 'broken'</script> & shade <b>bold</b>",
    r"Cooling by $\Delta T = -1.5\,^{\circ}\mathrm{C}$ \begin{equation} and \textbf{trees}",
    '=HYPERLINK("https://example.org","Shade") | a | table | *cell* `code`',
    "</script><img src=x onerror=alert(1)> ]]> --> '\"` ${x}",
)
"""Titles that must stay titles in every format; the first rows of every version have them."""
_WORDS = (
    *("street", "tree", "canopy", "heat", "shade", "cooling", "surface", "temperature", "park", "asphalt"),
    *("evening", "humidity", "species", "roof", "comfort", "summer", "radiation", "wind", "soil", "leaf"),
)


def titles(n: int, *, n_words: int = 8, seed: int = 0) -> list[str]:
    """Made-up titles, about eleven signs a word."""
    rng = np.random.default_rng(seed)
    chosen = rng.integers(0, len(_WORDS), size=(n, n_words))
    return [" ".join(_WORDS[i] for i in row).capitalize() + f" {number}" for number, row in enumerate(chosen)]


def quality_facts(
    n: int = 240, n_versions: int = 1, *, n_core: int = 16, n_found: int = 11, seed: int = 0, ranges: bool = True
) -> QualityFacts:
    """A topic of `n` publications and its versions, the later ones narrower, four at most.

    ranges: whether everything is resampled as well.
    """
    topic = random_topic(seed, n=n, n_core=n_core, n_found=n_found, model_id="lsa")
    labels = [f"version {number}" for number in range(1, n_versions + 1)]
    # Each version leaves out two more core publications than the one before, and a quarter of the others.
    cuts = [topic.retrieved_ids[2 * i : len(topic.retrieved_ids) - n // 4 * i] for i in range(n_versions)]
    scenes = [replace(topic, retrieved_ids=ids).scene for ids in cuts]
    made = [
        _version(scene, label, number, ranges=ranges)
        for number, (scene, label) in enumerate(zip(scenes, labels, strict=True), start=1)
    ]
    return QualityFacts(
        topic_id=TOPIC,
        made_up=True,
        core_hash="c0" * 32,
        corpus_hash="ab" * 32,
        n_corpus=n,
        embedder=EmbedderFacts("lsa", "1f" * 32, 10, fitted_here=True),
        landscape=LandscapeFacts("map", {"method": "umap", "n_neighbors": 15, "min_dist": 0.1, "seed": 0}),
        honesty=honesty(topic.embedded, topic.projection),
        changed_decisions={"mvee": 12, "hull": 7},
        versions=tuple(made),
        comparison=_comparison(scenes, labels, made, ranges=ranges) if n_versions > 1 else None,
        notes=(),
    )


def without_results(topic: Topic | None = None) -> QualityFacts:
    """A version that retrieved nothing at all."""
    facts = quality_facts(60, ranges=False)
    scene = replace(topic or random_topic(0, n=60, model_id="lsa"), retrieved_ids=()).scene
    return replace(facts, versions=(_version(scene, "version 1", 1, ranges=False),))


def _comparison(
    scenes: Sequence[Scene], labels: Sequence[str], made: Sequence[VersionFacts], *, ranges: bool
) -> Comparison:
    entrants = [
        Entrant(label, scene, scene.retrieved.ids, version.evaluation, "ab" * 32)
        for label, scene, version in zip(labels, scenes, made, strict=True)
    ]
    return compare(entrants, settings=SETTINGS, ranges=ranges)


def _version(scene: Scene, label: str, number: int, *, ranges: bool) -> VersionFacts:
    kinds: tuple[RegionKind, ...] = ("cosine", "mvee", "hull")
    resampled = sensitivity(scene, kinds, SETTINGS) if ranges else {}
    evaluation = evaluate_scene(
        scene, topic_id=TOPIC, query_id=f"q{number}", settings=SETTINGS, regions=DEFAULT_REGIONS, sensitivity=resampled
    )
    landscape = lay_out(scene)
    masks = {
        kind: landscape.in_order(scores.relevant_mask)
        for kind, scores in evaluation.regions.items()
        if scores.relevant_mask is not None
    }
    rows = _rows(scene, masks)
    return VersionFacts(
        label=label,
        number=number,
        name="Trees and heat",
        note=None,
        made_at="2026-05-04T08:00:00+00:00",
        text=STRATEGY,
        dialect="pubmed",
        semantics="literal",
        origin="manual",
        retrieved_hash="e5" * 32,
        n_searched=None,
        evaluation=evaluation,
        rows=rows,
        core=_core(scene, rows),
        terms=_terms(),
        findings=(FindingFacts("not-removes", "warning", "NOT (indoor)", "NOT removes 3 publications."),),
        unscored_ids=(),
    )


def _rows(scene: Scene, masks: dict[RegionKind, np.ndarray]) -> LandscapeRows:
    landscape = lay_out(scene)
    n = len(landscape)
    known = [*HOSTILE, *titles(n)][:n]
    rng = np.random.default_rng(1)
    points = landscape.points
    outlines: dict[RegionKind, Points] = {}
    fits: dict[RegionKind, Fit] = {"mvee": fit_mvee(scene, SETTINGS), "hull": fit_hull(scene, SETTINGS)} if n else {}
    for kind, fit in fits.items():
        outline = fit.region.outline() if isinstance(fit, FittedRegion) else None
        if outline is not None and kind in masks:
            outlines[kind] = outline
    return LandscapeRows(
        ids=landscape.ids,
        n_retrieved=landscape.n_retrieved,
        similarities=landscape.similarities,
        nearest=(landscape.similarities * 0.9).astype(np.float32),
        points=points,
        core_mask=landscape.core_mask,
        titles=tuple(known),
        years=rng.integers(1995, 2026, n).astype(np.int16),
        dois=tuple(f"10.5555/made.up.{row}" if row % 7 else "" for row in range(n)),
        masks=masks,
        outlines=outlines,
        groups=name_groups(points if points is not None else np.zeros((0, 2)), known),
    )


def _core(scene: Scene, rows: LandscapeRows) -> tuple[CoreFacts, ...]:
    row_of = {publication_id: row for row, publication_id in enumerate(rows.ids)}
    found = set(scene.all_found_ids)
    return tuple(
        CoreFacts(
            publication_id=publication_id,
            title=rows.titles[row_of[publication_id]] if publication_id in row_of else "A core publication",
            year=2014,
            doi="10.5555/made.up.core",
            is_found=publication_id in found,
            similarity=float(rows.similarities[row_of[publication_id]]) if publication_id in row_of else None,
            verdict="found" if publication_id in found else "missed",
            reason="" if publication_id in found else "heat is not in its title or abstract.",
            rescue="" if publication_id in found else "warming beside heat would find it, with 12 more publications.",
        )
        for publication_id in scene.core_ids
    )


def _terms() -> tuple[TermFacts, ...]:
    return (
        TermFacts("AND", "AND", 0, 229, 229, 229, 11, 11, 0.41, None, ()),
        TermFacts('"street tree*"', "term", 1, 400, 180, 120, 8, 5, 0.55, -0.12, ()),
        TermFacts('"urban canop*"', "term", 1, 90, 40, 2, 3, 0, 0.0, 0.001, ("little alone",)),
    )


def search_facts(version: str = "version 1") -> SearchFacts:
    """A live search, whole, with counts of its lines."""
    return SearchFacts(
        version=version,
        source="PubMed",
        platform="NCBI E-utilities",
        how="live",
        text=STRATEGY,
        dialect="pubmed",
        sent=(STRATEGY.replace("\n", " "),),
        lines=(
            StrategyLine(1, '"street tree*" OR "urban canop*"', 1_234, "PubMed"),
            StrategyLine(2, 'heat OR "air temperature"', 98_765, "PubMed"),
            StrategyLine(3, "(1) AND (2) NOT (indoor)", None),
        ),
        limits=("Published 1995 to 2026",),
        began="2026-05-04T08:00:00+02:00",
        ended="2026-05-04T08:01:10+02:00",
        n_total=231,
        n_records=231,
        n_publications=229,
        n_aside=1,
        sentence="PubMed was searched on 4 May 2026.",
    )


def audit_facts(versions: Ids = ("version 1",)) -> AuditFacts:
    """One live search per version, a file of core publications, and an answer."""
    return AuditFacts(
        topic_id=TOPIC,
        made_up=True,
        n_core=16,
        searches=tuple(search_facts(version) for version in versions),
        files=(FileFacts("core.ris", "core", None, "RIS", 17, 1),),
        deduplication=Deduplication(248, 240, (("Same DOI", 6), ("Same title and year", 2)), 0, 1, 3),
        answers={
            "prisma-s:5": AuditAnswer(
                "prisma-s:5", "own", "References of 3 reviews.", "A. Person", "2026-05-05T09:00:00+00:00"
            )
        },
        software=(("Queryscape", "1.0"), ("DuckDB", "2.0")),
        n_reviews_signed=0,
    )


def document(facts: QualityFacts | None = None, *, n_rows: int = 30) -> ReportDocument:
    """A report with a block of every kind, and hostile texts in every place that takes one."""
    facts = facts or quality_facts()
    blocks: list[Block] = [
        Paragraph("The string finds 11 of 16 core publications (95 % interval 0.44 to 0.86).", is_lead=True),
        Remark("The topic has few core publications.", is_warning=True),
        ReportHeading("Full search strategies"),
        Paragraph(HOSTILE[0]),
        Strategy(STRATEGY + "\n  " + HOSTILE[3], "PubMed, 4 May 2026"),
        AnswerPrompt("Say whether citations were searched. " + HOSTILE[1], "prisma-s:5"),
        ReportHeading("Lines", 3),
        Listing(HOSTILE, is_numbered=True),
        _table_of(n_rows),
        ReportHeading("Landscapes"),
        Remark(HOSTILE[2]),
        *(_landscape_figure(version) for version in facts.versions),
    ]
    title = f"Quality of a search: {facts.topic_id}"
    return ReportDocument(
        "quality", title, HOSTILE[0], tuple(blocks), "2026-05-06T10:00:00+00:00", "Queryscape 1.0", facts.made_up
    )


def _table_of(n_rows: int) -> Table:
    rows: list[tuple[Value, ...]] = [
        ((*HOSTILE, *titles(n_rows))[row], "a AND\nb  OR c", row * 1_234, row / 7, None) for row in range(n_rows)
    ]
    columns = (
        ReportColumn("Title"),
        ReportColumn("Line", "code"),
        ReportColumn("Found", "count"),
        ReportColumn("Score", "number"),
    )
    return Table("lines", HOSTILE[3], (*columns, ReportColumn("Said")), tuple(rows), note=HOSTILE[2])


def _landscape_figure(version: VersionFacts) -> Figure:
    rows = version.rows
    shapes: list[Shape] = [TextShape(10, 20, HOSTILE[0], 12, "#1b1f24")]
    if rows.points is not None and len(rows.ids):
        low, extent = rows.points.min(axis=0), np.ptp(rows.points, axis=0).max() or 1.0
        places = (rows.points - low) / extent * 460 + 20
        for mask, colour in ((~rows.core_mask, "#98a1ad"), (rows.core_mask, "#d55e00")):
            shapes.append(Dots(tuple((float(x), float(y)) for x, y in places[mask]), 2.5, colour))
    picture = VectorPicture(720, 500, shapes)
    return Figure(f"landscape-{version.number}", f"Landscape of {version.label}", HOSTILE[3], picture)
