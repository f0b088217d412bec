"""Many topics at once: their core publications with the survey that named them, in a few statements."""

from __future__ import annotations

from collections.abc import Sequence

from core.errors import InputError
from core.studies.core_sets import SURVEY_KINDS, CorePublication, SurveyKind, TopicCore
from data.lookup import check_topic
from data.store import Store
from data.workspace import Workspace


def core_sets(workspace: Workspace, topic_ids: Sequence[str] | None = None) -> tuple[TopicCore, ...]:
    """The core publications of these topics, or of all, by name; a topic without any has an empty set.

    What is not known stays None: a kind, a year, a count of citations.
    """
    wanted = {"topics": None if topic_ids is None else list(topic_ids)}
    publications: dict[str, list[CorePublication]] = {}
    for topic_id, *fields in workspace.store.rows(
        """
        SELECT c.topic_id, c.publication_id, coalesce(p.title, ''), p.year, p.times_cited, p.abstract IS NOT NULL
        FROM core_publications AS c LEFT JOIN publications AS p USING (publication_id)
        WHERE $topics IS NULL OR c.topic_id IN (SELECT unnest($topics::VARCHAR[]))
        ORDER BY c.topic_id, c.position
        """,
        wanted,
    ):
        publications.setdefault(topic_id, []).append(CorePublication(*fields))
    found = workspace.store.rows(
        """
        SELECT t.topic_id, t.made_up, t.survey_kind, s.survey_id, coalesce(p.title, ''), p.year
        FROM topics AS t
        LEFT JOIN (SELECT topic_id, min(survey_id) AS survey_id FROM core_publications GROUP BY topic_id) AS s
            ON s.topic_id = t.topic_id
        LEFT JOIN publications AS p ON p.publication_id = s.survey_id
        WHERE $topics IS NULL OR t.topic_id IN (SELECT unnest($topics::VARCHAR[]))
        ORDER BY t.topic_id
        """,
        wanted,
    )
    return tuple(
        TopicCore(
            topic_id=topic_id,
            made_up=made_up,
            survey_kind=kind if kind in SURVEY_KINDS else None,
            survey_id=survey_id,
            survey_title=title,
            survey_year=year,
            publications=tuple(publications.get(topic_id, ())),
        )
        for topic_id, made_up, kind, survey_id, title, year in found
    )


def set_survey_kind(workspace: Workspace, topic_id: str, kind: SurveyKind | None) -> None:
    """What kind of survey a topic's core publications come from, as a person says it. None: not known."""
    if kind is not None and kind not in SURVEY_KINDS:
        raise InputError(f'no kind of survey "{kind}"; there is {", ".join(SURVEY_KINDS)}')
    check_topic(workspace.store, topic_id)
    with workspace.store.transaction():
        workspace.store.execute("UPDATE topics SET survey_kind = ? WHERE topic_id = ?", [kind, topic_id])


def fill_survey_kind(store: Store, topic_id: str, kind: SurveyKind | None) -> None:
    """The same as a collection says it: what a person said before stands. The caller holds the transaction."""
    store.execute("UPDATE topics SET survey_kind = ? WHERE topic_id = ? AND survey_kind IS NULL", [kind, topic_id])
