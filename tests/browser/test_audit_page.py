"""The Audit page: a record is answered, a string reviewed and signed, a report and a bundle made and read."""

from __future__ import annotations

import io
import json
import re
import zipfile
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import urlencode

import pytest
from docx import Document as WordDocument
from playwright.sync_api import Locator, Page, expect

from core.audit.press import DOMAINS
from data.demo.loading import DEMO_LANDSCAPE
from data.demo.publications import build_topic, load_topics
from data.explore.workspace import Workspace
from tests.browser.servers import Server, serving
from tests.browser.truth import EMBEDDER, HEAT
from tests.browser.visitors import Visitors
from tests.core.audit.press_strings import FLAWS

pytestmark = pytest.mark.slow
LONG_MS = 240_000
SOON_MS, TRIES = 5_000, 6
OWN = "Reference lists of <b>all</b> included studies were read, *twice* & by $two$ people."
DONE = re.compile(r"^(\d+) of 16 items are answered")


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """The app over one topic of the demo."""
    root = tmp_path_factory.mktemp("audit")
    (words,) = (each for each in load_topics() if each.topic_id == HEAT)
    topic = build_topic(words)
    with Workspace.open(root / "workspace") as workspace:
        workspace.store.save_publications(topic.publications)
        corpus_ids = tuple(publication.publication_id for publication in topic.publications)
        workspace.save_topic(HEAT, topic.core_ids, topic.versions, made_up=True, corpus_ids=corpus_ids)
        workspace.embed(HEAT, EMBEDDER)
        workspace.landscapes.fit(HEAT, workspace.embedding(HEAT, EMBEDDER), DEMO_LANDSCAPE)
    with serving(root / "workspace", root / "log") as server:
        yield server


@pytest.fixture(autouse=True)
def streamlit_looks_for_itself(visitors: Visitors) -> Iterator[None]:
    """Opened by the address of a page, Streamlit asks beneath it where its server is, and takes a 404 for a no."""
    yield
    visitors.watch.errors[:] = [error for error in visitors.watch.errors if "/audit/_stcore/" not in error]


def open_page(visitors: Visitors, server: Server, **link: object) -> Page:
    """A new visitor opens the page by its link."""
    page = visitors.enter(server).page
    page.goto(f"{server.url}/audit?{urlencode({'topic': HEAT, **link}, doseq=True)}")
    expect(page.get_by_role("heading", name="Audit", exact=True)).to_be_visible()
    return page


def view(page: Page, name: str) -> None:
    page.get_by_role("radio", name=name, exact=True).or_(
        page.get_by_role("button", name=name, exact=True)
    ).first.click()


def button(page: Page, key: str) -> Locator:
    """A button by its key: others have its words, too."""
    return page.locator(f".st-key-{key}").get_by_role("button").first


def row(page: Page, number: int) -> Locator:
    return page.locator(f".st-key-audit-row-{number}")


def write(field: Locator, text: str, until: Locator) -> None:
    """The page may be drawn anew while one begins to type: then one types again."""
    for _ in range(TRIES):
        field.fill(text)
        field.press("Tab")
        try:
            expect(until).to_be_visible(timeout=SOON_MS)
            return
        except AssertionError:
            continue
    pytest.fail("the text does not stay in its field")


def n_done(page: Page) -> int:
    found = DONE.search(page.get_by_text(DONE).first.inner_text())
    assert found is not None
    return int(found[1])


def saved(page: Page, at: Locator, folder: Path) -> bytes:
    with page.expect_download() as download:
        at.click()
    path = folder / download.value.suggested_filename
    download.value.save_as(path)
    return path.read_bytes()


