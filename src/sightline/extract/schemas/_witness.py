"""What pages say about themselves, in JSON-LD and in their title: a witness for the names of fields."""

import json
import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

import numpy as np

from sightline.extract.schemas._alphabet import squeezed
from sightline.page import Page

__all__ = ["Witness", "said_by", "witness_of"]

AGREE = 0.6  # of the texts of a field are what the pages call by one name
SHORTEST = 2  # characters; a digit is the value of many things
LONGEST = 2_000_000  # characters of a script; what is longer is no description of a page
_MARKS = re.compile(r"\s+[|–—·»:-]\s+|:\s|\s\|\s?")
MADE = frozenset(["@type", "@id", "@context", "url", "image", "logo", "sameAs", "inLanguage"])


class Witness:
    """Names by the texts that they stand for.

    >>> Witness({"eos 5d": Counter(name=2), "eos 6d": Counter(name=1)}).name(["EOS 5D", "EOS 6D"])
    'name'
    """

    def __init__(self, names: dict[str, Counter[str]], titles: Iterable[str] = ()) -> None:
        self._names = names
        self._titles = {part for title in titles for part in _parts(title)}

    def name(self, texts: Sequence[str]) -> str:
        """What the pages call these texts, if they agree."""
        telling = [text for text in texts if len(text) >= SHORTEST]
        if not self._names or not telling:
            return ""
        votes = Counter(name for text in telling for name in self._names.get(_plain(text), ()))
        name, count = votes.most_common(1)[0] if votes else ("", 0)
        return name if count >= AGREE * len(telling) else ""

    def is_title(self, texts: Sequence[str]) -> bool:
        """Whether most of these texts are what the titles of the pages begin with, or a part of them.

        >>> Witness({}, ["EOS 5D | Shop", "EOS 6D | Shop"]).is_title(["EOS 5D", "EOS 6D"])
        True
        """
        telling = {_plain(text) for text in texts if len(text) > SHORTEST}
        return len(telling) > 1 and len(telling & self._titles) >= AGREE * len(telling)


def _parts(title: str) -> Iterator[str]:
    """A title, and its parts between marks."""
    yield _plain(title)
    for part in _MARKS.split(title):
        yield _plain(part)


def witness_of(pages: Iterable[Page]) -> Witness:
    """Everything that the pages say about themselves."""
    names: dict[str, Counter[str]] = defaultdict(Counter)
    titles: list[str] = []
    for page in pages:
        titles.append(page.title)
        said = {pair for document in _documents(page) for pair in _pairs(document, "")}
        for name, text in said:
            names[_plain(text)][name] += 1
    return Witness(dict(names), titles)


def said_by(page: Page) -> dict[str, list[str]]:
    """What a page says about itself, by name: its JSON-LD, its meta elements, and its title with the parts of it.

    >>> from sightline.testing import element, page_of
    >>> head = element("head", element("meta", name="author", content="Ada"))
    >>> said_by(page_of(head, kind="static", title="Bees | News"))
    {'author': ['Ada'], 'title': ['Bees | News', 'Bees', 'News']}
    """
    said: dict[str, list[str]] = defaultdict(list)
    for document in _documents(page):
        for name, text in _pairs(document, ""):
            said[name].append(text)
    names, properties, contents = (page.attribute(name) for name in ("name", "property", "content"))
    for meta in page.with_tag("meta").tolist():
        number = max(int(names[meta]), int(properties[meta]))
        if number >= 0 and contents[meta] >= 0:
            said[page.strings[number]].append(page.strings[contents[meta]])
    if page.title:
        said["title"] += dict.fromkeys([page.title, *(part.strip() for part in _MARKS.split(page.title))])
    return dict(said)


def _documents(page: Page) -> Iterator[Any]:
    kinds = page.attribute("type")
    for script in page.with_tag("script").tolist():
        if kinds[script] < 0 or page.strings[kinds[script]].strip().lower() != "application/ld+json":
            continue
        below = np.arange(script + 1, page.end[script])
        text = "".join(page.strings[number] for number in page.text[below].tolist() if number >= 0)
        if len(text) > LONGEST:
            continue
        try:
            yield json.loads(text)
        except (ValueError, RecursionError):  # a page's own mistake; it only loses its say
            continue


def _pairs(value: Any, name: str) -> Iterator[tuple[str, str]]:
    """Every name with a text; what is only the name of a thing is called by what the thing is to the page."""
    if isinstance(value, dict):
        for key, inner in value.items():
            if key not in MADE:
                own = name if key in ("name", "@value", "@graph") and (name or key == "@graph") else str(key)
                yield from _pairs(inner, own)
    elif isinstance(value, list):
        for inner in value:
            yield from _pairs(inner, name)
    elif isinstance(value, str | int | float) and not isinstance(value, bool) and name:
        yield name, str(value)


def _plain(text: str) -> str:
    """A text as it is compared: in small letters, without blanks around and signs of money before."""
    return squeezed(text).casefold().lstrip("$€£¥ ").rstrip("$€£¥ ")
