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

    def __init__(self, names: dict[str, Counter[str]], titles: Iterable[str] = ()) -> None:
        self._names = names
        self._whole_titles = list(dict.fromkeys(map(_plain, titles)))
        self._titles = {part for title in self._whole_titles for part in _parts(title)}

    def name(self, texts: Sequence[str]) -> str:
        """What the pages call these texts, if they agree."""
        telling = [text for text in texts if len(text) >= SHORTEST]
        if not self._names or not telling:
            return ""
        votes = Counter(name for text in telling for name in self._names.get(_plain(text), ()))
        name, count = votes.most_common(1)[0] if votes else ("", 0)
        return name if count >= AGREE * len(telling) else ""

    def is_title(self, texts: Sequence[str]) -> bool:
        """Whether most of these texts are titles of the pages, or parts of them.

        >>> Witness({}, ["EOS 5D | Shop", "EOS 6D | Shop"]).is_title(["EOS 5D", "EOS 6D"])
        True
        """
        telling = {_plain(text) for text in texts if len(text) > SHORTEST}
        return len(telling) > 1 and len(telling & self._titles) >= AGREE * len(telling)

    def in_titles(self, texts: Sequence[str]) -> float:
        """The share of the texts that stand in the title of a page.

        >>> Witness({}, ["EOS 5D at our shop", "EOS 6D at our shop"]).in_titles(["EOS 5D", "EOS 7D"])
        0.5
        """
        telling = [_plain(text) for text in texts if len(text) > SHORTEST]
        found = sum(any(text in title for title in self._whole_titles) for text in telling)
        return found / len(texts) if texts else 0.0


def _parts(title: str) -> Iterator[str]:
    """A title, and its parts between separators."""
    yield _plain(title)
    for part in TITLE_MARKS.split(title):
        yield _plain(part)


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
