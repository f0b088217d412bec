"""The landscape: how it is laid out, how later publications are placed, and how honest it is."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from scipy.spatial.distance import cdist
from sklearn.cross_decomposition import PLSRegression
from sklearn.manifold import trustworthiness
from sklearn.metrics import r2_score

from core.errors import InputError
from core.explore import landscape as honesty_module
from core.explore.landscape import (
    N_SEEDS,
    changed_decisions,
    fit_projection,
    honesty,
    nearest_neighbours,
    over_seeds,
    place,
    principal_axes,
    seed_ranges,
    variance_explained,
)
from core.explore.regions import REGIONS
from core.explore.regions.hull import hull_around, lies_on_a_line
from core.settings import ProjectionSettings
from core.types import EmbeddedSet, Projection
from core.vectors import embedded_set
from tests.core.scenes import SETTINGS, random_topic, topic_of
from tests.messages import refusal

PCA = ProjectionSettings(method="pca")


def embedded_of(vectors, first="p") -> EmbeddedSet:
    return embedded_set([f"{first}{i}" for i in range(len(vectors))], vectors, "toy")[0]


def clustered(seed, n, d=20, n_clusters=4):
    rng = np.random.default_rng(seed)
    return rng.normal(size=(n_clusters, d))[rng.integers(n_clusters, size=n)] + 0.3 * rng.normal(size=(n, d))


def penalty_by_ranks(seen, true, k):
    """1 minus the penalties of those near in one space that are not in the other, by sorting every row."""
    n, penalty = len(seen), 0
    for i in range(n):
        others = [j for j in range(n) if j != i]
        rank = {j: place for place, j in enumerate(sorted(others, key=lambda j: true[i, j]), start=1)}
        near = sorted(others, key=lambda j: seen[i, j])[:k]
        penalty += sum(max(rank[j] - k, 0) for j in near)
    return 1 - 2 * penalty / (n * k * (2 * n - 3 * k - 1))


@pytest.mark.parametrize(("seed", "n"), [(0, 300), (1, 40), (2, 31), (3, 10), (4, 3)])
def test_trustworthiness_and_continuity_equal_their_definitions(seed, n):
    embedded = embedded_of(clustered(seed, n))
    points = np.random.default_rng(seed).normal(size=(n, 2)) + 2 * embedded.vectors[:, :2]
    figures = honesty(embedded, Projection(embedded.ids, points, "map"))
    k = min(15, (n - 1) // 2)
    vectors = embedded.vectors.astype(np.float64)
    assert figures.n_rows == n
    assert figures.trustworthiness == pytest.approx(
        trustworthiness(vectors, points, n_neighbors=k, metric="cosine"), abs=1e-9
    )
    in_embedding, on_map = cdist(vectors, vectors, "cosine"), cdist(points, points)
    assert figures.trustworthiness == pytest.approx(penalty_by_ranks(on_map, in_embedding, k), abs=1e-9)
    assert figures.continuity == pytest.approx(penalty_by_ranks(in_embedding, on_map, k), abs=1e-9)
    assert figures.variance_explained == variance_explained(embedded.vectors, points)


@pytest.mark.slow
def test_a_drawn_part_of_many_comes_close_to_all_of_them(monkeypatch):
    embedded = embedded_of(clustered(5, 2600))
    projection = fit_projection(embedded, PCA, projection_id="map")
    drawn, again = (honesty(embedded, projection, seed=3) for _ in range(2))
    assert drawn.n_rows == 2000
    assert drawn == again
    monkeypatch.setattr(honesty_module, "MAX_HONESTY_ROWS", 10_000)
    exact = honesty(embedded, projection)
    assert exact.n_rows == 2600
    assert drawn.trustworthiness == pytest.approx(exact.trustworthiness, abs=0.01)
    assert drawn.continuity == pytest.approx(exact.continuity, abs=0.01)


def test_a_map_that_is_the_embedding_is_honest():
    angles = np.random.default_rng(0).uniform(0, 1, size=60)
    embedded = embedded_of(np.column_stack([np.cos(angles), np.sin(angles)]))
    figures = honesty(embedded, Projection(embedded.ids, embedded.vectors.astype(np.float64), "map"))
    assert (figures.trustworthiness, figures.continuity) == (1.0, 1.0)
    assert figures.variance_explained == pytest.approx(1, abs=1e-6)


@pytest.mark.parametrize("n", [1, 2])
def test_honesty_needs_three(n):
    embedded = embedded_of(np.eye(3)[:n])
    with refusal(InputError):
        honesty(embedded, Projection(embedded.ids, np.zeros((n, 2)), "map"))


@pytest.mark.parametrize("method", ["pca", "random"])
def test_variance_explained_is_the_pls_figure_and_least_squares(method):
    embedded = embedded_of(clustered(7, 150))
    vectors = embedded.vectors.astype(np.float64)
    points = fit_projection(embedded, PCA, projection_id="map").points
    if method == "random":
        points = points + np.random.default_rng(0).normal(size=points.shape)
    ours = variance_explained(embedded.vectors, points)
    pls = PLSRegression(n_components=2, scale=False).fit(points, vectors)
    assert ours == pytest.approx(r2_score(vectors, pls.predict(points), multioutput="variance_weighted"), abs=1e-5)
    design = np.column_stack([np.ones(len(points)), points])
    fitted = design @ np.linalg.lstsq(design, vectors, rcond=None)[0]
    left = ((vectors - fitted) ** 2).sum() / ((vectors - vectors.mean(axis=0)) ** 2).sum()
    assert ours == pytest.approx(1 - left, abs=1e-6)


@pytest.mark.parametrize("columns", [(0, None), (None, 0), (0, 0), (None, None)])
def test_variance_explained_by_a_map_without_one_of_its_coordinates(columns):
    embedded = embedded_of(clustered(8, 80))
    along = embedded.vectors[:, 0].astype(np.float64)
    points = np.column_stack([np.full(80, 3.0) if c is None else along for c in columns])
    vectors = embedded.vectors - embedded.vectors.mean(axis=0)
    direction = (along - along.mean()) / np.linalg.norm(along - along.mean())
    share = 0 if columns == (None, None) else ((direction @ vectors) ** 2).sum() / (vectors**2).sum()
    assert variance_explained(embedded.vectors, points) == pytest.approx(share, rel=1e-5)


def test_variance_explained_of_identical_vectors():
    assert variance_explained(embedded_of(np.ones((6, 3))).vectors, np.random.default_rng(0).normal(size=(6, 2))) == 0


def test_a_landscape_needs_five():
    with refusal(InputError):
        fit_projection(embedded_of(np.eye(4)), PCA, projection_id="map")


def test_pca_gives_the_same_bytes_and_the_first_two_components():
    embedded = embedded_of(clustered(1, 90))
    a, b = (fit_projection(embedded, PCA, projection_id="map") for _ in range(2))
    assert a.points.tobytes() == b.points.tobytes()
    assert a.ids == embedded.ids
    centred = embedded.vectors.astype(np.float64) - embedded.vectors.astype(np.float64).mean(axis=0)
    _, _, axes = np.linalg.svd(centred, full_matrices=False)
    np.testing.assert_allclose(np.abs(a.points), np.abs(centred @ axes[:2].T), atol=1e-5)


@pytest.mark.parametrize(("n", "d", "kept"), [(60, 30, 8), (5000, 40, 12), (20, 50, 20)])
def test_principal_axes_equal_the_singular_vectors_and_keep_cosines(n, d, kept):
    rng = np.random.default_rng(n)
    vectors = embedded_of(rng.normal(size=(n, kept)) @ rng.normal(size=(kept, d))).vectors
    axes = principal_axes(vectors, kept)
    _, lengths, expected = np.linalg.svd(vectors.astype(np.float64), full_matrices=False)
    np.testing.assert_allclose(axes.T @ axes, np.eye(kept), atol=1e-9)
    np.testing.assert_allclose(np.linalg.norm(vectors @ axes, axis=0), lengths[:kept], rtol=1e-4)
    np.testing.assert_allclose(expected[:kept] @ axes @ axes.T, expected[:kept], atol=1e-3)
    reduced = vectors @ axes  # as many axes as the vectors span: nothing is lost
    np.testing.assert_allclose(reduced[:50] @ reduced[:50].T, vectors[:50] @ vectors[:50].T, atol=1e-5)
    assert (axes[np.abs(axes).argmax(axis=0), np.arange(kept)] > 0).all()


@given(seed=st.integers(0, 10_000), n=st.integers(2, 60), n_neighbors=st.integers(1, 20))
@settings(max_examples=50, deadline=None)
def test_later_publications_land_between_their_neighbours_and_nothing_moves(seed, n, n_neighbors):
    rng = np.random.default_rng(seed)
    there, later = embedded_of(rng.normal(size=(n, 6))), embedded_of(rng.normal(size=(9, 6)), "q")
    projection = Projection(there.ids, rng.normal(size=(n, 2)), "map")
    before = projection.points.copy()
    placed = place(later, among=there, projection=projection, n_neighbors=n_neighbors)
    np.testing.assert_array_equal(projection.points, before)
    assert (placed.ids, placed.projection_id) == (later.ids, "map")
    for row, point in zip(later.vectors, placed.points, strict=True):
        near = before[np.argsort(-(there.vectors @ row))[:n_neighbors]]
        if lies_on_a_line(near):
            assert (near.min(axis=0) - 1e-9 <= point).all()
            assert (point <= near.max(axis=0) + 1e-9).all()
        else:
            assert hull_around(near).contains(point[None, :]).all()


@pytest.mark.parametrize("d", [3, 384, 1536])
def test_a_later_twin_lands_exactly_on_its_twin(d):
    vectors = np.random.default_rng(d).normal(size=(40, d))
    there, later = embedded_of(vectors), embedded_of(vectors[::-1] * 7.3, "q")
    projection = Projection(there.ids, np.random.default_rng(1).normal(size=(40, 2)), "map")
    np.testing.assert_array_equal(place(later, among=there, projection=projection).points, projection.points[::-1])


def test_changed_decisions_are_counted_one_by_one():
    scene = random_topic(3).scene
    changed = changed_decisions(scene, SETTINGS)
    twins = {"mvee": "mvee_embedding", "hull": "hull_embedding", "cluster_projection": "cluster"}
    for on_map, in_embedding in twins.items():
        pair = (REGIONS[kind].fit(scene, SETTINGS).relevant_mask for kind in (on_map, in_embedding))
        assert changed[on_map] == sum(a != b for a, b in zip(*pair, strict=True)), on_map
    assert changed_decisions(random_topic(n_found=3).scene, SETTINGS).keys() == {"cluster_projection"}


def test_seed_ranges_over_landscapes():
    topic = random_topic(4)
    turned = replace(topic.projection, points=topic.projection.points @ np.array([[0, 1.0], [-2, 0]]))
    flat = replace(topic.projection, points=topic.projection.points * [1, 0])
    shuffled = replace(topic.projection, points=np.random.default_rng(0).permutation(topic.projection.points))
    maps = [topic.projection, turned, flat, shuffled]
    for kind, (low, high) in seed_ranges(topic.scene, maps, SETTINGS).items():
        fits = [topic.with_(projection=m).evaluate(SETTINGS, [kind]).regions[kind] for m in maps]
        shares = [scores.semantic_precision for scores in fits if scores.status == "ok"]
        assert len(shares) == (4 if kind == "cluster_projection" else 3)
        assert (low, high) == (min(shares), max(shares))
    assert set(seed_ranges(topic.scene, [flat], SETTINGS)) == {"cluster_projection"}


@pytest.mark.slow
@given(
    vectors=st.integers(2, 40).flatmap(lambda n: arrays(np.float32, (n, 3), elements=st.integers(-3, 3))),
    data=st.data(),
)
def test_nearest_neighbours_are_those_of_a_full_sort(vectors, data):
    k = data.draw(st.integers(1, len(vectors)))
    rows, distances = nearest_neighbours(vectors, k)
    for i, (near, apart) in enumerate(zip(rows, distances, strict=True)):
        lengths = np.linalg.norm(vectors, axis=1) * np.linalg.norm(vectors[i])
        all_apart = 1 - np.divide(vectors @ vectors[i], lengths, out=np.zeros(len(vectors)), where=lengths > 0)
        assert (near[0], apart[0]) == (i, 0)
        assert len(set(near.tolist())) == k
        assert apart == pytest.approx(all_apart[near] * (near != i), abs=1e-6)
        others = np.sort(np.delete(all_apart, i))[: k - 1]
        assert apart[1:] == pytest.approx(others, abs=1e-6)


@pytest.mark.slow
def test_umap_is_repeatable_and_keeps_neighbours():
    embedded = embedded_of(clustered(2, 400, d=80))
    a, b = (fit_projection(embedded, ProjectionSettings(), projection_id="map") for _ in range(2))
    assert a.points.tobytes() == b.points.tobytes()
    assert honesty(embedded, a).trustworthiness > 0.8
    other = fit_projection(embedded, ProjectionSettings(seed=1), projection_id="map")
    assert other.points.tobytes() != a.points.tobytes()


@pytest.mark.slow
def test_umap_over_seeds_gives_ranges_and_changed_decisions():
    rng = np.random.default_rng(0)
    groups = np.repeat(rng.normal(size=(4, 60)), 35, axis=0) + 0.35 * rng.normal(size=(140, 60))
    topic = topic_of(groups, n_core=12, found=range(9))
    seen = []
    landscapes = list(over_seeds(topic.embedded, ProjectionSettings(), lambda done, total: seen.append((done, total))))
    assert seen == [(seed, N_SEEDS) for seed in range(N_SEEDS)]
    scene = topic.with_(projection=landscapes[0]).scene
    ranges = seed_ranges(scene, landscapes, SETTINGS)
    assert set(ranges) == {"mvee", "hull", "cluster_projection"}
    for low, high in ranges.values():
        assert 9 / 137 <= low <= high <= 1
    assert ranges["mvee"].high >= ranges["hull"].low
    for kind, n_changed in changed_decisions(scene, SETTINGS).items():
        assert 0 <= n_changed <= 137, kind


@pytest.mark.slow
@pytest.mark.parametrize("n", [5, 6, 16, 40])
def test_umap_of_few_publications(n):
    embedded = embedded_of(clustered(3, n))
    points = fit_projection(embedded, ProjectionSettings(), projection_id="map").points
    assert points.shape == (n, 2)
    assert np.isfinite(points).all()


@pytest.mark.slow
def test_umap_tells_how_far_it_is_and_gives_the_same_points():
    embedded = embedded_of(clustered(2, 400, d=80))
    seen = []
    told = fit_projection(embedded, ProjectionSettings(), projection_id="a", on_step=lambda *step: seen.append(step))
    silent = fit_projection(embedded, ProjectionSettings(), projection_id="b")
    assert told.points.tobytes() == silent.points.tobytes()
    assert seen == sorted(seen)
    assert seen[0][0] > 0, "the first report ends the compilation, by which the time left can't be estimated"
    assert seen[-1][0] == seen[-1][1] > 100
