"""Words in the few signs that the font of a picture has: what it lacks gets the nearest stand-in."""

from __future__ import annotations

import unicodedata
from collections.abc import Callable

UNKNOWN = "?"
"""For a sign that nothing stands in for: an empty box would say no more."""

_PAIRS = (
    "≥ >=, ≤ <=, ≠ !=, ≈ ~, × x, ÷ /, ± +/-, ∞ inf, … ..., "
    "ß ss, æ ae, Æ AE, œ oe, Œ OE, ø o, Ø O, ł l, Ł L, đ d, "
    "Đ D, ð d, Ð D, þ th, Þ Th, ı i, ħ h, € EUR, £ GBP, "
    "✓ yes, ✗ no, ° deg, "
    "α alpha, β beta, γ gamma, δ delta, Δ Delta, ε epsilon, θ theta, κ kappa, "
    "λ lambda, μ mu, µ mu, ν nu, π pi, ρ rho, σ sigma, Σ Sigma, τ tau, "
    "φ phi, χ chi, ψ psi, ω omega, Ω Omega"
)
_STAND_INS = {
    **dict.fromkeys("\u2010\u2011\u2012\u2013\u2014\u2015\u2212", "-"),
    **dict.fromkeys("\u2018\u2019\u201a\u201b\u2032", "'"),
    **dict.fromkeys("\u201c\u201d\u201e\u201f\u2033«»", '"'),
    **dict.fromkeys("•·◦▪●", "*"),
    **dict.fromkeys("→⟶⇒", "->"),
    **dict.fromkeys("←⟵⇐", "<-"),
    **dict(each.split() for each in _PAIRS.split(", ")),
}


def plain_signs(text: str, has: Callable[[str], bool]) -> str:
    """The text in signs of which `has` says that they can be drawn; line ends and tabs become spaces.

    >>> plain_signs("Crème – F≥0.5", str.isascii)
    'Creme - F>=0.5'
    """
    return "".join(_sign(sign, has) for sign in unicodedata.normalize("NFC", text))


def _sign(sign: str, has: Callable[[str], bool]) -> str:
    if sign.isspace():
        return " "
    if unicodedata.category(sign) in ("Cc", "Cf", "Cs", "Cn", "Mn"):
        return ""
    if has(sign):
        return sign
    if stand_in := _STAND_INS.get(sign):
        return stand_in
    parts = unicodedata.normalize("NFKD", sign)
    kept = "".join(part for part in parts if not unicodedata.combining(part))
    drawn = "".join(part if has(part) else _STAND_INS.get(part, "") for part in kept)
    return drawn or UNKNOWN
