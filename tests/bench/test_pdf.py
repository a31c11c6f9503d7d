"""The scores of PDFs, on tables and pages small enough to count by hand, and the task around them."""

import json
import os
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pypdfium2
import pytest
from bench.frame import Options
from bench.pdf import fit_structure, icdar, invoices, limits, ours, peers
from bench.pdf.icdar import Cell, Document, Found, Region, export, read_documents, regions_score, score, summary
from bench.pdf.invoices import BEGINS, BELOW, FIELDS, Field, beside, by_label, is_right, taught, written_copies
from bench.pdf.labels import Word, compare, read_words
from bench.pdf.limits import Answer, Caller, hostile_files, open_hostile, write_sheets
from bench.pdf.ours import labelled, said, tables_of
from bench.pdf.peers import Peer
from bench.pdf.printed import BARE, Printed
from bench.pdf.sheets import Sheet
from bench.processes import family, family_memory, processor_seconds

from bench import pdf
from bench import peers as all_peers
from sightline.data import Cell as OwnCell
from sightline.data import Origin, Table, Value
from sightline.errors import UnreadableError
from sightline.page import Page
from sightline.testing import element, page_of

from .._wait import BOUND

REFERENCE = Path(__file__).parents[3] / "shared" / "score" / "icdar.py"


def _table(*rows: Sequence[str], page: int = 1) -> Found:
    cells = [Cell(y, y, x, x, text) for y, row in enumerate(rows) for x, text in enumerate(row)]
    return Found(tuple(cells), frozenset({page}))


def _pdf(path: Path, *lines: tuple[float, float, str], sheets: int = 1) -> Path:
    """A PDF of A4 sheets that all say the same, each line at its place (points, from the lower left)."""
    content = "".join(f"BT /F 10 Tf {x} {y} Td ({text}) Tj ET\n" for x, y, text in lines)
    pages = [3 + 2 * number for number in range(sheets)]
    font = 3 + 2 * sheets
    objects = ["<</Type/Catalog/Pages 2 0 R>>"]
    objects.append(f"<</Type/Pages/Count {sheets}/Kids[{' '.join(f'{number} 0 R' for number in pages)}]>>")
    for number in pages:
        own = f"/Contents {number + 1} 0 R/Resources<</Font<</F {font} 0 R>>>>"
        objects.append(f"<</Type/Page/Parent 2 0 R/MediaBox[0 0 595 842]{own}>>")
        objects.append(f"<</Length {len(content)}>>\nstream\n{content}endstream")
    objects.append("<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>")
    body = "".join(f"{number} 0 obj\n{text}\nendobj\n" for number, text in enumerate(objects, start=1))
    path.write_text(f"%PDF-1.4\n{body}trailer<</Root 1 0 R/Size {len(objects) + 1}>>\n%%EOF", "latin-1")
    return path


def _place(path: Path, text: str) -> tuple[float, float]:
    """Where a text begins on the first sheet, from its upper left."""
    with pypdfium2.PdfDocument(path) as document:
        page = document[0]
        words = page.get_textpage()
        found = words.search(text).get_next()
        assert found is not None
        left, _, _, top = words.get_charbox(found[0])
        box = page.get_mediabox()
        return left - box[0], box[3] - top


# ---------------------------------------------------------------------- structure


def test_relations_go_to_the_next_filled_cell() -> None:
    """Blank cells are passed over and counted; texts are compared without blanks and case."""
    table = _table(["a", "", "B b"], ["", "", "c\u00a0"])
    assert table.relations == {("right", "A", "BB", 1): 1, ("below", "BB", "C", 0): 1}


def test_a_cell_that_spans_is_one_neighbour_of_each() -> None:
    """Neighbours over several rows count once, with the blanks of the first row that they share."""
    cells = (Cell(0, 1, 0, 0, "tall"), Cell(0, 1, 1, 1, "other"), Cell(0, 0, 2, 2, "x"), Cell(1, 1, 2, 2, "y"))
    relations = Found(cells, frozenset({1})).relations
    assert relations["right", "TALL", "OTHER", 0] == 1
    assert {other for side, one, other, _ in relations if (side, one) == ("right", "OTHER")} == {"X", "Y"}


