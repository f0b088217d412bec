"""Files that mean harm: each is made here in a few lines, with the reader that it is for."""

from __future__ import annotations

import gzip
import io
import json
import os
import pickle
import stat
import struct
import warnings
import zipfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from tests import bundle_cases
from tests.data.readers import (
    IMPORTED,
    READERS,
    SHEET,
    FileReader,
    cell,
    row,
    sheet,
    stark_files,
    workbook_parts,
    workbook_rows,
    zipped,
)
from tests.data.stark_files import tensor_bytes

BY_NAME = {reader.name: reader for reader in READERS}
MB = 1_000_000


@dataclass(frozen=True, slots=True)
class Attack:
    name: str
    reader: FileReader
    make: Callable[[], bytes]
    refused: bool = True
    """False: it does no harm, and may be read."""

    @property
    def label(self) -> str:
        return f"{self.reader.name}: {self.name}"


def _same(data: bytes) -> Callable[[], bytes]:
    return lambda: data


# Zip archives. The same attacks on every reader that opens one.

Parts = dict[str, bytes | str]


def _archive(parts: Parts, *extra: tuple[zipfile.ZipInfo | str, bytes], method: int = zipfile.ZIP_DEFLATED) -> bytes:
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", method, compresslevel=1) as archive, warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for name, content in [*parts.items(), *extra]:
            archive.writestr(name, content)
    return file.getvalue()


def _info(name: str, **fields: Any) -> zipfile.ZipInfo:
    info = zipfile.ZipInfo("placeholder")
    info.filename = info.orig_filename = name
    info.compress_type = zipfile.ZIP_DEFLATED
    for field, value in fields.items():
        setattr(info, field, value)
    return info


def _changed_directory(data: bytes, field: int, form: str, value: int, which: int = -1) -> bytes:
    """The archive with one number of an entry in its list of files changed."""
    places = [i for i in range(len(data)) if data.startswith(b"PK\x01\x02", i)]
    changed = bytearray(data)
    struct.pack_into(form, changed, places[which] + field, value)
    return bytes(changed)


def _lie(parts: Parts, size: int) -> bytes:
    """An archive whose last file states another size than it has, in both places."""
    data = bytearray(_archive(parts, ("zz/last.xml", b"x" * 5_000)))
    for mark, offset in ((b"PK\x01\x02", 24), (b"PK\x03\x04", 22)):
        struct.pack_into("<I", data, bytes(data).rfind(mark) + offset, size)
    return bytes(data)


def _overlapping(parts: Parts) -> bytes:
    """Many names for the same bytes, as in the bombs that unpack to terabytes without recursion."""
    data = _archive(parts, ("kernel", b"0" * 100_000))
    end = data.rfind(b"PK\x05\x06")
    (start,) = struct.unpack_from("<I", data, end + 16)
    directory = data[start:end]
    entry = directory[directory.rfind(b"PK\x01\x02") :]
    copies = b"".join(entry.replace(b"kernel", f"k{i:05}".encode()) for i in range(2_000))
    n = struct.unpack_from("<H", data, end + 10)[0] + 2_000
    tail = bytearray(data[end:])
    struct.pack_into("<HHII", tail, 8, n, n, len(directory + copies), start)
    return data[:start] + directory + copies + bytes(tail)


def _with_symlink(parts: Parts) -> bytes:
    link = _info("link", create_system=3, external_attr=(stat.S_IFLNK | 0o777) << 16)
    return _archive(parts, (link, b"/etc/passwd"))


def _zip64_lie(parts: Parts) -> bytes:
    extra = struct.pack("<HHQ", 1, 8, 1 << 50)
    data = _archive(parts, (_info("zz.xml", extra=extra), b"x"))
    return _changed_directory(data, 24, "<I", 0xFFFFFFFF)


