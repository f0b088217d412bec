"""Read one search string, or one line of a history, into a tree."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from core.query.dialects import DIALECTS, foreign_tag, tag_named, unknown_tag
from core.query.dialects.base import NAME_FIELDS, Dialect, Tag
from core.query.lexer import (
    LONGEST,
    FindingCollector,
    LeafText,
    Token,
    cleaned,
    colon_suffix_of,
    explodes_some_trees,
    is_broad,
    leaf_named,
    leaf_of,
    lex,
    limit_of,
    slashed,
    tag_and_window,
    with_tag,
    years_of,
)
from core.query.operators import Joiner, Joint, Notice, Operand, add_operand, cut, is_date, until
from core.query.tree import (
    UNKNOWN,
    Edit,
    Finding,
    Fix,
    Group,
    Heading,
    Node,
    Not,
    Range,
    Span,
    Term,
    has_unknown,
    terms_in,
    with_leaves,
)
from core.text import words

# Field tags as written: before a term, after it, or attached to it.


_SUFFIX = re.compile(
    r"(?P<codes>[a-z][a-z0-9_]{1,7}(?:,\s?[a-z][a-z0-9_]{1,7})*)(?P<end>\.?)(?P<often>/freq=\d{1,3})?", re.IGNORECASE
)
_CODES = re.compile(r"[a-z][a-z0-9]{1,3}(?:,[a-z][a-z0-9]{1,3})*", re.IGNORECASE)
_EQUALS = re.compile(r"[A-Z]{2,5}")
_CALL = re.compile(r"[A-Z][A-Z-]{2,30}")
_FUNCTION = re.compile(r"[A-Za-z]{2,12}")
_EXACT = re.compile(r"[A-Z,]{2,30}(?:\.EXACT|\.EXPLODE)+", re.IGNORECASE)
_COMPARED = frozenset(("AFT", "BEF", "IS", ">", "<", "="))
_SPACED = re.compile(r"[A-Z]{2}")
_FILTER = re.compile(r"[a-z_]+(?:\.[a-z_]+)*")


def ends_with_suffix(value: str, dialect: Dialect) -> bool:
    """Return True if a run of bare words ends with this one: heat.ti. or Stress/."""
    heading = dialect.tag_style == "suffix" and (value.endswith("/") or '"/' in value)
    return heading or suffix_of(value, dialect) is not None


def suffix_of(value: str, dialect: Dialect) -> tuple[int, Tag] | None:
    """Find .ti,ab. in a word, or :ti,ab in a dialect that writes it so; return its position and its tag."""
    if dialect.tag_style == "suffix":
        return _dotted(value, dialect)
    at = value.rfind("/" if dialect.id == "embase" and value.startswith("/") else ":")
    codes = value[at + 1 :]
    if at < 0 or not _CODES.fullmatch(codes):
        return None
    if dialect.tag_style != "codes":
        return colon_suffix_of(value)
    tag = tag_named(codes, dialect.id) or unknown_tag(codes)
    return at, replace(tag, name=f"/{tag.name}") if value[at] == "/" else tag


def _dotted(value: str, dialect: Dialect) -> tuple[int, Tag] | None:
    before = value.find("/freq=")
    at = value.rfind(".", 0, (before if before > 0 else len(value)) - 1)
    found = _SUFFIX.fullmatch(value, at + 1) if at >= 0 else None
    if found is None:
        return None
    codes = found["codes"].replace(" ", "")
    tag = tag_named(codes, dialect.id)
    if tag is None:
        is_tag = found["end"] and (at == 0 or value[at - 1].isalnum() or value[at - 1] in '*$?#"')
        if not is_tag or (at > 0 and "." in value[:at]):
            return None
        tag = unknown_tag(codes)
    if found["often"]:
        often = found["often"].lower()
        tag = replace(tag, fields=(*tag.fields, f"{UNKNOWN}{often[1:]}"), name=f"{tag.name}{often}")
    return at, tag


def prefix_of(tokens: list[Token], at: int, dialect: Dialect) -> tuple[str, str] | None:
    """Return a field name before a term, and the part of the word that already belongs to the term."""
    token = tokens[at]
    value = token.value
    style = dialect.tag_style
    follows = tokens[at + 1] if at + 1 < len(tokens) else None
    if style in ("equals", "colon") or "=" in value:
        named = style == "colon" and value.partition(":")[0].lower() in dialect.tags  # year:>=2010
        sign = ":" if named or "=" not in value else "="
        name, found, rest = value.partition(sign)
        if found and name and _is_prefix(name, sign, dialect):
            return name, rest
    known = tag_named(value, dialect.id) if style in ("call", "space") else None
    opens = follows is not None and follows.kind == "("
    if style == "call" and follows and known and (opens or (known.kind == "years" and "," not in value)):
        return value, ""
    if style == "call" and follows and known and "date" in value.lower() and follows.value.upper() in _COMPARED:
        return value, ""
    if style == "space" and follows and known and value.isupper() and follows.kind in ("(", "quoted", "word"):
        return value, ""
    if follows is None or follows.kind not in ("(", "quoted"):
        return None
    if style == "space" and _SPACED.fullmatch(value) and _begins_operand(tokens, at):
        return value, ""
    if opens and follows.start == token.end and dialect.id == "proquest" and _EXACT.fullmatch(value):
        return value, ""
    if opens and follows.start == token.end and dialect.id == "proquest" and _FUNCTION.fullmatch(value):
        return value, ""
    if opens and follows.start == token.end and (style == "call" or _is_scopus(value)) and _CALL.fullmatch(value):
        return value, ""
    return None


def _is_prefix(name: str, sign: str, dialect: Dialect) -> bool:
    if tag_named(name, dialect.id) is not None:
        return True
    if sign == "=":
        return foreign_tag(name) is not None or (dialect.tag_style == "equals" and bool(_EQUALS.fullmatch(name)))
    return dialect.tag_covers_rest and bool(_FILTER.fullmatch(name))


def _begins_operand(tokens: list[Token], at: int) -> bool:
    """Return True if nothing precedes it that it could belong to."""
    return at == 0 or tokens[at - 1].kind in ("(", "op", "near")


def goes_on_behind(name: str, tag: Tag, dialect: Dialect) -> bool:
    """Return True if a person's name also finds longer ones: smith j[au]."""
    is_name = dialect.open_names and bool(tag.fields) and NAME_FIELDS.issuperset(tag.fields)
    return is_name and name[-1:] not in dialect.wildcards


