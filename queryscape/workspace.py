"""A workspace and its topics: import, run, evaluate, compare, report."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from os import PathLike
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Any, Unpack

from core.errors import InputError, NoTopicError
from core.settings import EvaluationSettings
from core.text import many
from queryscape.evaluation import Regions, SettingNames, read_regions, read_settings
from queryscape.results import (
    BenchmarkResult,
    ComparisonResult,
    DrawnScene,
    EvaluationResult,
    ExportedFiles,
    ImportedFiles,
    QueryExplanation,
    ReproducedTables,
    TopicSearches,
    shortened,
)
from queryscape.wording import python_wording

if TYPE_CHECKING:
    from core.query.match import Semantics
    from core.report import ReportKind
    from core.types import Ids
    from data.explore.workspace import Workspace
    from data.store import VersionRow

Place = str | PathLike[str]
Settings = EvaluationSettings | Mapping[str, Any] | None


@dataclass(frozen=True, slots=True, repr=False)
class TopicVersion:
    """One wording of a topic's search."""

    topic: str
    label: str
    name: str | None
    origin: str
    text: str
    n_retrieved: int | None
    """None: it was not run."""

    @classmethod
    def of(cls, row: VersionRow) -> TopicVersion:
        v = row.version
        return cls(v.topic_id, v.label, v.name, v.origin, v.text, row.n_retrieved)

    def __repr__(self) -> str:
        n = "not run" if self.n_retrieved is None else f"{self.n_retrieved:,} retrieved"
        return f"<{shortened(self.label)} ({self.origin}, {n}): {shortened(self.text)}>"


def label_of(version: str | TopicVersion, topic: str) -> str:
    """Return the label of a version of the topic."""
    if not isinstance(version, TopicVersion):
        return version
    if version.topic != topic:
        raise InputError(f'version "{version.label}" is of the topic "{version.topic}", not of "{topic}"')
    return version.label


