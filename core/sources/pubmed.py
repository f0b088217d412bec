"""Write a search string in the query language of PubMed.

Documentation: PubMed User Guide, National Library of Medicine (pubmed.ncbi.nlm.nih.gov/help), and E-utilities (NCBI
Bookshelf NBK25499). ESearch accepts long terms by POST, so a search is never split. A string written for PubMed is sent
as typed, because PubMed reads its own syntax better than this parser.
"""

from __future__ import annotations

from core.query.adaptation import Loss
from core.query.parser import parse
from core.query.translation import translate, write
from core.query.tree import Node, ParsedQuery


def pubmed_text(parsed: ParsedQuery) -> tuple[str, tuple[Loss, ...]]:
    """Return the term for PubMed and its losses.

    >>> pubmed_text(parse("heat[tiab] and   (trees)"))
    ('heat[tiab] and   (trees)', ())
    >>> pubmed_text(parse("TI=(heat NEAR/2 waves)"))[0]
    '"heat waves"[ti:~2]'
    """
    if parsed.dialect != "pubmed":
        made = translate(parsed, "pubmed")
        return made.text, made.losses
    if parsed.lines and parsed.root is not None:
        return write(parsed.root, "pubmed", strict=False).text, ()
    return parsed.text, ()


def pubmed_part(parsed: ParsedQuery, part: Node) -> ParsedQuery:
    """Return one part of a search string written for PubMed, as typed if it means the same on its own.

    >>> whole = parse("(heat[tiab]  OR sun[ti]) AND trees[mesh]")
    >>> pubmed_part(whole, whole.root.parts[0]).text
    '(heat[tiab]  OR sun[ti])'
    """
    own = parse(part.extent.of(parsed.text), "pubmed")
    if not parsed.lines and own.root == part:
        return own
    return parse(write(part, "pubmed", strict=False).text, "pubmed")