_ZIP: dict[str, Callable[[Parts], bytes]] = {
    "a bomb of zeros": lambda parts: _archive(parts, ("zeros.xml", bytes(101 * MB))),
    "zips in a zip": lambda parts: _archive(
        parts, ("a.zip", _archive({"b.zip": _archive({"zeros": bytes(MB)})})), ("zeros.xml", bytes(101 * MB))
    ),
    "files that overlap": _overlapping,
    "a path upwards": lambda parts: _archive(parts, (_info("../../outside"), b"x")),
    "an absolute path": lambda parts: _archive(parts, (_info("/etc/passwd"), b"x")),
    "a drive": lambda parts: _archive(parts, (_info("C:/x"), b"x")),
    "a backslash": lambda parts: _archive(parts, (_info("a\\..\\b"), b"x")),
    "a NUL in a name": lambda parts: _archive(parts, (_info("a.xml\x00.exe"), b"x")),
    "a device": lambda parts: _archive(parts, (_info("xl/aux.xml"), b"x")),
    "a line end in a name": lambda parts: _archive(parts, (_info("a\nb"), b"x")),
    "a link": _with_symlink,
    "a name twice": lambda parts: _archive(parts, (next(iter(parts)), b"other")),
    "an encrypted file": lambda parts: _changed_directory(_archive(parts, ("z", b"x")), 8, "<H", 1),
    "a compression of its own": lambda parts: _changed_directory(_archive(parts, ("z", b"x")), 10, "<H", 99),
    "too many files": lambda parts: _archive(
        parts, *((f"f/{i}", b"") for i in range(20_001)), method=zipfile.ZIP_STORED
    ),
    "a place behind the end": lambda parts: _changed_directory(_archive(parts), 42, "<I", 0x7FFFFFFF),
    "a compressed size that is a lie": lambda parts: _changed_directory(_archive(parts), 20, "<I", 0x7FFFFFF0),
    "a size of zip64 that is a lie": _zip64_lie,
    "no list of files": lambda parts: _archive(parts)[:-30],
    "only an end": lambda parts: b"PK\x05\x06" + bytes(18),
    "a folder a thousand deep": lambda parts: _archive(parts, ("a/" * 1_000 + "b", b"x")),
}
"""Attacks that are seen in the list of files, whatever the archive holds."""


def _npz_parts() -> Parts:
    file = io.BytesIO()
    np.save(file, np.array(["a", "b"]))
    vectors = io.BytesIO()
    np.save(vectors, np.ones((2, 4), dtype=np.float32))
    return {"ids.npy": file.getvalue(), "vectors.npy": vectors.getvalue(), "points.npy": vectors.getvalue()}


def _word_parts() -> Parts:
    with zipfile.ZipFile(io.BytesIO(BY_NAME["word document"].sample(1))) as archive:
        return {name: archive.read(name) for name in archive.namelist()}


def _bundle_parts() -> Parts:
    return dict(bundle_cases.members(BY_NAME["bundle"].sample(1)))


def _tensor_parts() -> Parts:
    with zipfile.ZipFile(io.BytesIO(tensor_bytes(np.arange(4)))) as archive:
        return {name: archive.read(name) for name in archive.namelist()}


_HOLDERS: dict[str, Callable[[], Parts]] = {
    "xlsx": lambda: workbook_parts(workbook_rows(3)),
    "litqeval workbook": lambda: workbook_parts(workbook_rows(3)),
    "vectors": _npz_parts,
    "bundle": _bundle_parts,
    "word document": _word_parts,
    "stark": lambda: dict(stark_files(2)),
    "tensor": _tensor_parts,
}
_ALL_ZIP = ("xlsx", "vectors", "bundle", "word document", "stark")
"""Readers that get every attack on archives; the others get those of `_SOME`."""
_SOME = (
    "a bomb of zeros",
    "files that overlap",
    "a path upwards",
    "a name twice",
    "an encrypted file",
    "no list of files",
)


_HEAVY = ("a bomb of zeros", "zips in a zip", "too many files")
_HEAVY_FOR = ("xlsx", "word document")
"""Attacks that take long to make are tried on few readers."""


def _zips() -> Iterator[Attack]:
    for name, parts in _HOLDERS.items():
        for attack, make in _ZIP.items():
            if (name in _ALL_ZIP or attack in _SOME) and (name in _HEAVY_FOR or attack not in _HEAVY):
                yield Attack(f"zip with {attack}", BY_NAME[name], lambda make=make, parts=parts: make(parts()))  # type: ignore[misc]


