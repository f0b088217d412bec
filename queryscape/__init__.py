"""Queryscape as a library: score literature search queries from Python and notebooks.

>>> import queryscape as qs
>>> from tempfile import mkdtemp
>>> ws = qs.demo(mkdtemp())                         # or qs.open("my-folder") for your own
>>> topic = ws.topics()[0]
>>> result = topic.evaluate("review", embedder="lsa")
>>> table = result.to_frame()                       # in a notebook, `result` alone shows the scores
>>> list(table["region"])[:2]
['cosine', 'nearest_core']
>>> figure = result.landscape()                     # a plotly figure
>>> figure.layout.height
640
>>> ws.close()

What there is; `help(qs.evaluate)` and `help(qs.WorkspaceTopic)` show more:

    evaluate(core, retrieved, vectors)       score publications of your own
    query.check(text), query.translate       problems in a search string; the string in another dialect
    open(folder), demo(folder)               a workspace: topics(), topic(name), import_files(files, topic=...)
    ws.topic(name)                           a topic: versions(), run, evaluate, compare, explain, searches, report
    benchmark, reproduce_litqeval            retrievers over a collection; published numbers beside ours
    every result                             print(result), to_frame(), to_dict(); most have figure()
    a result of evaluate                     recall, recall_interval, found, missed, warnings, landscape()

The library computes what the app and the command `queryscape` show, by the same code: `to_dict()` has the keys of
`--json`. Names listed in `__all__`, and their documented arguments, are the public interface. One that is to go
announces it first: a DeprecationWarning names the version of its removal for at least one minor version. None is
deprecated now.
"""

from __future__ import annotations

from core.errors import FileError, InputError, NotFoundError, QueryscapeError, SettingsError, StoreError
from core.settings import EvaluationSettings, ProjectionSettings
from core.version import VERSION
from queryscape import query
from queryscape.evaluation import evaluate
from queryscape.results import (
    BenchmarkResult,
    ComparisonResult,
    EvaluationResult,
    ExportedFiles,
    ImportedFiles,
    QueryCheck,
    QueryExplanation,
    QueryTranslation,
    ReproducedTables,
    TopicSearches,
)
from queryscape.workspace import OpenWorkspace, TopicVersion, WorkspaceTopic, benchmark, demo, reproduce_litqeval
from queryscape.workspace import open_workspace as open

__version__ = VERSION
__all__ = [
    "BenchmarkResult",
    "ComparisonResult",
    "EvaluationResult",
    "EvaluationSettings",
    "ExportedFiles",
    "FileError",
    "ImportedFiles",
    "InputError",
    "NotFoundError",
    "OpenWorkspace",
    "ProjectionSettings",
    "QueryCheck",
    "QueryExplanation",
    "QueryTranslation",
    "QueryscapeError",
    "ReproducedTables",
    "SettingsError",
    "StoreError",
    "TopicSearches",
    "TopicVersion",
    "WorkspaceTopic",
    "__version__",
    "benchmark",
    "demo",
    "evaluate",
    "open",
    "query",
    "reproduce_litqeval",
]