def test_an_item_is_confirmed_another_told_in_own_words_and_what_is_typed_stays(
    server: Server, visitors: Visitors
) -> None:
    page = open_page(visitors, server, audit="Record", audit_item="prisma-s:10")
    expect(page.get_by_text(DONE)).to_be_visible()
    before = n_done(page)
    page.get_by_role("textbox", name="Your name").fill("Ada")
    page.get_by_role("button", name=re.compile("Confirm$")).click()
    expect(page.get_by_text(f"{before + 1} of 16 items are answered")).to_be_visible()
    expect(page.get_by_text(re.compile("Answered by Ada on .*: confirmed"))).to_be_visible()
    expect(row(page, 10)).to_contain_text("Answered")

    button(page, "audit-item-5").click()
    words = page.locator(".st-key-audit-open-5").get_by_role("textbox", name="In your own words")
    words.fill(OWN)
    button(page, "audit-item-6").click()
    expect(row(page, 5)).to_contain_text("Unsaved text")
    view(page, "Report")
    expect(page.get_by_role("button", name="Create report")).to_be_visible()
    view(page, "Record")
    button(page, "audit-item-5").click()
    expect(words).to_have_value(OWN)
    page.get_by_role("button", name="Save answer").click()
    expect(page.get_by_text(f"{before + 2} of 16 items are answered")).to_be_visible()
    expect(row(page, 5)).not_to_contain_text("Unsaved text")
    expect(page.get_by_role("paragraph").filter(has_text=OWN).first).to_be_visible()
    assert page.url.count("audit_item=prisma-s%3A5") == 1

    page.get_by_role("button", name="Withdraw").click()
    expect(page.get_by_text(f"{before + 1} of 16 items are answered")).to_be_visible()
    expect(row(page, 5)).not_to_contain_text("Answered")  # drawn after the next steps, which change with it

    next_step = page.locator(".st-key-audit-next").get_by_role("button").last
    title = next_step.inner_text().splitlines()[-1]
    next_step.click()
    opened = page.locator("[class*='st-key-audit-row-']").get_by_role("button", name=title)
    expect(opened).to_be_focused()
    expect(opened).to_be_in_viewport()


def test_a_number_of_the_flow_is_said_and_stands_in_the_picture(server: Server, visitors: Visitors) -> None:
    page = open_page(visitors, server, audit="Record")
    picture = page.get_by_role("img", name=re.compile("Records|records"))
    expect(picture).to_be_visible()
    field = page.get_by_label("Records excluded", exact=True).first
    field.fill("417")
    field.press("Tab")
    expect(page.get_by_alt_text(re.compile("417"))).to_be_visible()
    page.get_by_role("textbox", name="Your name").fill("Ada")
    page.get_by_role("textbox", name="Your name").press("Tab")
    page.wait_for_function("localStorage.getItem('queryscape-name') === 'Ada'")
    page.reload()
    expect(page.get_by_role("textbox", name="Your name")).to_have_value("Ada")
    expect(page.get_by_label("Records excluded", exact=True).first).to_have_value("417")


def test_a_review_is_begun_and_signed_and_its_file_brings_nothing_new(
    server: Server, visitors: Visitors, tmp_path: Path
) -> None:
    page = open_page(visitors, server, audit="Peer review", version="baseline")
    page.get_by_role("textbox", name="Research question").fill("Which street trees cool?")
    page.get_by_role("button", name="Request review").click()
    expect(page.get_by_role("heading", name="Review of version “baseline”")).to_be_visible(timeout=LONG_MS)
    expect(page.get_by_text("Translation of the research question")).to_be_visible()
    expect(page.get_by_text("Evidence from Queryscape")).to_have_count(6)

    for number in range(1, 7):
        page.locator(f".st-key-audit-domain-{number}").get_by_text("No revisions", exact=True).click()
    overall = page.locator(".st-key-audit-domain-overall")
    overall.get_by_text("No revisions", exact=True).click()
    expect(page.get_by_text(re.compile("6 of 6 domains have a verdict · overall: no revisions"))).to_be_visible()
    comments = overall.get_by_role("textbox", name="Overall comments")
    comments.fill("Well made.")
    comments.press("Tab")
    button(page, "audit-sign").click()
    expect(page.get_by_test_id("stAlert").filter(has_text=re.compile("name", re.IGNORECASE))).to_be_visible()
    write(page.get_by_role("textbox", name="Reviewer's name"), "Grace", page.get_by_text("reviewer: Grace"))
    button(page, "audit-sign").click()
    expect(page.get_by_text(re.compile("Signed by Grace on "))).to_be_visible()

    content = saved(page, button(page, "audit-review-out"), tmp_path)
    document = json.loads(content)
    assert "Well made." in json.dumps(document)
    page.get_by_role("button", name="All reviews").click()
    page.locator("[class*=st-key-audit-review-file-] input[type=file]").set_input_files(
        {"name": "back.press.json", "mimeType": "application/json", "buffer": content}
    )
    button(page, "audit-bring").click()
    expect(page.get_by_text("No changes.")).to_be_in_viewport()


