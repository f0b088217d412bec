"""Fill the tables of the guide's pages: the numbers, and the formats in and out."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping

from core.judge.grades import JUDGE_METRICS
from core.judge.reliability import TRUST_METRICS
from core.knowledge.query_quality import SHARES
from core.knowledge.statistics import SET_STATISTICS
from core.metrics import METRICS, Metric
from core.retrieval.metrics import RANKING_METRICS
from core.sources.runs import SOURCE_METRICS
from core.stats import AGREEMENTS
from core.text import upper_first
from core.writer.gains import WRITER_METRICS
from dashboard.guide.pages import FOLDER
from data.importers.collection_files import KINDS
from data.importers.reading import FORMATS
from data.library.export_formats import EXPORTS, LOST
from data.library.export_tools import TOOLS

PAGES = ("numbers", "formats")
"""The pages with generated parts."""
_PART = re.compile(r"(<!-- generated: (\w+) -->\n).*?(<!-- end -->)", re.DOTALL)


def _row(*cells: str) -> str:
    return f"| {' | '.join(each.replace('|', chr(92) + '|') for each in cells)} |"


def _metrics(metrics: Mapping[str, Metric]) -> Callable[[], Iterator[str]]:
    def lines() -> Iterator[str]:
        for metric in metrics.values():
            ends = {None: "neither end is better", True: "higher is better", False: "lower is better"}
            facts = [
                f"Formula: `{metric.formula}`.",
                f"Range: {metric.range}; {ends[metric.higher_is_better]}.",
                f"Undefined: {metric.undefined}" if metric.undefined.startswith("–") else metric.undefined,
                f"Reference: {metric.reference}." if metric.reference else "",
            ]
            yield f"- **{metric.label}** (`{metric.metric_id}`): {upper_first(metric.sentence)}\\"
            yield f"  {' '.join(filter(None, facts))}"

    return lines


def _imports() -> Iterator[str]:
    yield _row("Format", "`--format`")
    yield _row("---", "---")
    for form in FORMATS.values():
        yield _row(form.label, f"`{form.format_id}`")


def _collections() -> Iterator[str]:
    yield _row("Kind of file", "Holds")
    yield _row("---", "---")
    for kind in KINDS:
        yield _row(upper_first(kind.label), "documents or queries" if kind.holds == "either" else kind.holds)


def _exports() -> Iterator[str]:
    yield _row("Format", "File", "Not kept, or not always")
    yield _row("---", "---", "---")
    for export_id, form in EXPORTS.items():
        by_reason: dict[str, list[str]] = {}
        for name, reason in LOST[export_id].items():
            by_reason.setdefault(reason, []).append(f"`{name}`")
        lost = "; ".join(f"{', '.join(names)} ({reason})" for reason, names in by_reason.items())
        yield _row(form.label, f"`{form.suffix}`", lost)


def _tools() -> Iterator[str]:
    for tool in TOOLS.values():
        form = f"{tool.form.label}, {tool.encoding}"
        yield f"- **{tool.label}** (`--tool {tool.tool_id}`, {form}). Fields: {tool.fields}.\\"
        yield f"  {tool.hint} [Its documentation]({tool.address})."


PARTS: Mapping[str, Callable[[], Iterator[str]]] = {
    "scores": _metrics(METRICS),
    "rankings": _metrics(RANKING_METRICS),
    "sets": _metrics({**SET_STATISTICS, **SHARES}),
    "agreements": _metrics(AGREEMENTS),
    "judge": _metrics(JUDGE_METRICS),
    "trust": _metrics(TRUST_METRICS),
    "writer": _metrics(WRITER_METRICS),
    "sources": _metrics(SOURCE_METRICS),
    "imports": _imports,
    "collections": _collections,
    "exports": _exports,
    "tools": _tools,
}


def filled(text: str) -> str:
    """Return a page with each generated part as the product's own tables say it now."""
    return _PART.sub(lambda part: "\n".join([part[1].rstrip(), "", *PARTS[part[2]](), "", part[3]]), text)


if __name__ == "__main__":
    for name in PAGES:
        page = FOLDER / f"{name}.md"
        page.write_text(filled(page.read_text("utf-8")), encoding="utf-8")
