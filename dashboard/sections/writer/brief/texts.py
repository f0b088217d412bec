"""What a string is wanted for, as it is typed. Kept through other views, other pages and a run that fails."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any

import streamlit as st

from core.query.matching.matched import Semantics
from core.writer.types import Brief, Depth, Intent, Mode
from dashboard import state
from data.store import content_hash

MADE_UP = re.compile(r"\s*\(made up\)\s*$")
LONGEST = 100_000
"""Characters of a field; whatever is too long for a brief is said, and nothing is cut unseen."""
INTENTS: dict[Intent, str] = {"bibliometric": "A whole field", "review": "A review's questions"}
MODES: dict[Mode, str] = {"strict": "Strict", "moderate": "Moderate", "creative": "Creative"}
DEPTHS: dict[Depth, str] = {"quick": "Quick", "usual": "Usual", "deep": "Deep"}
MODE_HELP = (
    "How far from the topic keywords may go. Strict: its own words and synonyms. Moderate: close neighbours as well. "
    "Creative: whatever publications on it talk about. Several make a candidate each."
)
DEPTH_HELP = "How many publications are read before keywords are proposed. More of them make longer questions."
NEGATIVE_HELP = (
    "Keywords of what is not wanted, one on each line. They stand behind a NOT. If one removes core publications, "
    "these are named."
)


@dataclass(frozen=True, slots=True)
class Typed:
    """The form's first part as it stands."""

    topic: str
    description: str
    questions: tuple[str, ...]
    negative: tuple[str, ...]
    intent: Intent
    modes: tuple[Mode, ...]
    depth: Depth

    def brief(self, *, seed: int, hold_out: bool, semantics: Semantics) -> Brief:
        """What is wanted; a mistake in it is an error that says what to do."""
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
    """What a field of the form is called: each topic has a form of its own, whatever its name holds."""
    return f"writer-{what}-{content_hash([topic_id])[:12]}"


def fill(key: str, otherwise: Any) -> str:
    """A field says this the first time that it is drawn; its key."""
    if state.said(key) is None:
        state.say(key, otherwise)
    return key


def draw_texts(topic_id: str) -> Typed:
    """The fields, from the topic in words to how much is read."""
    left, right = st.columns([0.55, 0.45], gap="large")
    with left:
        topic = _text("Topic", "topic", topic_id, MADE_UP.sub("", topic_id), "As you would say it in a few words")
        description = _area(
            "Description (optional)",
            "description",
            topic_id,
            height=106,
            placeholder="What belongs to it, and what does not",
            help="Whoever proposes keywords reads it. Corpus statistics do not.",
        )
        negative = _area(
            "Not wanted (optional)",
            "negative",
            topic_id,
            height=80,
            placeholder="One keyword on each line",
            help=NEGATIVE_HELP,
        )
    with right:
        intent, questions = _draw_intent(topic_id)
        modes, depth = _draw_how(topic_id)
    return Typed(topic.strip(), description.strip(), questions, lines(negative), intent, modes, depth)


def _draw_intent(topic_id: str) -> tuple[Intent, tuple[str, ...]]:
    chosen = st.segmented_control(
        "The string is for",
        list(INTENTS),
        key=fill(key_of("intent", topic_id), "bibliometric"),
        required=True,
        format_func=INTENTS.__getitem__,
        persist_state="session",
        help="A whole field wants everything on it; a review wants what answers its questions.",
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
    """What stands on each line, once.

    >>> lines(" heat pump \\n\\nheat pump\\nblood pressure")
    ('heat pump', 'blood pressure')
    """
    return tuple(dict.fromkeys(text for line in typed.splitlines() if (text := " ".join(line.split()))))


def take_over(topic_id: str, brief: Brief) -> None:
    """Have the form say what a writing was begun with."""
    said = {
        "topic": brief.topic,
        "description": brief.description,
        "negative": "\n".join(brief.negative),
        "questions": "\n".join(brief.questions),
        "intent": brief.intent,
        "modes": [brief.mode],
        "depth": brief.depth,
    }
    for what, value in said.items():
        state.say(key_of(what, topic_id), value)
