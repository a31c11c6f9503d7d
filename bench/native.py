"""The kernels in C: what they gain over their twins in Python, whether both agree, and what the sanitizers say.

The kernels are compiled anew with the sanitizers for addresses and undefined behaviour, and run on real pages, soups of
tags and sheets of PDFs, in a process of their own; what they give is compared with what Python alone gives.
"""

import json
import os
import random
import statistics
import subprocess
import sys
import sysconfig
import tempfile
from collections.abc import Callable
from pathlib import Path
from time import process_time
from typing import Any, TypeVar

import pypdfium2.raw as pdfium

import sightline as sl
from bench.frame import Figure, Options, Outcome, corpus
from sightline import native
from sightline.extract.schemas import Alphabet, outline_of
from sightline.page import Page
from sightline.sources.html import parse
from sightline.sources.pdf._objects import read_sheet, sheet_count
from sightline.sources.pdf._sheet import PdfSheet

Made = TypeVar("Made")

ROOT = Path(__file__).parent.parent
PAGES = 60  # of each set
SOUPS = 5_000
MOST_LINES = 1_500
SANITIZERS = ("-fsanitize=address,undefined", "-fno-sanitize-recover=undefined", "-g", "-O1")
PIECES = (
    *("<p>", "</p>", "<b>", "</b>", "<a href=x>", "</a>", "<div class='a b'>", "</div>", "<table>", "</table>", "<tr>"),
    *("<td>", "<th>", "<ul>", "<li>", "<br>", "<img src=1>", "<select>", "<option>", "<template>", "</template>"),
    *(
        "<svg>",
        "</svg>",
        "<clipPath>",
        "<foreignObject>",
        "<title>",
        "</title>",
        "<math>",
        "<mi>",
        "<style>",
        "</style>",
    ),
    *(
        "<script>",
        "</script>",
        "<script><!--<script>",
        "<noscript>",
        "</noscript>",
        "<textarea>",
        "</textarea>",
        "<xmp>",
    ),
    *("<!-- c -->", "<!--", "-->", "<?php x ?>", "<![CDATA[x]]>", "<x-y z>", "<form>", "<plaintext>", "<html lang=de>"),
    *("text", " ", "\n", "&amp;", "&nbsp;", "&lt;b&gt;", "\0", "\u00a0", "é", "日本", "\U0001f600", "<", ">", '"', "&"),
    *("<p a\"b=1 c<d=2 e'f x/y=3 =4>", "<input type=hidden>", "<p hidden>", "<i style='display:none'>", "</i>", "and"),
)
MOST_SHEETS = 10  # of one document
COLUMNS = ("code", "box", "rules", "rule_colour", "images", "drawings", "links")
OF_RUN = ("run_font", "run_colour", "run_marked", "run_size", "run_angle")


def run(options: Options) -> Outcome:
    """Measure what they gain, and check them."""
    sets = [corpus(name, options, most=PAGES) for name in ("tables", "content", "lists", "topk")]
    files = [path for one in sets for path in one.files]
    contents = [path.read_bytes() for path in files]
    papers = corpus("pdf", options, pattern="**/*.pdf", most=PAGES)
    printed = [path.read_bytes() for path in papers.files]
    if native.kernels is None:
        raise SystemExit("bench: the kernels are not compiled; install Sightline where there is a C compiler.")
    figures = [
        _gain("opening", contents, _opened),
        _gain("outline", contents, _outlined),
        _gain("sheets of a PDF", printed, sheets_read),
    ]
    differing, torn = _differing(contents, _all_of), _differing(printed, sheets_of)
    sick = _sanitized([*files, *papers.files])
    lines = sum(len(path.read_text("utf-8").splitlines()) for path in sorted(ROOT.glob("native/*.[ch]")))
    return Outcome(
        task="native",
        peer="Python alone",
        corpora=(*sets, papers),
        figures=(
            *figures,
            Figure.of("pages that differ from Python's", differing, 0, "lower"),
            Figure.of("PDFs that differ from Python's", torn, 0, "lower"),
            Figure.of("inputs that the sanitizers stopped at", sick, 0, "lower"),
            Figure.of("lines of C", lines, MOST_LINES, "lower"),
        ),
        remarks=(f"{len(files)} pages, {len(printed)} PDFs, and {SOUPS:,} soups of tags for the sanitizers.",),
    )


def _differing(contents: list[bytes], facts: Callable[[bytes], object]) -> int:
    return sum(facts(content) != _without(lambda content=content: facts(content)) for content in contents)


