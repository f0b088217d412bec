"""Every reader of files and answers from outside, with a sample of any length: for laws over all of them."""

from __future__ import annotations

import gzip
import io
import json
import pickle
import zipfile
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.parquet as pq

from core.audit.press_exchange import as_json, read_review
from core.query.parser import parse
from core.query.translation import looks_like_document, read_documents
from core.query.tree import DialectId
from dashboard.kit.search_strings import text_of
from data.audit.bundle import read_bundle
from data.audit.house_style import open_reference
from data.config import read_toml
from data.importers.collection_files import pasted_queries, read_collection
from data.importers.collection_files import read_documents as read_collection_documents
from data.importers.reading import read_data
from data.importers.source import ReadOptions
from data.judge.fields import read_results
from data.judge.rubric import read_rubric
from data.knowledge.load_values import LoaderOmissions, shelf_at
from data.knowledge.loaders import plain_layout, read_openalex, read_plain
from data.knowledge.pickles import read_pickle, read_tensor
from data.knowledge.stark import read_stark
from data.library.litqeval import read_list, read_queries, read_workbook
from data.library.reproduction import read_points
from data.library.retractions import read_retractions
from data.query.mesh import read_mesh
from data.sources import pubmed
from data.vectors import load_vectors
from tests import bundle_cases
from tests.data.stark_files import tensor_bytes

Read = Callable[[bytes, Path], object]
TITLES = ["title", "abstract", "year", "doi"]


@dataclass(frozen=True, slots=True)
class FileReader:
    name: str
    read: Read
    """Reads bytes; the folder is for readers of paths."""
    sample: Callable[[int], bytes]
    """A valid file of so many records."""
    unit: int = 200
    """Number of records of the smallest file whose time is measured."""


def _imported(data: bytes, folder: Path) -> object:
    return read_data(data, "list.csv", asked=ReadOptions(titles=True))


def _at(name: str, read: Callable[[Path], object]) -> Read:
    def reading(data: bytes, folder: Path) -> object:
        path = folder / name
        path.write_bytes(data)
        return read(path)

    return reading


def _of_text(read: Callable[[str], object]) -> Read:
    return lambda data, folder: read(text_of(data, "search.txt"))


def _lines(head: str, line: Callable[[int], str], foot: str = "") -> Callable[[int], bytes]:
    return lambda n: (head + "".join(map(line, range(1, n + 1))) + foot).encode()


def _title(i: int) -> str:
    return f"Urban heat and trees in city number {i}"


def _json_list(
    item: Callable[[int], object], around: Callable[[list[object]], object] = lambda items: items
) -> Callable[[int], bytes]:
    return lambda n: json.dumps(around([item(i) for i in range(1, n + 1)])).encode()


def zipped(files: Iterable[tuple[str, bytes | str]]) -> bytes:
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in files:
            archive.writestr(name, content)
    return file.getvalue()


# Workbooks, written part by part so that anything can be wrong with one.

_PACKAGE = "http://schemas.openxmlformats.org/package/2006"
_OFFICE = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
_MAIN = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
SHEET = "xl/worksheets/sheet1.xml"


def cell(reference: str, text: str) -> str:
    return f'<c r="{reference}" t="inlineStr"><is><t>{text}</t></is></c>'


def sheet(rows: str) -> str:
    return f'<worksheet xmlns="{_MAIN}"><sheetData>{rows}</sheetData></worksheet>'


def workbook_parts(rows: str) -> dict[str, bytes | str]:
    """The parts of a workbook with one sheet."""
    relation = '<Relationship Id="r1" Type="{0}/{1}" Target="{2}"/>'
    relations = f'<Relationships xmlns="{_PACKAGE}/relationships">{relation}</Relationships>'
    return {
        "_rels/.rels": relations.format(_OFFICE, "officeDocument", "xl/workbook.xml"),
        "xl/workbook.xml": f'<workbook xmlns="{_MAIN}" xmlns:r="{_OFFICE}"><sheets><sheet name="S" sheetId="1" '
        'r:id="r1"/></sheets></workbook>',
        "xl/_rels/workbook.xml.rels": relations.format(_OFFICE, "worksheet", "worksheets/sheet1.xml"),
        SHEET: sheet(rows),
    }


def row(number: int, *cells: str) -> str:
    columns = "ABCDEFG"
    return f'<row r="{number}">{"".join(cell(f"{columns[i]}{number}", text) for i, text in enumerate(cells))}</row>'


