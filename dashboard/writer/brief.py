"""The brief of a session: research question, keyword sources, limits and search options."""

from __future__ import annotations

import re
from dataclasses import dataclass
from itertools import product
from typing import Any

import streamlit as st
from streamlit.runtime.uploaded_file_manager import UploadedFile

from core.errors import QueryscapeError
from core.query.match import Semantics
from core.text import many
from core.types import Publication
from core.writer.gains import FEWEST
from core.writer.sheets import Brief, Depth, Intent, Mode, WriterBudget
from dashboard import cache, state
from dashboard.judge.model import draw_destination
from dashboard.messages import draw_problem, sentence
from dashboard.sources.availability import why_not
from dashboard.sources.navigation import ORDER
from dashboard.words import plain
from data.access import is_allowed
from data.importers.reading import read_data
from data.judge.demo_judge import DEMO_MODEL
from data.judge.services import OWN, PRESETS, ServicePreset, missing_key
from data.sources.registry import ABOUT
from data.store import content_hash
from data.writer.runs import Recipe

MADE_UP = re.compile(r"\s*\(made up\)\s*$")
LONGEST = 100_000
"""Characters of a field; text that is too long for a brief is reported, never cut silently."""
INTENTS: dict[Intent, str] = {"bibliometric": "A whole field", "review": "A review's questions"}
MODES: dict[Mode, str] = {"strict": "Strict", "moderate": "Moderate", "creative": "Creative"}
DEPTHS: dict[Depth, str] = {"quick": "Quick", "usual": "Standard", "deep": "Deep"}
MODE_HELP = (
    "How broad keywords may be. Strict: the topic's own words and synonyms. Moderate: close neighbours as well. "
    "Creative: anything that publications on the topic discuss. Each choice makes its own candidate."
)
DEPTH_HELP = "How many publications are read before keywords are proposed. More publications make longer requests."
NEGATIVE_HELP = (
    "Keywords to exclude, one per line, added with NOT. Keywords that remove core publications are reported."
)


@dataclass(frozen=True, slots=True)
class BriefForm:
    topic: str
    description: str
    questions: tuple[str, ...]
    negative: tuple[str, ...]
    intent: Intent
    modes: tuple[Mode, ...]
    depth: Depth

    def brief(self, *, seed: int, hold_out: bool, semantics: Semantics) -> Brief:
        """Build the brief; an invalid field is an error that states the solution."""
        return Brief(
            topic=self.topic,
            description=self.description,
            questions=self.questions if self.intent == "review" else (),
            negative=self.negative,
            mode=self.modes[0],
            depth=self.depth,
            intent=self.intent,
            semantics=semantics,
            seed=seed,
            hold_out=hold_out,
        )


def key_of(what: str, topic_id: str) -> str:
    """Return the key of a form field: each topic has a form of its own, whatever its name contains."""
    return f"writer-{what}-{content_hash([topic_id])[:12]}"


def fill(key: str, otherwise: Any) -> str:
    """Set the value of a field when it is first drawn; return its key."""
    if state.value(key) is None:
        state.set_value(key, otherwise)
    return key


def draw_texts(topic_id: str) -> BriefForm:
    left, right = st.columns([0.55, 0.45], gap="large")
    with left:
        topic = _text("Topic", "topic", topic_id, MADE_UP.sub("", topic_id), "A few words")
        description = _area(
            "Description (optional)",
            "description",
            topic_id,
            height=106,
            placeholder="What is in scope, and what is not",
            help="Models that propose keywords read it. Corpus statistics do not.",
        )
        negative = _area(
            "Exclude (optional)",
            "negative",
            topic_id,
            height=80,
            placeholder="One keyword per line",
            help=NEGATIVE_HELP,
        )
    with right:
        intent, questions = _draw_intent(topic_id)
        modes, depth = _draw_how(topic_id)
    return BriefForm(topic.strip(), description.strip(), questions, lines(negative), intent, modes, depth)


