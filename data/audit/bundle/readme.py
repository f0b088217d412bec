"""What the files of a bundle are, in words for somebody who has never seen one."""

from __future__ import annotations

_TEXT = """\
What this is
------------
The record of a literature search about "{topic}", written by Queryscape.{made_up}
It holds what was searched, how, when and with what result, so that another person can check and repeat it.

To check it on another machine, without the internet and without the original data:

    python -m dashboard report --from THIS_FILE.zip

This counts every score again that can be counted from these files, builds every table again, and names what differs.

What is inside
--------------
manifest.json   Every file with its size and SHA-256. An edited, missing or extra file is named when the bundle is read.
                The manifest itself is not signed: it shows edits by accident, not those of somebody who means to.
lock.json       What would have to be the same to get the same numbers: the strings as written and as sent, times,
                counts, names of what was searched, settings and seeds, versions of the software.
queries/        Each search string in the JSON shape that searchRxiv and search files use.
results/        For each version, by its number: results.csv with what was retrieved and the core publications that
                were missed, and arrays (.npy, readable with numpy) at full precision: similarities, nearest, points,
                core_mask and others have a row for each publication, in the order of its rows in facts/quality.json.
tables/         Every table of every report as CSV, numbers with six significant digits.
figures/        Every figure of every report as SVG.
reports/        Every report as text (Markdown).
facts/          What the reports are built from, every number at full precision, as JSON.
{abstracts}
In results.csv: retrieved, core and the columns named after a region hold 1 for yes and 0 for no; an empty cell means
that it is not known or that the publication has no vector. similarity is the cosine to the middle of the core.
x and y are places on the landscape. A text that a spreadsheet would run as a formula has an apostrophe before it.
"""


def readme(topic: str, *, made_up: bool, has_abstracts: bool) -> bytes:
    """The text of README.txt."""
    text = _TEXT.format(
        topic=" ".join(topic.split()),
        made_up="\nThe topic is made up: it is for demonstration and says nothing about the world." if made_up else "",
        abstracts="abstracts.csv   The abstracts, as somebody asked for them.\n"
        if has_abstracts
        else "\nAbstracts are left out: nobody asked for them, and not every source allows that they are handed on.\n",
    )
    return text.encode("utf-8", errors="replace")
