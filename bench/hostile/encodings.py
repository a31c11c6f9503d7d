"""Guessing encodings: ours beside charset-normalizer and chardet, on chardet's collection, declarations not looked at.

    python -m bench.hostile.encodings

A guess is right if it gives the text of the encoding that the collection names, by Python's decoder or by that of
browsers. Texts in encodings that browsers don't know are counted apart: there, every guess of ours is wrong.
"""

import re
import time
from collections import Counter
from collections.abc import Callable

import chardet
import charset_normalizer
from rich.console import Console
from rich.table import Table

from bench.frame import Options, folder_of
from sightline.sources.html import decode
from sightline.sources.html._encoding import encoding_of_label

LANGUAGE = re.compile(r"-(?!8859)[a-z]{4,}$")  # of a folder such as iso-8859-2-croatian


def _ours(content: bytes) -> str:
    return decode(content, html=False).text


def _by_charset_normalizer(content: bytes) -> str:
    best = charset_normalizer.from_bytes(content, preemptive_behaviour=False).best()
    return str(best) if best else ""


def _by_chardet(content: bytes) -> str:
    return content.decode(chardet.detect(content)["encoding"] or "utf-8", errors="replace")


GUESSES: dict[str, Callable[[bytes], str]] = {
    "sightline": _ours,
    "charset-normalizer": _by_charset_normalizer,
    "chardet": _by_chardet,
}


def _meant(content: bytes, name: str) -> set[str]:
    """The text in the encoding of this name, as Python and as browsers read it."""
    texts = {content.decode(name)}
    if encoding_of_label(name):
        texts.add(decode(content, name).text)
    return {text.lstrip("\ufeff") for text in texts}


def run() -> None:
    """Try every guess on every text, and print how many are right and what a text costs."""
    right: Counter[tuple[str, bool]] = Counter()
    texts: Counter[bool] = Counter()
    seconds: Counter[str] = Counter()
    for path in sorted(folder_of("hostile", Options()).glob("encodings-chardet/tests/*/*")):
        name, content = LANGUAGE.sub("", path.parent.name), path.read_bytes()
        try:
            meant = _meant(content, name)
        except (LookupError, UnicodeDecodeError):
            continue  # one text of the collection is damaged
        known = encoding_of_label(name) is not None
        texts[known] += 1
        for guess, read in GUESSES.items():
            began = time.perf_counter()
            found = read(content)
            seconds[guess] += time.perf_counter() - began
            right[guess, known] += found.lstrip("\ufeff") in meant
    table = Table(title="Guessed encodings", box=None)
    for heading in ("", f"browsers know it ({texts[True]})", f"they don't ({texts[False]})", "ms a text"):
        table.add_column(heading)
    for guess in GUESSES:
        cost = 1000 * seconds[guess] / texts.total()
        table.add_row(guess, str(right[guess, True]), str(right[guess, False]), f"{cost:.1f}")
    Console().print(table)


if __name__ == "__main__":
    run()
