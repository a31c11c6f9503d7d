"""Pages of manuals, from documentation packages that were unpacked into a folder: one folder each, HTML below it.

Their own text is the truth: all that stands in the body but the bars that lead to the next and the last page, and the
tables of contents beside the text. `python -m bench.content.manuals FOLDER` downloads the documentation packages of
Debian 12 that the figures were made with, and prints how much of each our main text keeps.
"""

import argparse
import re
import statistics
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from selectolax.lexbor import LexborHTMLParser

from bench.content.scores import words
from bench.frame import thinned
from bench.packages import download
from sightline.extract.content import find_content
from sightline.page import Page
from sightline.sources import parse

# What generators of manuals (Texinfo, Sphinx, DocBook, Doxygen, AsciiDoc and by hand) put around the text.
AROUND = (
    "head, script, style, nav, header, footer, .header, .navheader, .navfooter, .nav-panel, .navigation, .related, "
    ".sphinxsidebar, .footer, .footdiv, .menu, .searchmenu, .mainmenu, .toc, .TOC, .contents, .navi, .sidebar, "
    ".element-contents, .shortcontents, [role=navigation], table.menu, table.menu-entry, #footer, #menu"
)
PAGES = 25  # of a package
PACKAGES = (
    *("autoconf-archive", "bash-doc", "cmake-doc", "debian-policy", "developers-reference", "flex-doc", "git-doc"),
    *("ghostscript-doc", "gnuplot-doc", "libtool-doc", "libxml2-doc", "maxima-doc", "ncurses-doc", "octave-doc"),
    *("postgresql-doc-15", "python3.11-doc", "r-doc-html", "sqlite3-doc", "valgrind", "zsh-doc", "apache2-doc"),
    *("python-django-doc", "python-sqlalchemy-doc", "python-flask-doc", "python-jinja2-doc", "python-numpy-doc"),
    *("sphinx-doc", "borgbackup-doc", "gnutls-doc", "libcurl4-doc", "libglib2.0-doc", "haproxy-doc", "varnish-doc"),
    *("exim4-doc-html", "bind9-doc", "parted-doc", "postfix-doc", "bison-doc", "gawk-doc", "gdb-doc", "guile-3.0-doc"),
    *("diffutils-doc", "sed-doc", "tar-doc", "lynx-common", "fontconfig", "libpng-tools", "libgsl-dev", "nettle-dev"),
    *("libarchive-dev", "libjs-jquery-doc", "python-tornado-doc", "python-attr-doc", "python-click-doc"),
    *("python-werkzeug-doc", "python-pyramid-doc", "python-celery-doc", "python-lxml-doc", "python-matplotlib-doc"),
    *("libssl-doc", "libevent-doc", "libgmp-doc", "libmpfr-doc", "libffi-dev", "ruby-sass-doc", "yasm", "nasm"),
)
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


def main() -> None:
    """Download the packages, and print recall and precision of the words of each."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("folder", type=Path)
    folder = parser.parse_args().folder
    download(folder, PACKAGES)
    found = defaultdict(list)
    for one in manual_pages(folder):
        wanted, has = Counter(words(one.text)), Counter(words(find_content(one.page).text))
        both = (wanted & has).total()
        found[one.package].append((both / wanted.total(), both / max(1, has.total())))
    for name, pages in sorted(found.items()):
        print(f"{name:<24} {len(pages):>3} pages: {_told(pages)}")
    print(f"{len(found)} packages, {sum(map(len, found.values()))} pages: ", end="")
    print(_told([page for pages in found.values() for page in pages]))


def _told(pages: Sequence[tuple[float, float]]) -> str:
    recall, precision = (statistics.mean(values) for values in zip(*pages, strict=True))
    return f"recall {recall:.3f}, precision {precision:.3f}"


if __name__ == "__main__":
    main()
