"""Pages of manuals, from documentation packages that were unpacked into a folder: one folder each, HTML below it.

Their own text is the truth: all that stands in the body but the bars that lead to the next and the last page, and the
tables of contents beside the text. The figures were made with the documentation packages of Debian 12 for
autoconf-archive, bash, cmake, debian-policy, developers-reference, flex, ghostscript, git, gnuplot, libtool, libxml2,
m4, maxima, ncurses, octave, postgresql, python3.11, r, sqlite3, valgrind and zsh.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from selectolax.lexbor import LexborHTMLParser

from bench.content.scores import words
from bench.frame import thinned
from sightline.page import Page
from sightline.sources import parse

# What generators of manuals (Texinfo, Sphinx, DocBook, Doxygen, AsciiDoc and by hand) put around the text.
AROUND = (
    "head, script, style, nav, header, footer, .header, .navheader, .navfooter, .nav-panel, .navigation, .related, "
    ".sphinxsidebar, .footer, .footdiv, .menu, .searchmenu, .mainmenu, .toc, .TOC, .contents, .navi, .sidebar, "
    ".element-contents, .shortcontents, [role=navigation], table.menu, table.menu-entry, #footer, #menu"
)
PAGES = 25  # of a package
LEAST_WORDS = 200
LEAST_BYTES, MOST_BYTES = 3_000, 600_000


@dataclass(frozen=True)
class ManualPage:
    """A page of a manual: the package it comes from, its page, and its own text."""

    package: str
    page: Page
    text: str


def manual_pages(folder: Path, most: int = PAGES) -> Iterator[ManualPage]:
    """Some pages of every package."""
    for package in sorted(path for path in folder.iterdir() if path.is_dir()):
        files = sorted(path for path in package.rglob("*.htm*") if path.is_file() and not path.is_symlink())
        large = [path for path in files if LEAST_BYTES < path.stat().st_size < MOST_BYTES]
        for path in thinned(large, most) if large else ():
            markup = path.read_text("utf-8", "replace")
            text = _own_text(markup)
            if len(words(text)) >= LEAST_WORDS:
                yield ManualPage(package.name, parse(markup), text)


def _own_text(markup: str) -> str:
    tree = LexborHTMLParser(markup)
    for node in tree.css(AROUND):
        node.decompose()
    return re.sub(r"\s+", " ", tree.body.text(separator=" ") if tree.body else "")
