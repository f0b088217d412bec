"""LaTeX markup of BibTeX fields as plain Unicode text. Everything is one pass over the text; nothing recurses."""

from __future__ import annotations

import re
import unicodedata

_COMBINING = {
    '"': "\u0308",
    "'": "\u0301",
    "`": "\u0300",
    "^": "\u0302",
    "~": "\u0303",
    "=": "\u0304",
    ".": "\u0307",
    "u": "\u0306",
    "v": "\u030c",
    "H": "\u030b",
    "c": "\u0327",
    "d": "\u0323",
    "b": "\u0331",
    "k": "\u0328",
    "r": "\u030a",
}
_LETTERS = {
    "ss": "ß", "SS": "SS", "ae": "æ", "AE": "Æ", "oe": "œ", "OE": "Œ", "aa": "å", "AA": "Å", "o": "ø", "O": "Ø",
    "l": "ł", "L": "Ł", "i": "ı", "j": "ȷ", "dh": "ð", "DH": "Ð", "th": "þ", "TH": "Þ", "dj": "đ", "DJ": "Đ",
    "ng": "ŋ", "NG": "Ŋ",
}  # fmt: skip
_SYMBOLS = {
    "alpha": "α", "beta": "β", "gamma": "γ", "delta": "δ", "epsilon": "ε", "varepsilon": "ε", "zeta": "ζ",
    "eta": "η", "theta": "θ", "vartheta": "θ", "iota": "ι", "kappa": "κ", "lambda": "λ", "mu": "μ", "nu": "ν",
    "xi": "ξ", "pi": "π", "rho": "ρ", "sigma": "σ", "varsigma": "ς", "tau": "τ", "upsilon": "υ", "phi": "φ",
    "varphi": "φ", "chi": "χ", "psi": "ψ", "omega": "ω", "Gamma": "Γ", "Delta": "Δ", "Theta": "Θ", "Lambda": "Λ",
    "Xi": "Ξ", "Pi": "Π", "Sigma": "Σ", "Upsilon": "Υ", "Phi": "Φ", "Psi": "Ψ", "Omega": "Ω",
    "textalpha": "α", "textbeta": "β", "textgamma": "γ", "textdelta": "δ", "textmu": "μ", "textOmega": "Ω",
    "times": "×", "texttimes": "×", "div": "÷", "pm": "±", "textpm": "±", "cdot": "·", "textperiodcentered": "·",
    "leq": "≤", "le": "≤", "geq": "≥", "ge": "≥", "leqslant": "≤", "geqslant": "≥", "neq": "≠", "ne": "≠",
    "approx": "≈", "sim": "∼", "simeq": "≃", "equiv": "≡", "infty": "∞", "partial": "∂", "nabla": "∇", "sum": "∑",
    "prod": "∏", "int": "∫", "sqrt": "√", "in": "∈", "cup": "∪", "cap": "∩", "subset": "⊂", "forall": "∀",
    "exists": "∃", "to": "→", "rightarrow": "→", "leftarrow": "←", "Rightarrow": "⇒", "leftrightarrow": "↔",
    "textrightarrow": "→", "textleftarrow": "←", "ell": "ℓ", "prime": "′", "circ": "°", "degree": "°",
    "textdegree": "°", "textmicro": "µ", "bullet": "•", "textbullet": "•", "dots": "…", "ldots": "…", "cdots": "…",
    "textellipsis": "…", "lbrace": "{", "rbrace": "}", "lt": "<", "gt": ">", "textless": "<", "textgreater": ">",
    "langle": "⟨", "rangle": "⟩", "ll": "≪", "gg": "≫", "ast": "*", "textasteriskcentered": "*",
    "textbackslash": "\\", "backslash": "\\", "textasciitilde": "~", "textasciicircum": "^", "textbar": "|",
    "textunderscore": "_", "textdollar": "$", "textbraceleft": "{", "textbraceright": "}", "textendash": "–",
    "textemdash": "—", "textquoteleft": "‘", "textquoteright": "’", "textquotedblleft": "“",
    "textquotedblright": "”", "textquotesingle": "'", "textquotedbl": '"', "guillemotleft": "«",
    "guillemotright": "»", "guilsinglleft": "‹", "guilsinglright": "›", "quotedblbase": "„", "textexclamdown": "¡",
    "textquestiondown": "¿", "copyright": "©", "textcopyright": "©", "textregistered": "®", "texttrademark": "™",
    "pounds": "£", "textsterling": "£", "texteuro": "€", "euro": "€", "textyen": "¥", "textcent": "¢", "S": "§",
    "textsection": "§", "P": "¶", "dag": "†", "ddag": "‡", "textordmasculine": "º", "textordfeminine": "ª",
    "textonehalf": "½", "textonequarter": "¼", "textthreequarters": "¾", "textsuperscript": "", "textsubscript": "",
    "quad": " ", "qquad": " ", "newline": " ", "par": " ", "LaTeX": "LaTeX", "TeX": "TeX",
}  # fmt: skip
_DECLARATIONS = frozenset(
    [
        "it",
        "bf",
        "em",
        "rm",
        "sf",
        "tt",
        "sc",
        "sl",
        "itshape",
        "bfseries",
        "upshape",
        "scshape",
        "normalfont",
        "small",
        "large",
        "tiny",
        "displaystyle",
    ]
)