def _is_scopus(value: str) -> bool:
    return "-" in value and value.lower() in DIALECTS["scopus"].tags


# From text to tree. Tolerant: a broken text still gives a tree, with findings that locate the problems.
#
# Brackets are kept on an explicit stack, and the operands between two brackets are joined by the dialect's operator
# precedence, tightest first. So depth costs nothing, and a text of any size is read in one pass.


def _as_name(leaf: Node) -> Node:
    return replace(leaf, quoted=True) if isinstance(leaf, Term) and not leaf.fields and len(leaf.chunks) > 1 else leaf


@dataclass(slots=True)
class BracketFrame:
    opened: int
    tag: Tag | None = None
    tag_start: int | None = None
    items: list[Operand | Joint] = field(default_factory=list)
    unwritten: bool = False
    """True without brackets: a field that applies to all that follows."""


@dataclass(frozen=True, slots=True)
class ReadingResult:
    root: Node | None
    findings: tuple[Finding, ...]


Lines = Mapping[int, Node]
"""The nodes that line numbers refer to."""


def read(
    text: str, dialect: Dialect, *, start: int = 0, end: int | None = None, lines: Lines | None = None
) -> ReadingResult:
    end = len(text) if end is None else end
    if end - start > LONGEST:
        message = f"This is longer than {LONGEST:,} characters, so it was not read. Is it a search string?"
        return ReadingResult(None, (Finding("too-long", "error", Span(start, end), message),))
    reader = _Reader(text, dialect, lines or {})
    root = reader.run(start, end)
    return ReadingResult(root, reader.report.in_order())


