"""Scans of sheets whose tables are known: `python -m bench.pdf.scans --data FOLDER… [--first N] [--every N]`.

Of every document of ICDAR 2013, both halves, the first sheet that holds a whole table is printed at 150 and 300 dots an
inch, and laid on the scanner as it is, askew, or noisy. Each picture is a PDF of its own, without text.

* cell F1: `bench.pdf.icdar`, over the tables of these sheets; one figure for all documents, and one for each half of
  them, by their places in the alphabet.
* words: the share of the sheet's own words that are recognised, as they are in the file, whatever their place.
* seconds: processor time of `sl.open` and `sl.tables`, children included.

`sightline` is what the package does. `tesseract` has the words of Tesseract, if that is installed, with our drawn lines
and everything that follows. `text` reads the sheets with the text that they have: more can't be expected.
"""

import argparse
import io
import json
import os
import re
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from random import Random
from statistics import fmean
from typing import NamedTuple

import numpy as np
import pypdfium2
from PIL import Image, ImageFilter

import sightline as sl
from bench.frame import CACHE
from bench.pdf.icdar import Count, Document, Found, read_documents, structure_score
from bench.pdf.ours import tables_of
from bench.processes import processor_seconds
from sightline.extract.structure import structured
from sightline.page import Page
from sightline.sources.pdf._page import laid_out, printed_of
from sightline.sources.pdf._scans import sheet_of
from sightline.sources.scans._recognise import Recognised, _upright
from sightline.sources.scans._text_reader import text_reader
from sightline.sources.scans._words import RecognisedLine, RecognisedWord

POINTS = 72
DPI = (300, 150)
ASKEW = (0.5, 1.5)  # degrees, to either side
SALT = 0.002  # of the dots that are black or white by chance
BLUR = (0.5, 0.9)  # dots at 300 an inch
JPEG = (40, 60)  # quality of a noisy picture
CLEAN = 95  # of a clean one
SEED = 2013
CONFIDENT = 30  # of Tesseract's words, below which most are dust


class Sheet(NamedTuple):
    """A sheet with the tables that are known of it."""

    document: Document
    page: int
    truths: tuple[tuple[Found, ...], ...]

    @property
    def name(self) -> str:
        """What it is called."""
        return f"{self.document.name}-{self.page}"


class Draw(NamedTuple):
    """How sheets are scanned."""

    dpi: int
    condition: str

    @property
    def name(self) -> str:
        """What it is called."""
        return f"{self.dpi} {self.condition}"


DRAWS = tuple(Draw(dpi, condition) for dpi in DPI for condition in ("clean", "askew", "noisy"))


@dataclass(frozen=True)
class Read:
    """What was read of a sheet."""

    right: int
    true: int
    found: int
    words: int
    of_words: int
    seconds: float

    @property
    def count(self) -> Count:
        """The relations between its cells."""
        return Count(self.right, self.true, self.found)


# ---------------------------------------------------------------------- sheets


def sheets_of(folders: Sequence[Path]) -> Iterator[Sheet]:
    """The first sheet of every document that holds a whole table."""
    for folder in folders:
        for document in read_documents(folder):
            whole = [table for table in document.structures[0] if len(table.pages) == 1]
            pages = sorted(page for table in whole for page in table.pages)
            spread = {
                page for truth in document.structures for table in truth if len(table.pages) > 1 for page in table.pages
            }
            page = next((page for page in pages if page not in spread), None)
            if page is not None:
                truths = tuple(tuple(one for one in truth if one.pages == {page}) for truth in document.structures)
                yield Sheet(document, page, truths)


