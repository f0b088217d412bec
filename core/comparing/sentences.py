"""What a sensitivity report says in words: whether the order of versions holds, what turns it, what has no value."""

from __future__ import annotations

from core.comparing.compare import REGION_LABELS
from core.comparing.robustness import Order, Outcome, Robustness, Special
from core.comparing.turning import Turn
from core.comparing.variations import AS_SET, JOINT, VARIATIONS, Choice

EXTREMES = "with decay and beta all at an end of their range"


def turns_order(found: Robustness, choice: Choice) -> bool:
    """Whether a choice puts any version ahead of one that is ahead of it as set."""
    return any(choice in order.turned_by for order in found.orders)


def other_choices(found: Robustness) -> tuple[Choice, ...]:
    """Those that change one thing; what is set and the extremes are not among them."""
    return tuple(o.choice for o in found.outcomes if o.choice.setting not in (AS_SET, JOINT))


def order_title(found: Robustness) -> str:
    """How many choices turn the order of any two versions, for the head of a picture."""
    choices = other_choices(found)
    if not any(order.difference for order in found.orders):
        return f"F-beta under {_many(len(choices), 'other choice')}"
    if n := sum(turns_order(found, choice) for choice in choices):
        return f"{n} of {_many(len(choices), 'other choice')} {'turns' if n == 1 else 'turn'} the order"
    rare = ["extremes"] if any(order.turned_by for order in found.orders) else []
    rare += ["values in between"] if any(order.turns for order in found.orders) else []
    if rare:
        return f"Only {' and '.join(rare)} turn the order"
    return f"None of {_many(len(choices), 'other choice')} turns the order"


def order_sentences(found: Robustness) -> list[str]:
    """For every two versions: who is ahead, and which choices turn that round.

    Counted are the choices under which both have a value that says something; extremes are counted apart.
    """
    return [_order_sentence(found, order) for order in found.orders]


def _order_sentence(found: Robustness, order: Order) -> str:
    compared = [o.choice for o in found.outcomes if _has_both(found, order, o)]
    if order.difference is None:
        as_set = any(choice.setting == AS_SET for choice in compared)
        why = "they were run over different publications" if as_set else "as set, not both have a value that counts"
        return f"The order of {order.a} and {order.b} is not looked at: {why}."
    if not order.difference:
        return f"{order.a} and {order.b} are equal as set, so there is no order to turn."
    first, second = (order.b, order.a) if order.difference > 0 else (order.a, order.b)
    said = f"{first} is ahead of {second} by {abs(order.difference):.3f}"
    n_extremes = sum(choice.setting == JOINT for choice in compared)
    n_others = sum(choice.setting not in (AS_SET, JOINT) for choice in compared)
    if not order.turned_by and not order.turns:
        under = [f"all of {_many(n_others, 'other choice')}"] if n_others else []
        under += [f"{_many(n_extremes, 'extreme')} {EXTREMES}"] if n_extremes else []
        return f"{said}, and stays so under {' and '.join(under)}." if under else f"{said}."
    parts = _turning_parts(order, second, n_others, n_extremes)
    return f"{said}, but {'; '.join(parts)}."


def _turning_parts(order: Order, second: str, n_others: int, n_extremes: int) -> list[str]:
    singles = [choice.label for choice in order.turned_by if choice.setting != JOINT]
    n_joint = len(order.turned_by) - len(singles)
    parts = []
    if singles:
        parts.append(
            f"{second} is ahead under {len(singles)} of {_many(n_others, 'other choice')}: {', '.join(singles)}"
        )
    if n_joint:
        ahead = "it is also ahead" if singles else f"{second} is ahead"
        parts.append(f"{ahead} in {n_joint} of {_many(n_extremes, 'extreme')} {EXTREMES}")
    if order.turns:
        parts.append(f"the order turns at {', '.join(_turn(turn) for turn in order.turns)}")
    return parts


def _has_both(found: Robustness, order: Order, outcome: Outcome) -> bool:
    at = [found.labels.index(label) for label in (order.a, order.b)]
    return all(outcome.f_beta[i] is not None and outcome.problem[i] is None for i in at)


def _turn(turn: Turn) -> str:
    name = "similarity threshold" if turn.setting == "min_similarity" else VARIATIONS[turn.setting].label
    return f"{name} {turn.at:,.4g} (set: {turn.as_set:,.4g})"


def _many(n: int, what: str) -> str:
    return f"{n} {what}" if n == 1 else f"{n} {what}s"


def special_sentences(found: Robustness) -> list[str]:
    """Versions without a value, or with one that says nothing, and under how many of the choices of that region."""
    n_of = {kind: sum(o.choice.region == kind for o in found.outcomes) for kind in REGION_LABELS}
    return [_special_sentence(special, n_of[special.region]) for special in found.special]


def _special_sentence(special: Special, n_choices: int) -> str:
    what = "has no value" if special.what == "undefined" else "says nothing"
    where = f"{REGION_LABELS[special.region]} of {special.label} {what}"
    return f"{where} under {special.n_choices} of {_many(n_choices, 'choice')}: {special.reason}."
