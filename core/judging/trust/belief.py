"""Whether to believe a judge, in words: what was found, and what nobody measured."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from core.judging.trust.changes import Change
from core.judging.trust.checks import (
    ABOVE_GOOD,
    ABOVE_MIXED,
    CHECKS,
    CORRELATION_GOOD,
    FEW,
    FEW_CORE,
    KAPPA_GOOD,
    KAPPA_MIXED,
    LOWERED_GOOD,
    LOWERED_MIXED,
    RAISED_GOOD,
    RAISED_MIXED,
    SAME_GOOD,
    SAME_MIXED,
    SHIFT_GOOD,
    SHIFT_MIXED,
)
from core.judging.trust.judges import Judges
from core.judging.trust.people import GradeAgreement
from core.judging.trust.regions import CoreAgreement, RankCorrelation, RegionAgreement
from core.judging.trust.repeats import Consistency
from core.judging.trust.resampling import Estimate
from core.judging.trust.shifts import Shift
from core.ranking.significance import Interval

State = Literal["good", "mixed", "bad", "too few", "not measured"]
NOT_MEASURED: State = "not measured"
TOO_FEW = " That is too few to rely on."


@dataclass(frozen=True, eq=False)
class Findings:
    """All that is known of a judge. None, or missing: not measured."""

    lowest: int
    highest: int
    shown_factor: int = 1
    people: GradeAgreement | None = None
    people_source: str = ""
    """Whose grades."""
    people_biased: bool = False
    """Only what somebody looked at and changed is compared, so agreement looks lower than it is."""
    people_made_up: bool = False
    """No person gave these grades: they were made up with the texts."""
    repeats: Consistency | None = None
    shifts: Mapping[Change, Shift] = field(default_factory=dict)
    judges: Judges | None = None
    judges_one_model: bool = False
    """All of them are the same model, asked in other ways."""
    regions: Mapping[str, RegionAgreement] = field(default_factory=dict)
    core: CoreAgreement | None = None
    similarity: RankCorrelation | None = None
    is_model: bool = True
    """Or the demo judge, which is a script."""


@dataclass(frozen=True, slots=True)
class Check:
    """One question about a judge, and its answer."""

    check_id: str
    label: str
    state: State
    found: str
    """A number or two, in short; empty where nothing was measured."""
    sentence: str


@dataclass(frozen=True, slots=True)
class Belief:
    """Whether to believe it."""

    state: State
    paragraph: str
    checks: tuple[Check, ...]


def whether_to_believe(findings: Findings) -> Belief:
    """The paragraph, and the checks that it rests on. Without people's grades it never says yes."""
    checks = (
        _people(findings),
        _repeats(findings.repeats),
        _longer(findings),
        _demanded(findings),
        _swapped(findings),
        _judges(findings),
        _core(findings),
        _regions(findings),
    )
    state = _state(checks)
    parts = [_opening(state, checks, findings)]
    parts += [check.sentence for check in checks if check.state != NOT_MEASURED]
    missing = [check.label[:1].lower() + check.label[1:] for check in checks if check.state == NOT_MEASURED]
    if missing:
        parts.append(f"Not measured: {', '.join(missing)}.")
    return Belief(state, " ".join(parts), checks)


def _state(checks: tuple[Check, ...]) -> State:
    people, states = checks[0].state, {check.state for check in checks}
    if people in ("not measured", "too few"):
        return "bad" if "bad" in states else people
    if people == "bad" or "bad" in states:
        return "bad"
    return "good" if states == {"good"} else "mixed"


def _opening(state: State, checks: tuple[Check, ...], findings: Findings) -> str:
    said = _SAID[state]
    if state == "bad":
        wrong = [f'"{check.label}"' for check in checks if check.state == "bad"]
        said = f"Don't rely on it as it is: it fails {' and '.join(wrong)}."
    return said if findings.is_model else f"This is the demo judge, a script and no language model. {said}"


_SAID: Mapping[State, str] = {
    "good": "It passes every check: its means can be used, with their intervals; a single grade can still be wrong.",
    "mixed": "It can be used with care, for means over many queries rather than for single grades.",
    "too few": "Whether to believe it is not known yet: people graded too little of the same to say.",
    "not measured": "Whether to believe it is not known: no person's grades were put beside its own.",
    "bad": "",
}


def _graded(value: float, good: float, mixed: float) -> State:
    return "good" if value >= good else "mixed" if value >= mixed else "bad"


def _few(n: int, state: State) -> State:
    return "too few" if n < FEW else state