def workbook_rows(n: int) -> str:
    return row(1, "id", *TITLES, "Topic", "Pub_id") + "".join(
        row(i + 1, f"p{i}", _title(i), "It was hot.", "2019", f"10.1000/{i}", "Heat", f"pub.{i}") for i in range(1, n)
    )


def _workbook(n: int) -> bytes:
    return zipped(workbook_parts(workbook_rows(n)).items())


def _npz(**arrays: npt.NDArray[Any]) -> bytes:
    file = io.BytesIO()
    np.savez(file, **arrays)
    return file.getvalue()


def _ids(n: int) -> npt.NDArray[Any]:
    return np.array([f"p{i}" for i in range(n)])


def _parquet(n: int) -> bytes:
    file = io.BytesIO()
    pq.write_table(pa.table({"title": [_title(i) for i in range(n)], "year": [2019] * n}), file)
    return file.getvalue()


def stark_files(n: int) -> dict[str, bytes]:
    none = np.zeros((2, 0), dtype=np.int64)
    return {
        "node_info.pkl": pickle.dumps({i: {"name": f"gene {i}"} for i in range(n)}),
        "node_types.pt": tensor_bytes(np.zeros(n, dtype=np.int64)),
        "edge_index.pt": tensor_bytes(none),
        "edge_types.pt": tensor_bytes(none[0]),
        "node_type_dict.pkl": pickle.dumps({0: "gene"}),
        "edge_type_dict.pkl": pickle.dumps({0: "ppi"}),
    }


def _stark(data: bytes, folder: Path) -> object:
    path = folder / "processed.zip"
    path.write_bytes(data)
    return list(read_stark(shelf_at(path), []).entities)


def _plain_base(data: bytes, folder: Path) -> object:
    (folder / "entities.csv").write_bytes(data)
    (folder / "relations.csv").write_text("source,type,target\n1,cites,2\n", "utf-8")
    layout = plain_layout(folder)
    notes: list[str] = []
    return None if layout is None else list(read_plain(layout, LoaderOmissions(notes), notes).entities)


def _works(data: bytes, folder: Path) -> object:
    path, notes = folder / "works.json", list[str]()
    path.write_bytes(data)
    return list(read_openalex([path], folder, LoaderOmissions(notes), notes).entities)


@cache
def _bundle() -> bytes:
    return bundle_cases.bundle_bytes(bundle_cases.facts(2, n=40, n_core=8))


@cache
def _word() -> bytes:
    import docx

    file = io.BytesIO()
    docx.Document().save(file)
    return file.getvalue()


def _article(i: int) -> str:
    return (
        f"<PubmedArticle><MedlineCitation><PMID>{i}</PMID><Article><ArticleTitle>{_title(i)}</ArticleTitle>"
        "</Article></MedlineCitation></PubmedArticle>"
    )


_RIS = _lines(
    "", lambda i: f"TY  - JOUR\nTI  - {_title(i)}\nAU  - Kho, Lena\nPY  - 2019\nDO  - 10.1000/{i}\nER  - \n\n"
)
_PUBMED = _lines('<?xml version="1.0"?>\n<PubmedArticleSet>\n', lambda i: _article(i) + "\n", "</PubmedArticleSet>")
_CSV = _lines("id,title,abstract,year\n", lambda i: f'p{i},"{_title(i)}","It was, as ever, hot.",2019\n')