# XML, alone and in workbooks.

_LAUGHS = "".join(f'<!ENTITY l{i} "{f"&l{i - 1};" * 10}">' if i else '<!ENTITY l0 "lol">' for i in range(10))
_DTDS = {
    "a billion laughs": f"<!DOCTYPE x [{_LAUGHS}]>",
    "one long entity": f'<!DOCTYPE x [<!ENTITY l9 "{"a" * 50_000}">]>',
    "a file from outside": '<!DOCTYPE x [<!ENTITY l9 SYSTEM "file:///etc/passwd">]>',
    "an address from outside": '<!DOCTYPE x [<!ENTITY l9 SYSTEM "http://127.0.0.1:1/x">]>',
    "parameter entities": '<!DOCTYPE x [<!ENTITY % a SYSTEM "file:///etc/hostname"><!ENTITY l9 "%a;">]>',
    "a document type after a long comment": f"<!--{'x' * 100_000}-->\n<!DOCTYPE x [{_LAUGHS}]>",
    "a document type after many instructions": "<?a b?>" * 20_000 + f"<!DOCTYPE x [{_LAUGHS}]>",
}


def _sheet_of(text: str, encoding: str = "utf-8", head: str = "") -> Callable[[], bytes]:
    return lambda: zipped({**workbook_parts(""), SHEET: (head + text).encode(encoding)}.items())


def _xml() -> Iterator[Attack]:
    laugh = sheet(row(1, "id", "title") + row(2, "1", "&l9;" * 50))
    for name, dtd in _DTDS.items():
        yield Attack(f"sheet with {name}", BY_NAME["xlsx"], _sheet_of(laugh, head=dtd))
        for reader, name_of_root in (("pubmed xml", "PubmedArticleSet"), ("endnote xml", "xml"), ("mesh xml", "x")):
            body = BY_NAME[reader].sample(2).decode()
            body = body[body.index("<", 5 if body.startswith("<?") else 0) :].replace("number 1<", "number &l9;<", 1)
            data = (dtd.replace("DOCTYPE x", f"DOCTYPE {name_of_root}") + body).encode()
            yield Attack(f"XML with {name}", BY_NAME[reader], _same(data))
        body = BY_NAME["pubmed records"].sample(2).decode().partition("\n")[2]
        yield Attack(f"answer with {name}", BY_NAME["pubmed records"], _same((dtd + body).encode()))
    wide = '<?xml version="1.0" encoding="utf-16"?>' + _DTDS["a billion laughs"]
    seven = '<?xml version="1.0" encoding="utf-7"?>+ADw-!DOCTYPE x+AD4-'
    xlsx, body = BY_NAME["xlsx"], sheet(row(1, "id", "title") + row(2, "1", "Soup"))
    mesh = BY_NAME["mesh xml"].sample(2).decode().partition("\n")[2]
    yield Attack("sheet in UTF-16 with entities", xlsx, _sheet_of(laugh, "utf-16", wide))
    yield Attack("sheet in UTF-7", xlsx, _sheet_of(body, head=seven))
    yield Attack("MeSH in UTF-16 with entities", BY_NAME["mesh xml"], lambda: (wide + mesh).encode("utf-16"))
    yield Attack(
        "an entity across two blocks",
        BY_NAME["mesh xml"],
        lambda: (
            "<?xml version='1.0'?><!--".ljust((1 << 20) - 30, "x") + "--><!DOCTYPE x [" + _LAUGHS + "]>" + mesh
        ).encode(),
    )
    yield Attack("deep nesting in a sheet", xlsx, _sheet_of(sheet("<a>" * 100_000 + "</a>" * 100_000)))
    yield Attack("a tag without an end", xlsx, _sheet_of("<worksheet " + "a" * 20 * MB))
    yield Attack("an attribute of 20 MB", xlsx, _sheet_of(f'<worksheet a="{"x" * 20 * MB}"></worksheet>'))
    yield Attack("100,000 attributes", xlsx, _sheet_of(f"<worksheet {' '.join(f'a{i}=1' for i in range(100_000))}/>"))
    yield Attack("an attribute twice", xlsx, _sheet_of(f'<worksheet a="1" a="2">{body}</worksheet>'))
    yield Attack("two roots", xlsx, _sheet_of(body + body))
    yield Attack("a part that is empty", xlsx, _sheet_of(""))
    for reader in ("pubmed xml", "endnote xml", "pubmed records", "mesh xml"):
        head, _, tail = (
            BY_NAME[reader]
            .sample(1)
            .decode()
            .partition("Title>" if "pubmed" in reader else "String>" if "mesh" in reader else "<title>")
        )
        deep = (head + "<b>" * 60_000 + tail).encode()
        yield Attack("XML that is nested deep", BY_NAME[reader], _same(deep), refused=False)