def _of_queries(estimate: Estimate, n: int, state: State) -> State:
    """What comes from one query alone is passed by none: others may be otherwise."""
    return _few(n, "mixed" if state == "good" and estimate.interval is None else state)


def _one(estimate: Estimate) -> str:
    return " All of it comes from one query." if estimate.value is not None and estimate.interval is None else ""


def _people(findings: Findings) -> Check:
    label, people = CHECKS["people"].label, findings.people
    if people is None or not people.n:
        return _unmeasured("people", label, "No person graded what it graded.")
    gap, kappa = people.gap.value or 0.0, people.quadratic
    source = f" ({findings.people_source})" if findings.people_source else ""
    moved = _direction(gap * findings.shown_factor, findings.highest * findings.shown_factor)
    shown = f"{_number(kappa.value)}{_ends(people.quadratic_range)}"
    found = f"weighted kappa {shown}, {people.n:,} pairs"
    said = f"With people{source} its weighted kappa is {shown} over {people.n:,} pairs"
    if findings.people_made_up:
        return Check("people", label, NOT_MEASURED, f"made-up judgments: {found}", "No person gave these judgments.")
    if kappa.value is None:
        return Check("people", label, "too few", found, f"{said}: {kappa.reason}.")
    state = _graded(kappa.value, KAPPA_GOOD, KAPPA_MIXED)
    more = ""
    if state == "good" and (people.quadratic_range is None or people.quadratic_range.low < KAPPA_MIXED):
        state, more = "mixed", " Other queries may well give less."
    if people.n < FEW:
        state, more = "too few", TOO_FEW
    if findings.people_biased:
        state, more = "too few", " These are grades that somebody doubted, so they are no fair sample."
    return Check("people", label, state, found, f"{said}, and {moved}.{more}")


def _direction(gap: float, whole: float) -> str:
    if abs(gap) < SHIFT_GOOD * whole:
        return f"on average it gives what they give (gap {gap:+.1f} of {whole:g})"
    return f"on average it gives {abs(gap):.1f} of {whole:g} {'more' if gap > 0 else 'less'} than they do"


def _repeats(repeats: Consistency | None) -> Check:
    label = CHECKS["repeats"].label
    if repeats is None or repeats.share_same.value is None:
        return _unmeasured("repeats", label, "Nothing was asked again.")
    n, share = repeats.share_same.n, repeats.share_same.value
    found = f"{_percent(share)} the same, {n:,} triples, {repeats.n_times} times each"
    said = f"Asked {repeats.n_times} times, it gives {_percent(share)} of {n:,} triples the same grade every time."
    state = _of_queries(repeats.share_same, n, _graded(share, SAME_GOOD, SAME_MIXED))
    return Check("repeats", label, state, found, said + _one(repeats.share_same))


def _longer(findings: Findings) -> Check:
    label, shift = CHECKS["longer"].label, findings.shifts.get("longer")
    if shift is None or shift.shift.value is None:
        return _unmeasured("longer", label, "No abstract was made longer.")
    moved, whole = shift.shift.value, findings.highest - findings.lowest
    state = _graded(-abs(moved) / whole, -SHIFT_GOOD, -SHIFT_MIXED)
    ends = [abs(end) / whole for end in shift.shift.interval or ()]
    more = ""
    if state == "good" and max(ends, default=0.0) > SHIFT_MIXED:
        state, more = "mixed", " The range is too wide to call that nothing."
    found = f"{moved * findings.shown_factor:+.1f}{_range(shift.shift, findings.shown_factor)}, {shift.n:,} triples"
    said = (
        f"Longer abstracts move its grades by {moved * findings.shown_factor:+.1f} on average, and "
        f"{_percent(shift.share_changed.value or 0.0)} of {shift.n:,} get another one.{more}"
    )
    return Check("longer", label, _of_queries(shift.shift, shift.n_triples, state), found, said + _one(shift.shift))


def _demanded(findings: Findings) -> Check:
    label, shift = CHECKS["demanded"].label, findings.shifts.get("demanded")
    if shift is None or (raised := shift.share_raised).value is None:
        return _unmeasured("demanded", label, "No abstract demanded a grade.")
    found = f"{_percent(raised.value)} raised, {raised.n:,} changed triples"
    said = f"Abstracts that demand the highest grade raise it in {_percent(raised.value)} of {raised.n:,} cases."
    state = _graded(-raised.value, -RAISED_GOOD, -RAISED_MIXED)
    return Check("demanded", label, _of_queries(raised, shift.n_triples, state), found, said + _one(raised))