THREE_SCREENS = 2_700
HEIGHT = "() => document.querySelector('[data-testid=stMain]').scrollHeight"


def test_an_uploaded_history_full_of_flaws_is_checked_on_three_screens(server: Server, visitors: Visitors) -> None:
    page = open_page(visitors, server, audit="Peer review")
    flaws = [flaw.text for flaw in FLAWS if flaw.dialect == "pubmed"]
    content = "\n".join(f"#{n} {' '.join(text.split())}" for n, text in enumerate(flaws, start=1))
    page.locator("[class*=st-key-audit-check-file-] input[type=file]").set_input_files(
        {"name": "history.txt", "mimeType": "text/plain", "buffer": content.encode()}
    )
    expect(page.get_by_role("heading", name=re.compile(r"^\d+ findings in [3-6] of 6 domains"))).to_be_visible()
    for domain in DOMAINS:
        expect(page.locator(f".st-key-audit-check-{domain.id}").get_by_text(domain.title).first).to_be_visible()
    assert page.evaluate(HEIGHT) <= THREE_SCREENS
    button(page, "audit-check-begin").click()
    expect(page.get_by_role("heading", name="Review of a pasted string")).to_be_visible(timeout=LONG_MS)
    expect(page.get_by_text("Evidence from Queryscape")).to_have_count(6)


QUICK = (
    "() => document.querySelectorAll('[class*=st-key-audit-domain-] label:nth-child(2) input').forEach(e => e.click())"
)


def test_whoever_clicks_faster_than_the_page_answers_loses_nothing(server: Server, visitors: Visitors) -> None:
    page = open_page(visitors, server, audit="Peer review", version="baseline")
    page.get_by_role("button", name="Request review").click()
    expect(page.get_by_role("heading", name="Review of version “baseline”")).to_be_visible(timeout=LONG_MS)
    expect(page.locator(".st-key-audit-domain-overall").get_by_role("radio")).to_have_count(4)
    page.evaluate(QUICK)
    page.get_by_role("button", name="All reviews").click()
    expect(page.get_by_text(re.compile("6 of 6 domains have a verdict · overall: no revisions"))).to_be_visible()

    view(page, "Record")
    fields = [page.get_by_label(name, exact=True).first for name in ("Records excluded", "Records screened")]
    expect(fields[0]).to_be_visible()
    for number, field in enumerate(fields):
        field.fill(str(431 + number))
    view(page, "Bundle")
    expect(page.get_by_role("button", name="Create bundle")).to_be_visible()
    view(page, "Record")
    for number, field in enumerate(fields):
        expect(field).to_have_value(str(431 + number))


def test_the_report_is_made_and_its_files_can_be_read(server: Server, visitors: Visitors, tmp_path: Path) -> None:
    page = open_page(visitors, server, audit="Report")
    page.get_by_role("button", name="Create report").click()
    expect(button(page, "audit-file-html")).to_be_visible(timeout=LONG_MS)
    expect(page.get_by_text(re.compile(r"\d+ tables, \d+ figures · without abstracts"))).to_be_visible()
    page.get_by_text("Include abstracts", exact=True).click()
    view(page, "Record")
    expect(page.get_by_text(DONE)).to_be_visible()
    view(page, "Bundle")
    expect(page.get_by_text("256MB per file")).to_be_visible()
    expect(page.get_by_role("switch").or_(page.get_by_role("checkbox")).first).to_be_checked()
    view(page, "Report")
    expect(page.get_by_text(re.compile(r"\d+ tables, \d+ figures · without abstracts"))).to_be_visible()
    html = saved(page, button(page, "audit-file-html"), tmp_path).decode()
    assert "Full search strategies" in html
    assert "Content-Security-Policy" in html
    word = WordDocument(io.BytesIO(saved(page, button(page, "audit-file-docx"), tmp_path)))
    assert any("Deduplication" in paragraph.text for paragraph in word.paragraphs)
    assert word.tables


