"""The parts of a page by which a template is told: names, runs of tags, words of titles, headings and labels, address.

Parts are numbers; each group of parts has numbers of its own, so that what it says can be weighed by itself.
"""

import re
import zlib
from urllib.parse import parse_qsl, unquote, urlsplit

import numpy as np

from sightline.arrays import LongArray
from sightline.sources import PageOutline

GROUPS = ("class", "id", "label", "heading", "title", "tags", "address")
OF_GROUP = 1 << 16  # numbers of a group; a page has a few hundred parts of each, so few share a number by chance
BUCKETS = OF_GROUP * len(GROUPS)
_FIRST = {name: OF_GROUP * number for number, name in enumerate(GROUPS)}
_REMEMBERED = 50_000  # names and texts whose numbers are kept; a crawl meets the same ones on each page
_TITLE_WORDS, _HEADING_WORDS = 16, 8  # longer ones are sentences

# They begin with plain characters, which the engine skips to: three times as fast as allowing for all spellings.
_CLASS = re.compile(r"""class=("[^"<>]*"|'[^'<>]*'|[^\s<>"']+)""")
_ID = re.compile(r"""id=("[^"<>]*"|'[^'<>]*'|[^\s<>"']+)""")
_LABEL = re.compile(r"<((?:th|dt|b|strong|label|caption|h[1-6])\b[^<>]*>[^<>]{2,40})<")
_HEADING = re.compile(r"<h([12]\b[^<>]*>.{1,400}?)</h", re.DOTALL)
_TAG = re.compile(r"<[^<>]*>")
_DIGITS = re.compile(r"\d+")
_WORD = re.compile(r"[^\W\d_]{2,}")
_LETTERS = re.compile(r"[^\W\d_]+")


class PartReader:
    """Reads the parts of pages as numbers. It remembers those of what it met, to save time."""

    def __init__(self) -> None:
        self._known: dict[tuple[str, str], list[int]] = {}

    def read(self, text: str, outline: PageOutline, url: str = "") -> LongArray:
        """The numbers of the parts of a page, in order."""
        if len(self._known) > _REMEMBERED:
            self._known.clear()
        numbers: list[int] = []
        for kind, pattern in (("class", _CLASS), ("id", _ID), ("label", _LABEL), ("heading", _HEADING)):
            for found in set(pattern.findall(text)):
                known = self._known.get((kind, found))
                if known is None:
                    known = self._known[kind, found] = [_number(kind, part) for part in _PARTS[kind](found)]
                numbers.extend(known)
        words = _WORD.findall(outline.title)[:_TITLE_WORDS]
        numbers.extend(_number("title", word) for word in words)
        numbers.extend(_number("address", part) for part in _address_parts(url))
        return np.unique(np.concatenate([np.array(numbers, np.int64), *_runs(outline.skeleton)]))


def _class_parts(value: str) -> list[str]:
    """Each class, and all of them together; digits count as one digit."""
    words = _DIGITS.sub("0", value.strip("\"'")).split()
    return [*words] + ([" ".join(words)] if len(words) > 1 else [])


def _id_parts(value: str) -> list[str]:
    return [_DIGITS.sub("0", value.strip("\"'"))]


def _label_parts(found: str) -> list[str]:
    tag, _, label = found.partition(">")
    return [f"{tag.split()[0]} {' '.join(label.split())}"]


def _heading_parts(found: str) -> list[str]:
    start, _, content = found.partition(">")
    return [f"{start[0]} {word}" for word in _WORD.findall(_TAG.sub(" ", content))[:_HEADING_WORDS]]


_PARTS = {"class": _class_parts, "id": _id_parts, "label": _label_parts, "heading": _heading_parts}


def _runs(skeleton: str) -> tuple[LongArray, LongArray]:
    """The pairs and the triples of tags that follow each other."""
    letters = np.frombuffer(skeleton.encode("utf-32-le"), dtype="<u4").astype(np.int64)
    pairs = letters[:-1] * 769 + letters[1:]
    first = _FIRST["tags"]
    return first + pairs * 7919 % OF_GROUP, first + (pairs[:-1] * 769 + letters[2:]) * 5381 % OF_GROUP


def _address_parts(url: str) -> list[str]:
    """The folders of an address, the words and the shape of its file, and what it asks for; nothing without one."""
    if not url:
        return []
    parts = urlsplit(url)
    folder, _, file = unquote(parts.path).rpartition("/")
    folders = folder.split("/")[1:]
    shape = _LETTERS.sub(lambda word: "A" if word[0][0].isupper() else "a", _DIGITS.sub("0", file))
    return [
        f"depth {len(folders)}",
        f"shape {shape}",
        *(f"folder {name}" for name in folders),
        *(f"file {word}" for word in _LETTERS.findall(file)),
        *(f"query {name}" for name, _ in parse_qsl(parts.query, keep_blank_values=True)),
    ]


def _number(group: str, part: str) -> int:
    return _FIRST[group] + zlib.crc32(part.encode("utf-8", "surrogatepass")) % OF_GROUP
