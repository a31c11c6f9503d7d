"""What a link looks like, apart from what makes it one of its kind: the shapes of addresses, places and texts.

Words that many addresses of the site share stay as they are (`package-summary.html`); others become a letter
(`Thread.html` is `A.html`, `sql-createtable.html` is `sql-a.html`), and numbers become `#`. The counts settle in rounds:
shapes change only when twice as many addresses are known, so that most links keep theirs for long.
"""

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from urllib.parse import parse_qsl, unquote, urlsplit

__all__ = ["Shapes"]

# Counts and shares at which a word belongs to the site and not to the page. Chosen by bench/crawl/fit_ranking.py.
_LEAST_ADDRESSES, _SHARE_OF_ADDRESSES = 4, 0.01
_LEAST_PAGES, _SHARE_OF_PAGES = 2, 0.03
_LEAST_TEXTS, _SHARE_OF_TEXTS = 4, 0.005
_MOST_VARIANTS = 8  # tab-1 to tab-6 are six different things, item-1 to item-500 are five hundred alike ones
_STEPS = 4  # of a place, counted from the link
_REMEMBERED = 20_000
_MOST_COUNTED = 50_000  # words; beyond, those seen once are forgotten

_WORDS = re.compile(r"[^\W\d_]+|\d+|[\W_]")
_DIGITS = re.compile(r"\d+")
# Classes that say where in a list an element is, or what state it is in.
_STATES = re.compile(
    r"(?:^|[-_])(?:odd|even|active|current|selected|first|last|open|opened|closed|collapsed|expanded|hover|visited|"
    r"disabled|hidden|visible|show|alt|alternate|stripe|striped|highlight|new)(?:$|[-_])",
    re.IGNORECASE,
)
_LANDMARKS = ("nav", "header", "footer", "aside", "main", "article", "form", "menu")