def picture_of(sheet: Sheet, draw: Draw) -> tuple[Image.Image, int]:
    """A scan of a sheet, and the quality that it is kept with."""
    random = Random(f"{SEED} {sheet.name} {draw.name}")
    with pypdfium2.PdfDocument(sheet.document.path) as document:
        picture = document[sheet.page - 1].render(scale=draw.dpi / POINTS, grayscale=True).to_pil().convert("L")
    if draw.condition == "clean":
        return picture, CLEAN
    if draw.condition == "askew":
        angle = random.uniform(*ASKEW) * random.choice((-1, 1))
        return picture.rotate(angle, resample=Image.Resampling.BICUBIC, fillcolor=255), CLEAN
    picture = picture.filter(ImageFilter.GaussianBlur(random.uniform(*BLUR) * draw.dpi / 300))
    dots = np.array(picture)
    chance = np.random.default_rng(random.randrange(1 << 30)).random(dots.shape)
    dots[chance < SALT / 2] = 0
    dots[chance > 1 - SALT / 2] = 255
    return Image.fromarray(dots), random.randint(*JPEG)


def scan_of(sheet: Sheet, draw: Draw) -> bytes:
    """A PDF of one sheet that is nothing but a picture."""
    picture, quality = picture_of(sheet, draw)
    out = io.BytesIO()
    picture.save(out, "PDF", resolution=draw.dpi, quality=quality)
    return out.getvalue()


# ---------------------------------------------------------------------- engines


def by_sightline(scan: bytes) -> Page:
    """The page as the package gives it."""
    page: Page = sl.open(scan)
    return page


def by_tesseract(scan: bytes) -> Page:
    """The page with the words of Tesseract; drawn lines, and all that comes after the words, are ours."""
    with pypdfium2.PdfDocument(scan) as document:
        picture = document[0].render(scale=300 / POINTS, grayscale=True).to_numpy().squeeze()
    cleaned, quarters = _upright(np.ascontiguousarray(picture), text_reader())
    assert cleaned is not None
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "sheet.png"
        Image.fromarray(cleaned.level).save(path, dpi=(300, 300))
        command = ["tesseract", str(path), "-", "-l", "eng", "--psm", "3", "tsv"]
        said = subprocess.run(
            command, env={**os.environ, "OMP_THREAD_LIMIT": "1"}, capture_output=True, text=True, check=True
        ).stdout
    shape = (cleaned.level.shape[0], cleaned.level.shape[1])
    found = Recognised(
        shape, tuple(_tesseract_lines(said, cleaned.size)), cleaned.rules, cleaned.fills, quarters, cleaned.angle
    )
    return structured(printed_of([laid_out(sheet_of(found, 1, 300 / 96))], title="scan"))


def _tesseract_lines(said: str, usual: float) -> Iterator[RecognisedLine]:
    lines: dict[tuple[str, ...], list[tuple[RecognisedWord, float, float]]] = {}
    for row in said.splitlines()[1:]:
        cells = row.split("\t")
        if len(cells) == 12 and cells[11].strip() and float(cells[10]) >= CONFIDENT:
            left, top, wide, tall = map(float, cells[6:10])
            word = RecognisedWord(cells[11].strip(), left, left + wide, float(cells[10]) / 100)
            lines.setdefault(tuple(cells[1:5]), []).append((word, top, top + tall))
    for held in lines.values():
        foot = float(np.median([bottom for _, _, bottom in held]))
        size = max((foot - min(top for _, top, _ in held)) / 0.75, usual / 2)
        yield RecognisedLine(tuple(word for word, _, _ in held), min(size, 1.6 * usual), foot)


ENGINES: Mapping[str, Callable[[bytes], Page]] = {"sightline": by_sightline, "tesseract": by_tesseract}


# ---------------------------------------------------------------------- scores


def read(sheet: Sheet, page: Page, tables: Sequence[Found], seconds: float) -> Read:
    """What a page has right of a sheet."""
    here = [Found(table.cells, frozenset({sheet.page})) for table in tables]
    count = max((structure_score(truth, here) for truth in sheet.truths), key=lambda one: one.f1)
    true, said = _true_words(sheet), Counter(page.text_of().replace("\u00ad", "").split())
    return Read(count.right, count.true, count.found, (true & said).total(), true.total(), seconds)