def _draw_intent(topic_id: str) -> tuple[Intent, tuple[str, ...]]:
    chosen = st.segmented_control(
        "Purpose",
        list(INTENTS),
        key=fill(key_of("intent", topic_id), "bibliometric"),
        required=True,
        format_func=INTENTS.__getitem__,
        persist_state="session",
        help="For a whole field, all publications on it count; for a review, those that answer its questions.",
    )
    if chosen != "review":
        return "bibliometric", ()
    typed = _area(
        "Research questions", "questions", topic_id, height=106, placeholder="One on each line", help="Up to 20."
    )
    return "review", lines(typed)


def _draw_how(topic_id: str) -> tuple[tuple[Mode, ...], Depth]:
    modes = st.pills(
        "Mode",
        list(MODES),
        selection_mode="multi",
        key=fill(key_of("modes", topic_id), ["moderate"]),
        format_func=MODES.__getitem__,
        persist_state="session",
        help=MODE_HELP,
    )
    depth = st.segmented_control(
        "Depth",
        list(DEPTHS),
        key=fill(key_of("depth", topic_id), "usual"),
        required=True,
        format_func=DEPTHS.__getitem__,
        persist_state="session",
        help=DEPTH_HELP,
    )
    chosen: list[Mode] = [mode for mode in MODES if mode in (modes or ())]
    return tuple(chosen or ["moderate"]), depth or "usual"


def _text(label: str, what: str, topic_id: str, at_first: str, placeholder: str) -> str:
    key = fill(key_of(what, topic_id), at_first)
    return str(st.text_input(label, key=key, max_chars=LONGEST, placeholder=placeholder, persist_state="session") or "")


def _area(label: str, what: str, topic_id: str, **more: Any) -> str:
    key = fill(key_of(what, topic_id), "")
    return str(st.text_area(label, key=key, max_chars=LONGEST, persist_state="session", **more) or "")


def lines(typed: str) -> tuple[str, ...]:
    """Return the text of each line, without duplicates.

    >>> lines(" heat pump \\n\\nheat pump\\nblood pressure")
    ('heat pump', 'blood pressure')
    """
    return tuple(dict.fromkeys(text for line in typed.splitlines() if (text := " ".join(line.split()))))


def take_over(topic_id: str, brief: Brief) -> None:
    """Fill the form with the brief of a session."""
    entries = {
        "topic": brief.topic,
        "description": brief.description,
        "negative": "\n".join(brief.negative),
        "questions": "\n".join(brief.questions),
        "intent": brief.intent,
        "modes": [brief.mode],
        "depth": brief.depth,
    }
    for what, value in entries.items():
        state.set_value(key_of(what, topic_id), value)


# Keyword sources: corpus statistics always, the demo model, and models of any service.

DEMO = DEMO_MODEL
WHO: dict[str, str] = {DEMO: "Demo (not a language model)"} | {
    preset.preset_id: preset.label for preset in PRESETS.values()
}
ALWAYS = "A statistics-only candidate is always included (no model used)."
LONGEST_NAME, LONGEST_ADDRESS, MOST_MODELS = 200, 500, 8
MOST_SEEDS = 5


@dataclass(frozen=True, slots=True)
class KeywordModels:
    models: tuple[tuple[str, str | None, str | None], ...]
    """Name, preset and address of each."""
    problems: tuple[str, ...]
    is_paid: bool
    """True if a service is used that may charge for requests."""

    def recipes(self, modes: tuple[Mode, ...], n_seeds: int) -> tuple[Recipe, ...]:
        """Return a recipe for each model, mode and seed."""
        return tuple(
            Recipe(model, mode, seed, preset, base_url)
            for (model, preset, base_url), mode, seed in product(self.models, modes, range(n_seeds))
        )


def draw_who(topic_id: str) -> KeywordModels:
    chosen = st.pills(
        "Keyword source",
        list(WHO),
        selection_mode="multi",
        key=fill(key_of("who", topic_id), [DEMO]),
        format_func=WHO.__getitem__,
        persist_state="session",
        help="Any service with an OpenAI-compatible API. Its key comes from the environment and is never stored.",
    )
    st.caption(ALWAYS)
    models: list[tuple[str, str | None, str | None]] = []
    problems: list[str] = []
    for each in (each for each in WHO if each in (chosen or ())):
        if each == DEMO:
            models.append((DEMO, None, None))
            continue
        named, problem = _draw_service(topic_id, PRESETS[each])
        models += named
        problems += [problem] if problem else []
    is_paid = any(preset is not None and not PRESETS[preset].is_local for _, preset, _ in models)
    return KeywordModels(tuple(models), tuple(problems), is_paid)