def _gain(name: str, contents: list[bytes], work: Callable[[bytes], Callable[[], object]]) -> Figure:
    ours, theirs = [], []
    for content in contents:
        ours.append(_seconds(work(content)))
        theirs.append(_without(lambda content=content: _seconds(work(content))))
    ratio = statistics.median(python / compiled for python, compiled in zip(theirs, ours, strict=True))
    medians = (1000 * statistics.median(times) for times in (ours, theirs))
    return Figure(f"{name}, Python / kernels, ms", *medians, ratio, None, "higher", "x")


def _opened(content: bytes) -> Callable[[], object]:
    return lambda: sl.open(content, static=True)


def _outlined(content: bytes) -> Callable[[], object]:
    page = sl.open(content, static=True)
    return lambda: outline_of(page, Alphabet(frozenset()))


def _seconds(work: Callable[[], object]) -> float:
    began = process_time()
    work()
    return process_time() - began


def _without(work: Callable[[], Made]) -> Made:
    """Do something without the kernels."""
    kept, native.kernels = native.kernels, None
    try:
        return work()
    finally:
        native.kernels = kept


def _all_of(content: bytes) -> list[object]:
    return _facts(sl.open(content, static=True))


def _facts(page: Page) -> list[object]:
    """All that the kernels make of a page."""
    found = outline_of(page, Alphabet(frozenset()))
    lists = (found.symbol, found.end, found.first, found.last, found.kid, found.leaf, found.texts, found.shape)
    return [page.id, page.strings, page.visible.tolist(), page.is_blank.tolist(), *lists]


def _sanitized(files: list[Path]) -> int:
    """How many of the pages and soups end a process whose kernels have the sanitizers built in."""
    with tempfile.TemporaryDirectory() as folder:
        library = Path(folder) / "_native.abi3.so"
        command = ["cc", "-std=c99", *SANITIZERS, "-fPIC", "-shared", f"-I{sysconfig.get_path('include')}"]
        sources = sorted(map(str, ROOT.glob("native/*.c")))
        subprocess.run([*command, '-DSOURCES=""', *sources, "-o", str(library)], check=True)
        runtime = subprocess.run(["cc", "-print-file-name=libasan.so"], check=True, capture_output=True, text=True)
        environment = os.environ | {"LD_PRELOAD": runtime.stdout.strip(), "ASAN_OPTIONS": "detect_leaks=0"}
        child = [sys.executable, "-m", "bench.native", str(library)]
        done = subprocess.run(child, input=json.dumps(list(map(str, files))), text=True, env=environment, check=False)
        return 0 if done.returncode == 0 else 1


def _child(library: str) -> None:
    """Run the kernels of another library on pages, PDFs and soups."""
    from importlib.machinery import ExtensionFileLoader
    from importlib.util import module_from_spec, spec_from_file_location

    spec = spec_from_file_location("_native", library, loader=ExtensionFileLoader("_native", library))
    assert spec is not None and spec.loader is not None
    native.kernels = module_from_spec(spec)  # type: ignore[assignment]
    spec.loader.exec_module(native.kernels)  # type: ignore[arg-type]
    for path in json.load(sys.stdin):
        (sheets_of if path.endswith(".pdf") else _all_of)(Path(path).read_bytes())
    chance = random.Random(7)
    for _ in range(SOUPS):
        _facts(parse("".join(chance.choices(PIECES, k=chance.randint(0, 40)))))


# ---------------------------------------------------------------- sheets as pdfium tells them


def sheets_read(content: bytes) -> Callable[[], list[PdfSheet]]:
    """What reads the first sheets of a document."""
    pdfium.FPDF_InitLibrary()
    document = pdfium.FPDF_LoadMemDocument64(content, len(content), None)
    numbers = range(1, min(sheet_count(document), MOST_SHEETS) + 1) if document else range(0)
    return lambda: [sheet for number in numbers if (sheet := read_sheet(document, number)) is not None]


def sheets_of(content: bytes) -> list[list[Any]]:
    """All that the first sheets say; runs are numbered by addresses in memory, so each character says its own."""
    return [_sheet_facts(sheet) for sheet in sheets_read(content)()]


def _sheet_facts(sheet: PdfSheet) -> list[Any]:
    columns = (getattr(sheet, name).tolist() for name in OF_RUN)
    said = [(sheet.fonts[font], *rest) for font, *rest in zip(*columns, strict=True)]
    letters = [said[run] if run >= 0 else None for run in sheet.run.tolist()]
    return [letters, *(getattr(sheet, name).tolist() for name in COLUMNS)]


if __name__ == "__main__":
    _child(sys.argv[1])