@dataclass(frozen=True, slots=True, repr=False)
class WorkspaceTopic:
    """A topic of an open workspace: its core publications, versions and searches."""

    workspace: OpenWorkspace
    name: str

    def __repr__(self) -> str:
        n_core, n = len(self.core_ids), len(self.versions())
        return f"<{shortened(self.name)}: {many(n_core, 'core publication')}, {many(n, 'version')}>"

    @property
    def core_ids(self) -> Ids:
        """The ids of the core publications."""
        return self.workspace.opened.store.load_core_ids(self.name)

    @property
    def publication_ids(self) -> Ids:
        """The ids of all publications of the topic."""
        return self.workspace.opened.store.topic_publication_ids(self.name)

    def versions(self) -> list[TopicVersion]:
        """List the versions of the topic's query, the oldest first."""
        return [TopicVersion.of(row) for row in self.workspace.opened.store.versions(self.name)]

    def retrieved_ids(self, version: str | TopicVersion) -> Ids:
        """Return the ids of the publications that a version retrieves."""
        opened = self.workspace.opened
        row = opened.version(self.name, label_of(version, self.name))
        return opened.store.load_retrieved_ids(row.version.query_id)

    def run(
        self,
        text: str,
        *,
        dialect: str | None = None,
        semantics: Semantics = "literal",
        with_errors: bool = False,
    ) -> TopicVersion:
        """Run a search string over the topic's publications, as a new version.

        `semantics`: `literal` or `stemmed`. `with_errors`: run a string with errors as it is; else it is refused.
        """
        return self.workspace.run(text, topic=self, dialect=dialect, semantics=semantics, with_errors=with_errors)

    def evaluate(
        self,
        version: str | TopicVersion,
        *,
        embedder: str | None = None,
        regions: Regions = None,
        intervals: bool = False,
        settings: Settings = None,
        **named: Unpack[SettingNames],
    ) -> EvaluationResult:
        """Score a version, given by its label or as `run` returns it.

        `embedder`: whose vectors to use; `intervals`: also compute ranges. Settings by name, such as `beta=1`; see
        `queryscape.evaluate`.
        """
        return self.workspace.evaluate(
            self, version, embedder=embedder, regions=regions, intervals=intervals, settings=settings, **named
        )

    def compare(
        self,
        *versions: str | TopicVersion,
        embedder: str | None = None,
        regions: Regions = None,
        settings: Settings = None,
        **named: Unpack[SettingNames],
    ) -> ComparisonResult:
        """Compare two or more versions. A difference is the later minus the earlier; see `OpenWorkspace.compare`."""
        return self.workspace.compare(
            *versions, topic=self, embedder=embedder, regions=regions, settings=settings, **named
        )

    def explain(
        self,
        text: str | None = None,
        *,
        version: str | TopicVersion | None = None,
        dialect: str | None = None,
        semantics: Semantics | None = None,
        embedder: str | None = None,
        **named: Unpack[SettingNames],
    ) -> QueryExplanation:
        """Explain why core publications are missed, and which edits find them.

        Give either a search string, or the label of a `version`; see `queryscape.query.explain`.
        """
        from queryscape.query import explain

        return explain(
            text, topic=self, version=version, dialect=dialect, semantics=semantics, embedder=embedder, **named
        )

    def report(
        self,
        out: Place,
        *,
        kind: ReportKind = "audit",
        versions: Sequence[str | TopicVersion] | None = None,
        embedder: str | None = None,
        abstracts: bool = False,
        final: bool = False,
        force: bool = False,
        settings: Settings = None,
        **named: Unpack[SettingNames],
    ) -> Path:
        """Write a report as .html, .docx, .md, .json or .zip, and return its path; see `OpenWorkspace.report`."""
        return self.workspace.report(
            self,
            out,
            kind=kind,
            versions=versions,
            embedder=embedder,
            abstracts=abstracts,
            final=final,
            force=force,
            settings=settings,
            **named,
        )

    def export_collection(
        self, out: Place | None = None, *, qrels: Place | None = None, force: bool = False
    ) -> ExportedFiles:
        """Write the topic as one query with its core publications; see `OpenWorkspace.export_collection`."""
        return self.workspace.export_collection(self, out, qrels=qrels, force=force)

    def export_run(self, out: Place, *versions: str, force: bool = False) -> ExportedFiles:
        """Write the results of versions as TREC runs, as `queryscape export run` does. Default: all that were run.

        `out`: a file if one version is named, else a folder.
        """
        from dashboard.retrieval.export_commands import write_version_runs

        document = write_version_runs(self.workspace.opened, self.name, versions, Path(out), force=force)
        return ExportedFiles(document, self.name)

    def searches(self) -> TopicSearches:
        """List the searches of the topic and what each brought, as `queryscape searches` does."""
        from datetime import date

        from dashboard.library.searches_command import phases_document, searches_document
        from data.library.records import source_names
        from data.library.searches import load_searches, problems_of, yields_of

        store, name = self.workspace.opened.store, self.name
        found = load_searches(store, name)
        problems = problems_of(store, name, date.today())
        document = searches_document(name, found, yields_of(store, name), source_names(store, name), problems)
        return TopicSearches(document | phases_document(store, name, found), name)

    def confirm(self, by: str = "") -> tuple[str, ...]:
        """Confirm every prefilled item of the search record, as `queryscape report confirm` does."""
        from data.audit.reports import ReportRequest, record
        from data.audit.searches import confirm_likely

        opened = self.workspace.opened
        return tuple(confirm_likely(opened.store, record(opened, ReportRequest("prisma-s", self.name)), said_by=by))


