"""What is said between us and a judge about one triple. What can't be read is no grade, whatever it says."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from threading import Event, local
from typing import Any

from core.errors import EndsAllError, ServiceError
from core.judging.reading import answer_schema, has_abstract, read_answer, repair_prompt, system_prompt, user_prompt
from core.judging.types import JudgeSettings, Status, Triple, Verdict
from core.protocols import Answer, JsonModel
from data.asking import Breaker, NotAskedError
from data.chat import RefusedError
from data.completions import FILTERED, TOO_LONG
from data.embedders.retrying import GaveUpError
from data.judging.keeping.answers import Kept
from data.judging.keeping.runs import Judge

REPAIRED: tuple[Status, ...] = ("invalid_json", "invalid_scale")
"""Asked again once, with what was wrong."""
MOST_OF_REASON = 500
MOST_OF_ANSWER = 100_000
"""Characters of an answer that are kept: some 25,000 tokens. It is read whole."""
MOST_OF_MODEL = 200
WAY_OUT = ": run it again later to go on"
"""What a client advises; of one judgment among many that says nothing."""
REFUSALS = frozenset({"refusal", "refused"})
"""Words of services for an answer that the model does not give."""


def not_asked(triple: Triple, settings: JudgeSettings) -> str:
    """Why a judge is not asked about a triple; empty: it is."""
    if has_abstract(triple):
        return ""
    if not triple.title.strip():
        return "neither title nor abstract: not asked"
    return "no abstract: not asked" if settings.without_abstract == "skip" else ""


@dataclass(frozen=True, slots=True)
class Asked:
    """What came of asking about one triple."""

    verdict: Verdict
    answers: tuple[Answer, ...]
    n_calls: int
    ms: float
    """What the model took, without the time that the rate limit held it back."""

    def kept(self, key: str, attempt: int, made_at: str, model: str) -> Kept:
        """As the store keeps it. `model`: who was asked, where nobody answered."""
        names = [answer.model for answer in self.answers if answer.model]
        return Kept(
            key,
            attempt,
            replace(self.verdict, reason=self.verdict.reason[:MOST_OF_REASON]),
            tuple(_cut(answer.text or answer.refusal) for answer in self.answers),
            names[-1][:MOST_OF_MODEL] if names else model,
            _total([answer.n_prompt_tokens for answer in self.answers]),
            _total([answer.n_answer_tokens for answer in self.answers]),
            self.n_calls,
            self.ms,
            made_at,
        )


def _cut(answer: str) -> str:
    return answer if len(answer) <= MOST_OF_ANSWER else f"{answer[:MOST_OF_ANSWER]} […]"


def unasked(why: str) -> Asked:
    """What is kept of a triple that the judge is not asked about."""
    return Asked(Verdict("no_abstract", reason=why), (), 0, 0.0)


def _total(counts: Sequence[int | None]) -> int | None:
    known = [n for n in counts if n is not None]
    return sum(known) if known else None


class Pause:
    """Sleeping until it is one's turn. It ends when nothing more is begun, and each thread knows how long it was."""

    def __init__(self, is_stopped: Event) -> None:
        self._is_stopped = is_stopped
        self._slept = local()

    def __call__(self, seconds: float) -> None:
        began = time.perf_counter()
        is_stopped = self._is_stopped.wait(seconds)
        self._slept.ms = self.ms + (time.perf_counter() - began) * 1000
        if is_stopped:
            raise NotAskedError("stopped before its turn came")

    @property
    def ms(self) -> float:
        """How long this thread slept in all."""
        return float(getattr(self._slept, "ms", 0.0))


class Gate:
    """A model for one triple: counts, keeps the time, tells the breaker, and asks only while it may."""

    def __init__(self, model: JsonModel, breaker: Breaker, pause: Pause, is_stopped: Event, is_over: Event) -> None:
        self.n_calls, self.ms = 0, 0.0
        self._model, self._breaker, self._pause = model, breaker, pause
        self._is_stopped, self._is_over = is_stopped, is_over

    def ask_json(
        self, system: str, user: str, *, schema: Mapping[str, Any], max_tokens: int, temperature: float
    ) -> Answer:
        """As the model."""
        return self._asked(
            lambda: self._model.ask_json(system, user, schema=schema, max_tokens=max_tokens, temperature=temperature)
        )

    def _asked(self, ask: Callable[[], Answer]) -> Answer:
        # What is begun is ended: the first answer is paid for.
        if self._is_over.is_set() or (self._is_stopped.is_set() and not self.n_calls):
            raise NotAskedError("nobody waits for the answer any more")
        began, slept = time.perf_counter(), self._pause.ms
        self.n_calls += 1
        try:
            answer = ask()
        except NotAskedError:
            self.n_calls -= 1
            raise
        except ServiceError as e:
            is_first = isinstance(e, RefusedError) and not self._breaker.has_answered
            # One that refuses everything answers nothing.
            self._breaker.told(GaveUpError(str(e)) if is_first else e)
            raise
        finally:
            self.ms += (time.perf_counter() - began) * 1000 - (self._pause.ms - slept)
        self._breaker.told(answer)
        return answer


class Examiner:
    """Asks a judge. Threads share it."""

    def __init__(self, judge: Judge) -> None:
        settings = judge.settings
        self._judge = judge
        self._system = system_prompt(judge.rubric, settings.order)
        self._schema = answer_schema(judge.rubric, settings.order)

    def examine(self, triple: Triple, gate: Gate) -> Asked:
        """Ask once, and once more where the answer can't be read.

        A service that fails is a verdict too; one that ends everything is none, unless something is paid for.
        """
        answers: list[Answer] = []
        try:
            answers.append(self._ask(gate, user_prompt(triple)))
            verdict = self._read(answers[0], triple)
            if verdict.status in REPAIRED:
                answers.append(self._ask(gate, repair_prompt(triple, answers[0].text, verdict.reason)))
                verdict = _repaired(self._read(answers[1], triple))
        except (NotAskedError, EndsAllError) as e:
            if not answers:
                raise
            verdict = Verdict("http_error", reason=f"before it was asked again: {e}")
        except ServiceError as e:
            verdict = Verdict("http_error", reason=str(e).removesuffix(WAY_OUT))
        return Asked(verdict, tuple(answers), gate.n_calls, gate.ms)

    def _ask(self, gate: Gate, user: str) -> Answer:
        settings = self._judge.settings
        return gate.ask_json(
            self._system,
            user,
            schema=self._schema,
            max_tokens=settings.max_tokens,
            temperature=settings.temperature,
        )

    def _read(self, answer: Answer, triple: Triple) -> Verdict:
        """What its end says comes first: half an answer may look like a whole one."""
        finish = answer.finish.strip().lower()
        if answer.refusal.strip() or finish in REFUSALS:
            return Verdict("refused", reason=answer.refusal.strip() or "the model refused to answer")
        if finish == FILTERED:
            return Verdict("filtered", reason="the service's filter held the answer back")
        if finish == TOO_LONG:
            n = self._judge.settings.max_tokens
            return Verdict("truncated", reason=f"the answer broke off at the limit of {n:,} tokens")
        return read_answer(answer.text, self._judge.rubric, has_abstract=has_abstract(triple))


def _repaired(verdict: Verdict) -> Verdict:
    return replace(verdict, status="repaired") if verdict.status == "ok" else verdict
