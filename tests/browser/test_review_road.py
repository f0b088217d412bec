"""The road of a search librarian: from the exports of a review to its appendix, in at most thirty clicks."""

from __future__ import annotations

import io
import re
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import docx
import pytest

from data.audit.bundle import read_bundle, rebuild
from tests.browser.servers import Server, serving

if TYPE_CHECKING:
    from playwright.sync_api import Locator, Page

    from tests.browser.visitors import Visitors

pytestmark = [pytest.mark.slow]
EXPORTS = ("Dimensions_246", "econlit_3", "envindex_100", "lens_343", "medline_84", "wos_278")
SEARCHES = {  # name, records, publications only there, core publications
    "Dimensions": (246, 20, 21),
    "EconLit (EBSCOhost)": (3, 2, 0),
    "Environment Index (EBSCOhost)": (100, 5, 16),
    "The Lens": (343, 120, 21),
    "MEDLINE (Ovid)": (84, 7, 14),
    "Web of Science": (278, 105, 22),
}
STRING = '(wildfire* OR "forest fire*") AND (review OR meta-analysis)'
MOST_CLICKS = 30
COUNT = "window.__clicks = 0; addEventListener('click', (e) => { window.__clicks += e.isTrusted; }, true);"


@pytest.fixture
def empty(tmp_path: Path) -> Iterator[Server]:
    with serving(tmp_path / "workspace", tmp_path / "log") as server:
        yield server


class Librarian:
    """Clicks, and counts the dialogs of the system that a test skips."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.n_dialogs = 0
        page.evaluate(COUNT)

    @property
    def main(self) -> Locator:
        return self.page.get_by_test_id("stMain")

    @property
    def n_clicks(self) -> int:
        return int(self.page.evaluate("window.__clicks")) + self.n_dialogs

    def press(self, name: str | re.Pattern[str]) -> None:
        self.main.get_by_role("button", name=name).first.click()

    def upload(self, *paths: Path) -> None:
        self.n_dialogs += 1
        self.page.locator("[class*=st-key-files-] input[type=file]").set_input_files(list(paths))

    def download(self, name: str, folder: Path) -> bytes:
        with self.page.expect_download() as found:
            self.press(name)
        found.value.save_as(folder / "file")
        return (folder / "file").read_bytes()


@pytest.mark.collections
def test_from_six_exports_to_an_appendix(
    empty: Server, visitors: Visitors, collections_dir: Path, tmp_path: Path
) -> None:
    from playwright.sync_api import expect

    folder = collections_dir / "citesource_stages"
    person = Librarian(visitors.enter(empty).page)
    page, main = person.page, person.main

    person.press("Import your own files")
    topic = main.get_by_role("combobox", name=re.compile("Topic")).first
    topic.click()
    topic.fill("Wildfire")
    topic.press("Enter")
    expect(main).to_contain_text("New topic.")
    person.upload(*(folder / f"{name}.ris" for name in EXPORTS))
    person.press(re.compile("Import 1,054 records"))
    expect(main).to_contain_text("507 new publications", timeout=120_000)
    person.press("Import core publications")
    expect(main.get_by_role("radio", name="Core publications")).to_be_checked()
    person.upload(folder / "final_24.ris")
    person.press(re.compile("Import 24 records"))
    expect(main).to_contain_text("24 of 24 core publications")

    person.press("Complete the searches")
    expect(main).to_contain_text("259 of 507 publications come from one search only")
    main.get_by_text("Fill in strings, dates and hits from a table").click()
    rows = ["Number\tDate\tHits\tSearch string"]
    rows += [f"{n}\t2024-08-09\t{brought[0]}\t{STRING}" for n, brought in enumerate(SEARCHES.values(), start=1)]
    table = main.get_by_role("textbox", name="Paste from a spreadsheet or document")
    table.click()
    table.fill("\n".join(rows))
    table.press("Control+Enter")
    person.press("Apply 6 changes")
    expect(main).to_contain_text("6 searches changed.")

    person.press("Open the record (PRISMA-S)")
    person.press(re.compile(r"Confirm \d+ prefilled "))
    expect(main).to_contain_text(re.compile("12 of 16 items are answered"))
    for n_answered, item in enumerate(("6 Contacts", "7 Other methods", "11 Prior work", "14 Peer review"), start=13):
        main.get_by_role("button", name=re.compile(item.replace(" ", r"\s+"))).last.click()
        opened = main.locator(f".st-key-audit-open-{item.split()[0]}")  # the one opened before has the same button
        opened.get_by_role("button", name="Not done").click()
        expect(main).to_contain_text(re.compile(f"(All|{n_answered} of) 16 items are answered"))

    person.press("Create report")
    expect(main).to_contain_text("The whole audit")  # the view has a button with the same words
    person.press("Create report")
    expect(main).to_contain_text("Contents (", timeout=120_000)
    word = docx.Document(io.BytesIO(person.download("Word (DOCX)", tmp_path)))
    html = person.download("HTML", tmp_path).decode()
    page.get_by_test_id("stButtonGroup").get_by_text("Bundle", exact=True).click()
    person.press("Create bundle")
    bundle = person.download("Download bundle", tmp_path)
    assert person.n_clicks <= MOST_CLICKS

    cells = [[cell.text for cell in row.cells] for table_ in word.tables for row in table_.rows]
    for name, (n_records, n_unique, n_core) in SEARCHES.items():
        row = next(row for row in cells if row[0] == name and len(row) > 8)
        assert (row[2], row[4], row[5]) == (str(n_records), str(n_unique), str(n_core))
        assert name in html
    assert "Still to be answered" not in html.split("PRISMA 2020: from records to studies")[0]
    rebuilt = rebuild(read_bundle(io.BytesIO(bundle)))
    assert rebuilt.differing == ()
    assert rebuilt.audit.n_found == 507
    assert sum(search.n_records or 0 for search in rebuilt.audit.recorded) == 1_054
