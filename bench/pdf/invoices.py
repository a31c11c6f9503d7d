"""Invoices: the amounts and dates that a user wants, taught by pointing or told by the label beside them.

The set has one invoice of every kind. So what was learned on an invoice is read on itself and on two changed copies of
it: `shifted`, where everything stands elsewhere on a larger sheet, below a new line, and `pushed`, where the lower part
of every sheet stands farther down, below three more lines of goods. So neither the places nor the order of what is on a
sheet stay as they were. Two ways are tried, each for all fields:

* `taught`: the value is pointed at on the invoice, and nothing else is said.
* `by label`: the rules of the wrapper are written by hand, as “the text right of ‘Total’”, or “the text that begins
  with ‘Facture n°’” where label and value are one text; of the text the first amount or date is cut out.

A field is right in a way if that way reads it right on the invoice and on both copies.
"""

import ctypes
import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import dateparser
import pypdfium2
import pypdfium2.raw as pdfium

import sightline as sl
from bench.pdf.ours import Box, Said, opened, said
from sightline.errors import SightlineError, UsageError
from sightline.extract.wrappers import Wrapper
from sightline.geometry import around
from sightline.page import Page

RIGHT, BELOW, BEGINS = "right of", "below", "begins"
TAUGHT, BY_LABEL = WAYS = ("taught", "by label")
ITSELF, SHIFTED, PUSHED = COPIES = ("itself", "shifted", "pushed")
LEFT_MORE, TOP_MORE = 36.0, 54.0  # points that the sheet of the shifted copy is larger
DOWN = 90.0  # points that the lower part of the pushed copy is moved
MIDDLE = (0.25, 0.75)  # of the height, where the lower part may begin
ABOVE = "Duplicate of what was sent before"
GOODS = (("Blue paint, 2 l", "18,20"), ("Brush", "3,75"), ("Delivery", "6,00"))
SIZE, LEADING = 9.0, 20.0  # points, of the lines that are added
LANGUAGES = ["en", "nl", "de", "fr"]
AMOUNT = r"(-?\d+(?:[.,]\d{3})*[.,]\d\d)(?!\d)"
DATE = r"(\d{1,2}[-./]\d{1,2}[-./]\d{2,4}|\d{1,2}\.? [^\W\d]+ \d{4}|[^\W\d]+ \d{1,2} ?, \d{4})"


@dataclass(frozen=True)
class Field:
    """A field of the truth: the text that shows it, its label, and how it stands to that."""

    name: str
    shown: str
    label: str
    side: str = RIGHT
    part: str = ""

    @property
    def cut(self) -> str:
        """What is taken of a text that holds more than the value: the part, else the first amount or date."""
        return self.part or (AMOUNT if self.name.startswith("amount") else DATE)


FIELDS: Mapping[str, Sequence[Field]] = {
    "AmazonWebServices": (
        Field("amount", "$4.11", "Total for this invoice"),
        Field("amount_untaxed", "$4.11", "AWS Service Charges"),
        Field("date", "August 3 , 2014", "Invoice Date:"),
    ),
    "FlipkartInvoice": (
        Field("amount", "319.00", "Grand Total"),
        Field("date", "20-10-2015", "Invoice Date:"),
    ),
    "QualityHosting": (
        Field("amount", "34,73", "Total EUR"),
        Field("amount_untaxed", "34,73", "Total EUR"),
        Field("date", "7. Mai 2014", "Rechnungsdatum"),
    ),
    "coolblue1": (
        Field("amount", "717,97", "Totaal"),
        Field("amount_untaxed", "593,36", "Exclusief BTW"),
        Field("date", "19 april 2014", "Factuurdatum:"),
    ),
    "free_fiber": (
        Field("amount", "29.99", "Somme à payer"),
        Field("amount_untaxed", "24.99", "Total facture"),
        Field("date", "02 Juillet 2015", "Facture n°", BEGINS),
        Field("date_due", "05 Juillet 2015", "Date limite de paiement le", BEGINS),
        Field("date_start", "1er", "Free Haut Débit", BEGINS, r"du (\S+) au"),
        Field("date_end", "31 Juillet 2015", "Free Haut Débit", BEGINS),
    ),
    "saeco": (
        Field("amount", "49,99", "Factuur totaal EUR"),
        Field("amount_tax", "8,68", "BTW bedrag", BELOW),
        Field("amount_untaxed", "41,31", "Grondslag", BELOW),
        Field("date", "8-9-2022", "Factuur datum", BELOW),
        Field("date_due", "22-9-2022", "Vervaldatum", BELOW),
    ),
}


@dataclass(frozen=True)
class Reading:
    """What one way read of one field on one copy."""

    invoice: str
    field: Field
    way: str
    copy: str
    text: str | None
    right: bool