IMPORTED: dict[str, Callable[[int], bytes]] = {
    "ris": _RIS,
    "medline": _lines("", lambda i: f"PMID- {i}\nTI  - {_title(i)}\nAB  - It was\n      hot.\nDP  - 2019\n\n"),
    "wos": _lines(
        "FN Thomson\nVR 1.0\n", lambda i: f"PT J\nTI {_title(i)}\nAU Kho, L\n   Ames, R\nPY 2019\nER\n\n", "EF\n"
    ),
    "endnote": _lines("", lambda i: f"%0 Journal Article\n%T {_title(i)}\n%A Kho, Lena\n%D 2019\n\n"),
    "proquest": _lines(
        "",
        lambda i: f"____________________\n\nTitle: {_title(i)}\n\nAbstract: It was hot.\n\nPublication year: 2019\n\n",
    ),
    "smart": _lines("", lambda i: f".I {i}\n.T\n{_title(i)}\n.A\nKho, L.\n.W\nIt was hot.\n"),
    "bibtex": _lines(
        "", lambda i: f"@article{{k{i},\n title = {{{_title(i)}}},\n year = 2019,\n author = {{Kho, L}}\n}}\n"
    ),
    "pubmed xml": _PUBMED,
    "endnote xml": _lines(
        "<xml><records>",
        lambda i: f"<record><titles><title>{_title(i)}</title></titles><dates><year>2019</year></dates></record>\n",
        "</records></xml>",
    ),
    "csv": _CSV,
    "tsv": _lines("id\ttitle\tyear\n", lambda i: f"p{i}\t{_title(i)}\t2019\n"),
    "csl json": _json_list(
        lambda i: {"id": f"k{i}", "type": "article-journal", "title": _title(i), "DOI": f"10.1000/{i}"}
    ),
    "openalex json": _json_list(
        lambda i: {"id": f"https://openalex.org/W{i}", "title": _title(i), "publication_year": 2019},
        lambda items: {"meta": {"count": len(items)}, "results": items},
    ),
    "crossref json": _json_list(
        lambda i: {"DOI": f"10.1000/{i}", "title": [_title(i)], "type": "journal-article"},
        lambda items: {"status": "ok", "message-type": "work-list", "message": {"items": items}},
    ),
    "json lines": _lines("", lambda i: json.dumps({"title": _title(i), "year": 2019}) + "\n"),
    "identifiers": _lines("", lambda i: f"10.1000/abc.{i}\n"),
    "titles": _lines("", lambda i: f"{_title(i)}\n"),
    "trec run": _lines("", lambda i: f"q{i % 7} Q0 d{i} {i} {1 / i} mine\n"),
    "trec qrels": _lines("", lambda i: f"q{i % 7} 0 d{i} 1\n"),
    "trec documents": _lines("", lambda i: f"<DOC>\n<DOCNO>d{i}</DOCNO>\n<TITLE>{_title(i)}</TITLE>\n</DOC>\n"),
    "xlsx": _workbook,
    "parquet": _parquet,
}
"""Bibliographies, recognised by their content."""


def _collection(name: str) -> Read:
    return _at(name, read_collection)


def _strings(dialect: DialectId) -> FileReader:
    return FileReader(
        f"search string: {dialect}",
        _of_text(lambda text: parse(text, dialect)),
        _lines("(", lambda i: f'"urban heat {i}" OR tree* OR ', "city) AND (heat OR shade)"),
        30,
    )