def _draw_service(topic_id: str, preset: ServicePreset) -> tuple[list[tuple[str, str | None, str | None]], str]:
    """Draw a service; return its models with their addresses, and a message if something is missing."""
    models_at, address_at = st.columns([0.55, 0.45], vertical_alignment="bottom")
    key = key_of(f"models-{preset.preset_id}", topic_id)
    fill(key, list(preset.models[:1]))
    there = [str(each) for each in state.value(key, ())]
    names = models_at.multiselect(
        plain(f"Models at {preset.label}"),
        list(dict.fromkeys([*preset.models, *there])),
        key=key,
        accept_new_options=True,
        max_selections=MOST_MODELS,
        placeholder="Model name at the service",
        persist_state="session",
        help="Each model makes its own candidates. To add another, type its name as the service lists it.",
    )
    base_url = _draw_address(address_at, topic_id, preset)
    draw_destination(preset, base_url)
    named: list[tuple[str, str | None, str | None]] = [
        (name, preset.preset_id, base_url) for name in (str(each).strip()[:LONGEST_NAME] for each in names) if name
    ]
    if not named:
        return [], f"Choose a model at {preset.label}, or remove the service."
    return named, missing_key(preset, base_url)


def _draw_address(where: st.delta_generator.DeltaGenerator, topic_id: str, preset: ServicePreset) -> str | None:
    """Draw the address. It is never in the link: a sender could have your key sent to an address of their own."""
    if not is_allowed("server"):
        return None
    typed = where.text_input(
        "Service address",
        key=fill(key_of(f"address-{preset.preset_id}", topic_id), ""),
        placeholder=preset.base_url or "OPENAI_BASE_URL, else OpenAI's own",
        help="The address that serves /chat/completions. Leave empty for the default."
        if preset.preset_id != OWN
        else "The address that serves /chat/completions, such as http://localhost:8000/v1.",
        max_chars=LONGEST_ADDRESS,
        persist_state="session",
    )
    return str(typed or "").strip() or None


# Rarely changed options: limits of cost, target recall, held-out core, and additional reading.

NO_LIMIT = 0
MOST_CALLS, MOST_PUBLICATIONS, MOST_ROUNDS, MOST_SEED = 1_000, 10_000_000, 50, 2**31 - 1
NOWHERE = ""
SEMANTICS: dict[Semantics, str] = {"literal": "Exact words", "stemmed": "Stemmed words"}
MOST_MB = 20
MOST_READ = 8
"""Files whose publications are cached, across all visitors."""
_USUAL = WriterBudget()


@dataclass(frozen=True, slots=True)
class WritingOptions:
    budget: WriterBudget
    n_seeds: int
    seed: int
    hold_out: bool
    semantics: Semantics
    live: str | None
    supporting: tuple[Publication, ...]


def draw_more(topic_id: str) -> WritingOptions:
    with st.expander("More: budget, hold-out, other sources", icon=":material/tune:"):
        budget, n_seeds = _draw_budget(topic_id)
        seed, hold_out, semantics = _draw_split(topic_id)
        live, supporting = _draw_reading(topic_id)
    return WritingOptions(budget, n_seeds, seed, hold_out, semantics, live, supporting)


def _number(where: Any, label: str, low: float, high: float, usual: float, key: str, **more: Any) -> Any:
    return where.number_input(label, low, high, key=fill(key, usual), persist_state="session", **more)