def _swapped(findings: Findings) -> Check:
    label, shift = CHECKS["swapped"].label, findings.shifts.get("swapped")
    if shift is None or (lowered := shift.share_lowered).value is None:
        return _unmeasured("swapped", label, "Subject and object were not swapped.")
    found = f"{_percent(lowered.value)} lowered, {lowered.n:,} triples"
    said = f"With subject and object of the query swapped, it lowers {_percent(lowered.value)} of {lowered.n:,} grades."
    state = _graded(lowered.value, LOWERED_GOOD, LOWERED_MIXED)
    ends = shift.shift.interval
    if state != "bad" and ends is not None and ends.high >= 0:
        state = "mixed"
        said += " Others rise, and on average grades do not clearly fall, so that may be chance."
    return Check("swapped", label, _of_queries(lowered, shift.n_triples, state), found, said + _one(lowered))


def _judges(findings: Findings) -> Check:
    label, judges = CHECKS["judges"].label, findings.judges
    if judges is None or not (known := [pair for pair in judges.pairs if pair.quadratic.value is not None]):
        return _unmeasured("judges", label, "No other judge graded the same.")
    least = min(known, key=lambda pair: pair.quadratic.value or 0.0)
    value, n = least.quadratic.value or 0.0, least.quadratic.n
    state = _graded(value, KAPPA_GOOD, KAPPA_MIXED)
    more = "judges that agree can still be wrong together"
    if findings.judges_one_model:
        more = "they are one model asked in other ways, so that says little"
        state = "mixed" if state == "good" else state
    shown = f"{_number(value)}{_ends(least.quadratic_range)}"
    found = f"weighted kappa {shown} at least, {len(judges.names)} judges"
    said = (
        f"Of {len(judges.names)} judges, the two that agree least ({least.first}; {least.second}) have a weighted "
        f"kappa of {shown} over {n:,} triples; {more}."
    )
    return Check("judges", label, _few(n, state), found, said)


def _core(findings: Findings) -> Check:
    label, core = CHECKS["core"].label, findings.core
    if core is None or core.core_above is None:
        return _unmeasured("core", label, core.reason if core is not None else "There is no core set to compare with.")
    n, value = min(core.n_core, core.n_others), core.core_above
    found = f"{_percent(value)} of pairs, {core.n_core:,} core and {core.n_others:,} others"
    said = f"A core publication is graded above another one in {_percent(value)} of pairs ({core.n_core:,} core)."
    state = _graded(value, ABOVE_GOOD, ABOVE_MIXED)
    if n < FEW_CORE:
        return Check("core", label, "too few", found, said + TOO_FEW)
    if state == "good" and core.interval is not None and core.interval.low <= 0:
        state = "mixed"
        said += " On average it is not clearly graded higher, so that may be chance."
    return Check("core", label, state, found, said)


def _regions(findings: Findings) -> Check:
    """Regions are no truth: a judge that differs from them need not be wrong, so it never fails here."""
    label, found = CHECKS["regions"].label, findings.similarity
    if found is None or found.value is None:
        reason = "Regions were not put beside its grades." if found is None else f"Similarity: {found.reason}."
        return _unmeasured("regions", label, reason)
    kappas = [(region.kappa.value, name) for name, region in findings.regions.items() if region.kappa.value is not None]
    best = max(kappas, default=None)
    more = f", kappa {best[0]:.2f} with {best[1]}" if best else ""
    value = f"{found.value:.2f}{_ends(found.interval)}"
    said = f"Grades and similarity to the core have a rank correlation of {value} over {found.n:,} publications."
    state: State = "good" if found.value >= CORRELATION_GOOD else "mixed"
    shown = f"rank correlation {value}{more}, {found.n:,} publications"
    return Check("regions", label, _few(found.n, state), shown, said if found.n >= FEW else said + TOO_FEW)


def _unmeasured(check_id: str, label: str, reason: str) -> Check:
    return Check(check_id, label, "not measured", "", reason)


def _number(value: float | None) -> str:
    return "–" if value is None else f"{value:.2f}"


def _ends(interval: Interval | None) -> str:
    return "" if interval is None else f" ({interval.low:.2f} to {interval.high:.2f})"


def _percent(share: float) -> str:
    return f"{100 * share:.0f} %"


def _range(estimate: Estimate, factor: int) -> str:
    if estimate.interval is None:
        return ""
    low, high = (end * factor for end in estimate.interval)
    return f" ({low:+.1f} to {high:+.1f})"