class _Reader:
    def __init__(self, text: str, dialect: Dialect, lines: Lines) -> None:
        self.text = text
        self.dialect = dialect
        self.lines = lines
        self.report = FindingCollector()
        self.joiner = Joiner(text, dialect, self.report)
        self.notice = Notice(text, dialect, self.report)
        self.tokens: list[Token] = []
        self.frames: list[BracketFrame] = []
        self.pending: tuple[Tag, int] | None = None
        self.until = False
        """True after a colon that follows a year: the next year is the end of a range."""

    def run(self, start: int, end: int) -> Node | None:
        self.tokens = lex(self.text, self.dialect, self.report, start, end)
        if self.dialect.capitals_only and self.dialect.tagged_run_is_phrase:
            self.join_words()
        self.frames = [BracketFrame(start)]
        at = 0
        while at < len(self.tokens):
            at = self.step(at)
        while end > start and self.text[end - 1].isspace():
            end -= 1
        while len(self.frames) > 1:
            if not self.frames[-1].unwritten:
                self.notice.unclosed(self.frames[-1].opened, end)
            self.close(end)
        operand = self.joiner.join(self.frames[0].items)
        return operand.node if operand else None

    def join_words(self) -> None:
        """Read lower-case and, or, not between words with one tag after them as words: wounds and injuries[mh]."""
        first = 0  # start of the words and lower-case operators that continue up to here
        for at, token in enumerate(self.tokens):
            if token.kind == "tag" and at and self.tokens[at - 1].kind == "word":
                for place in range(first + 1, at):
                    self.join_word(place)
            if token.kind != "word" and not (token.kind == "op" and self.shown(token).islower()):
                first = at + 1

    def join_word(self, at: int) -> None:
        token, before = self.tokens[at], self.tokens[at - 1]
        if token.kind == "op" and before.kind == "word":
            self.tokens[at] = Token("word", token.start, token.end, self.shown(token))
            self.notice.small_operator(self.shown(token), Span(token.start, token.end))

    def shown(self, token: Token) -> str:
        return self.text[token.start : token.end]

    def step(self, at: int) -> int:
        token = self.tokens[at]
        if token.kind == "(":
            tag, tag_start = self.pending or (None, None)
            self.pending = None
            self.frames.append(BracketFrame(token.start, tag, tag_start))
        elif token.kind == ")":
            return self.closing(at)
        elif token.kind in ("op", "near"):
            operator = token.value if token.kind == "op" else "NEAR"
            self.frames[-1].items.append(Joint(operator, Span(token.start, token.end), token.near))
            self.notice.capitals(token)
            if token.near and token.near.foreign:
                self.notice.foreign_near(token)
        elif token.kind == "tag":
            self.loose_tag(at)
        elif token.kind == "heading":
            self.foreign_leaf(token)
        else:
            return self.words(at)
        return at + 1

    # Brackets

    def closing(self, at: int) -> int:
        token = self.tokens[at]
        if len(self.frames) == 1 or self.frames[-1].unwritten:
            fix = Fix("Remove the bracket", (Edit(token.start, token.end, ""),))
            self.report.add(
                "unbalanced-bracket", "error", Span(token.start, token.end), "This bracket was never opened.", fix
            )
            return at + 1
        at, end, tag = self.tag_behind(at + 1, token.end)
        self.close(end, tag)
        return at

    def close(self, end: int, tag: Tag | None = None) -> None:
        frame = self.frames.pop()
        operand = self.joiner.join(frame.items)
        span = Span(frame.opened if frame.tag_start is None else frame.tag_start, end)
        if operand is None:
            if frame.unwritten:
                self.report.add("missing-term", "error", span, "A term is missing after this field.")
            elif not frame.items:
                fix = Fix("Remove the brackets", (Edit(span.start, span.end, ""),))
                self.report.add("empty-brackets", "warning", span, "There is nothing between these brackets.", fix)
            return
        node = operand.node
        if self.dialect.limits and isinstance(node, Group) and all(map(self.is_exclusion, node.parts)):
            node = Not(replace(node, operator="OR", parts=tuple(p.part for p in node.parts if isinstance(p, Not))))
        for each in (frame.tag, tag):
            if each is not None:
                self.notice_no_years(node, each)
                node = with_tag(with_leaves(node, _as_name) if each.is_name else node, each)
        self.put(Operand(replace(node, outer=span), span, operand.depth))

    def is_exclusion(self, node: Node) -> bool:
        """Check for EXCLUDE(...). Several of them joined by OR exclude all that they name."""
        return isinstance(node, Not) and node.span.of(self.text)[:7].upper() == "EXCLUDE"

    def notice_no_years(self, node: Node, tag: Tag) -> None:
        """Report words in a field of years that are not years: PY=(spring OR 2010)."""
        for term in terms_in(node) if tag.kind == "years" else ():
            shown = term.span.of(self.text)
            if term.fields:
                continue
            if years_of(shown, term.span, tag) is not None:
                self.notice.beside_years(shown, term.span)
            else:
                self.notice.no_year(shown, term.span)

    # Operands

    def put(self, operand: Operand) -> None:
        items = self.frames[-1].items
        if self.until and items and (merged := until(items[-1], operand)):
            items[-1] = merged
            self.until = False
            return
        add_operand(items, operand, self.report, what="these")

    def words(self, at: int) -> int:
        token = self.tokens[at]
        if token.value.startswith(":") and self.frames[-1].items and is_date(self.frames[-1].items[-1]):
            self.until = True
            if token.value == ":":
                return at + 1
            token = self.tokens[at] = token._replace(start=token.start + 1, value=token.value[1:])
        if token.kind == "word":
            prefixed = self.prefix(at)
            if prefixed is not None:
                return prefixed
        tag, start = self.pending or (None, token.start)
        self.pending = None
        last = at
        if token.kind == "word":
            last = self.end_of_run(at, single=tag is not None)
            self.notice.spaced_field(token, self.tokens[at + 1] if at + 1 < len(self.tokens) else None)
            self.notice.words(self.tokens[at : last + 1])
        last_token = self.tokens[last]
        end = last_token.end
        body_end, suffix_tag = self.suffix(last_token)
        inside = self.run_text(at, last, body_end) if token.kind == "word" else token.value
        next_at, outer_end, behind = self.tag_behind(last + 1, end)
        tag_name = self.window_behind(last + 1) if behind else None
        span = Span(start, outer_end)
        meant = behind or suffix_tag or tag
        quoted = token.kind == "quoted" or (token.kind == "word" and self.is_phrase(inside, meant))
        if token.kind == "braces":
            self.notice.braces(token)
        goes_on = token.kind == "word" and quoted and meant is not None and goes_on_behind(inside, meant, self.dialect)
        suffix = "*" if goes_on else token.suffix
        written = LeafText(inside, span, quoted or token.kind == "braces", suffix, token.kind == "braces")
        may_be_heading = self.dialect.slash_headings and token.kind == "word" and meant is None
        if meant is None and (filter_tag := self.dialect.bare_filters.get(inside.lower())):
            meant = tag_named(filter_tag, self.dialect.id)
        self.leaf(written, meant, tag_name, may_be_heading=may_be_heading)
        return next_at

    def leaf(self, written: LeafText, tag: Tag | None, window: int | None, *, may_be_heading: bool = False) -> None:
        node = self.line(written) or (slashed(written) if may_be_heading else None)
        if node is None:
            if tag is not None and tag.kind == "heading":
                written = self.without_exp(written)
            node = leaf_of(written, tag, self.dialect, window=window)
        if isinstance(node, Term) and may_be_heading and written.text.lower().startswith("exp "):
            self.notice.unslashed(written.span)
        if isinstance(node, Range):
            self.notice.beside_years(written.text, written.span)
        if node is None:
            shown = written.text.strip()[:60]
            if tag is not None and tag.kind == "years" and words(shown):
                self.notice.no_year(shown, written.span)
                if self.frames[-1].items and isinstance(self.frames[-1].items[-1], Joint):
                    self.frames[-1].items.pop()
                return
            message = f"{shown or 'This'} has nothing to search for, so it was left out."
            rule = "wildcard-alone" if set(shown) & set(self.dialect.wildcards) else "no-word"
            self.report.add(rule, "error", written.span, message, Fix("Remove it", (cut(written.span),)))
            return
        self.put(Operand(node, written.span))

    def without_exp(self, written: LeafText) -> LeafText:
        """Drop exp from exp Child[mesh]: Ovid explodes a heading like this, and it is no part of the name."""
        if self.dialect.slash_headings or not written.text.lower().startswith("exp "):
            return written
        place = written.span.start + written.span.of(self.text).lower().find("exp ")
        self.notice.exp(Span(place, place + len("exp ")))
        return replace(written, text=written.text[len("exp ") :])

    def end_of_run(self, at: int, *, single: bool) -> int:
        if single and not self.dialect.run_is_phrase and not self.dialect.tag_covers_run:
            return at
        if ends_with_suffix(self.tokens[at].value, self.dialect):
            return at
        while at + 1 < len(self.tokens) and self.tokens[at + 1].kind == "word":
            if self.starts_field(at + 1):
                break
            at += 1
            if ends_with_suffix(self.tokens[at].value, self.dialect):
                break
        return at

    def is_phrase(self, inside: str, tag: Tag | None) -> bool:
        if len(inside.split()) < 2:
            return False
        return self.dialect.run_is_phrase or (tag is not None and (self.dialect.tagged_run_is_phrase or tag.is_name))

    def run_text(self, at: int, last: int, end: int) -> str:
        values = [token.value for token in self.tokens[at : last + 1]]
        values[-1] = values[-1][: end - self.tokens[last].start]
        return " ".join(values)

    # Fields

    def starts_field(self, at: int) -> bool:
        return prefix_of(self.tokens, at, self.dialect) is not None

    def prefix(self, at: int) -> int | None:
        """Read a tag before a term: TI=, title:, TITLE-ABS-KEY( or TI and a space. None: an ordinary word."""
        found = prefix_of(self.tokens, at, self.dialect)
        if found is None:
            return None
        name, rest = found
        token = self.tokens[at]
        tag = tag_named(name, self.dialect.id)
        if tag is None:
            self.notice.unknown_tag(name, Span(token.start, token.end - len(rest)))
            tag = foreign_tag(name) or unknown_tag(name)
        is_call = at + 1 < len(self.tokens) and self.tokens[at + 1].kind == "("
        if not rest and self.dialect.tag_style == "call" and not is_call:
            return self.compared_year(at, tag)
        if name.lower() in self.dialect.limits:
            return self.limit(at, excludes=name.lower() == "exclude")
        if self.dialect.tag_covers_rest and self.covers_rest(tag, token):
            if rest:
                self.tokens[at] = token._replace(start=token.end - len(rest), value=rest)
            return at if rest else at + 1
        self.pending = (tag, token.start)
        if rest:
            self.tokens[at] = token._replace(start=token.end - len(rest), value=rest)
            return self.words(at) if not self.starts_field(at) else at
        if at + 1 >= len(self.tokens) or self.tokens[at + 1].kind in (")", "op", "near", "tag"):
            self.pending = None
            self.report.add(
                "missing-term", "error", Span(token.start, token.end), "A term is missing after this field."
            )
        return at + 1

    def covers_rest(self, tag: Tag, token: Token) -> bool:
        if self.frames[-1].unwritten:
            self.close(token.start)
        if (items := self.frames[-1].items) and isinstance(items[-1], Operand):
            items.append(Joint("AND", Span(token.start, token.start), implied=True))
        if len(self.frames) > 1 or tag.kind != "text":
            return False
        self.frames.append(BracketFrame(token.start, tag, token.start, unwritten=True))
        return True

    def compared_year(self, at: int, tag: Tag) -> int:
        """Read PUBYEAR > 2010 or PUBYEAR AFT 2010."""
        last = at
        while last + 1 < len(self.tokens) and last - at < 2 and self.tokens[last + 1].kind == "word":
            last += 1
        span = Span(self.tokens[at].start, self.tokens[last].end)
        text = self.text[self.tokens[at].end : span.end]
        self.leaf(LeafText(text, span, False), tag, None)
        return last + 1

    def limit(self, at: int, *, excludes: bool) -> int:
        """Read LIMIT-TO(DOCTYPE, "ar"): the brackets hold one value."""
        last = at + 1
        while last + 1 < len(self.tokens) and self.tokens[last].kind != ")":
            last += 1
        end = self.tokens[last].start if self.tokens[last].kind == ")" else self.tokens[last].end
        if self.tokens[last].kind != ")":
            self.notice.unclosed(self.tokens[at + 1].start, end)
        inside = Span(self.tokens[at + 1].end, max(end, self.tokens[at + 1].end))
        span = Span(self.tokens[at].start, self.tokens[last].end)
        node = limit_of(cleaned(inside.of(self.text)), span, self.dialect)
        if node is None:
            self.report.add("missing-term", "error", span, "A value is missing in this limit.")
        else:
            self.put(Operand(Not(node, span=span), span, 2) if excludes else Operand(node, span))
        return last + 1

    def tag_behind(self, at: int, end: int) -> tuple[int, int, Tag | None]:
        """Read [tiab] after a term, or .ti,ab. after a bracket or quote; return the next place, its end and the tag."""
        if at >= len(self.tokens):
            return at, end, None
        token = self.tokens[at]
        if token.kind == "tag":
            name, _ = tag_and_window(token.value)
            tag = tag_named(name, self.dialect.id) if self.dialect.tag_style == "brackets" else None
            if tag is None:
                tag = foreign_tag(name)
                if self.dialect.tag_style == "suffix" and tag is None:  # a remark: dt [Drug Therapy]
                    return at + 1, token.end, None
                self.notice.unknown_tag(token.value, Span(token.start, token.end))
            return at + 1, token.end, tag or unknown_tag(name)
        if token.kind == "word" and token.start == end and token.value.startswith((".", ":", "/")):
            found = suffix_of(token.value, self.dialect)
            if found and found[0] == 0:
                self.suffix_noticed(token, found[1])
                return at + 1, token.end, found[1]
        return at, end, None

    def window_behind(self, at: int) -> int | None:
        token = self.tokens[at]
        return tag_and_window(token.value)[1] if token.kind == "tag" else None

    def suffix(self, token: Token) -> tuple[int, Tag | None]:
        """Split a word and its suffix, heat.ti,ab; return the end of the word and the tag."""
        found = suffix_of(token.value, self.dialect) if token.kind == "word" else None
        if found is None:
            return token.end, None
        self.suffix_noticed(token, found[1])
        return token.start + found[0], found[1]

    def suffix_noticed(self, token: Token, tag: Tag) -> None:
        if not has_unknown(tag.fields):
            self.notice.colon_tag(token)
            return
        for name in tag.fields:
            if name.startswith(UNKNOWN):
                self.notice.unknown_tag(name[1:], Span(token.start, token.end))

    def loose_tag(self, at: int) -> None:
        """Report a tag with nothing before it; in Ovid, text in square brackets is a comment."""
        token = self.tokens[at]
        if self.dialect.tag_style != "suffix" or foreign_tag(tag_and_window(token.value)[0]) is not None:
            self.notice.loose_tag(token)

    # Other leaves

    def foreign_leaf(self, token: Token) -> None:
        self.pending = None
        span = Span(token.start, token.end)
        node = leaf_named(token.value, span, self.dialect)
        if node is None:
            message = f"{token.value[:60]} has nothing to search for, so it was left out."
            self.report.add("no-word", "error", span, message, Fix("Remove it", (cut(span),)))
            return
        self.notice.foreign(token)
        if isinstance(node, Heading) and explodes_some_trees(token.value):
            self.notice.some_trees(node.name, span)
        if isinstance(node, Heading) and is_broad(token.value):
            self.notice.broad(node.name, span)
        self.put(Operand(node, span))

    def line(self, written: LeafText) -> Node | None:
        mark = self.dialect.line_mark
        value = written.text.strip()
        if not self.lines or not value.upper().startswith(mark.upper()):
            return None
        number = value[len(mark) :].lstrip("#")
        if not number.isdecimal() or int(number) not in self.lines:
            return None
        return self.lines[int(number)]
