"""What a page says in its own data, each text with the words that lead to it: the names of its properties."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice
from typing import Any

from sightline.extract.about._asked import words_of_name
from sightline.extract.about._typed import clean, lines
from sightline.page import OwnPath, Page
from sightline.signals import word_set

MOST_TEXTS = 4_000
LONGEST_TEXT = 20_000  # characters; a page's whole text is said by some
# Properties that say nothing themselves: what they are of does.
EMPTY = word_set("name value text url content contenturl item type title itemlistelement result data")
NAMED = ("name", "label", "title", "key", "propertyID")  # of a pair: `{"name": "Colour", "value": "red"}`
PAIRED = ("value", "values", "text", "content")


@dataclass(frozen=True)
class SaidText:
    """A text of the page's own data: the words of the property that it stands under, and where it stands."""

    text: str
    words: tuple[str, ...]
    depth: int
    syntax: str
    document: int
    path: OwnPath

    @property
    def where(self) -> str:
        """The syntax, the number of the document from 1, and the path in it."""
        return f"{self.syntax} {self.document + 1}: {'.'.join(map(str, self.path))}"

    @property
    def group(self) -> tuple[Any, ...]:
        """What the others of its list share with it."""
        return (self.document, *(step for step in self.path if isinstance(step, str)))


def texts_said(page: Page) -> list[SaidText]:
    """All texts that a page says of itself, in order.

    >>> from sightline.testing import element, page_of
    >>> data = '{"frameSize": "58 cm", "additionalProperty": [{"name": "Colour", "value": "red"}]}'
    >>> page = page_of(element("script", data, type="application/ld+json"), kind="static")
    >>> [(one.text, one.words) for one in texts_said(page)]
    [('58 cm', ('frame', 'size')), ('Colour', ('additional', 'property', 'name')), ('red', ('colour',))]
    """
    return list(islice(_texts(page), MOST_TEXTS))


def _texts(page: Page) -> Iterator[SaidText]:
    own = page.own_data
    for value in own.values():
        keys = [step for step in value.path if isinstance(step, str)]
        if not keys or keys[-1].startswith("@") or isinstance(value.value, bool):
            continue
        text = str(value.value)
        if len(text) > LONGEST_TEXT:
            continue
        words = _pair_name(own.documents[value.document].data, value.path) or _words(keys)
        for part in lines(text) or [clean(text)]:
            if part:
                yield SaidText(part, words, len(keys), value.syntax, value.document, value.path)


def _words(keys: list[str]) -> tuple[str, ...]:
    """The words of the last property, and of the one before where the last says nothing."""
    last = re.sub(r"^(?:og|article|product|twitter|dc|dcterms|book|music|video)[:.]", "", keys[-1])
    words = words_of_name(last)
    if len(keys) > 1 and last.casefold() in EMPTY:
        words = tuple(dict.fromkeys((*words_of_name(keys[-2]), *words)))
    return words


def _pair_name(data: Any, path: OwnPath) -> tuple[str, ...]:
    """The words of the name that stands beside a value, as in `additionalProperty`."""
    names = [place for place, step in enumerate(path) if isinstance(step, str)]
    last = names[-1]
    if path[last] not in PAIRED:
        return ()
    held = data
    for step in path[:last]:
        held = held[step]
    for name in NAMED:
        said = held.get(name)
        said = said[0] if isinstance(said, list) and said else said
        if isinstance(said, str) and 0 < len(said) <= 80:
            return words_of_name(said)
    return ()