def test_a_bundle_comes_out_the_same_and_one_that_was_edited_names_the_file(
    server: Server, visitors: Visitors, tmp_path: Path
) -> None:
    page = open_page(visitors, server, audit="Bundle")
    page.get_by_role("button", name="Create bundle").click()
    expect(button(page, "audit-bundle-file")).to_be_visible(timeout=LONG_MS)
    content = saved(page, button(page, "audit-bundle-file"), tmp_path)
    look_into(page, content)
    expect(page.get_by_text(re.compile(r"No differences: \d+ tables rebuilt byte for byte"))).to_be_visible(
        timeout=LONG_MS
    )
    name, edited = edit(content)
    put_away(page)
    look_into(page, edited)
    expect(page.get_by_test_id("stAlert").filter(has_text=name)).to_be_visible(timeout=LONG_MS)
    put_away(page)
    look_into(page, b"no zip at all")
    expect(page.get_by_test_id("stAlert").filter(has_text=re.compile("zip|bundle"))).to_be_visible(timeout=LONG_MS)


def put_away(page: Page) -> None:
    button(page, "audit-look-away").click()
    expect(button(page, "audit-look-away")).to_have_count(0)


def look_into(page: Page, content: bytes) -> None:
    page.locator("[class*=st-key-audit-bundle] input[type=file]").set_input_files(
        {"name": "sent.zip", "mimeType": "application/zip", "buffer": content}
    )


def edit(content: bytes) -> tuple[str, bytes]:
    """The same with one number of one table changed, and which table that is."""
    out = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(content)) as bundle, zipfile.ZipFile(out, "w") as changed:
        table = next(name for name in bundle.namelist() if name.startswith("tables/"))
        for name in bundle.namelist():
            changed.writestr(name, bundle.read(name) + (b"9\n" if name == table else b""))
    return table, out.getvalue()


def enter_as(visitors: Visitors, server: Server, name: str, item: str) -> Page:
    page = open_page(visitors, server, audit="Record", audit_item=item)
    field = page.get_by_role("textbox", name="Your name")
    field.fill(name)
    field.press("Tab")
    return page


def test_a_change_appears_at_the_other_and_what_is_typed_stays(server: Server, visitors: Visitors) -> None:
    ada = enter_as(visitors, server, "Ada", "prisma-s:5")
    grace = enter_as(visitors, server, "Grace", "prisma-s:7")  # no other test answers it
    expect(ada.get_by_text("Also here: Grace")).to_be_visible()
    expect(grace.get_by_text("Also here: Ada")).to_be_visible()
    words = ada.locator(".st-key-audit-open-5").get_by_role("textbox", name="In your own words")
    words.fill("half a sent")
    grace.get_by_role("button", name=re.compile("Confirm$")).click()
    expect(grace.get_by_text(re.compile("Answered by Grace on .*: confirmed"))).to_be_visible()
    after = grace.get_by_text(DONE).first.inner_text()
    expect(ada.locator("[data-is-outdated=true]")).to_have_count(1)
    expect(ada.get_by_text(after)).to_have_count(0)  # nothing is drawn again while a text is not finished
    expect(words).to_have_value("half a sent")
    words.press("End")
    words.press_sequentially("ence")
    words.blur()
    expect(ada.get_by_text(after)).to_be_visible()
    expect(words).to_have_value("half a sentence")
    grace.close()
    expect(ada.get_by_text("Also here")).to_have_count(0)