def read_invoices(folder: Path) -> tuple[list[Reading], list[str]]:
    """All fields of all invoices in both ways on all copies, and what went wrong on the way."""
    readings: list[Reading] = []
    problems: list[str] = []
    for name, fields in FIELDS.items():
        path = folder / f"{name}.pdf"
        truth = json.loads(path.with_suffix(".json").read_text("utf-8"))[0]
        with TemporaryDirectory(prefix="sightline-bench-") as temporary:
            found = _texts(fields, written_copies(path, Path(temporary)), problems)
        for field in fields:
            for way in WAYS:
                for copy in COPIES:
                    text = found.get((way, copy), {}).get(field.name)
                    right = is_right(field, truth[field.name], text)
                    readings.append(Reading(name, field, way, copy, text, right))
    return readings, problems


def _texts(
    fields: Sequence[Field], copies: Mapping[str, Path], problems: list[str]
) -> dict[tuple[str, str], dict[str, str]]:
    """What each way reads on each copy, by the names of the fields."""
    try:
        pages = {name: opened(path) for name, path in copies.items()}
    except SightlineError as problem:
        problems.append(str(problem))
        return {}
    wrappers: dict[str, Wrapper] = {}
    for way, make in ((TAUGHT, taught), (BY_LABEL, by_label)):
        try:
            wrappers[way], refused = make(pages[ITSELF], fields)
        except UsageError as problem:
            refused = [str(problem)]
        problems += [f"{copies[ITSELF].stem}, {way}: {one}" for one in refused]
    return {
        (way, copy): _first(wrapper.read(page).records.to_dicts())
        for way, wrapper in wrappers.items()
        for copy, page in pages.items()
    }


def _first(records: Sequence[Mapping[str, Any]]) -> dict[str, str]:
    """The texts of the first record; of several values of a field that is one, none is right."""
    record = records[0] if records else {}
    return {name: value for name, value in record.items() if isinstance(value, str)}


# ---------------------------------------------------------------------- the two ways


def taught(page: Page, fields: Sequence[Field]) -> tuple[Wrapper, list[str]]:
    """A wrapper from pointing at every value: at its node where this says nothing else, or else by its text.

    A value that cannot be pointed at is left out, and told.
    """
    lesson, refused = sl.teach(page), []
    words = said(page)
    for field in fields:
        place = beside(words, field)
        node = None if place is None else place.node
        is_whole = node is not None and page.strings[page.text[node]].strip() == field.shown
        try:
            lesson.want(field.name, node if is_whole and node is not None else field.shown)
        except UsageError as problem:
            refused.append(f"{field.name}: {problem}")
    return lesson.wrapper, refused


def by_label(page: Page, fields: Sequence[Field]) -> tuple[Wrapper, list[str]]:
    """A wrapper whose rules name the labels; all else of its file comes from any lesson on the page."""
    document = json.loads(_any_wrapper(page).dumps())
    document["rendered"] = True
    document["patterns"] = [_pattern(field) for field in fields]
    document["schema"]["fields"] = [
        {"name": field.name, "schema": {"node": "basic", "type": {"kind": "text"}}} for field in fields
    ]
    document["profile"]["fields"] = []
    return Wrapper.loads(json.dumps(document)), []


def _any_wrapper(page: Page) -> Wrapper:
    """The wrapper of whatever can be taught first: only its frame is used."""
    for word in said(page):
        try:
            wrapper: Wrapper = sl.teach(page).want("any", word.node).wrapper
        except UsageError:
            continue
        return wrapper
    raise UsageError("The page has no text that could be taught.")


def _pattern(field: Field) -> dict[str, Any]:
    sides = [BEGINS] if field.side == BEGINS else [field.side, BEGINS]
    return {
        "name": field.name,
        "cut": field.cut,
        "pages": 1,
        "rules": [{"pick": "first", "if": [{"way": "self", "test": side, "value": field.label}]} for side in sides],
    }


def beside(words: Sequence[Said], field: Field) -> Said | None:
    """The first word of the value that stands best to its label, of all places that show it."""
    labels, values = list(_runs(words, field.label)), list(_runs(words, field.shown))
    pairs = [
        (distance, number, value[0])
        for number, value in enumerate(values)
        for label in labels
        if (distance := _distance(_box_of(label), _box_of(value), field.side)) is not None
    ]
    return min(pairs, key=lambda pair: pair[:2])[2] if pairs else None


def _runs(words: Sequence[Said], text: str) -> Iterator[list[Said]]:
    """Where words that follow each other say a text, blanks aside; a single word may say more (“€5”)."""
    wanted = _dense(text)
    for start in range(len(words)):
        own = ""
        for stop in range(start, len(words)):
            own += _dense(words[stop].text)
            if own == wanted or (stop == start and wanted in own):
                yield list(words[start : stop + 1])
            if len(own) > len(wanted):
                break