_MARKUP = re.compile(
    r"""\\(?P<accent>["'`^~=.]|[uvHcdbkr](?![A-Za-z]))[ \t\n]*
          (?:\{[ \t]*(?P<held>\\[ij]|[^\W\d_])?[ \t]*\}|(?P<bare>\\[ij](?![A-Za-z])|[^\W\d_]))
      | \\(?P<name>[A-Za-z]+)\*?(?P<after>[ \t\n]*)(?P<opens>\{\}?)?
      | \\(?P<sign>[^A-Za-z])""",
    re.VERBOSE,
)
_SPECIAL = re.compile(r"[\\${}~\ue000-\ue002]|--|``|''")
_MATH = re.compile(r"(?<!\\)\$\$?([^$]{1,300})(?<!\\)\$\$?")
_LOWERED = re.compile(r"(?<!\\)_(?=[{\dA-Za-z\\])")
_RAISED = re.compile(r"(?<!\\)\^(?=\{?[A-Za-z\\])")
_KEPT_OPEN, _KEPT_CLOSE, _KEPT_DOLLAR, _KEPT_TILDE = "\ue000", "\ue001", "\ue002", "\ue003"
_AT_LAST = str.maketrans({"{": "", "}": "", _KEPT_OPEN: "{", _KEPT_CLOSE: "}", _KEPT_DOLLAR: "$", _KEPT_TILDE: "~"})


def plain_from_latex(text: str) -> str:
    r"""Text without LaTeX markup: accents composed, commands as their signs, braces gone.

    >>> plain_from_latex(r"{\"U}ber {M}\'{e}ni{\`e}re \& $\alpha$-\textit{helix} in H$_2$O: 5\,\% -- or more")
    'Über Ménière & α-helix in H2O: 5 % – or more'
    """
    if not _SPECIAL.search(text):
        return text
    if "$" in text:
        text = _MATH.sub(_math, text)
    if "\\" in text:
        text = _MARKUP.sub(_plain, text)
    if "~" in text:
        text = re.sub(r"(?<=[^\s(~])~(?=[^\s~])", " ", text)
    if "--" in text:
        text = re.sub(r"(?<!-)---(?!-)", "—", text)
        text = re.sub(r"(?<!-)--(?!-)", "–", text)
    if "``" in text or "''" in text:
        text = text.replace("``", "“").replace("''", "”")
    return text.translate(_AT_LAST)


def _math(found: re.Match[str]) -> str:
    """A formula without its dollars; two prices in one sentence are no formula."""
    inner = found[1]
    if " " in inner.strip() and not re.search(r"[\\^_{}=<>+]", inner):
        return found[0].replace("$", _KEPT_DOLLAR)
    return _RAISED.sub("", _LOWERED.sub("", inner))


def _plain(found: re.Match[str]) -> str:
    if accent := found["accent"]:
        letter = (found["held"] or found["bare"] or "").lstrip("\\")
        return unicodedata.normalize("NFC", letter + _COMBINING[accent]) if letter else ""
    if name := found["name"]:
        return _named(name, found["after"], found["opens"] or "")
    sign = found["sign"]
    if sign in "{}":
        return _KEPT_OPEN if sign == "{" else _KEPT_CLOSE
    if sign in "\\ ,;:\n\t":
        return " "
    return {"-": "", "/": "", "!": "", "(": "", ")": "", "[": "", "]": ""}.get(sign, sign)


def _named(name: str, after: str, opens: str) -> str:
    opened = "{" if opens == "{" else ""
    if name in _LETTERS:
        return _LETTERS[name] + opened
    if name in _SYMBOLS:
        sign = _SYMBOLS[name].replace("{", _KEPT_OPEN).replace("}", _KEPT_CLOSE).replace("$", _KEPT_DOLLAR)
        sign = sign.replace("~", _KEPT_TILDE)
        return sign + ("" if opens else after) + opened
    if name in _DECLARATIONS:
        return opened
    if opened or opens:
        return opened  # a command that wraps its text: the text stays
    return f"\\{name}{after}"