def test_structure_counts_what_is_missed_and_what_is_too_much() -> None:
    """A missed table costs recall, a table that is none precision, a table on another page both."""
    truth = [_table(["a", "b"], ["c", "d"]), _table(["e", "f"], page=2)]
    assert icdar.structure_score(truth, truth).f1 == 1
    missed = icdar.structure_score(truth, truth[:1])
    assert (missed.precision, missed.recall) == (1, 4 / 5)
    false = icdar.structure_score(truth, [*truth, _table(["x", "y"])])
    assert (false.precision, false.recall) == (5 / 6, 1)
    moved = icdar.structure_score(truth, [truth[0], replace(truth[1], pages=frozenset({1}))])
    assert (moved.precision, moved.recall) == (4 / 5, 4 / 5)
    assert icdar.structure_score(truth, []).precision == 0


def test_each_table_serves_once() -> None:
    """Two true tables that say the same need two that were found."""
    twice = [_table(["a", "b"]), _table(["a", "b"])]
    assert icdar.structure_score(twice, twice[:1]).recall == 1 / 2


def test_a_table_over_two_pages_is_found_on_either() -> None:
    """One table on two pages may be matched by one that stands on the second of them only."""
    whole = replace(_table(["a", "b"]), pages=frozenset({1, 2}))
    assert icdar.structure_score([whole], [_table(["a", "b"], page=2)]).f1 == 1
    assert icdar.structure_score([whole], [_table(["a", "b"], page=3)]).f1 == 0


# ---------------------------------------------------------------------- regions


def test_regions_count_characters_by_their_centres() -> None:
    """A region that is too large is complete, not pure; characters of false regions count."""
    points = [[(1, 1), (2, 1), (3, 1), (9, 9)], [(1, 1)]]
    truth = [Region(1, 0, 0, 2.5, 2)]
    wide = regions_score(truth, [Region(1, 0, 0, 5, 2), Region(2, 0, 0, 5, 5)], points)
    assert (wide.right, wide.true, wide.found) == (2, 2, 4)
    assert (wide.complete, wide.pure, wide.missed, wide.false) == (1, 0, 0, 1)
    elsewhere = regions_score(truth, [Region(1, 8, 8, 10, 10), Region(7, 0, 0, 5, 5)], points)
    assert (elsewhere.right, elsewhere.missed, elsewhere.false) == (0, 1, 2)


def _truth_xml(folder: Path, name: str, *texts: str, page: int = 1) -> None:
    """Two cells side by side, and one on the next page that goes on below them."""
    first, second, below = texts
    folder.joinpath(f"{name}-str.xml").write_text(
        f'<document><table id="1"><region page="{page}">'
        f'<cell start-row="0" start-col="0"><content>{first}</content></cell>'
        f'<cell start-row="0" start-col="1" end-col="1"><content>{second}</content></cell></region>'
        f'<region page="{page + 1}" row-increment="1" col-increment="0">'
        f'<cell start-row="0" start-col="0"><content>{below}</content></cell></region></table></document>',
        "utf-8",
    )
    folder.joinpath(f"{name}-reg.xml").write_text(
        f'<document><table><region page="{page}"><bounding-box x1="300" y1="700" x2="40" y2="650"/></region>'
        "</table></document>",
        "utf-8",
    )


@pytest.fixture
def documents(tmp_path: Path) -> list[Document]:
    """Two documents, the first of which has two admissible truths."""
    lines = ((50, 680, "North"), (150, 680, "South"), (50, 100, "Text"))
    for name in ("eu-009a", "eu-010"):
        _pdf(tmp_path / f"{name}.pdf", *lines, sheets=2)
    _truth_xml(tmp_path, "eu-009a", "North", "West", "Text")
    _truth_xml(tmp_path, "eu-009b", "North", "South", "Text")
    _truth_xml(tmp_path, "eu-010", "North", "South", "Text")
    return read_documents(tmp_path)


FOUND = Found(
    (Cell(0, 0, 0, 0, "north"), Cell(0, 0, 1, 1, "South"), Cell(1, 1, 0, 0, "Text")),
    frozenset({1, 2}),
    (Region(1, 40, 650, 300, 700), Region(2, 40, 90, 300, 120)),
)


