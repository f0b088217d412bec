"""What a source would make of a string: only counts are sent, and several forms have two ends."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest

from core.errors import InputError, OutOfReachError
from core.sources.source_forms import Form, SourceOptions
from data.sources.fetch import preview
from tests.data.tiny_source import FAR, TinySource, record

RECORDS = {str(i): record("heat wave" if i % 2 else "shade", f"10.1/{i}") for i in range(7)}


class Split(TinySource):
    """Sends each alternative as a form of its own."""

    def prepare(self, parsed, choices):
        forms = tuple(Form(i, word) for i, word in enumerate(("heat[ti]", "shade[ti]", "wave[ti]")))
        return replace(super().prepare(parsed, choices), forms=forms)


def test_one_form_is_counted_once_and_nothing_is_fetched() -> None:
    source = TinySource(RECORDS)
    found = preview(source, "heat[ti] AND wave[ti]")
    assert source.asked == ["heat[ti] AND wave[ti]"]
    assert (found.least, found.most_found) == (3, 3)
    assert "finds 3 publications" in found.sentence
    assert found.prepared.is_unchanged
    assert (found.estimate.n_records, found.estimate.n_calls) == (3, 2)
    assert not found.cap.is_capped


def test_several_forms_find_between_the_largest_and_their_sum() -> None:
    source = Split(RECORDS)
    found = preview(source, "heat OR shade OR wave")
    assert source.asked == ["heat[ti]", "shade[ti]", "wave[ti]"]
    assert (found.least, found.most_found) == (4, 10)
    assert "4 to 10 publications" in found.sentence
    assert "in 3 parts" in found.sentence
    assert found.estimate.n_calls == 3 + 3


def test_the_cap_holds_for_each_form_in_the_estimate_and_for_the_union_in_its_effect() -> None:
    found = preview(Split(RECORDS), "heat OR shade OR wave", most=3)
    assert found.estimate.n_records == 9
    assert found.cap.is_capped
    assert (found.cap.share_least, found.cap.share_most) == (0.3, 0.75)


def test_what_the_source_says_is_passed_on_once() -> None:
    found = preview(Split(RECORDS, notes=("Not found: xyz.",)), "heat OR shade OR wave")
    assert found.notes == ("Not found: xyz.",)


def test_a_slow_answer_is_counted_into_the_time() -> None:
    quick, slow = (preview(TinySource(RECORDS, sent=sent), "heat[ti]").estimate for sent in ((), (FAR,)))
    assert (quick.seconds, slow.seconds) == (pytest.approx(0.2), pytest.approx(1.0))


def test_the_price_is_that_of_the_source() -> None:
    source = TinySource(RECORDS)
    source.about = replace(source.about, dollars_per_call=0.001)
    assert preview(source, "heat[ti]").estimate.dollars == pytest.approx(0.002)


def test_nothing_found_is_an_answer() -> None:
    found = preview(TinySource(RECORDS), "zebra[ti]")
    assert (found.least, found.most_found, found.cap.is_capped) == (0, 0, False)
    assert "none are fetched" in found.cap.sentence
    assert "finds 0 publications" in found.sentence


@pytest.mark.parametrize("text", ["", "   ", "Which trees cool a street in summer?"])
def test_what_can_not_be_sent_is_said_before_anything_is_sent(text) -> None:
    source = TinySource(RECORDS)
    with pytest.raises(InputError):
        preview(source, text)
    assert source.asked == []


def test_a_failing_connection_is_passed_on() -> None:
    with pytest.raises(OutOfReachError, match="no connection"):
        preview(TinySource(RECORDS, fails={1: OutOfReachError("no connection")}), "heat[ti]")


def test_the_document_is_whole_and_is_json() -> None:
    found = preview(
        TinySource(RECORDS, sent=(FAR,)), "TI=(heat)", dialect="wos", choices=SourceOptions(stem=False), most=2
    )
    document = json.loads(json.dumps(found.as_document()))
    assert document["sent"] == found.prepared.text
    assert (document["source"], document["dialect"], document["text"]) == ("pubmed", "wos", "TI=(heat)")
    assert document["forms"][0]["total"] == 3
    assert document["forms"][0]["requests"][0]["address"] == FAR.address
    assert document["choices"]["stem"] is False
    assert document["cap"]["is_capped"] is True
    assert document["estimate"]["n_records"] == 2


def test_a_source_that_reads_from_searches_needs_those_too() -> None:
    source = TinySource(RECORDS)
    source.about = replace(source.about, per_search=2)
    count, page = 1, 1
    assert preview(source, "heat[ti]").estimate.n_calls >= count + page + 2
