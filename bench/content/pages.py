"""The pages with a main text, what is known of them, and how they are opened.

Four sets are read: `content2`, 1,144 pages with their main texts; `content`, 210 pages of the same source, 191 of them
also in `content2`; the snippets of `content2`, 479 pages of which only some passages are known; and the articles of
`things`, one each of 110 newspapers in some thirty languages, with their text paragraph by paragraph.
"""

import re
import zlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from bench.frame import Corpus, Options, folder_of, thinned
from bench.pages import json_lines

SETS = ("content2", "content")
SNIPPETS = "snippets"
ARTICLES, ARTICLE = "things", "article"  # the set, and the kind of its pages
FOLDS = 5
# Where a page gives its own address, and the names of its elements.
OWN_ADDRESS = re.compile(r"<link\b[^>]*\brel=[\"']?canonical\b[^>]*>|<meta\b[^>]*\bog:url\b[^>]*>", re.IGNORECASE)
ADDRESS = re.compile(r"\b(?:href|content)=[\"']?(https?://[^\"'>\s]+)", re.IGNORECASE)
CLASSES = re.compile(r"\bclass=\"([^\"]*)\"")
ALIKE = 0.3  # of the names of the elements of two pages; of the newspapers, eight groups of two to four are alike
# Second-level names under which many sites are registered.
SHARED_NAMES = frozenset(("ac", "co", "com", "edu", "gov", "net", "or", "org"))


@dataclass(frozen=True)
class PageTruth:
    """What is known of a page: its main text, snippets that must and must not be in it, title, author and date."""

    id: str
    file: str
    url: str
    type: str
    css: bool | None
    text: str
    present: tuple[str, ...]
    absent: tuple[str, ...]
    fields: Mapping[str, str]
    group: str = ""  # the address of a page that is built like this one, if any is: they share a fold
    authors: tuple[str, ...] = ()

    @classmethod
    def from_json(cls, line: Mapping[str, Any]) -> "PageTruth":
        """A line of `truth.jsonl` or `snippets.jsonl`."""
        return cls(
            id=line["id"],
            file=line["file"],
            url=line.get("url") or "",
            type=line.get("type", SNIPPETS),
            css=line.get("css"),
            text=line.get("text") or "",
            present=tuple(line["with"]),
            absent=tuple(line["without"]),
            fields={name: line[name] for name in ("title", "author", "date") if line.get(name)},
        )

    @property
    def from_newspaper(self) -> bool:
        """Whether it is one of the articles of newspapers."""
        return bool(self.group)

    @property
    def has_text(self) -> bool:
        """Whether the whole main text is known, and not only snippets of it."""
        return self.type != SNIPPETS

    @property
    def fold(self) -> int:
        """The fold in which the page is left out: all pages of a domain, and of its like, are in the same one."""
        return fold_of(self.group or self.url or self.id)


@dataclass(frozen=True)
class Truth:
    """What is known of the pages that are measured on, with the folder that they lie in."""

    folder: Path
    pages: tuple[PageTruth, ...]
    listed: str = "truth.jsonl"

    @property
    def files(self) -> tuple[Path, ...]:
        """The files of the pages."""
        return tuple(self.folder / page.file for page in self.pages)

    @property
    def corpus(self) -> Corpus:
        """Pages and truth: figures are comparable only where both are the same."""
        return Corpus(f"{self.folder.name}, {Path(self.listed).stem}", (self.folder / self.listed, *self.files))


def domain_of(url: str) -> str:
    """The domain of an address, as far as its name tells.

    >>> domain_of("https://www.docs.example.co.uk/a"), domain_of("http://example.org"), domain_of("page 7")
    ('example.co.uk', 'example.org', 'page 7')
    """
    labels = (urlsplit(url).hostname or "").split(".")
    size = 3 if len(labels) > 2 and labels[-2] in SHARED_NAMES else 2
    return ".".join(labels[-size:]) or url


def fold_of(url: str) -> int:
    """The fold of an address: by a hash of its domain, so that it does not hang on which pages are there."""
    return zlib.crc32(domain_of(url).encode()) % FOLDS


def read_truth(options: Options, named: Sequence[str] = (), *, set_name: str = SETS[0]) -> Truth:
    """What is known of the pages; of those only that have one of the names in their id or type, if any."""
    return _read(set_name, "truth.jsonl", options, named)


def read_articles(options: Options, named: Sequence[str] = ()) -> Truth:
    """The articles of newspapers; those whose pages are built alike share a fold, for they are of one publisher."""
    folder = folder_of(ARTICLES, options)
    lines = [line for line in json_lines(folder / "truth.jsonl") if line["kind"] == ARTICLE]
    markup = [(folder / line["file"]).read_text("utf-8", "replace") for line in lines]
    addresses = [_own_address(text) or line["id"] for line, text in zip(lines, markup, strict=True)]
    groups = built_alike([frozenset(_names_of(text)) for text in markup])
    pages = [
        PageTruth(
            id=line["id"],
            file=line["file"],
            url=address,
            type=ARTICLE,
            css=None,
            text="\n".join(line["fields"]["body"]),
            present=(),
            absent=(),
            fields={"title": line["fields"]["title"], "date": line["fields"]["publishing_date"]},
            group=addresses[group],
            authors=tuple(line["fields"].get("authors", ())),
        )
        for line, address, group in zip(lines, addresses, groups, strict=True)
    ]
    chosen = [page for page in pages if not named or any(name in f"{page.id} {page.type}" for name in named)]
    return Truth(folder, tuple(thinned(chosen, options.limit)))


def _own_address(markup: str) -> str:
    """The address that a page gives itself."""
    for tag in OWN_ADDRESS.findall(markup):
        if found := ADDRESS.search(tag):
            return found[1]
    return ""


def _names_of(markup: str) -> list[str]:
    return [name for names in CLASSES.findall(markup) for name in names.split()]


def built_alike(names: Sequence[frozenset[str]]) -> list[int]:
    """For each page the first that is built like it: they have three in ten of the names of their elements in common.

    >>> built_alike([frozenset("ab"), frozenset("xyz"), frozenset("abc"), frozenset("cd")])
    [0, 1, 0, 0]
    """
    first = list(range(len(names)))
    for place, own in enumerate(names):
        for other, theirs in enumerate(names[:place]):
            if len(own & theirs) >= ALIKE * max(1, len(own | theirs)):
                old, new = sorted((first[other], first[place]))[::-1]
                first = [new if group == old else group for group in first]
    return first


def read_snippets(options: Options) -> Truth:
    """The pages of which only snippets are known."""
    return _read(SETS[0], f"{SNIPPETS}.jsonl", options, ())


def _read(set_name: str, listed: str, options: Options, named: Sequence[str]) -> Truth:
    folder = folder_of(set_name, options)
    pages = [PageTruth.from_json(line) for line in json_lines(folder / listed)]
    chosen = [page for page in pages if not named or any(name in f"{page.id} {page.type}" for name in named)]
    if not chosen:
        raise SystemExit(f"bench: no page of {set_name} is named {', '.join(named)}.")
    return Truth(folder, tuple(thinned(chosen, options.limit)), listed)