class Shapes:
    """Counts the words of a site, and gives each link its shape by them."""

    def __init__(self, examples: Sequence[str] = ()) -> None:
        """Words that at least two of the `examples` share stay as they are from the start; they are addresses."""
        shared = Counter(word for url in examples for word in set(_WORDS.findall(_path_of(url))))
        self._kept = frozenset(word for word, count in shared.items() if count > 1)
        self.addresses = 0
        self.pages = 0
        self.round = 0
        self._words: Counter[str] = Counter()
        self._names: Counter[str] = Counter()
        self._texts: Counter[str] = Counter()
        self._variants: dict[str, set[str]] = {}
        self._address_memory: dict[str, str] = {}
        self._place_memory: dict[str, str] = {}
        self._name_memory: dict[str, tuple[str, ...]] = {}

    def count_page(self, places: Iterable[str], new: Iterable[tuple[str, str]]) -> None:
        """Take in the places of the links of a page, and the addresses and texts of those that are new."""
        self.pages += 1
        self._names.update({name for place in places for name in self._names_in(place)})
        for url, text in new:
            self.addresses += 1
            self._words.update(set(_WORDS.findall(_path_of(url))))
            self._texts[text] += 1
        if self.addresses >= 2**self.round:
            self._begin_round()

    def address(self, url: str) -> str:
        """The shape of an address."""
        known = self._address_memory.get(url)
        if known is None:
            if len(self._address_memory) >= _REMEMBERED:
                self._address_memory.clear()
            known = self._address_memory[url] = self._shape_of(url)
        return known

    def place(self, place: str) -> str:
        """The shape of a place."""
        known = self._place_memory.get(place)
        if known is None:
            if len(self._place_memory) >= _REMEMBERED:
                self._place_memory.clear()
            known = self._place_memory[place] = self._place_shape(place)
        return known

    def text(self, text: str) -> str:
        """A text that many links have, or nothing."""
        return text if self._texts[text] >= self._least_texts else ""

    def _begin_round(self) -> None:
        while self.addresses >= 2**self.round:
            self.round += 1
        self._address_memory.clear()
        self._place_memory.clear()
        for counter in (self._words, self._names, self._texts):
            if len(counter) > _MOST_COUNTED:
                for word in [word for word, count in counter.items() if count == 1]:
                    del counter[word]
        self._least_words = max(_LEAST_ADDRESSES, _SHARE_OF_ADDRESSES * self.addresses)
        self._least_texts = max(_LEAST_TEXTS, _SHARE_OF_TEXTS * self.addresses)
        self._least_names = max(_LEAST_PAGES, _SHARE_OF_PAGES * self.pages) if self.pages > 1 else 1

    def _shape_of(self, url: str) -> str:
        parts = urlsplit(url)
        folder, _, file = unquote(parts.path).rpartition("/")
        folders = [self._segment(segment) for segment in folder.split("/")[1:]]
        query = "&".join(sorted(self._asked(key, value) for key, value in parse_qsl(parts.query, keep_blank_values=True)))
        deeper = ["…"] if len(folders) > 1 else []
        return "/".join(["", *folders[:1], *deeper, self._segment(file)]) + (f"?{query}" if query else "")

    def _asked(self, key: str, value: str) -> str:
        return f"{key}={value}" if self._words[value] >= self._least_words and not value.isdigit() else key

    def _segment(self, segment: str) -> str:
        shape: list[str] = []
        for word in _WORDS.findall(segment):
            kept = word if not word.isalnum() else self._word(word)
            # A name of three words is of one shape with a name of two.
            if len(shape) >= 2 and kept == shape[-2] and shape[-1] in "-_+ .":
                shape.pop()
            elif not shape or kept != shape[-1]:
                shape.append(kept)
        return "".join(shape)

    def _word(self, word: str) -> str:
        if word.isdigit():
            return "#"
        if self._words[word] >= self._least_words or word in self._kept:
            return word
        return "A" if word[0].isupper() else "a"

    def _place_shape(self, place: str) -> str:
        steps = place.split("/")
        shaped = _collapsed([self._step(step) for step in steps])
        near = shaped[-_STEPS:]
        marks = [step for step in shaped[:-_STEPS] if step.split(".")[0].split("#")[0] in _LANDMARKS or "#" in step]
        return "/".join([*marks[-1:], *near])

    def _step(self, step: str) -> str:
        tag, *names = _names_of(step)
        kept = sorted(name for name in map(self._name, names) if name)
        return tag + "".join(kept)

    def _name(self, name: str) -> str:
        if _STATES.search(name[1:]) or (name[0] == "#" and self._names[name] < self._least_names):
            return ""
        general = _DIGITS.sub("0", name)
        return general if len(self._variants.get(general, ())) > _MOST_VARIANTS else name

    def _names_in(self, place: str) -> tuple[str, ...]:
        """The ids and classes on the way to a place, also with their digits made 0."""
        known = self._name_memory.get(place)
        if known is None:
            names = {name for step in place.split("/") for name in _names_of(step)[1:]}
            general = {_DIGITS.sub("0", name): name for name in names if _DIGITS.search(name)}
            for form, name in general.items():
                variants = self._variants.setdefault(form, set())
                if len(variants) <= _MOST_VARIANTS:
                    variants.add(name)
            if len(self._name_memory) >= _REMEMBERED:
                self._name_memory.clear()
            known = self._name_memory[place] = (*names, *general)
        return known

    _least_words: float = _LEAST_ADDRESSES
    _least_texts: float = _LEAST_TEXTS
    _least_names: float = 1


def _path_of(url: str) -> str:
    parts = urlsplit(url)
    return unquote(f"{parts.path}?{parts.query}")


def _names_of(step: str) -> list[str]:
    """A tag, its `#id` and its `.classes`."""
    rest, _, classes = step.partition(".")
    tag, _, own = rest.partition("#")
    return [tag, *([f"#{own}"] if own else []), *(f".{name}" for name in classes.split())]


def _collapsed(steps: list[str]) -> list[str]:
    """Without repetitions: a list in a list in a list is a list."""
    kept: list[str] = []
    for step in steps:
        if not kept or step != kept[-1]:
            if len(kept) >= 2 and step == kept[-2]:
                kept.pop()
            else:
                kept.append(step)
    return kept