# Workbooks


def _book(rows: str, **changed: bytes | str) -> Callable[[], bytes]:
    return lambda: zipped({**workbook_parts(rows), **changed}.items())


def _workbooks() -> Iterator[Attack]:
    xlsx = BY_NAME["xlsx"]
    head = row(1, "id", "title")
    shared = f"<sst>{'<si><t>x</t></si>' * 7_000_000}</sst>"
    bomb = {"xl/sharedStrings.xml": shared}
    yield Attack("a bomb of shared texts", xlsx, lambda: _book(head, **bomb)())
    yield Attack("a bomb of rows", xlsx, lambda: _book(head + '<row><c t="b"><v>1</v></c></row>' * 4_000_000)())
    yield Attack("a text that is not there", xlsx, _book('<row r="1"><c r="A1" t="s"><v>7</v></c></row>'))
    yield Attack("a text before the first", xlsx, _book('<row r="1"><c r="A1" t="s"><v>-1</v></c></row>'))
    yield Attack("a row behind the last", xlsx, _book(head + row(1_048_577, "1", "Soup")))
    yield Attack("a row with a number without end", xlsx, _book(head + f'<row r="{"9" * 10_000}"/>'))
    yield Attack("a column behind the last", xlsx, _book(f'<row r="1">{cell("XFE1", "x")}</row>'))
    yield Attack("a cell without a column", xlsx, _book(f'<row r="1">{cell("11", "x")}</row>'))
    yield Attack("no sheet", xlsx, lambda: zipped([*workbook_parts(head).items()][:3]))
    yield Attack("sheets that are elsewhere", xlsx, _book(head, **_relations("../../../etc/passwd")))
    yield Attack("a sheet at an address", xlsx, _book(head, **_relations('http://127.0.0.1/x" TargetMode="External')))
    yield Attack("a sheet that is the workbook", xlsx, _book(head, **_relations("workbook.xml")))
    sparse = row(1, "id", "title") + row(1_048_576, "1", "Soup")
    yield Attack("a row at the very end", xlsx, _book(sparse), refused=False)
    far = head + "".join(
        f'<row r="{i}">{cell(f"A{i}", str(i))}{cell(f"B{i}", f"T{i}")}{cell(f"XFD{i}", "x")}</row>'
        for i in range(2, 500)
    )
    yield Attack("cells at both ends of every row", xlsx, _book(far), refused=False)
    dde = head + '<row r="2"><c r="A2"><v>1</v></c><c r="B2" t="str"><f>cmd|\'/c calc\'!A1</f></c></row>'
    yield Attack("a formula that starts a program", xlsx, _book(dde), refused=False)
    huge = head + f'<row r="2"><c r="A2"><v>{"9" * 100_000}</v></c><c r="B2"><v>1e999999</v></c></row>'
    yield Attack("numbers without end", xlsx, _book(huge), refused=False)
    one = '<f t="shared" si="0">' + "A1+" * 2_000 + "1</f>"
    many = "".join(f'<row r="{i}"><c r="A{i}"><f t="shared" si="0"/></c></row>' for i in range(3, 5_000))
    yield Attack(
        "a shared formula for all", xlsx, _book(head + f'<row r="2"><c r="A2">{one}</c></row>' + many), refused=False
    )


def _relations(target: str) -> dict[str, str]:
    name = "xl/_rels/workbook.xml.rels"
    return {name: str(workbook_parts("")[name]).replace("worksheets/sheet1.xml", target)}


# Arrays