def _draw_budget(topic_id: str) -> tuple[WriterBudget, int]:
    a, b, c, d, e = st.columns(5, vertical_alignment="bottom")

    def key(what: str) -> str:
        return key_of(what, topic_id)

    calls = _number(
        a, "Maximum requests", 0, MOST_CALLS, _USUAL.most_calls, key("calls"), help="To models. 0: no model is used."
    )
    size = _number(
        b,
        "Maximum publications",
        NO_LIMIT,
        MOST_PUBLICATIONS,
        NO_LIMIT,
        key("size"),
        help="A search string may retrieve this many. 0: no limit but its score.",
    )
    recall = _number(
        c,
        "Minimum recall",
        0.0,
        1.0,
        _USUAL.min_recall,
        key("recall"),
        step=0.05,
        help="Share of the core publications in use that a search string has to find, if any string does.",
    )
    rounds = _number(
        d,
        "Refinement rounds",
        0,
        MOST_ROUNDS,
        _USUAL.most_rounds,
        key("rounds"),
        help="The maximum, in the view Refine.",
    )
    seeds = _number(
        e,
        "Seeds",
        1,
        MOST_SEEDS,
        1,
        key("seeds"),
        help=("Each model gets every request this many times, with different seeds."),
    )
    budget = WriterBudget(
        most_calls=int(calls),
        most_publications=int(size) or None,
        most_rounds=int(rounds),
        min_recall=float(recall),
    )
    return budget, int(seeds)


def _draw_split(topic_id: str) -> tuple[int, bool, Semantics]:
    a, b, c = st.columns([0.45, 0.2, 0.35], vertical_alignment="bottom")
    hold_out = a.toggle(
        "Hold out half of the core publications",
        key=fill(key_of("hold-out", topic_id), True),
        persist_state="session",
        help=(
            f"No model sees them, so they show overfitting to the other half. With fewer than {FEWEST} core "
            "publications none are held out."
        ),
    )
    seed = _number(
        b,
        "Seed",
        0,
        MOST_SEED,
        0,
        key_of("seed", topic_id),
        disabled=not hold_out,
        help="Sets which half is held out.",
    )
    chosen = c.segmented_control(
        "Word matching",
        list(SEMANTICS),
        key=fill(key_of("semantics", topic_id), "literal"),
        required=True,
        format_func=SEMANTICS.__getitem__,
        persist_state="session",
        help="Exact words, like most databases; or stemmed words, which match other endings too.",
    )
    return int(seed), bool(hold_out), chosen or "literal"


def _draw_reading(topic_id: str) -> tuple[str | None, tuple[Publication, ...]]:
    live_at, files_at = st.columns([0.35, 0.65], gap="large")
    live = live_at.selectbox(
        "Live source to search",
        [NOWHERE, *ORDER],
        key=fill(key_of("live", topic_id), NOWHERE),
        format_func=lambda at: ABOUT[at].label if at in ABOUT else "None: nothing is sent",
        persist_state="session",
        help="Runs one small search with the topic's words, to propose keywords that are missing from your corpus.",
    )
    source = next((each for each in ORDER if each == live), None)
    if source is not None and (problem := why_not(source)):
        live_at.caption(f":material/warning: {plain(sentence(problem))}")
        source = None
    with files_at:
        supporting = _read_files(topic_id)
    return source, supporting


def _read_files(topic_id: str) -> tuple[Publication, ...]:
    files = st.file_uploader(
        "Supporting publications (optional)",
        key=key_of("files", topic_id),
        accept_multiple_files=True,
        max_upload_size=MOST_MB,
        help=(
            "RIS, BibTeX, PubMed, Web of Science, CSV and more. They are read for keywords and not added to the "
            "topic. The core publications in use are always read."
        ),
    )
    found: list[Publication] = []
    for file in files or ():
        try:
            found += _read(file)
        except QueryscapeError as e:
            draw_problem(f"{file.name}: {e}")
    if files:
        st.caption(f"{many(len(found), 'publication')} to read.")
    return tuple(found)


def _read(file: UploadedFile) -> tuple[Publication, ...]:
    """Read a file once, however often the page is drawn."""
    kept, key = cache.kept("writer-supporting", MOST_READ), f"{file.file_id}-{file.size}"

    def make() -> tuple[Publication, ...]:
        reading = read_data(file.getvalue(), file.name)
        return tuple(record.publication(f"{reading.name}#{record.number}") for record in reading.records)

    return kept.of(key, make)
