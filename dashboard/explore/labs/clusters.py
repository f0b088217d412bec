"""Lab: the cluster story as small multiples, k = 1 to 5, and the rule that stops it."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from core.explore.labs import (
    LAST_K,
    N_STORY_CORE,
    N_THEMES,
    ClusterSplit,
    Story,
    Themes,
    cell_of,
    core_by_theme,
    scatter_themes,
    tell,
)
from dashboard.explore.labs.bench import (
    Axis,
    Chart,
    Lab,
    LabBench,
    LabChoice,
    LabMark,
    LabNumber,
    LabShape,
    Series,
    Slider,
    Values,
)
from dashboard.kit.theme import DASHES, Role

MULTIPLES = 5
SHARE = Slider(
    "share",
    "Core share",
    "Stop at the first k whose best cluster holds no more than this share of the found core, and take the k before.",
    min=0.1,
    max=0.95,
    step=0.05,
    value=0.7,
)
THEMES = Slider(
    "themes",
    "Themes of the core",
    "Number of the five themes that the core publications are spread over; the first theme always has the most.",
    min=1,
    max=N_THEMES,
    step=1,
    value=2,
)
SEED = LabChoice(
    "seed",
    "Shuffle",
    "Other publications, with another seed.",
    options=tuple((str(seed), f"Seed {seed}") for seed in range(8)),
    value="0",
)
SIDE = Axis("", 0.0, 1.0, digits=1)


def bench(material: None, values: Values) -> LabBench:
    share = float(values["share"])
    themes = scatter_themes(core_by_theme(int(values["themes"])), seed=int(values["seed"]))
    story = tell(themes, share)
    return LabBench(
        charts=[*(_multiple(themes, split, story) for split in story.splits[:MULTIPLES]), _curve(story, share)],
        numbers=_numbers(themes, story),
        sentence=_sentence(story, share),
        columns=("k", "Cluster", "Publications", "Core publications", "Share of the core", "Best", "Verdict"),
        rows=[row for split in story.splits for row in _rows(split, story)],
    )


def _verdict(split: ClusterSplit, story: Story) -> str:
    if split.k == story.kept_k:
        return "taken, but degenerate: the whole list" if split.k == 1 else "taken"
    if split.k == story.stopped_at:
        return "stops here: the core splits"
    if split.k == 1:
        return "degenerate: the whole list"
    return "holds together" if split.k < story.kept_k else "not reached"


def _rows(split: ClusterSplit, story: Story) -> list[list[float | int | str | None]]:
    sizes = np.bincount(split.labels, minlength=split.k).tolist()
    return [
        [split.k, label + 1, size, n, n / N_STORY_CORE, "best" if label == split.best else "", _verdict(split, story)]
        for label, (size, n) in enumerate(zip(sizes, split.core_counts, strict=True))
    ]


def _multiple(themes: Themes, split: ClusterSplit, story: Story) -> Chart:
    inside = split.labels == split.best
    core = themes.core_mask
    kinds: tuple[tuple[str, Role, np.ndarray], ...] = (
        ("not relevant", "not_relevant", ~inside & ~core),
        ("in the best cluster", "relevant", inside & ~core),
        ("core elsewhere", "core", core & ~inside),
        ("core in the best cluster", "core", core & inside),
    )
    dots = [
        Series(
            kind="dots",
            label=label,
            role=role,
            x=themes.points[mask, 0],
            y=themes.points[mask, 1],
            width=3.6 if role == "core" else 2.2,
            edge="core_edge" if role == "core" and mask is kinds[-1][2] else None,
        )
        for label, role, mask in kinds
    ]
    title = f"k = {split.k}: {split.n_best} of {N_STORY_CORE} core together, {_verdict(split, story)}"
    counts = ", ".join(f"cluster {at + 1} holds {n}" for at, n in enumerate(split.core_counts))
    return Chart(
        id=f"k{split.k}",
        title=title,
        x=SIDE,
        y=SIDE,
        series=dots,
        shapes=_cells(split, story),
        square=True,
        height=270,
        legend=split.k == 1,
        description=f"{title}. Of the core publications, {counts}.",
    )


def _cells(split: ClusterSplit, story: Story) -> list[LabShape]:
    shapes = []
    for label in (*np.delete(np.arange(split.k), split.best), split.best):
        cell = cell_of(split.centers, int(label))
        best = label == split.best
        taken = best and split.k == story.kept_k
        role: Role = "cluster" if best else "faint"
        dash = DASHES["cluster"].canvas if best else (1, 3)
        shapes.append(LabShape("", role, cell[:, 0], cell[:, 1], dash=dash, filled=taken))
    return shapes


def _curve(story: Story, share: float) -> Chart:
    k = [split.k for split in story.splits]
    held = [split.n_best / N_STORY_CORE for split in story.splits]
    at = next(split for split in story.splits if split.k == story.kept_k)
    return Chart(
        id="curve",
        title=f"The best cluster's share of the core: k = {story.kept_k} is taken",
        x=Axis("number of clusters, k", 0.5, LAST_K + 0.5, digits=0),
        y=replace(SIDE, label="share of the core, 0 to 1", max=1.05),
        series=[
            Series(kind="line", label="share of the core", role="cluster", x=k, y=held),
            Series(kind="dots", label="", role="cluster", x=k, y=held, width=3.5),
            Series(
                kind="dots",
                label="taken",
                role="core",
                x=[at.k],
                y=[at.n_best / N_STORY_CORE],
                width=6,
                edge="core_edge",
            ),
        ],
        marks=[LabMark("y", share, f"core share {share:.2f}: must hold more", control="share")],
        height=270,
        description="; ".join(f"k = {split.k}: {split.n_best} of {N_STORY_CORE}" for split in story.splits),
    )


def _numbers(themes: Themes, story: Story) -> list[LabNumber]:
    at = next(split for split in story.splits if split.k == story.kept_k)
    n_relevant = int((at.labels == at.best).sum())
    degenerate = "degenerate: the cluster is the whole list" if at.k == 1 else "its best cluster is the region"
    return [
        LabNumber("chosen k", str(at.k), degenerate, "cluster"),
        LabNumber(
            "Relevant",
            f"{n_relevant} of {len(themes.points)} ({100 * n_relevant / len(themes.points):.0f} %)",
            "",
            "relevant",
        ),
        LabNumber("Core accepted", f"{at.n_best} of {N_STORY_CORE}", "in that same cluster", "core"),
    ]


def _sentence(story: Story, share: float) -> str:
    least = f"more than {100 * share:.0f} % of the {N_STORY_CORE} core publications"
    if story.stopped_at is None:
        return f"Up to k = {LAST_K} one cluster always holds {least}: nothing stops the rule, so the last k is taken."
    stop = next(split for split in story.splits if split.k == story.stopped_at)
    why = f"at k = {stop.k} the best cluster holds {stop.n_best}, not {least}"
    if story.kept_k == 1:
        return f"Degenerate: {why}. Only k = 1 is left, which is the whole list and therefore meaningless."
    return f"k = {story.kept_k} is taken: {why}, so the rule stops there and takes the split before."


LAB = Lab(
    id="clusters",
    title="Clusters: how far a list can be split",
    explanation="k-means splits the list into more and more clusters. The cluster that keeps most of the core "
    "together counts as relevant.\nThe search stops when even the best cluster holds too little of the "
    "core; the previous split is used.",
    controls=lambda material: (SHARE, THEMES, SEED),
    bench=bench,
)
