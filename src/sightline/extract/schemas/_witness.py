"""What pages say about themselves, in JSON-LD and in their title: a witness for the names of fields."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence

from sightline.extract.schemas._alphabet import collapse_spaces
from sightline.page import Page
from sightline.signals import TITLE_MARKS, described_by

__all__ = ["Witness", "witness_of"]

AGREE = 0.6  # of the texts of a field must have the same name on the pages
SHORTEST = 2  # characters; a digit is the value of many things


class Witness:
    """Names by the texts they stand for.

    >>> Witness({"eos 5d": Counter(name=2), "eos 6d": Counter(name=1)}).name(["EOS 5D", "EOS 6D"])
    'name'
    """

    def __init__(self, names: dict[str, Counter[str]], titles: Sequence[str] = ()) -> None:
        self._names = names
        self._whole_titles = list(dict.fromkeys(map(_plain, titles)))
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
        """Whether most of these texts are parts of the pages' titles; a whole title says what the site is, too.

        >>> Witness({}, ["EOS 5D | Shop", "EOS 6D | Shop"]).is_title(["EOS 5D", "EOS 6D"])
        True
        """
        telling = {_plain(text) for text in texts if len(text) > SHORTEST}
        return len(telling) > 1 and len(telling & self._titles) >= AGREE * len(telling)

    def is_whole_title(self, texts: Sequence[str]) -> bool:
        """Whether most of these texts are titles of pages as they are.

        >>> Witness({}, ["EOS 5D", "EOS 6D"]).is_whole_title(["EOS 5D", "EOS 6D"])
        True
        """
        telling = {_plain(text) for text in texts if len(text) > SHORTEST}
        return len(telling) > 1 and len(telling.intersection(self._whole_titles)) >= AGREE * len(telling)

    @property
    def has_titles(self) -> bool:
        """Whether the pages have titles that differ."""
        return len(self._whole_titles) > 1

    def begins_titles(self, texts: Sequence[str]) -> float:
        """The share of the texts that the title of a page, or a part of it, begins with, and goes on after.

        >>> Witness({}, ["EOS 5D at our shop", "News: EOS 6D at our shop"]).begins_titles(["EOS 5D", "EOS 6D"])
        1.0
        """
        telling = [f"{_plain(text)} " for text in texts if len(text) > SHORTEST]
        begins = {*self._whole_titles, *self._titles}
        return sum(any(title.startswith(text) for title in begins) for text in telling) / max(1, len(texts))


def _parts(title: str) -> Iterator[str]:
    """The parts of a title between separators."""
    parts = TITLE_MARKS.split(title)
    return map(_plain, parts if len(parts) > 1 else ())


def witness_of(pages: Iterable[Page]) -> Witness:
    """Everything that the pages say about themselves."""
    names: dict[str, Counter[str]] = defaultdict(Counter)
    titles: list[str] = []
    for page in pages:
        titles.append(page.title)
        for name, text in set(described_by(page)):
            names[_plain(text)][name] += 1
    return Witness(dict(names), titles)


def _plain(text: str) -> str:
    """A text as it is compared: in lower case, without surrounding white space and currency signs."""
    return collapse_spaces(text).casefold().lstrip("$€£¥ ").rstrip("$€£¥ ")