def test_truth_is_read_over_pages(documents: list[Document]) -> None:
    """A region on the next page goes on where its increments say; boxes are turned the right way round."""
    assert [document.name for document in documents] == ["eu-009a", "eu-010"]
    (table,) = documents[1].structures[0]
    assert table.pages == {1, 2}
    assert table.relations == {("right", "NORTH", "SOUTH", 0): 1, ("below", "NORTH", "TEXT", 0): 1}
    assert documents[1].regions == ((Region(1, 40, 650, 300, 700),),)


def test_the_better_truth_counts(documents: list[Document]) -> None:
    """Of two admissible truths the one that fits decides."""
    both = score(documents[0], [FOUND])
    assert both.structure.f1 == 1
    assert both.regions is not None
    assert (both.regions.right, both.regions.true, both.regions.found) == (10, 10, 14)


def test_summary_is_of_means(documents: list[Document]) -> None:
    """Precision and recall are averaged over documents first; F1 is that of the means, and pooled is not."""
    bad = Found((Cell(0, 0, 0, 0, "x"), Cell(0, 0, 1, 1, "y")), frozenset({1}))
    found = summary([score(documents[0], [FOUND]), score(documents[1], [FOUND, bad])])
    assert (found.precision, found.recall) == pytest.approx((5 / 6, 1))
    assert found.f1 == pytest.approx(2 * (5 / 6) / (5 / 6 + 1))
    assert found.pooled == pytest.approx(2 * (4 / 5) / (4 / 5 + 1))
    assert found.region_precision == pytest.approx(10 / 14)


