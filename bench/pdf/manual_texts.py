"""The text of manuals as PDFs against their HTML editions of one page: `python -m bench.pdf.manual_texts`.

Of the packages of `manuals.txt` those count that hold a manual as a PDF and as a single page of HTML, with about as
many words. Words are compared without case, in whatever order; numbers of pages and what is printed on every sheet
stand in the PDF alone, and links to other pages in the HTML alone. Half of the packages may be looked at; the other
half, by a hash of their names, are only counted.
"""

import hashlib
import re
import unicodedata
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from statistics import fmean

from selectolax.lexbor import LexborHTMLParser

import sightline as sl
from bench.frame import program
from bench.measures import share
from bench.packages import download
from bench.pdf.growing import MANUALS, PACKAGES
from bench.pdf.known import decoded
from sightline.errors import SightlineError

LEAST_WORDS = 800
LEAST_ALIKE, MOST_ALIKE = 0.85, 1.18  # words of the PDF, in those of the HTML
SAME = 0.9  # share of the distinct words that both must have, to be the same text
MOST_BYTES = 5_000_000
WORD = re.compile(r"\w{2,}")


@dataclass(frozen=True)
class Reading:
    """How much of a manual's text was kept, and how much of what was kept is its text."""

    package: str
    name: str
    sheets: int
    recall: float
    precision: float

    @property
    def is_shown(self) -> bool:
        """Whether the package may be looked at."""
        return hashlib.blake2b(self.package.encode(), digest_size=1).digest()[0] < 128


def main() -> None:
    """Print how the text of each manual compares, and the means of both halves."""
    parser = program(__doc__)
    parser.add_argument("--manuals", type=Path, default=MANUALS, help="folder of unpacked packages")
    arguments = parser.parse_args()
    download(arguments.manuals, PACKAGES.read_text("utf-8").split())
    found = [one for folder in sorted(arguments.manuals.iterdir()) for one in readings(folder)]
    for one in found:
        if one.is_shown:
            print(f"{one.package}: {one.name}, {one.sheets} sheets: R {one.recall:.3f}, P {one.precision:.3f}")
    for told, several in (
        ("shown", [one for one in found if one.is_shown]),
        ("not shown", [one for one in found if not one.is_shown]),
    ):
        recall, precision = (fmean(getattr(one, side) for one in several) for side in ("recall", "precision"))
        low = sum(min(one.recall, one.precision) < 0.97 for one in several)
        print(f"{told}: {len(several)} manuals, recall {recall:.3f}, precision {precision:.3f}, {low} below 0.97")


def readings(folder: Path) -> Iterator[Reading]:
    """The manuals of a package that are both."""
    pages = {path: words_of(text_of(path)) for path in _files(folder, "*.htm*")}
    taken: set[Path] = set()
    for path in _files(folder, "*.pdf"):
        try:
            page = sl.open(str(path))
        except SightlineError:  # a few packages hold files that are damaged
            continue
        printed = words_of(page.text_of())
        twin = next((one for one in pages if one not in taken and _are_twins(printed, pages[one])), None)
        if twin is None:
            continue
        taken.add(twin)
        own, true = words_of(sl.content(page).text), pages[twin]
        both = (own & true).total()
        sheets = len(page.sheets)
        yield Reading(folder.name, path.name, sheets, share(both, true.total()), share(both, own.total()))


def _files(folder: Path, pattern: str) -> list[Path]:
    paths = (path for path in sorted(folder.rglob(pattern)) if path.is_file() and not path.is_symlink())
    return [path for path in paths if path.stat().st_size <= MOST_BYTES]


def _are_twins(printed: Counter[str], page: Counter[str]) -> bool:
    if page.total() < LEAST_WORDS or not LEAST_ALIKE <= printed.total() / page.total() <= MOST_ALIKE:
        return False
    return len(printed.keys() & page.keys()) >= SAME * len(page)


def text_of(path: Path) -> str:
    """The text of a page of HTML."""
    tree = LexborHTMLParser(decoded(path.read_bytes()))
    for node in tree.css("script, style, head"):
        node.decompose()
    return tree.body.text(separator=" ") if tree.body else ""


def words_of(text: str) -> Counter[str]:
    """The words of a text.

    >>> words_of("Two ﬁles, two")
    Counter({'two': 2, 'files': 1})
    """
    return Counter(WORD.findall(unicodedata.normalize("NFKC", text).casefold()))


if __name__ == "__main__":
    main()