def _npy(head: str, content: bytes = b"") -> bytes:
    text = head.encode() + b" " * (-(len(head) + 11) % 64) + b"\n"
    return b"\x93NUMPY\x01\x00" + struct.pack("<H", len(text)) + text + content


def _arrays() -> Iterator[Attack]:
    head = "{{'descr': '{}', 'fortran_order': False, 'shape': {}, }}"
    calls = pickle.dumps(np.array([_Calls()], dtype=object), protocol=2)
    members = {
        "objects": _npy(head.format("|O", "(1,)"), calls),
        "a shape of petabytes": _npy(head.format("<f4", "(1000000000000, 1000)")),
        "a shape that overflows": _npy(head.format("<f4", "(4294967296, 4294967296)")),
        "no rows and endless columns": _npy(head.format("<f4", "(0, 10000000000000)")),
        "a negative shape": _npy(head.format("<f4", "(-1, 4)"), bytes(16)),
        "a shape that is a text": _npy(head.format("<f4", "'x'")),
        "64 dimensions": _npy(head.format("<f4", f"({'1, ' * 64})"), bytes(4)),
        "fewer bytes than its shape": _npy(head.format("<f4", "(2, 4)"), bytes(10)),
        "more bytes than its shape": _npy(head.format("<f4", "(2, 4)"), bytes(1_000)),
        "a type of its own": _npy(head.format("<q99", "(1,)")),
        "a type with fields": _npy("{'descr': [('a', '<f4')], 'fortran_order': False, 'shape': (1,), }", bytes(4)),
        "texts of 2 GB each": _npy(head.format("<U536870911", "(1,)")),
        "a header that is code": _npy("__import__('os').system('x')"),
        "a header nested deep": _npy("(" * 5_000 + ")" * 5_000),
        "a header without end": b"\x93NUMPY\x02\x00\xff\xff\xff\xff" + b" " * 100,
        "a later version": b"\x93NUMPY\x09\x00" + bytes(100),
        "no header": b"hello",
        "dates": _npy(head.format("<M8[s]", "(2,)"), bytes(16)),
    }
    for name, content in members.items():
        for reader, array in (("vectors", "vectors"), ("points", "points"), ("vectors", "ids")):
            if array == "ids" and name not in ("objects", "texts of 2 GB each", "a negative shape"):
                continue
            parts = {**_npz_parts(), f"{array}.npy": content}
            yield Attack(f"{array} with {name}", BY_NAME[reader], lambda parts=parts: _archive(parts))  # type: ignore[misc]
    changed = bytearray(_archive(_npz_parts(), method=zipfile.ZIP_STORED))
    changed[bytes(changed).find(b"vectors.npy") + 150] ^= 1
    yield Attack("a flipped bit", BY_NAME["vectors"], lambda: bytes(changed))
    yield Attack("one array", BY_NAME["vectors"], lambda: bytes(_npz_parts()["vectors.npy"]))  # type: ignore[arg-type]


# Pickles and tensors


class _Calls:
    def __reduce__(self) -> tuple[Any, tuple[Any, ...]]:
        return os.system, ("touch /tmp/queryscape-attack",)


