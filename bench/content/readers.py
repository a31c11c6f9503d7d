"""Pages as other extractors of main content read them: `python bench/content/readers.py` where they are installed.

Reads a JSON list of paths from the input, and writes one object a peer: its `version`, of every page the `texts` and
the `seconds` of processor time, and `fields` where a peer tells title, author and date. Nothing of this project is
imported: the peers live in an environment of their own. A plain name is the usage with the best F1 over all pages of
the set `content`; other usages add a word to it.
"""

import json
import logging
import sys
from collections.abc import Callable
from importlib import import_module
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from time import process_time
from typing import Any

WARM_UP = 10  # pages read before any is timed: modules, patterns and word lists load at first use
FIELDS = ("title", "author", "date")

Reader = Callable[[str], str]
Fields = dict[str, str | None]


def main() -> None:
    """Read all pages with all peers that there are."""
    logging.disable(logging.CRITICAL)  # some tell of every page that they find nothing in
    pages = [Path(path).read_text("utf-8-sig", "replace") for path in json.load(sys.stdin)]
    answer = {}
    for name, (package, make) in READERS.items():
        try:
            known = version(package)
        except PackageNotFoundError:
            continue
        answer[name] = {"version": known, **_read(make(), pages)}
        if name in METADATA:
            answer[name]["fields"] = [METADATA[name](page) for page in pages]
    json.dump(answer, sys.stdout)


def _read(reader: Reader, pages: list[str]) -> dict[str, Any]:
    for page in pages[:WARM_UP]:
        _text(reader, page)
    texts, seconds = [], []
    for page in pages:
        began = process_time()
        texts.append(_text(reader, page))
        seconds.append(process_time() - began)
    return {"texts": texts, "seconds": seconds}


def _text(reader: Reader, page: str) -> str:
    """The text of a page; where a peer fails it has none, which counts against it, and stops nothing."""
    try:
        return reader(page)
    except Exception:  # noqa: BLE001 - whatever another library raises is its answer
        return ""


def _trafilatura(**options: Any) -> Reader:
    extract = import_module("trafilatura").extract
    return lambda html: extract(html, **options) or ""


def _trafilatura_fields(html: str) -> Fields:
    found = import_module("trafilatura").extract_metadata(html)
    return {name: getattr(found, name, None) for name in FIELDS}


def _resiliparse(**options: Any) -> Reader:
    extract = import_module("resiliparse.extract.html2text").extract_plain_text
    return lambda html: extract(html, main_content=True, **options)


def _justext(*, detect: bool) -> Reader:
    justext = import_module("justext")
    words = {name: justext.get_stoplist(name) for name in sorted(justext.get_stoplists())}

    def read(html: str) -> str:
        parts = justext.justext(html, words["English"])
        language = _language([part.text for part in parts], words) if detect else "English"
        if language != "English":
            parts = justext.justext(html, words[language])
        return "\n".join(part.text for part in parts if not part.is_boilerplate)

    return read


def _language(texts: list[str], stop_words: dict[str, frozenset[str]]) -> str:
    """The language that has most of the words as its stop words; English where no other has more."""
    words = " ".join(texts).casefold().split()
    counts = {name: sum(word in stops for word in words) for name, stops in stop_words.items()}
    best = max(counts, key=lambda name: counts[name])
    return best if counts[best] > counts["English"] else "English"


def _readability() -> Reader:
    document = import_module("readability").Document
    parse = import_module("lxml.html").fromstring

    def read(html: str) -> str:
        summary = document(html).summary()
        return "\n".join(parse(summary).itertext()) if summary.strip() else ""

    return read


def _boilerpy(extractor: str) -> Reader:
    made = getattr(import_module("boilerpy3.extractors"), extractor)(raise_on_failure=False)
    return lambda html: made.get_content(html)


READERS: dict[str, tuple[str, Callable[[], Reader]]] = {
    "trafilatura": ("trafilatura", lambda: _trafilatura(include_comments=False)),
    "trafilatura, as it comes": ("trafilatura", lambda: _trafilatura()),
    "trafilatura, recall": ("trafilatura", lambda: _trafilatura(include_comments=False, favor_recall=True)),
    "resiliparse": ("resiliparse", lambda: _resiliparse(alt_texts=False, links=False, form_fields=False)),
    "resiliparse, as it comes": ("resiliparse", lambda: _resiliparse()),
    "jusText": ("jusText", lambda: _justext(detect=True)),
    "jusText, English": ("jusText", lambda: _justext(detect=False)),
    "readability-lxml": ("readability-lxml", lambda: _readability()),
    "boilerpy3": ("boilerpy3", lambda: _boilerpy("CanolaExtractor")),
    "boilerpy3, articles": ("boilerpy3", lambda: _boilerpy("ArticleExtractor")),
}
METADATA: dict[str, Callable[[str], Fields]] = {"trafilatura": _trafilatura_fields}


if __name__ == "__main__":
    main()