class OpenWorkspace(AbstractContextManager["OpenWorkspace"]):
    """An open workspace, closed by `close` or at the end of a `with` block. The app can't write to it meanwhile."""

    def __init__(self, workspace: Workspace) -> None:
        self._workspace: Workspace | None = workspace
        self.path = workspace.paths.root

    @property
    def opened(self) -> Workspace:
        """The workspace of the layer below; its methods are not part of the library's promises."""
        if self._workspace is None:
            raise InputError(f"the workspace {self.path} is closed: open it again, or stay inside the with block")
        return self._workspace

    def close(self) -> None:
        """Close the workspace, so that the app or another program can open it."""
        if self._workspace is not None:
            self._workspace.close()
            self._workspace = None

    def __exit__(self, kind: type[BaseException] | None, e: BaseException | None, trace: TracebackType | None) -> None:
        self.close()

    def __repr__(self) -> str:
        state = "closed" if self._workspace is None else many(len(self.opened.store.topics()), "topic")
        return f"<Queryscape workspace {self.path}: {state}>"

    def topics(self) -> list[WorkspaceTopic]:
        """List the topics by name."""
        return [WorkspaceTopic(self, row.topic_id) for row in self.opened.store.topics()]

    def topic(self, name: str) -> WorkspaceTopic:
        """Return a topic by its name, in any case; its beginning is enough if only one topic has it."""
        return WorkspaceTopic(self, self._name_of(name))

    def _name_of(self, topic: str | WorkspaceTopic) -> str:
        from data.lookup import check_topic, topic_meant

        if isinstance(topic, WorkspaceTopic):
            return topic.name
        if not isinstance(topic, str):
            raise InputError(f"a topic is given by its name, got {type(topic).__name__}")
        try:
            check_topic(self.opened.store, topic)
        except NoTopicError as e:
            if (meant := topic_meant(topic, e.names)) is None:
                raise
            return meant
        return topic

    @python_wording()
    def import_files(
        self,
        paths: Place | Iterable[Place],
        *,
        topic: str,
        role: str = "corpus",
        format: str | None = None,
        columns: Mapping[str, str] | None = None,
        query: str | None = None,
        included_as_core: bool = False,
    ) -> ImportedFiles:
        """Import files of publications into a topic, which is created if it is new.

        `role`: corpus, core, screened, included, or the label of a query version, whose search string is `query`.
        `format`: one of the names that `queryscape import --help` lists; default: detected.
        `columns`: fields and the columns of a table that hold them, such as `{"title": "Name"}`.
        """
        from dashboard.library.commands import check_columns, import_document
        from data.importers.source import ReadOptions, plain_name
        from data.library.imports import ImportChoices, bring_files
        from data.library.records import SourceRole

        files = [paths] if isinstance(paths, str | PathLike) else list(paths)
        read_as = SourceRole.named(role)
        if query is not None and read_as.kind != "version":
            raise InputError("query= needs a query version: give its label as the role")
        choices = ImportChoices(
            format,
            ReadOptions(check_columns(columns or {})),
            included_as_core=included_as_core,
            query_text=None if query is None else plain_name(query),
        )
        done = bring_files(self.opened, topic, read_as, [Path(file) for file in files], choices)
        return ImportedFiles(import_document(done), topic)

    @python_wording()
    def run(
        self,
        text: str,
        *,
        topic: str | WorkspaceTopic,
        dialect: str | None = None,
        semantics: Semantics = "literal",
        with_errors: bool = False,
    ) -> TopicVersion:
        """Run a search string over the topic's publications, as a new version.

        One that was run before over the same publications is returned. `semantics`: match words as written (`literal`)
        or by their stem (`stemmed`). `with_errors`: run a string with errors as it is; else it is refused.
        """
        from data.lookup import check_no_label
        from queryscape.query import check_errors, check_semantics, read_dialect

        name, chosen = self._name_of(topic), read_dialect(dialect)
        check_semantics(semantics)
        if not with_errors:
            check_errors(text, chosen)
        check_no_label(self.opened.store, name, text, f'evaluate("{text.strip()}")')
        return TopicVersion.of(self.opened.run_query(name, text, dialect=chosen, semantics=semantics))

    def embedder_for(self, topic: str, embedder: str | None) -> str | None:
        """Return the embedder; without one, the only one of the topic, or the local one if it has no vectors."""
        if embedder is not None:
            return embedder
        known = next((t.embedders for t in self.opened.topics() if t.topic_id == topic), ())
        if len(known) > 1:
            choices = " or ".join(f'embedder="{name}"' for name in known)
            raise InputError(f'topic "{topic}" has several embedders: choose {choices}')
        return None if known else "lsa"

    @python_wording()
    def evaluate(
        self,
        topic: str | WorkspaceTopic,
        version: str | TopicVersion,
        *,
        embedder: str | None = None,
        regions: Regions = None,
        intervals: bool = False,
        settings: Settings = None,
        **named: Unpack[SettingNames],
    ) -> EvaluationResult:
        """Score a version of a topic, as `queryscape evaluate` and the app do.

        `embedder`: whose vectors to use; default: the only one, or the local `lsa` where there is none. Settings are
        given by name, such as `beta=1`; see `queryscape.evaluate`.
        """
        opened, name = self.opened, self._name_of(topic)
        label = label_of(version, name)
        chosen, kinds = read_settings(settings, named), read_regions(regions)
        evaluation = opened.evaluate(
            name,
            label,
            embedder=self.embedder_for(name, embedder),
            settings=chosen,
            regions=kinds,
            intervals=intervals,
        )

        def drawn() -> DrawnScene:
            store = self.opened.store
            view = self.opened.view(name, label, evaluation.model_id)
            headlines = store.headlines(view.landscape.ids)
            made_up = any(row.made_up for row in store.topics() if row.topic_id == name)
            years = [int(year) or None for year in headlines.years]
            return DrawnScene(view.landscape, view.outlines(), headlines.titles, years, made_up)

        return EvaluationResult(evaluation, label, intervals, drawn)

    @python_wording()
    def compare(
        self,
        *versions: str | TopicVersion,
        topic: str | WorkspaceTopic | None = None,
        embedder: str | None = None,
        regions: Regions = None,
        settings: Settings = None,
        **named: Unpack[SettingNames],
    ) -> ComparisonResult:
        """Compare versions of a topic: `compare("a", "b", topic=name)`. A difference is the later minus the earlier.

        The topic may be left out if only one has versions with these labels.
        """
        from data.explore.versions import comparability, compare_in_full

        opened = self.opened
        name = self._topic_of(versions) if topic is None else self._name_of(topic)
        labels = tuple(label_of(version, name) for version in versions)
        if len(labels) < 2:
            raise InputError(f'compare at least two versions, such as compare("{labels[0] if labels else "A"}", "B")')
        chosen, kinds = read_settings(settings, named), read_regions(regions)
        comparison = compare_in_full(
            opened, name, labels, embedder=self.embedder_for(name, embedder), settings=chosen, regions=kinds
        )
        rows = [opened.version(name, label) for label in labels]
        return ComparisonResult(comparison, labels, comparability(rows, comparison.pairs).notes)

    def _topic_of(self, versions: Sequence[str | TopicVersion]) -> str:
        """Return the topic of versions: the only one that has all their labels, unless they know it."""
        if known := next((version.topic for version in versions if isinstance(version, TopicVersion)), None):
            return known
        labels = list(map(str, versions))
        there = [
            topic.topic_id
            for topic in self.opened.topics()
            if set(labels) <= {row.version.label for row in topic.versions}
        ]
        if len(there) != 1:
            n = many(len(there), "topic") if there else "no topic"
            raise InputError(f"{n} with versions of these labels: name the topic with topic=")
        return there[0]

    @python_wording()
    def report(
        self,
        topic: str | WorkspaceTopic,
        out: Place,
        *,
        kind: ReportKind = "audit",
        versions: Sequence[str | TopicVersion] | None = None,
        embedder: str | None = None,
        abstracts: bool = False,
        final: bool = False,
        force: bool = False,
        settings: Settings = None,
        **named: Unpack[SettingNames],
    ) -> Path:
        """Write a report as .html, .docx, .md, .json, or .zip for a bundle; return its path.

        `kind`: audit (the whole), prisma-s, press, checklist or quality. `final`: leave out what is still to be
        answered. `force`: overwrite a file.
        """
        from dashboard.audit.record_commands import check_place
        from dashboard.audit.report_files import format_of, report_file
        from data.audit.reports import ReportRequest, make
        from data.files import written_aside

        path, form = Path(out), format_of(str(out))
        if form.form == "zip" and kind != "audit":
            raise InputError(f'a bundle holds the whole audit: leave out kind="{kind}", or choose another extension')
        check_place(path, force=force)
        name = self._name_of(topic)
        chosen = read_settings(settings, named)
        labels = None if versions is None else tuple(label_of(version, name) for version in versions)
        asked = ReportRequest(kind, name, labels, embedder, chosen, abstracts=abstracts, final=final)
        content = report_file(make(self.opened, asked), form)
        with written_aside(path) as file:
            file.write(content)
        return path

    def export_collection(
        self,
        collection: str | WorkspaceTopic,
        out: Place | None = None,
        *,
        qrels: Place | None = None,
        split: str | None = None,
        force: bool = False,
    ) -> ExportedFiles:
        """Write a collection for evaluation programs, as `queryscape export collection` does.

        `collection`: a name, topic:NAME, a folder, or a topic, which becomes one query with its core publications.
        `out`: a folder for files in the layout of BEIR. `qrels`: a file for the judgments in TREC's columns.
        """
        from dashboard.retrieval.export_commands import write_collection

        name, topic = (None, collection.name) if isinstance(collection, WorkspaceTopic) else (collection, None)
        folder, file = (None if place is None else Path(place) for place in (out, qrels))
        document = write_collection(self.opened, name, folder, file, topic=topic, split=split, force=force)
        return ExportedFiles(document, document["collection"])