def _pickles() -> Iterator[Attack]:
    doubled = b"".join(b"0h%ch%c\x86q%c" % (i, i, i + 1) for i in range(200))
    made = {
        "a call of os.system": lambda: pickle.dumps({0: _Calls()}),
        "a call of eval": lambda: b"cbuiltins\neval\n(V1+1\ntR.",
        "a call of getattr": lambda: b"cbuiltins\ngetattr\n(cos\nsystem\nVx\ntR.",
        "a module by its path": lambda: b"\x80\x04\x8c\x0aos.path.os\x8c\x06system\x93.",
        "a number of a million digits": lambda: b"\x80\x02\x8b" + struct.pack("<i", MB) + b"\x7f" * MB + b".",
        "a text of 4 GB": lambda: b"\x80\x04\x8d" + struct.pack("<Q", 1 << 32) + b"x.",
        "bytes of 2^62": lambda: b"\x80\x05\x96" + struct.pack("<Q", 1 << 62) + b"x.",
        "a frame of 2^60": lambda: b"\x80\x04\x95" + struct.pack("<Q", 1 << 60) + b"N.",
        "a place of 2^31 in its memory": lambda: b"\x80\x02]r\xff\xff\xff\x7f.",
        "an object from outside": lambda: b"\x80\x02Vx\nQ.",
        "tuples nested twofold": lambda: b"\x80\x02})q\x00" + doubled + b"K\x01s.",
        "a persistent name": lambda: b"Px\n.",
        "a code of an extension": lambda: b"\x80\x02\x82\x01.",
        "no end": lambda: b"\x80\x02]",
        "nothing on the stack": lambda: b"\x80\x02.",
        "a state that is set": lambda: b"\x80\x02ccollections\nOrderedDict\n)R}Vx\nK\x01sb.",
    }
    for name, make in made.items():
        yield Attack(name, BY_NAME["pickle"], make)
    yield Attack(
        "a pickle that calls, in an archive",
        BY_NAME["stark"],
        lambda: zipped({**stark_files(1), "node_info.pkl": pickle.dumps({0: _Calls()})}.items()),
    )
    for name, content in (("calls", pickle.dumps(_Calls())), ("holds a text", pickle.dumps("x")), ("is empty", b"")):
        parts = {**_tensor_parts(), "archive/data.pkl": content}
        yield Attack(f"a tensor whose pickle {name}", BY_NAME["tensor"], lambda parts=parts: _archive(parts, method=0))  # type: ignore[misc]


# Bundles, Word documents


def _documents() -> Iterator[Attack]:
    reader = BY_NAME["bundle"]
    for name, edit in {
        "a file outside in its list": lambda told: told["files"].append(
            {"name": "../x", "size": 1, "sha256": "0" * 64}
        ),
        "a size without end in its list": lambda told: told["files"][0].update(size=10**30),
        "a negative size in its list": lambda told: told["files"][0].update(size=-1),
        "a version of its own": lambda told: told.update(version=99),
        "a list that is none": lambda told: told.update(files={"a": 1}),
    }.items():
        yield Attack(name, reader, lambda edit=edit: bundle_cases.with_manifest(reader.sample(1), edit))  # type: ignore[misc]
    facts = "facts/quality.json"
    rebuilt = FileReader("bundle", _rebuilt, reader.sample)

    def with_facts(content: bytes) -> Callable[[], bytes]:
        return lambda: bundle_cases.resealed(reader.sample(1), lambda files: files.update({facts: content}))

    for name, content in {
        "facts nested deep": b"[" * 200_000,
        "a key twice in its facts": b'{"a": 1, "a": 2}',
        "a number that is none in its facts": b'{"a": NaN}',
        "a number without end in its facts": b'{"a": ' + b"1" * 10_000 + b"}",
    }.items():
        yield Attack(name, rebuilt, with_facts(content))
    word = BY_NAME["word document"]
    document, settings = "word/document.xml", "word/settings.xml"
    for name, dtd in _DTDS.items():
        yield Attack(
            f"a document with {name}",
            word,
            lambda dtd=dtd: _word_with(document, b"<w:document", dtd.encode() + b"<w:document"),
        )  # type: ignore[misc]
    yield Attack("a document without a body", word, lambda: _archive({**_word_parts(), document: b"<a/>"}))
    yield Attack("a document that is cut off", word, lambda: word.sample(1)[:5_000])
    yield Attack("an old document", word, lambda: b"\xd0\xcf\x11\xe0" + bytes(1_000))
    template = b'<w:attachedTemplate xmlns:r="r" r:id="r1"/></w:settings>'
    yield Attack(
        "a template from outside", word, lambda: _word_with(settings, b"</w:settings>", template), refused=False
    )
    macro = {"word/vbaProject.bin": b"x" * 100}
    yield Attack("a document with macros", word, lambda: _archive({**_word_parts(), **macro}), refused=False)


def _rebuilt(data: bytes, folder: object) -> object:
    from data.audit.bundle import rebuild

    return rebuild(bundle_cases.read(data))


def _word_with(part: str, old: bytes, new: bytes) -> bytes:
    parts = _word_parts()
    content = parts[part]
    assert isinstance(content, bytes)
    assert old in content
    return _archive({**parts, part: content.replace(old, new, 1)})