def _true_words(sheet: Sheet) -> Counter[str]:
    with pypdfium2.PdfDocument(sheet.document.path) as document:
        text = document[sheet.page - 1].get_textpage().get_text_range()
    return Counter(re.sub("[\ufffe\u0002]\\s*", "", text).split())


def with_text(sheet: Sheet) -> Read:
    """The sheet with its own text."""
    began = processor_seconds()
    page = sl.open(str(sheet.document.path), sheets=[sheet.page])
    tables = tables_of(page, sl.tables(page))
    return read(sheet, page, tables, processor_seconds() - began)


def scanned(sheet: Sheet, draw: Draw, engine: str) -> Read:
    """The sheet as a scan."""
    scan = scan_of(sheet, draw)
    began = processor_seconds()
    page = ENGINES[engine](scan)
    tables = tables_of(page, sl.tables(page))
    return read(sheet, page, tables, processor_seconds() - began)


def f1(reads: Sequence[Read]) -> float:
    """F1 of the mean precision and the mean recall, as the competition has it."""
    precision, recall = (fmean(getattr(one.count, side) for one in reads) for side in ("precision", "recall"))
    return 2 * precision * recall / (precision + recall) if precision + recall else 0.0


def line_of(name: str, reads: Sequence[Read]) -> str:
    """A line of the report."""
    halves = [f1(reads[start::2]) for start in (0, 1)] if len(reads) > 1 else [0.0, 0.0]
    words = sum(one.words for one in reads) / sum(one.of_words for one in reads)
    seconds = sorted(one.seconds for one in reads)
    return (
        f"{name:<24} {len(reads):>4} sheets  F1 {f1(reads):.3f} (halves {halves[0]:.3f}, {halves[1]:.3f})  "
        f"words {words:.3f}  {fmean(seconds):.2f} s, at most {seconds[-1]:.2f} s"
    )


def main(arguments: Sequence[str]) -> None:
    """Read everything; what was read is kept in a file, so that a run that was stopped goes on."""
    parser = argparse.ArgumentParser(prog="python -m bench.pdf.scans")
    parser.add_argument("--first", type=int, default=0, help="the sheet to begin with, from 0")
    parser.add_argument("--every", type=int, default=1, help="take every so manieth sheet")
    parser.add_argument("--limit", type=int, help="how many sheets to take")
    parser.add_argument("--engine", action="append", choices=[*ENGINES])
    parser.add_argument("--draw", action="append", choices=[draw.name for draw in DRAWS])
    parser.add_argument("--data", type=Path, action="append", required=True, help="folders of ICDAR 2013")
    parser.add_argument("--keep", type=Path, default=CACHE / "pdf-scans.jsonl", help="what was read, one line a sheet")
    options = parser.parse_args(arguments)
    sheets = list(sheets_of(options.data))[options.first :: options.every][: options.limit]
    kept = _kept(options.keep)
    print(line_of("text", [with_text(sheet) for sheet in sheets]), flush=True)
    for draw in DRAWS:
        if options.draw and draw.name not in options.draw:
            continue
        for engine in options.engine or [*ENGINES]:
            reads = []
            for sheet in sheets:
                key = f"{engine} {draw.name} {sheet.name}"
                if key not in kept:
                    kept[key] = scanned(sheet, draw, engine)
                    with options.keep.open("a", encoding="utf-8") as out:
                        out.write(json.dumps([key, vars(kept[key])]) + "\n")
                reads.append(kept[key])
            print(line_of(f"{engine} {draw.name}", reads), flush=True)


def _kept(path: Path) -> dict[str, Read]:
    path.parent.mkdir(parents=True, exist_ok=True)
    if not path.exists():
        return {}
    return {key: Read(**values) for key, values in map(json.loads, path.read_text("utf-8").splitlines())}


if __name__ == "__main__":
    main(sys.argv[1:])