@python_wording()
def open_workspace(path: Place | None = None) -> OpenWorkspace:
    """Open the workspace in a folder, created if it is new; use it in a `with` block.

    None: the folder that QUERYSCAPE_DATA_DIR names, or the default one, as the app does.

    >>> import queryscape as qs
    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder, qs.open(folder) as ws:
    ...     ws.topics()
    []
    """
    from data.explore.workspace import Workspace

    return OpenWorkspace(Workspace.open(None if path is None else Path(path)))


def demo(path: Place | None = None) -> OpenWorkspace:
    """Open a workspace and build the demo data in it, as `queryscape demo` does; existing data stays unchanged."""
    from data.demo.loading import bring_demo

    workspace = open_workspace(path)
    try:
        bring_demo(workspace.opened)
    except BaseException:
        workspace.close()
        raise
    return workspace


def reproduce_litqeval(folder: Place) -> ReproducedTables:
    """Compare LitQEval's published numbers with ours, from a copy of its repository, as `queryscape reproduce` does."""
    from dashboard.explore.reproduction import reproduction_document
    from data.library.reproduction import reproduce_folder

    found = reproduce_folder(Path(folder))
    return ReproducedTables(reproduction_document("litqeval", found.numbers, found.numbers, found.notes), "LitQEval")