def _dense(text: str) -> str:
    return "".join(text.split()).casefold().rstrip(":")


def _box_of(words: Sequence[Said]) -> Box:
    return around(word.box for word in words)


def _distance(label: Box, value: Box, side: str) -> float | None:
    """How far a value stands from where its label has it; None where it stands elsewhere."""
    across = max(0.0, value[0] - label[2], label[0] - value[2])
    down = max(0.0, value[1] - label[3], label[1] - value[3])
    if side == BELOW:
        return down if across == 0 and value[1] > label[1] else None
    return across if down == 0 and value[0] >= label[0] else None


# ---------------------------------------------------------------------- copies


def written_copies(path: Path, folder: Path) -> dict[str, Path]:
    """The invoice and its changed copies."""
    copies = {ITSELF: path} | {name: folder / f"{path.stem}-{name}.pdf" for name in (SHIFTED, PUSHED)}
    for name, change in ((SHIFTED, _shift), (PUSHED, _push)):
        with pypdfium2.PdfDocument(path) as document:
            for page in document:
                change(page)
            document.save(copies[name])
    return copies


def _shift(page: pypdfium2.PdfPage) -> None:
    """The sheet grows to the left and to the top, so that everything stands elsewhere on it, below a line more."""
    left, bottom, right, top = page.get_mediabox()
    _set_boxes(page, (left - LEFT_MORE, bottom, right, top + TOP_MORE))
    _write(page, ABOVE, left + LEFT_MORE, top + TOP_MORE / 2)
    page.gen_content()


def _push(page: pypdfium2.PdfPage) -> None:
    """What stands below the widest gap in the middle goes down, the sheet grows with it, and goods fill the gap."""
    left, bottom, right, top = page.get_mediabox()
    objects = list(page.get_objects(max_depth=1))
    cut = _widest_gap([one.get_bounds() for one in objects], bottom, top)
    for one in objects:
        if one.get_bounds()[3] <= cut:
            one.transform(pypdfium2.PdfMatrix().translate(0, -DOWN))
    for number, (goods, price) in enumerate(GOODS, start=1):
        for text, x in ((goods, left + LEFT_MORE), (price, right - 2 * LEFT_MORE)):
            _write(page, text, x, cut - number * LEADING)
    page.gen_content()
    _set_boxes(page, (left, bottom - DOWN, right, top))


def _write(page: pypdfium2.PdfPage, text: str, x: float, y: float) -> None:
    """Add a line of text to a sheet."""
    raw = pdfium.FPDFPageObj_NewTextObj(page.pdf, b"Helvetica", SIZE)
    pdfium.FPDFText_SetText(raw, ctypes.cast(ctypes.c_char_p(f"{text}\0".encode("utf-16-le")), pdfium.FPDF_WIDESTRING))
    pdfium.FPDFPageObj_Transform(raw, 1, 0, 0, 1, x, y)
    pdfium.FPDFPage_InsertObject(page, raw)


def _widest_gap(bounds: Sequence[Box], bottom: float, top: float) -> float:
    """The middle of the widest band without any object; large pictures and frames do not count."""
    height = top - bottom
    spans = sorted((low, high) for _, low, _, high in bounds if high - low < height / 4)
    low, high = (bottom + share * height for share in MIDDLE)
    widest, cut, reached = 0.0, low, bottom
    for begin, end in spans:
        if begin - reached > widest and low <= (begin + reached) / 2 <= high:
            widest, cut = begin - reached, (begin + reached) / 2
        reached = max(reached, end)
    return cut


def _set_boxes(page: pypdfium2.PdfPage, box: Box) -> None:
    page.set_mediabox(*box)
    page.set_cropbox(*box)


# ---------------------------------------------------------------------- right or wrong


def is_right(field: Field, true: Any, text: str | None) -> bool:
    """Whether a text means what the truth says; a part of a date must be the text itself."""
    if not text:
        return False
    if field.name.startswith("amount"):
        numbers = re.findall(AMOUNT, text)
        return len(numbers) == 1 and abs(_number(numbers[0]) - float(true)) < 0.005
    if field.part:
        return " ".join(text.split()) == field.shown
    order = {"DATE_ORDER": "DMY"}
    told = dateparser.parse(text.replace(" ,", ","), languages=LANGUAGES, settings=order)
    return told is not None and told.date().isoformat() == true


def _number(text: str) -> float:
    """The number of an amount, whose last mark parts the cents."""
    whole, cents = re.sub(r"[.,]", " ", text).rsplit(" ", 1)
    return float(f"{whole.replace(' ', '')}.{cents}")
