"""How many items a page promises, read from its titles: which number in them counts what the page is about."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from sightline.extract.lists._languages import LANGUAGES, Language, words
from sightline.extract.lists._seen import Seen

__all__ = ["Promise", "promises_in", "promises_of"]

# From two items on there is a list; longer ones than this are not written out on one page under such a title.
LEAST, MOST = 2, 1000
YEARS = range(1900, 2100)
# Words behind the number within which what is counted is named.
REACH = 7

_TOKEN = re.compile(r"\d+(?:[.,:/]\d+)*|[^\W\d_]+(?:['’][^\W\d_]+)?(?:-[^\W\d_]+)*|[^\w\s]|_")
_SEPARATOR = re.compile(r"\s+[|–—•·»«:~]+\s+|\s+-\s+|\s*[|»•]\s*|\s::\s")
BEST = frozenset(word for language in LANGUAGES for word in words(language.best))
_AHEAD = {language.code: frozenset(words(language.ahead)) | BEST for language in LANGUAGES}
_LABELS = {language.code: frozenset(words(language.labels)) for language in LANGUAGES}
_MEASURES = {language.code: frozenset(words(language.measures)) for language in LANGUAGES}
_CURRENCY = frozenset("$€£¥₹₩")
_FRACTION = frozenset("½¼¾⅓⅔⅛")


@dataclass(frozen=True)
class Promise:
    """A number of items, the title that promises it, and how plainly: 3 says so, 2 may, 1 hardly."""

    k: int
    title: str
    strength: int


def promises_of(seen: Seen) -> list[Promise]:
    """What the titles of a page promise, the plainest first; a title that only the site has promises nothing."""
    found: dict[int, Promise] = {}
    for title in titles_of(seen):
        for promise in promises_in(title):
            known = found.get(promise.k)
            if known is None or known.strength < promise.strength:
                found[promise.k] = promise
    return sorted(found.values(), key=lambda promise: -promise.strength)


def titles_of(seen: Seen) -> list[str]:
    """The titles of a page: its first headings, what it tells other sites, and its own, without the site's name."""
    page = seen.page
    headings = [page.text_of(node).replace("\n", " ") for node in page.with_tag("h1").tolist() if page.visible[node]][
        :2
    ]
    shared = [text for node in page.with_tag("meta").tolist() if (text := _shared_title(seen, node))][:1]
    titles = [*headings, *shared, page.title]
    return list(dict.fromkeys(part for title in titles if (part := _without_site(title, headings))))


def _shared_title(seen: Seen, node: int) -> str:
    attributes = seen.page.node(node).attributes
    return attributes.get("content", "") if attributes.get("property") == "og:title" else ""


def _without_site(title: str, headings: list[str]) -> str:
    """A title without the name of the site: the part that a heading repeats, or the longest."""
    parts = [part.strip() for part in _SEPARATOR.split(title) if part.strip()]
    if len(parts) < 2:
        return title.strip()
    said = " ".join(headings).casefold()
    repeated = [part for part in parts if part.casefold() in said]
    if len(repeated) == len(parts):
        return title.strip()
    # A site's name stands at the end, or at the beginning; what is longest is the title.
    return " ".join(repeated) if repeated else max(parts, key=len)


def promises_in(title: str) -> Iterator[Promise]:
    """Every number of a title that may count items.

    >>> [(one.k, one.strength) for one in promises_in("20 Most Influential Scientists Alive Today")]
    [(20, 3)]
    >>> [one.k for one in promises_in("Ten Hollywood Classics of the 1950's, under $25")]
    [10]
    >>> list(promises_in("How we paid off $113k in 28 months"))
    []
    """
    tokens = [(match[0], match.start(), match.end()) for match in _TOKEN.finditer(title)]
    for place in range(len(tokens)):
        number = _number(tokens[place][0])
        if number is not None and LEAST <= number <= MOST and not _is_other(title, tokens, place):
            yield Promise(number, title, _strength(tokens, place))


Tokens = list[tuple[str, int, int]]


def _number(token: str) -> int | None:
    if token.isdigit() and len(token) <= 4:
        number = int(token)
        return None if number in YEARS or token.startswith("0") else number
    word = token.casefold()
    return next((language.numbers[word] for language in LANGUAGES if word in language.numbers), None)


def _is_other(title: str, tokens: Tokens, place: int) -> bool:
    """Whether a number is a price, a measure, a part of a name, a version, an ordinal, an age."""
    token, start, stop = tokens[place]
    before, after = title[start - 1 : start], title[stop : stop + 1]
    if before in _CURRENCY or after in _CURRENCY or after in _FRACTION or (after and after in "%+°'’/\"”″"):
        return True
    if before and (before.isalnum() or before in "./:'’_" or (before == "-" and _is_joined(tokens, place))):
        return True
    if before == "(" and (not after or after == ")"):
        return True
    if token.isdigit() and (after.isalpha() or after == "_" or (after == "-" and title[stop + 1 : stop + 2].isalnum())):
        return True
    behind = tokens[place + 1][0].casefold() if place + 1 < len(tokens) else ""
    ahead = tokens[place - 1][0].casefold() if place else ""
    if ahead == "." and place > 1:
        ahead = tokens[place - 2][0].casefold()
    codes = [language.code for language in LANGUAGES if _speaks(language, tokens)]
    if any(ahead in _LABELS[code] for code in codes) or ahead in ("#", "№", "+", "&") or behind == "+":
        return True
    if any(behind in _MEASURES[code] for code in codes):
        return True
    return behind in ("", "|", ":", ",", ")", "-", "–", "]", "?", "!", ".") and not _is_best(ahead)


def _is_joined(tokens: Tokens, place: int) -> bool:
    """Whether a dash before a number joins it to a name ("PC-5"), and not to "Top-25"."""
    return place < 2 or not _is_best(tokens[place - 2][0].casefold())


def _is_best(word: str) -> bool:
    return word in BEST


def _speaks(language: Language, tokens: Tokens) -> bool:
    """Whether a title may be in a language: English, and any of which one of the small words is there."""
    return language.code == "en" or any(token.casefold() in _AHEAD[language.code] for token, _, _ in tokens)


def _strength(tokens: Tokens, place: int) -> int:
    """How plainly a number counts something: it begins the title or follows "top", and several of a kind are named."""
    ahead = tokens[place - 1][0].casefold() if place else ""
    starts = not any(token[0].isalnum() and token.casefold() != "the" for token, _, _ in tokens[:place])
    behind = tokens[place + 1][0].casefold() if place + 1 < len(tokens) else ""
    led = (
        _is_best(ahead)
        or _is_best(behind)
        or (ahead == "-" and place > 1 and _is_best(tokens[place - 2][0].casefold()))
    )
    named = any(_is_plural(token) for token, _, _ in tokens[place + 1 : place + 1 + REACH])
    introduced = any(ahead in words for words in _AHEAD.values()) or not ahead.isalnum()
    return 3 if (starts and named) or led else 2 if named and introduced else 1


def _is_plural(word: str) -> bool:
    lower = word.casefold()
    return (len(lower) > 3 and lower.endswith("s") and not lower.endswith(("ss", "us", "is", "'s", "’s"))) or lower in (
        *("people", "women", "men", "children", "software", "equipment", "media", "criteria", "phenomena"),
    )
