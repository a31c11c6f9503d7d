"""Tables as other libraries read them: `python bench/tables/peers.py` in an interpreter that has them.

Reads a JSON list of HTML files from the input, and writes one JSON object: for each peer its version and, for each
file, its tables as `{"rows", "header_rows"}` with spans repeated; a peer that is not installed is missing. Nothing of
this project is imported: the peers have a hundred dependencies, and live in an environment of their own.
"""

import json
import os
import re
import sys
import tempfile
from collections.abc import Callable, Iterator
from importlib.metadata import version
from io import StringIO
from pathlib import Path
from typing import Any

Reader = Callable[[str], list[dict[str, Any]]]
# lxml refuses a text that names an encoding, as XHTML does; a browser drops the declaration as well.
XML_DECLARATION = re.compile(r"\A\s*<\?xml[^>]*>")


def main() -> None:
    """Read all files with every peer that is installed."""
    files = json.load(sys.stdin)
    texts = [XML_DECLARATION.sub("", Path(file).read_text("utf-8-sig", "replace")) for file in files]
    answer = {
        name: {"version": version(name), "pages": [reader(text) for text in texts]} for name, reader in _installed()
    }
    json.dump(answer, sys.stdout)


def _installed() -> Iterator[tuple[str, Reader]]:
    for name, make in (("pandas", _pandas), ("crawl4ai", _crawl4ai)):
        try:
            reader = make()
        except ImportError:
            continue
        yield name, reader


def _pandas() -> Reader:
    """What `pandas.read_html` reads before it guesses types: the guesses would spoil the texts ("1" becomes "1.0")."""
    import lxml.etree  # noqa: F401 - pandas itself imports it only when it reads
    from pandas.io.html import _LxmlFrameParser as Parser

    def read(text: str) -> list[dict[str, Any]]:
        parser = Parser(StringIO(text), re.compile(".+"), None, None, displayed_only=True, extract_links=None)
        try:
            parts = list(parser.parse_tables())
        except ValueError as problem:
            if "No tables found" not in str(problem):
                raise
            return []
        return [{"rows": [*head, *body, *foot], "header_rows": len(head)} for head, body, foot in parts]

    return read


def _crawl4ai() -> Reader:
    """The default table extraction of crawl4ai, called as its scraper does."""
    # It makes a folder for its own things when it is imported.
    os.environ.setdefault("CRAWL4_AI_BASE_DIRECTORY", tempfile.gettempdir())
    import lxml.html
    from crawl4ai.table_extraction import DefaultTableExtraction

    extraction = DefaultTableExtraction()

    def read(text: str) -> list[dict[str, Any]]:
        body = lxml.html.document_fromstring(text).find("body")
        return [] if body is None else [_with_headings(table) for table in extraction.extract_tables(body)]

    return read


def _with_headings(table: dict[str, Any]) -> dict[str, Any]:
    """Rows and headings in one grid; the first row serves as headings when there are no others, and is no row twice."""
    headings, body = table["headers"], table["rows"]
    if not headings or body[:1] == [headings]:
        return {"rows": body, "header_rows": len(headings[:1])}
    return {"rows": [headings, *body], "header_rows": 1}


if __name__ == "__main__":
    main()