# JSON, TOML, Parquet, packed files and texts


def _parquet(table: dict[str, Any], **options: Any) -> bytes:
    file = io.BytesIO()
    pq.write_table(pa.table(table), file, **options)
    return file.getvalue()


def _texts() -> Iterator[Attack]:
    odd_json = {
        "brackets": "[" * 200_000,
        "braces": '{"a":' * 100_000,
        "brackets that close": "[" * 100_000 + "]" * 100_000,
        "a number without end": '[{"title": ' + "9" * 100_000 + "}]",
        "a title nested deep": '[{"title": ' + "[" * 50_000 + '"x"' + "]" * 50_000 + "}]",
        "nothing but a null": "[null]",
        "half a character": '["\\ud800"]',
    }
    for name, text in odd_json.items():
        for reader in ("csl json", "litqeval queries", "review", "rubric", "search document", "pubmed search"):
            harmless = reader in ("csl json", "search document", "litqeval queries")
            yield Attack(f"JSON with {name}", BY_NAME[reader], _same(text.encode()), refused=not harmless)
    for name, text in {
        "brackets": "a = " + "[" * 100_000,
        "braces": "a = " + "{a = " * 50_000,
        "dots": "a" + ".a" * 50_000 + " = 1",
        "a number without end": "a = " + "9" * 100_000,
        "a key twice": "a = 1\na = 2",
        "a text without end": 'a = "' + "x" * MB,
        "half a character": "a = '\udc80'",
        "a date that is none": "a = 2019-99-99",
    }.items():
        for reader in ("config", "rubric"):
            data = text.encode("utf-8", "surrogateescape")
            yield Attack(f"TOML with {name}", BY_NAME[reader], _same(data))
    parquet = BY_NAME["parquet"]
    rows = 20 * MB
    yield Attack("endless equal rows", parquet, lambda: _parquet({"year": pa.array(np.zeros(rows, dtype=np.int8))}))
    long = pa.DictionaryArray.from_arrays(pa.array(np.zeros(2_000, dtype=np.int8)), pa.array(["x" * MB]))
    yield Attack("one long text for all rows", parquet, lambda: _parquet({"title": long}, compression="zstd"))
    yield Attack("Parquet that is cut off", parquet, lambda: IMPORTED["parquet"](20)[:-20])
    yield Attack("Parquet without a foot", parquet, lambda: b"PAR1" + bytes(100) + b"PAR1")
    yield Attack("Parquet with a foot of 2 GB", parquet, lambda: b"PAR1" + bytes(100) + b"\xff\xff\xff\x7fPAR1")
    yield Attack("an encrypted Parquet", parquet, lambda: b"PARE" + bytes(100) + b"PARE")
    yield Attack("a packed line of 100 MB", BY_NAME["mesh packed"], lambda: gzip.compress(bytes(100 * MB), 1))
    yield Attack("a packed bibliography", BY_NAME["ris"], lambda: gzip.compress(bytes(MB)))
    yield Attack("a zip", BY_NAME["ris"], lambda: zipped([("a.ris", b"TY  - JOUR")]))
    yield Attack("a program", BY_NAME["csv"], lambda: b"\x7fELF" + bytes(1_000))
    yield Attack("a formula in a table", BY_NAME["csv"], lambda: b"id,title\n1,\"=cmd|' /C calc'!A0\"\n", refused=False)
    answers = json.dumps([1] * 10)
    deep = f'id,query,answer_ids\n1,x,"{"[" * 5_000}1{"]" * 5_000}"\n2,y,"{answers}"\n'
    yield Attack("a list nested deep in a table", BY_NAME["stark queries"], lambda: deep.encode(), refused=False)
    code = "id,query,answer_ids\n1,x,\"__import__('os').system('x')\"\n"
    yield Attack("code instead of a list", BY_NAME["stark queries"], lambda: code.encode(), refused=False)


ATTACKS: tuple[Attack, ...] = (*_zips(), *_xml(), *_workbooks(), *_arrays(), *_pickles(), *_documents(), *_texts())
