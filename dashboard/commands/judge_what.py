"""What `judge` is to judge: answers of retrievers, query versions, or files of results, put together."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import click

from core.errors import InputError
from core.judging.sampling import sample_queries
from core.judging.types import USUAL_K, Field, joined
from core.protocols import OnStage
from core.ranking.check import Query
from data.collections.bringing import open_collection
from data.judging.fields.results_files import TAKES, Take, results_field, retriever_field, version_field
from data.workspace import Workspace

ITEM_FLAGS = (
    click.option("--collection", default=None, help="Whose queries: a collection's name, topic:NAME, or a folder."),
    click.option("--retrievers", "retrievers", multiple=True, help="One or more: --retrievers bm25 dense ..."),
    click.option(
        "--documents", default=None, help="Whose documents are searched, where a collection has only queries."
    ),
    click.option("--split", default=None, help="Only the queries of this part. [default: all]"),
    click.option("--sample", type=click.IntRange(min=1), default=None, help="So many queries. [default: all]"),
    click.option(
        "--by", default=None, help="Dimensions that a sample keeps in proportion, with commas. [default: all]"
    ),
    click.option("--topic", "topics", multiple=True, help="A topic whose query versions are judged; repeatable."),
    click.option("--versions", "versions", multiple=True, help="Their labels: --versions A B. [default: all]"),
    click.option("--question", "questions", multiple=True, help="What a topic asks, in words; one for each --topic."),
    click.option("--take", type=click.Choice(TAKES), default="top", show_default=True, help="Of each version."),
    click.option(
        "--results",
        "files",
        multiple=True,
        type=click.Path(path_type=Path),
        help="Results of a search engine, as a file.",
    ),
    click.option(
        "--k", type=int, default=USUAL_K, show_default=True, help="Publications of each answer, from the top."
    ),
    click.option("--seed", type=click.IntRange(min=0), default=0, show_default=True, help="Of samples and resampling."),
)


@dataclass(frozen=True, slots=True)
class What:
    """What is to be judged, as it was asked for."""

    collection: str | None
    retrievers: tuple[str, ...]
    documents: str | None
    split: str | None
    sample: int | None
    by: str | None
    topics: tuple[str, ...]
    versions: tuple[str, ...]
    questions: tuple[str, ...]
    take: Take
    files: tuple[Path, ...]
    k: int
    seed: int

    @property
    def is_nothing(self) -> bool:
        """Whether nothing is named."""
        return not (self.collection or self.topics or self.files)


def read_what(given: dict[str, Any], more: Sequence[str]) -> What:
    """The choice in these flags. `more`: names that stand after the first one of --retrievers or --versions."""
    given = {name: given.pop(name) for name in What.__slots__}
    if more:
        several = [name for name in ("retrievers", "versions") if given[name]]
        if len(several) != 1:
            raise InputError(
                f'"{more[0][:60]}" belongs to no option: put --retrievers or --versions before every name, and names '
                "that hold spaces in quotes"
            )
        given[several[0]] = (*given[several[0]], *more)
    what = What(**given)
    _check(what)
    return what


def _check(what: What) -> None:
    if what.collection and not what.retrievers:
        raise InputError("name whose answers are judged: --retrievers bm25 dense")
    if what.retrievers and not what.collection:
        raise InputError("name what the retrievers search: --collection NAME")
    if not what.collection:
        for name in ("documents", "split", "sample"):
            if getattr(what, name) is not None:
                raise InputError(f"--{name} belongs to a --collection")
    if what.by is not None and what.sample is None:
        raise InputError("--by says what a --sample keeps in proportion: say how many queries")
    if (what.versions or what.questions) and not what.topics:
        raise InputError("--versions and --question belong to a --topic")
    if what.questions and len(what.questions) != len(what.topics):
        raise InputError(
            f"{len(what.topics)} --topic but {len(what.questions)} --question: give one for each, in order"
        )


def gathered(workspace: Workspace, what: What, on_stage: OnStage) -> tuple[Field, dict[str, Any]]:
    """Everything that is named as one field, and the choice as a run keeps it."""
    if what.is_nothing:
        raise InputError(
            "name what is judged: --collection C --retrievers bm25 dense, --topic T, --results FILE, or --resume RUN"
        )
    fields: list[Field] = []
    chosen: list[dict[str, Any]] = []
    if what.collection:
        _take(_of_retrievers(workspace, what, what.collection, on_stage), fields, chosen)
    if what.topics:
        on_stage("gathering publications")
        _take(_of_versions(workspace, what), fields, chosen)
    for file in what.files:
        on_stage(f"reading {file.name}")
        _take((results_field(file), {"source": "file", "files": [file.name]}), fields, chosen)
    return joined(fields), chosen[0] if len(chosen) == 1 else {"source": "several", "parts": chosen}


def _take(found: tuple[Field, dict[str, Any]], fields: list[Field], chosen: list[dict[str, Any]]) -> None:
    fields.append(found[0])
    chosen.append(found[1])


def _of_retrievers(
    workspace: Workspace, what: What, collection: str, on_stage: OnStage
) -> tuple[Field, dict[str, Any]]:
    queries = _sample(open_collection(workspace, collection).collection.of_split(what.split), what)
    field = retriever_field(
        workspace,
        collection,
        what.retrievers,
        k=what.k,
        queries=queries,
        split=what.split,
        documents=what.documents,
        on_stage=on_stage,
    )
    return field, {
        "source": "retrievers",
        "collection": collection,
        "split": what.split,
        "documents": what.documents,
        "retrievers": list(what.retrievers),
        "k": what.k,
        "query_ids": [query.query_id for query in field.queries],
    }


def _sample(queries: tuple[Query, ...], what: What) -> tuple[Query, ...] | None:
    """Some of each kind; None: all that the collection has."""
    if what.sample is None:
        return None
    by = None if what.by is None else [part.strip() for part in what.by.split(",") if part.strip()]
    return sample_queries(queries, what.sample, by=by, seed=what.seed)


def _of_versions(workspace: Workspace, what: What) -> tuple[Field, dict[str, Any]]:
    question = dict(zip(what.topics, what.questions, strict=False))
    field = version_field(
        workspace, what.topics, what.versions, k=what.k, question=question, take=what.take, seed=what.seed
    )
    return field, {
        "source": "versions",
        "topics": list(what.topics),
        "versions": list(what.versions),
        "question": question,
        "take": what.take,
        "k": what.k,
        "seed": what.seed,
    }