READERS: tuple[FileReader, ...] = (
    *(FileReader(name, _imported, sample) for name, sample in IMPORTED.items()),
    FileReader(
        "own queries",
        _at("own.csv", read_collection),
        _lines("id,query,relevant\n", lambda i: f'q{i},{_title(i)},"p1;p2"\n'),
    ),
    FileReader("pasted queries", _of_text(pasted_queries), _lines("", lambda i: f"{_title(i)}\n")),
    FileReader(
        "beir queries",
        _collection("queries.jsonl"),
        _lines("", lambda i: f'{{"_id": "q{i}", "text": "{_title(i)}"}}\n'),
    ),
    FileReader(
        "beir documents",
        _at("corpus.jsonl", read_collection_documents),
        _lines("", lambda i: f'{{"_id": "d{i}", "title": "{_title(i)}", "text": "Hot."}}\n'),
    ),
    FileReader(
        "trec topics",
        _collection("topics.trec"),
        _lines("", lambda i: f"<top>\n<num> Number: {i}\n<title> {_title(i)}\n</top>\n"),
    ),
    FileReader(
        "stark queries", _collection("qa.csv"), _lines("id,query,answer_ids\n", lambda i: f'{i},{_title(i)},"[1, 2]"\n')
    ),
    FileReader("stark", _stark, lambda n: zipped(stark_files(n).items())),
    FileReader(
        "pickle",
        lambda data, folder: read_pickle(io.BytesIO(data), len(data), "node_info.pkl"),
        lambda n: stark_files(n)["node_info.pkl"],
    ),
    FileReader(
        "tensor",
        lambda data, folder: read_tensor(io.BytesIO(data), "node_types.pt"),
        lambda n: tensor_bytes(np.arange(n * 10, dtype=np.int64)),
    ),
    FileReader("plain knowledge base", _plain_base, _lines("id,type,title\n", lambda i: f"{i},paper,{_title(i)}\n")),
    FileReader("openalex works", _works, IMPORTED["openalex json"]),
    FileReader(
        "vectors",
        _at("v.npz", lambda path: load_vectors(path, "own")),
        lambda n: _npz(ids=_ids(n), vectors=np.arange(1, n * 8 + 1, dtype=np.float32).reshape(n, 8)),
    ),
    FileReader(
        "points",
        _at("p.npz", lambda path: read_points(path, "Heat", "baseline")),
        lambda n: _npz(ids=_ids(n), points=np.arange(n * 2, dtype=np.float64).reshape(n, 2)),
    ),
    FileReader("bundle", lambda data, folder: read_bundle(io.BytesIO(data), name="search.zip"), lambda n: _bundle()),
    FileReader("word document", lambda data, folder: open_reference(data), lambda n: _word()),
    FileReader(
        "litqeval workbook",
        _at("core.xlsx", lambda path: read_workbook(path, "core.xlsx", ("Topic",), ("Title",))),
        _workbook,
    ),
    FileReader("litqeval list", _at("list.csv", lambda path: read_list(path, "list.csv")), _CSV),
    FileReader(
        "litqeval queries",
        _at("queries.json", lambda path: read_queries(path, "queries.json")),
        _json_list(lambda i: {"baseline": _title(i)}),
    ),
    FileReader(
        "retractions",
        _at("retractions.csv", read_retractions),
        _lines(
            "RetractionNature,OriginalPaperDOI,OriginalPaperPubMedID,RetractionDate,Reason\n",
            lambda i: f"Retraction,10.1000/{i},{i},1/1/2020 0:00,+Error\n",
        ),
    ),
    FileReader("mesh tree", _at("mtrees2025.bin", read_mesh), _lines("", lambda i: f"Heading {i};C01.{i:03}\n")),
    FileReader(
        "mesh ascii",
        _at("d2025.bin", read_mesh),
        _lines("", lambda i: f"*NEWRECORD\nRECTYPE = D\nMH = H {i}\nMN = C01.{i:03}\nUI = D{i}\n"),
    ),
    FileReader(
        "mesh xml",
        _at("desc2025.xml", read_mesh),
        _lines(
            '<?xml version="1.0"?>\n<DescriptorRecordSet>',
            lambda i: (
                f"<DescriptorRecord><DescriptorName><String>H {i}</String></DescriptorName><TreeNumberList>"
                f"<TreeNumber>C01.{i:03}</TreeNumber></TreeNumberList></DescriptorRecord>\n"
            ),
            "</DescriptorRecordSet>",
        ),
    ),
    FileReader(
        "mesh packed",
        _at("mtrees2025.bin.gz", read_mesh),
        lambda n: gzip.compress(_lines("", lambda i: f"Heading {i};C01.{i:03}\n")(n), mtime=0),
    ),
    FileReader("pubmed records", lambda data, folder: pubmed.read_records(data), _PUBMED),
    FileReader(
        "pubmed search",
        lambda data, folder: pubmed.read_search(data),
        _json_list(str, lambda items: {"esearchresult": {"count": str(len(items)), "retmax": "9", "idlist": items}}),
    ),
    FileReader(
        "config", _at("config.toml", read_toml), _lines("", lambda i: f'[section{i}]\nkey = "value"\nlist = [1, 2]\n')
    ),
    FileReader(
        "rubric",
        _of_text(read_rubric),
        lambda n: Path("data/judge/rubrics/query-publication-relevance.toml").read_bytes(),
    ),
    FileReader("review", lambda data, folder: read_review(data), lambda n: as_json(bundle_cases.review()).encode()),
    FileReader(
        "results for a judge",
        lambda data, folder: read_results(data, "results.csv"),
        _lines("query,title,abstract,year\n", lambda i: f"heat,{_title(i)},It was hot.,2019\n"),
    ),
    FileReader(
        "search document",
        _of_text(lambda text: read_documents(text) if looks_like_document(text) else parse(text)),
        _json_list(lambda i: {"search_string": f"heat AND tree{i}", "platform": "PubMed"}),
        20,
    ),
    *map(_strings, ("pubmed", "ovid", "embase", "scopus", "wos", "ebsco")),
    FileReader(
        "search history", _of_text(parse), _lines("", lambda i: f"{i}. exp Heat/ or tree{i}.ti,ab. ({i * 7})\n", ""), 20
    ),
)
