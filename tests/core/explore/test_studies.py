"""Facts about core sets, and clusters against topics: simple oracles, scikit-learn, and laws."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.metrics import adjusted_rand_score, normalized_mutual_info_score

from core.errors import InputError, MisalignedError
from core.explore.studies import CorePublication, TopicCore, best_clusters, facts_of, in_several, purity
from tests.messages import refusal

PAIRS = st.lists(st.tuples(st.integers(-1, 5), st.sampled_from("abcde")), min_size=1, max_size=40)


def topic(name: str, *entries: tuple[str, int | None, int | None], year: int | None = 2020) -> TopicCore:
    publications = tuple(CorePublication(i, i.upper(), y, n, y is not None) for i, y, n in entries)
    return TopicCore(name, False, None, None, "", year, publications)


def slow_purity(labels: list[int], topics: list[str]) -> tuple[float, dict[str, float]]:
    """Publication by publication, as the sentence says it."""
    majority = {}
    for label in set(labels):
        inside = Counter(t for own, t in zip(labels, topics, strict=True) if own == label)
        majority[label] = min(t for t in inside if inside[t] == max(inside.values()))
    right = [majority[label] == t for label, t in zip(labels, topics, strict=True)]
    of_topic = {
        name: sum(r for r, t in zip(right, topics, strict=True) if t == name) / topics.count(name)
        for name in set(topics)
    }
    return sum(right) / len(right), of_topic


@settings(max_examples=40)
@given(PAIRS)
def test_purity_is_that_of_the_sentence(pairs: list[tuple[int, str]]) -> None:
    labels, topics = [a for a, _ in pairs], [b for _, b in pairs]
    overall, of_topic = slow_purity(labels, topics)
    found = purity(labels, topics)
    assert found.overall == pytest.approx(overall)
    assert dict(found.of_topic) == pytest.approx(of_topic)
    assert found.counts.sum() == len(pairs) == sum(cluster.n for cluster in found.clusters)


@settings(max_examples=40)
@given(PAIRS)
def test_rand_and_mutual_information_are_those_of_scikit_learn(pairs: list[tuple[int, str]]) -> None:
    labels, topics = [a for a, _ in pairs], [b for _, b in pairs]
    found = purity(labels, topics)
    assert found.adjusted_rand == pytest.approx(adjusted_rand_score(topics, labels), abs=1e-9)
    assert found.mutual_information == pytest.approx(normalized_mutual_info_score(topics, labels), abs=1e-9)


@settings(max_examples=40)
@given(PAIRS)
def test_the_largest_share_says_where_a_topic_without_purity_lies(pairs: list[tuple[int, str]]) -> None:
    found = purity([a for a, _ in pairs], [b for _, b in pairs])
    for topic, share in found.largest_share.items():
        inside = Counter(label for label, own in pairs if own == topic)
        assert share == pytest.approx(max(inside.values()) / sum(inside.values()))
    for topic, other in found.joined_to.items():
        assert found.of_topic[topic] == 0
        assert other != topic


def test_purity_needs_as_many_clusters_as_topics_and_some() -> None:
    with refusal(MisalignedError):
        purity([0, 1], ["a"])
    with pytest.raises(InputError, match="no publication"):
        purity([], [])


def test_facts_count_a_shared_publication_once() -> None:
    tea = topic("Tea", ("p1", 2000, 0), ("p2", 2010, 10), ("p3", None, None))
    nets = topic("Nets", ("p2", 2010, 10), ("p4", 1990, 100), year=None)
    facts = facts_of([tea, nets])
    assert (facts.n_topics, facts.n_entries, facts.n_publications, facts.n_in_several) == (2, 5, 4, 1)
    assert (facts.n_without_abstract, facts.n_without_metadata, facts.n_without_citations) == (1, 1, 1)
    assert (facts.n_never_cited, facts.median_times_cited, facts.median_years_before_survey) == (1, 10.0, 15.0)
    assert in_several([tea, nets]) == {"p2": ("Tea", "Nets")}
    assert tea.years_before_survey == (20, 10, None)
    assert nets.years_before_survey == (None, None)


def test_facts_of_nothing_have_no_median() -> None:
    facts = facts_of([topic("Empty")])
    assert (facts.n_publications, facts.median_times_cited, facts.median_years_before_survey) == (0, None, None)


def test_best_clusters_take_the_seed_that_fits_best() -> None:
    rng = np.random.default_rng(1)
    rows = np.vstack([rng.normal(size=(8, 2)) * 0.4 + [3 * x, 3 * y] for x in range(3) for y in range(3)])

    def apart(n_seeds: int) -> float:
        found = best_clusters(rows, 9, n_seeds=n_seeds)
        assert len(set(found.labels.tolist())) == 9
        return float(((rows - found.centers[found.labels]) ** 2).sum())

    assert apart(4) <= apart(2) <= apart(1)
    heard: list[tuple[int, int]] = []
    best_clusters(rows, 3, n_seeds=2, on_progress=lambda done, total: heard.append((done, total)))
    assert heard == [(2, 6), (3, 6), (5, 6), (6, 6)]


@pytest.mark.parametrize(("k", "n_seeds", "message"), [(1, 1, "got 1"), (2, 0, "got 0"), (3, 1, "there are 2")])
def test_clusters_that_can_not_be_had(k: int, n_seeds: int, message: str) -> None:
    with pytest.raises(InputError, match=message):
        best_clusters(np.array([[0.0, 0.0], [1.0, 0.0], [1.0, 0.0]]), k, n_seeds=n_seeds)
