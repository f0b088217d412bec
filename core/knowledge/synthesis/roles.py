"""Who asks: a query is worded as this person would word it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from core.errors import InputError


@dataclass(frozen=True, slots=True)
class Role:
    """A kind of person."""

    role_id: str
    label: str
    instruction: str
    """One sentence for a language model."""
    fits: tuple[str, ...]
    """Sets of templates whose knowledge bases this person would ask."""


ROLES: dict[str, Role] = {
    role.role_id: role
    for role in (
        Role(
            "researcher",
            "Researcher",
            "You are a researcher who looks for the literature of your field, and you care for methods and findings.",
            ("mag", "openalex"),
        ),
        Role(
            "doctor",
            "Doctor",
            "You are a doctor with a patient to treat, and you care for signs, risks and what can be done.",
            ("prime",),
        ),
        Role(
            "scientist",
            "Medical scientist",
            "You are a medical scientist, and you care for mechanisms, processes and exact terms.",
            ("prime",),
        ),
        Role(
            "patient",
            "Patient",
            "You are a patient without medical training who tells what troubles you in everyday words.",
            ("prime",),
        ),
        Role(
            "customer",
            "Customer",
            "You are a customer who wants to buy something, and you care for its use, quality and what annoys others.",
            ("amazon",),
        ),
    )
}


def fitting_roles(templates: str) -> tuple[Role, ...]:
    """Those who would ask a knowledge base with these templates; all, where nobody is known to.

    >>> [role.role_id for role in fitting_roles("prime")]
    ['doctor', 'scientist', 'patient']
    """
    return tuple(role for role in ROLES.values() if templates in role.fits) or tuple(ROLES.values())


def check_roles(role_ids: Sequence[str]) -> None:
    """An error unless there is one at least, and all are known."""
    if unknown := [role_id for role_id in role_ids if role_id not in ROLES]:
        raise InputError(f'no role "{unknown[0][:80]}"; there are {", ".join(ROLES)}')
    if not role_ids:
        raise InputError(f"choose at least one role: {', '.join(ROLES)}")