@python_wording()
def benchmark(
    collection: Place,
    retrievers: Sequence[str] = ("bm25",),
    *,
    workspace: OpenWorkspace | None = None,
    metrics: Sequence[str] | None = None,
    split: str | None = None,
    depth: int | None = None,
    embedder: str | None = None,
    seed: int = 0,
    budget: float = 0.0,
) -> BenchmarkResult:
    """Run retrievers over a collection with known judgments, as `queryscape benchmark` does.

    `collection`: its name, topic:NAME, or a folder. `workspace`: default: the default one. `budget`: dollars that paid
    retrievers may cost; 0 runs only free ones.
    """
    if workspace is None:
        with open_workspace() as default:
            return benchmark(
                collection,
                retrievers,
                workspace=default,
                metrics=metrics,
                split=split,
                depth=depth,
                embedder=embedder,
                seed=seed,
                budget=budget,
            )
    from functools import partial

    from core.retrieval.leaderboard import score_runs
    from core.retrieval.metrics import DEFAULT_METRICS
    from dashboard.retrieval.commands import (
        benchmark_document,
        benchmark_warnings,
        read_metrics,
        read_specs,
        renamed_run,
        runnable_specs,
    )
    from data.retrieval.collections import open_collection
    from data.retrieval.plan import check_budget, plan_benchmark, total_cost, unpriced
    from data.retrieval.runs import DEPTH, run_each, run_retriever

    if isinstance(retrievers, str):
        retrievers = [retrievers]
    if not retrievers:
        raise InputError('name at least one retriever: retrievers=["bm25"]')
    n, inner = depth or DEPTH, workspace.opened
    specs, twice, not_run = read_specs(tuple(dict.fromkeys(retrievers)), embedder)
    metric_ids = read_metrics(",".join(metrics or DEFAULT_METRICS))
    opened = open_collection(inner, str(collection))
    wanted = runnable_specs(specs, opened, not_run, any_file=False)
    plans = plan_benchmark(inner, opened, wanted, split, depth=n)
    if any(plan.n_calls for plan in plans.values()):
        check_budget(total_cost(plans), budget, unpriced(plans))
    run = partial(run_retriever, inner, opened, split=split, depth=n)
    saved = run_each(wanted, run, opened.holders, not_run)
    runs = [renamed_run(name, one.run) for name, one in saved.items()]
    board = score_runs(runs, opened.collection, split=split, metric_ids=metric_ids, seed=seed)
    warnings = benchmark_warnings(opened, board, twice)
    return BenchmarkResult(board, benchmark_document(opened.collection.name, board, saved, warnings, not_run))