def test_documents_without_regions_count_as_in_the_reference(
    documents: list[Document], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The reference divides by all documents; the figure beside it by those that have regions."""
    monkeypatch.setattr(icdar, "WITHOUT_REGIONS", frozenset({"eu-010"}))
    right = replace(FOUND, regions=FOUND.regions[:1])
    found = summary([score(document, [right]) for document in documents])
    assert (found.region_f1, found.region_f1_known) == (1 / 2, 1)


@pytest.mark.skipif(not REFERENCE.exists(), reason="the reference scorer is not on this machine")
def test_scores_equal_the_reference(documents: list[Document], tmp_path: Path) -> None:
    """What is exported gives the reference the figures that we print."""
    other = Found((Cell(0, 0, 0, 0, "a\x01"), Cell(0, 0, 1, 1, "b")), frozenset({1}), (Region(1, 0, 0, 100, 200),))
    found = {"eu-009a": [FOUND], "eu-010": [other, replace(FOUND, regions=())]}
    own = summary([score(document, found[document.name]) for document in documents])
    folders = export(found, tmp_path / "exported")
    script = (
        f"import sys; sys.path.insert(0, {str(REFERENCE.parent)!r}); import icdar, json;"
        f"print(json.dumps([icdar.evaluate(one, {str(tmp_path)!r})[0] for one in {list(map(str, folders))!r}]))"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    structure, regions = json.loads(done.stdout)
    assert structure["doc"] == pytest.approx([own.precision, own.recall, own.f1])
    assert structure["all"][2] == pytest.approx(own.pooled)
    assert regions["region"] == pytest.approx([own.region_precision, own.region_recall, own.region_f1])


# ---------------------------------------------------------------------- ours


def _on_sheets(page: Page, *heights: float) -> Page:
    """The page on sheets of these heights, one below the other."""
    ends = np.cumsum(heights)
    boxes = [(10, end - height, 810, end) for height, end in zip(heights, ends, strict=True)]
    return replace(page, kind="pdf", sheets=np.array(boxes, dtype=np.float32))


def _cell(row: int, column: int, text: str, box: tuple[float, float, float, float]) -> OwnCell:
    return OwnCell(row, column, value=Value(text, origin=Origin("p", (1,), box)))


def test_our_tables_have_a_region_on_every_sheet() -> None:
    """A table that goes on over sheets is one, with the hull of its cells on each; another has its own box."""
    page = _on_sheets(page_of(element("html")), 1000, 400)
    long = Table(
        (
            _cell(0, 0, "a", (50, 900, 90, 920)),
            _cell(0, 1, "b", (110, 904, 150, 924)),
            _cell(1, 0, "c", (50, 1020, 90, 1040)),
            OwnCell(1, 1),
        ),
        box=(50, 900, 150, 1040),
    )
    short = Table((_cell(0, 0, "x", (60, 20, 70, 30)),), box=(50, 10, 90, 40))
    first, second = tables_of(page, [long, short])
    assert first.pages == {1, 2}
    assert first.cells[2] == Cell(1, 1, 0, 0, "c")
    assert first.regions == (Region(1, 30, 57, 105, 75), Region(2, 30, 270, 60, 285))
    assert second.regions == (Region(1, 30, 720, 60, 742.5),)
    (bare,) = tables_of(page, [Table.from_rows([["a", "b"]], sheet=1)])
    assert (bare.pages, bare.regions) == ({2}, ())


def test_words_are_labelled_by_the_nearest_element_that_says() -> None:
    """Inline elements and cells say nothing themselves; what is in nothing that says is other."""
    tree = element(
        "body",
        element("h2", element("b", "Head", box=(10, 0, 90, 20))),
        element(
            "table",
            element("caption", "About", box=(10, 100, 90, 120)),
            element("tr", element("td", "5", box=(10, 150, 90, 170))),
        ),
        element("footer", element("span", "Page", box=(10, 200, 90, 220))),
        element("ul", element("li", "Item", box=(10, 300, 90, 320))),
        element("div", "Loose", box=(410, 500, 490, 520)),
    )
    words = labelled(_on_sheets(page_of(element("html", tree)), 1000))
    assert [(word.text, word.label) for word in words] == [
        ("Head", "heading"),
        ("About", "caption"),
        ("5", "table"),
        ("Page", "other"),
        ("Item", "list"),
        ("Loose", "other"),
    ]
    assert words[-1].box == pytest.approx((500, 500, 550, 516))


# ---------------------------------------------------------------------- labels


def test_words_are_matched_by_place_and_text(tmp_path: Path) -> None:
    """A word is right where a word there says it and has its label; lines of the truth are no words."""
    path = tmp_path / "page.txt"
    rows = [
        ("Results", 100, "section"),
        ("are", 200, "paragraph"),
        ("good,", 300, "abstract"),
        ("∗", 400, "equation"),
        ("gone", 500, "list"),
        ("##LTLine##", 600, "table"),
    ]
    path.write_text(
        "".join(f"{text}\t100\t{y}\t200\t{y + 10}\t0\t0\t0\tF\t{label}\n" for text, y, label in rows), "utf-8"
    )
    truth = read_words(path)
    assert [word.label for word in truth] == ["heading", "paragraph", "paragraph", "other", "list"]
    found = [
        Word("RESULTS", (100, 100, 200, 110), "heading"),
        Word("other", (100, 200, 200, 210), "paragraph"),
        Word("good", (100, 300, 200, 310), "list"),
        Word("*", (100, 400, 200, 410), "other"),
        Word("gone", (700, 500, 800, 510), "list"),
    ]
    counts = compare(truth, found)
    assert (counts.right, counts.missed) == (2 / 5, 2 / 5)
    assert (counts.recall("heading"), counts.recall("paragraph"), counts.precision("list")) == (1, 0, 0)
    assert (counts.f1("heading"), counts.f1("paragraph")) == (1, 0)
    assert (counts + counts).words == 10
    assert compare(truth, []).missed == 1


def test_of_several_words_around_a_place_the_smallest_decides() -> None:
    """A word that lies over others, as a water mark does, takes nothing from them."""
    truth = [Word("a", (10, 10, 20, 20), "table")]
    found = [Word("banana", (0, 0, 100, 100), "other"), Word("a", (10, 10, 20, 20), "table")]
    assert compare(truth, found).right == 1


# ---------------------------------------------------------------------- invoices


@pytest.fixture
def invoice() -> Page:
    """An invoice with labels to the left, above, and in the same text."""
    places = [
        ("Subtotal", 10, 100),
        ("€ 40,00", 200, 100),
        ("Total", 10, 140),
        ("€ 49,99", 200, 140),
        ("Due", 400, 100),
        ("22-9-2022", 400, 124),
        ("Invoice 7 of 8-9-2022", 10, 10),
    ]
    parts = [element("p", text, box=(x, y, x + 8 * len(text), y + 16)) for text, x, y in places]
    return page_of(element("html", element("body", *parts)))


FIELDS_HERE = (
    Field("amount", "€ 49,99", "Total"),
    Field("date_due", "22-9-2022", "Due", BELOW),
    Field("date", "8-9-2022", "Invoice 7", BEGINS),
)


def test_fields_are_read_by_their_labels(invoice: Page) -> None:
    """Right of, below, and in the text that begins with the label."""
    wrapper, _ = by_label(invoice, FIELDS_HERE)
    read = wrapper.read(invoice).records.to_dicts()
    assert read == [{"amount": "49,99", "date_due": "22-9-2022", "date": "8-9-2022"}]


def test_fields_are_taught_where_they_stand(invoice: Page) -> None:
    """Of several places that show a value, the one beside its label is pointed at."""
    twice = (Field("amount", "€ 49,99", "Total"), Field("amount_untaxed", "€ 40,00", "Subtotal"))
    wrapper, refused = taught(invoice, (*twice, Field("date", "1-1-1999", "Due")))
    assert wrapper.read(invoice).records.to_dicts() == [{"amount": "€ 49,99", "amount_untaxed": "€ 40,00"}]
    assert [line.partition(":")[0] for line in refused] == ["date"]
    words = said(invoice)
    place = beside(words, Field("amount", "49,99", "Total"))
    assert place is not None
    assert place.text == "49,99"
    assert beside(words, Field("amount", "49,99", "Due")) is None
    assert beside(words, Field("amount", "1,00", "Total")) is None


@pytest.mark.parametrize(
    ("name", "true", "text", "right"),
    [
        ("amount", 1049.99, "€ 1.049,99 TTC", True),
        ("amount", 49.99, "49.98", False),
        ("amount", 49.99, "49,99 49,99", False),
        ("amount", 49.99, None, False),
        ("date", "2022-09-08", "8-9-2022", True),
        ("date", "2015-07-02", "02 Juillet 2015", True),
        ("date", "2014-08-03", "August 3 , 2014", True),
        ("date", "2022-09-08", "9-8-2022", False),
        ("date", "2022-09-08", "soon", False),
    ],
)
def test_values_are_right_by_what_they_mean(name: str, true: Any, text: str | None, right: bool) -> None:
    """Amounts to the cent, dates to the day, however they are written."""
    assert is_right(Field(name, "", ""), true, text) == right


def test_a_part_of_a_date_must_be_the_text() -> None:
    """“du 1er au 31 Juillet” shows no date for its first day."""
    field = next(field for field in FIELDS["free_fiber"] if field.part)
    assert is_right(field, "2015-07-01", " 1er ")
    assert not is_right(field, "2015-07-01", "31")


def test_copies_move_what_stands_on_them(tmp_path: Path) -> None:
    """All of the shifted copy stands elsewhere; of the pushed one what is below the widest gap; both say more."""
    path = _pdf(tmp_path / "invoice.pdf", (50, 800, "Head"), (50, 700, "Goods"), (50, 400, "Total"), (50, 380, "Foot"))
    copies = written_copies(path, tmp_path)
    before = {text: _place(path, text) for text in ("Head", "Goods", "Total")}
    for text, (x, y) in before.items():
        assert _place(copies["shifted"], text) == pytest.approx((x + 36, y + 54), abs=0.1)
        down = invoices.DOWN if text == "Total" else 0
        assert _place(copies["pushed"], text) == pytest.approx((x, y + down), abs=0.1)
    assert _place(copies["shifted"], invoices.ABOVE)[1] < before["Head"][1] + 54
    goods = [_place(copies["pushed"], text)[1] for line in invoices.GOODS for text in line]
    assert before["Goods"][1] < min(goods) < max(goods) < before["Total"][1] + invoices.DOWN


# ---------------------------------------------------------------------- limits


def test_processes_are_counted_with_those_they_started() -> None:
    """Memory and processor time of children count while they run."""
    work = "sum(range(10**7)); print(1, flush=True); input()"
    before = processor_seconds()
    with subprocess.Popen([sys.executable, "-c", work], stdin=subprocess.PIPE, stdout=subprocess.PIPE) as child:
        assert child.stdout is not None
        child.stdout.readline()
        assert processor_seconds() - before > 0.05
        assert child.pid in {process.pid for process in family(os.getpid())}
        total, largest = family_memory(os.getpid())
        assert total > largest > 1_000_000
        child.communicate(b"\n")
    assert child.pid not in {process.pid for process in family(os.getpid())}


def _caller_of(monkeypatch: pytest.MonkeyPatch, work: str) -> None:
    """A caller that does something else with each path."""
    begin = "import json, os, signal, sys, time\nfor line in sys.stdin:\n    path = os.path.basename(line.strip())\n"
    script = f"{begin}    {work}"

    def started() -> subprocess.Popen[str]:
        pipe = subprocess.PIPE
        return subprocess.Popen([sys.executable, "-c", script], stdin=pipe, stdout=pipe, text=True)

    monkeypatch.setattr(limits, "_started", started)


ANSWER = "print(json.dumps(dict(end='page', kind='pdf', text='', child_bytes=7)), flush=True)"


def test_crashes_and_hangs_are_told_and_the_next_file_is_opened(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """A caller that dies or hangs counts once, and another takes its place."""
    _caller_of(monkeypatch, f"'crash' in path and os._exit(3); 'hang' in path and signal.pause(); {ANSWER}")
    opened = Caller.open
    monkeypatch.setattr(Caller, "open", lambda own, path, _: opened(own, path, 0.5 if path.name == "hang" else BOUND))
    found = open_hostile([tmp_path / name for name in ("good-1", "crash", "good-2", "hang", "good-3")])
    assert [answer.end for answer in found.answers] == ["page", "crash", "page", "hang", "page"]
    assert found.good == pytest.approx(3 / 5)
    assert [line.partition(":")[0] for line in found.bad] == ["crash", "hang"]
    assert found.child_bytes >= 7


def test_memory_is_that_of_all_processes(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """The peak is seen while it lasts, though it is gone at the end."""
    seen = tmp_path / "seen"

    def looked(pid: int) -> tuple[int, int]:
        found = family_memory(pid)
        if found[0] > 200_000_000:
            seen.touch()
        return found

    monkeypatch.setattr(limits, "family_memory", looked)
    until_seen = f"while not os.path.exists({str(seen)!r}): time.sleep(0.01)"
    _caller_of(monkeypatch, f"much = b'x' * 200_000_000\n    {until_seen}\n    del much; {ANSWER}")
    with Caller() as caller:
        assert caller.open(tmp_path, BOUND).bytes > 200_000_000


@pytest.mark.slow
def test_the_real_caller_answers(tmp_path: Path) -> None:
    """Whatever comes of a file, it is a page or one of our errors."""
    path = _pdf(tmp_path / "a.pdf", (50, 700, "Text"))
    with Caller() as caller:
        assert caller.open(path, 60).end in ("page", "error")
        missing = caller.open(tmp_path / "none.pdf", 60)
    assert (missing.end, missing.kind) == ("error", "UnreachableError")


def test_sheets_are_repeated(tmp_path: Path) -> None:
    """As many as were asked for, of all files in turn."""
    files = [_pdf(tmp_path / "a.pdf", (50, 700, "A"), sheets=2), _pdf(tmp_path / "b.pdf", (50, 700, "B"))]
    write_sheets(files, tmp_path / "many.pdf", 8)
    with pypdfium2.PdfDocument(tmp_path / "many.pdf") as document:
        assert "".join(page.get_textpage().get_text_range() for page in document) == "AABAABAA"


def test_hostile_files_are_known_by_name_or_content(tmp_path: Path) -> None:
    """A licence, a picture or the seed of a filter beside them is none."""
    for name, content in {"a.pdf": b"", "b.in": b"x%PDF", "c.fuzz": b"?", "LICENSE": b"MIT", "d.png": b"PNG"}.items():
        (tmp_path / name).write_bytes(content)
    assert [path.name for path in hostile_files(tmp_path)] == ["a.pdf", "b.in"]


# ---------------------------------------------------------------------- the task


PEER_TABLE = {"page": 1, "bbox": [40, 650, 300, 700], "cells": [[0, 0, 0, 0, "North"], [0, 0, 1, 1, "South"]]}


@pytest.fixture
def options(documents: list[Document], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Options:
    """A set of every part, nothing that reads it, and no wait."""
    for folder in ("pdf/icdar2013", "pdf/docbank", "pdf/invoices", "pdf2/icdar2013", "twins/pdfs", "hostile/pdf"):
        (tmp_path / folder).mkdir(parents=True)
    for document in documents:
        for path in document.files:
            path.rename(tmp_path / "pdf" / "icdar2013" / path.name)
    _pdf(tmp_path / "pdf" / "docbank" / "page.pdf", (50, 700, "Text"))
    (tmp_path / "pdf" / "docbank" / "page.txt").write_text("Text\t0\t0\t1\t1\t0\t0\t0\tF\tparagraph\n", "utf-8")
    for name, fields in FIELDS.items():
        _pdf(tmp_path / "pdf" / "invoices" / f"{name}.pdf", (50, 700, "Text"))
        truth = [{field.name: 1.0 if field.name.startswith("amount") else "2020-01-01" for field in fields}]
        (tmp_path / "pdf" / "invoices" / f"{name}.json").write_text(json.dumps(truth), "utf-8")
    (tmp_path / "hostile" / "pdf" / "a.pdf").write_bytes(b"%PDF")
    _write_twins(tmp_path / "twins")
    monkeypatch.setattr(ours.sl, "open", _unreadable)
    monkeypatch.setattr(pdf, "thousand_sheets", lambda _: Answer("page", "pdf", "", 1.0, 500_000_000, 0, 1000))
    answer = {"documents": [{"tables": [PEER_TABLE], "seconds": [3.0, 1.0, 2.0], "pages": 2, "error": None}] * 2}
    found = {
        peers.LINES: Peer.from_json(peers.LINES, answer | {"version": "1"}),
        "tabula": Peer.from_json("tabula", {"missing": "there is no Java on this machine"}),
        peers.VECTOR: Peer.from_json(peers.VECTOR, answer | {"version": "2"}),
    }
    monkeypatch.setattr(pdf, "read_by_peers", lambda *_, **__: found)
    (tmp_path / "tables").mkdir()
    (tmp_path / "tables" / "truth.jsonl").touch()
    sheets = (Sheet("real", "", tuple(Cell(0, 0, x, x, text) for x, text in enumerate(("North", "South")))),)
    titled = _pdf(tmp_path / "printed.pdf", (50, 700, "Report 0: figures"))
    titled.with_suffix(".html").touch()
    monkeypatch.setattr(
        pdf,
        "print_sheets",
        lambda *_: (Printed("grid", titled, sheets), Printed(BARE, titled, (Sheet("prose", ""),))),
    )
    _caller_of(monkeypatch, ANSWER)
    return Options(data=tmp_path)


def _write_twins(folder: Path) -> None:
    """A manual with one table."""
    cells = [[0, 0, 0, 0, "North"], [0, 0, 1, 1, "South"], [1, 1, 0, 0, "12"], [1, 1, 1, 1, "15"]]
    _pdf(folder / "pdfs" / "manual.pdf", (50, 700, "Text"))
    document = {"doc": "manual", "file": "pdfs/manual.pdf", "toolchain": "troff", "complete_pages": [1]}
    table = {"doc": "manual", "pages": [1], "cells": cells, "header_rows": 1, "rules": "none"}
    (folder / "documents.jsonl").write_text(json.dumps(document) + "\n", "utf-8")
    (folder / "truth.jsonl").write_text(json.dumps(table) + "\n", "utf-8")


def _unreadable(path: str, **_: Any) -> Page:
    raise UnreadableError(path, "is not read.")


def test_run_without_any_page_still_tells_the_peers(options: Options) -> None:
    """What we cannot read counts as nothing found, and is told; peers that are missing are told as well."""
    outcome = pdf.run(options)
    figures = {figure.name: figure for figure in outcome.figures}
    f1 = figures["ICDAR 2013: F1 averaged over documents"]
    assert (f1.value, f1.peer, f1.kept) == (0, pytest.approx(2 / 3), False)
    assert figures["docbank: words whose block is labelled right"].value == 0
    assert figures["hostile PDFs that end in a page or one error"].kept
    assert figures["memory while 1,000 sheets open, MB"].value == 500
    assert not any("ms" in name for name in figures)
    assert outcome.details["pdfplumber: processor time a sheet, ms"] == 1000
    assert any("Java" in remark for remark in outcome.remarks)
    assert any("is not read" in remark for remark in outcome.remarks)
    names = ["icdar2013", "pdf2", "twins", "docbank", "invoices", "hostile", "printed"]
    assert [one.name for one in outcome.corpora] == names
    assert figures["held out: twins: F1 by table"].value == 0
    grid = figures["printed tables: F1, grid"]
    assert (grid.value, grid.peer) == (0, 1)
    false = figures["printed sheets without tables: false tables"]
    assert (false.value, false.peer) == (0, 1)
    assert outcome.details["pdfplumber: printed, prose: false tables"] == 1


def test_run_times_what_can_be_read(options: Options, monkeypatch: pytest.MonkeyPatch) -> None:
    """Pages without tables score nothing, but have a time, and the peers' beside it."""
    page = _on_sheets(page_of(element("html", element("p", "Text", box=(10, 0, 90, 20)))), 1000)
    monkeypatch.setattr(ours.sl, "open", lambda *_, **__: page)
    figures = {figure.name: figure for figure in pdf.run(options).figures}
    assert figures["processor time a sheet, ms"].kept
    ratio = figures["pdfplumber / ours, ms a sheet"]
    assert (ratio.peer, ratio.bound) == (1000, 5)
    assert figures["docbank: words whose block is labelled right"].value == 1


def test_show_prints_what_is_wrong(
    options: Options, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    """Relations that are missing or too many; `export` writes what the reference reads."""
    monkeypatch.setattr(pdf, "read_tables", lambda _: [_table(["North", "East"])])
    monkeypatch.setattr(pdf, "EXPORTED", tmp_path / "export")
    pdf.show(replace(options, show=("worst", "1", "eu-")))
    shown = capsys.readouterr().out
    assert "2 documents whose tables are not right" in shown
    assert "grid 0" not in shown
    assert "NORTH → SOUTH (right, 0 blank)" in shown
    assert "too much: 1" in shown
    pdf.show(replace(options, show=("grid", "without")))
    shown = capsys.readouterr().out
    assert "grid 0: F1 0.000" in shown
    assert f"{BARE} 0: F1 0.000" in shown
    pdf.show(replace(options, show=("export",)))
    assert (tmp_path / "export" / "structure" / "eu-010-str-result.xml").exists()


def test_a_set_without_documents_is_refused(tmp_path: Path) -> None:
    """The reason is told, and where to read on."""
    with pytest.raises(SystemExit, match="see docs/benchmarks"):
        pdf.run(Options(data=tmp_path))


def test_peers_that_are_not_installed_say_so(
    documents: list[Document], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """Nothing is kept of them."""
    monkeypatch.setattr(all_peers, "CACHE", Path("nowhere"))
    monkeypatch.setattr(peers, "KEPT", tmp_path / "kept")
    found = peers.read_by_peers([document.path for document in documents])
    assert tuple(found) == peers.NAMES
    assert all(peer.missing or peer.version for peer in found.values())


def test_answers_of_peers_are_kept(documents: list[Document], monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """By version: another one is asked again; those whose time counts are asked always."""
    asked: list[str] = []
    versions = dict.fromkeys(peers.NAMES, "1")

    def answer(name: str, question: Any) -> dict[str, Any]:
        if name == "versions":
            return dict(versions)
        asked.append(name)
        files = question["files"]
        return {
            "version": "1",
            "documents": [{"tables": [], "seconds": [1.0], "pages": 1, "error": None} for _ in files],
        }

    monkeypatch.setattr(peers, "_asked", answer)
    monkeypatch.setattr(peers, "KEPT", tmp_path / "kept")
    files = [document.path for document in documents]
    peers.read_by_peers(files)
    assert asked == list(peers.NAMES)
    again = peers.read_by_peers(files)
    assert asked[len(peers.NAMES) :] == [peers.LINES, peers.VECTOR]
    assert again["tabula"].is_kept
    peers.read_by_peers(files, peers.TIMED, is_timed=False)
    peers.read_by_peers(files, peers.TIMED, is_timed=False)
    assert asked[len(peers.NAMES) + 2 :] == [peers.LINES, peers.VECTOR]
    versions["tabula"] = "2"
    assert not peers.read_by_peers(files)["tabula"].is_kept


def test_the_values_in_use_are_among_those_that_are_tried() -> None:
    """Each constant is where the script that chooses it looks for it."""
    for constant in fit_structure.CONSTANTS.values():
        assert constant.used in constant.values
