"""What a candidate is like: its text, its place on the page, and how often the like of it stands there."""

import re
from collections import Counter
from collections.abc import Sequence
from urllib.parse import urlsplit

import numpy as np
import numpy.typing as npt

from sightline.arrays import sum_between
from sightline.extract.about._candidates import KINDS, NUMBER_OF, Candidates
from sightline.page import Page, below
from sightline.signals import bold_nodes, text_blocks

HOLDERS = (
    *(
        "h1",
        "h2",
        "h3",
        "h4",
        "a",
        "li",
        "p",
        "td",
        "th",
        "dd",
        "dt",
        "span",
        "div",
        "strong",
        "time",
        "button",
        "label",
    ),
)
AROUND = (
    *(
        "nav",
        "header",
        "footer",
        "aside",
        "form",
        "ul",
        "ol",
        "table",
        "dl",
        "main",
        "article",
        "a",
        "del",
        "s",
        "strike",
    ),
)
WORD = re.compile(r"\w+")
MAIN_HEADINGS, RANK_WORTH, MOST_HEADINGS = ("h1", "h2", "h3"), 0.2, 40
MOST_OF_NAME = 5  # words of a name that are looked for
LONG_WORD = 4  # letters; shorter ones are in many addresses by chance
# What each candidate looks like and where it stands; what it says beside others of its kind comes after.
LOOKS = (
    *(f"is {kind}" for kind in KINDS),
    *(f"<{tag}>" for tag in HOLDERS),
    *(f"in <{tag}>" for tag in AROUND),
    *("bold", "letters", "words", "figures", "capitals", "begins large", "ends sentence", "colon", "share of block"),
    *("place", "blocks", "depth", "from heading", "steps from heading", "order from heading", "in heading"),
    *("begins heading", "covers heading", "alike", "alike before", "same text", "same value"),
    *("title covers", "covers title", "in title", "has label", "has after"),
)
MEASURES = (
    *LOOKS,
    *("value", "decimals", "currency"),
    *("larger", "smaller", "order", "to the one before", "to the one after", "in address", "in host"),
    *("small elsewhere", "often", "begins title", "ends title"),
)
TYPED = tuple(NUMBER_OF[kind] for kind in ("money", "span", "day", "code"))
NEXT_TO = tuple(NUMBER_OF[kind] for kind in ("money", "span", "day", "number"))
LARGE = ((65, 90), (192, 222), (913, 937), (1040, 1071))  # capitals of the Latin, Greek and Cyrillic scripts


def measured(found: Candidates) -> npt.NDArray[np.float32]:
    """A row for each of `MEASURES`, a column for each candidate."""
    texts = [one.text for one in found.all]
    words = _words(texts)
    columns = [*_looks(found, texts, words), *_values(found), *_of_address(found.page, texts, words)]
    return _rows([*columns, *_of_page(found, words)])


def looks_of(found: Candidates) -> npt.NDArray[np.float32]:
    """The same for `LOOKS` alone."""
    texts = [one.text for one in found.all]
    return _rows(_looks(found, texts, _words(texts)))


def _words(texts: Sequence[str]) -> list[list[str]]:
    return [WORD.findall(text.casefold()) for text in texts]


def _rows(columns: Sequence[npt.ArrayLike]) -> npt.NDArray[np.float32]:
    return np.array([np.asarray(column, dtype=np.float32) for column in columns])


def _looks(found: Candidates, texts: Sequence[str], words: Sequence[Sequence[str]]) -> list[npt.ArrayLike]:
    page, rows = found.page, found.all
    nodes = np.array([one.nodes[0] for one in rows], dtype=np.int64)
    sizes = np.array([len(text) for text in texts], dtype=float)
    block_sizes = np.array([len(text) for text in found.blocks.texts], dtype=float)
    count = max(1, len(found.blocks))
    columns: list[npt.ArrayLike] = [found.kind == number for number in range(len(KINDS))]
    columns += [page.mask(tag)[found.holder] for tag in HOLDERS]
    columns += [below(page.mask(tag), page.end)[nodes] for tag in AROUND]
    columns.append(bold_nodes(page)[nodes])
    columns += [np.log1p(sizes), np.log1p([len(one) for one in words]), *_letters(texts, sizes)]
    columns += [
        [text[:1].isupper() for text in texts],
        [text.endswith((".", "!", "?", "。", "…")) for text in texts],
        [":" in text for text in texts],
        sizes / block_sizes[found.block],
        found.block / count,
        np.full(len(rows), np.log1p(count)),
        page.depth[found.holder],
    ]
    columns += _of_heading(found, words)
    columns += _alike(found, texts)
    columns += _of_title(page, words)
    columns += [[bool(one.before) for one in rows], [bool(one.after) for one in rows]]
    return columns


def _letters(texts: Sequence[str], sizes: npt.NDArray[np.float64]) -> list[npt.ArrayLike]:
    """The shares of figures and of capitals, counted in all texts at once."""
    codes = np.frombuffer("".join(texts).encode("utf-32-le", "surrogatepass"), dtype="<u4")
    stops = np.cumsum(sizes).astype(np.int64)
    starts = stops - sizes.astype(np.int64)
    is_figure = (codes >= ord("0")) & (codes <= ord("9"))
    is_large = np.zeros(len(codes), dtype=bool)
    for low, high in LARGE:
        is_large |= (codes >= low) & (codes <= high)
    return [
        sum_between(np.concatenate([[0], np.cumsum(chosen)]), starts, stops) / sizes for chosen in (is_figure, is_large)
    ]


def main_heading(page: Page) -> int | None:
    """The block of the heading that says most of the page's title; of equals the highest and first."""
    return page.cached(_main_heading)


def _main_heading(page: Page) -> int | None:
    blocks = text_blocks(page)
    title = set(WORD.findall(page.title.casefold()))
    best: tuple[float, int] | None = None
    for rank, tag in enumerate(MAIN_HEADINGS):
        rows = np.flatnonzero(blocks.inside(page.with_tag(tag)) & blocks.visible)[:MOST_HEADINGS].tolist()
        for row in rows:
            words = set(WORD.findall(blocks.texts[row].casefold()))
            worth = len(words & title) / max(1, len(words | title)) - RANK_WORTH * rank
            if best is None or worth > best[0]:
                best = (worth, row)
    return best[1] if best else None


def _of_heading(found: Candidates, words: Sequence[Sequence[str]]) -> list[npt.ArrayLike]:
    """Where each candidate stands from the heading, and how much of the heading it says; unknown without one."""
    row = main_heading(found.page)
    if row is None:
        return [np.full(len(found), np.nan)] * 6
    page, holder = found.page, found.holder
    away = (found.block - row).astype(float)
    heading = WORD.findall(found.blocks.texts[row].casefold())
    whole, inside = " ".join(heading), set(heading)
    steps, at = np.zeros(len(found)), int(page.parent[found.blocks.start[row]])
    while at >= 0:
        steps += (holder < at) | (holder >= page.end[at])
        at = int(page.parent[at])
    order = np.zeros(len(found))
    for kind in np.unique(found.kind).tolist():
        own = np.flatnonzero(found.kind == kind)
        order[own] = np.arange(len(own)) - np.searchsorted(found.block[own], row)
    said = [" ".join(one) for one in words]
    return [
        np.sign(away) * np.log1p(np.abs(away)),
        steps,
        np.sign(order) * np.log1p(np.abs(order)),
        [bool(one) and one in whole for one in said],
        [bool(one) and whole.startswith(one) for one in said],
        [len(inside.intersection(one)) / max(1, len(inside)) for one in words],
    ]


def _alike(found: Candidates, texts: Sequence[str]) -> list[npt.ArrayLike]:
    """How many candidates of the same kind hang in the same way, before and in all; and how many say the same."""
    page = found.page
    classes = page.attribute("class")
    parent = np.maximum(page.parent[found.holder], 0)
    columns = (found.kind, page.tag[found.holder], classes[found.holder], page.tag[parent], classes[parent])
    keys = list(zip(*(column.tolist() for column in columns), strict=True))
    total, seen = Counter(keys), Counter[tuple[int, ...]]()
    before = []
    for key in keys:
        before.append(seen[key])
        seen[key] += 1
    kinds = found.kind.tolist()
    same = Counter(zip(kinds, texts, strict=True))
    values = Counter((one.kind, one.value) for one in found.all if one.value is not None)
    return [
        np.log1p([total[key] for key in keys]),
        np.log1p(before),
        [same[key] for key in zip(kinds, texts, strict=True)],
        [values[one.kind, one.value] if one.value is not None else 0 for one in found.all],
    ]


def _of_title(page: Page, words: Sequence[Sequence[str]]) -> list[npt.ArrayLike]:
    """How much of a candidate the title of the page holds, and how much of the title a candidate."""
    title = WORD.findall(page.title.casefold())
    inside, size, whole = set(title), max(1, len(title)), " ".join(title)
    shared = [len(inside.intersection(one)) for one in words]
    return [
        [count / max(1, len(set(one))) for count, one in zip(shared, words, strict=True)],
        [count / size for count in shared],
        [bool(one) and " ".join(one) in whole for one in words],
    ]


def _of_page(found: Candidates, words: Sequence[Sequence[str]]) -> list[npt.ArrayLike]:
    """Whether the page writes the words small elsewhere, as it does no names, how often the first comes, and the title.

    Few candidates have many words, and those of longer ones say nothing about names.
    """
    small, times = found.page.cached(_page_words)
    title = WORD.findall(found.page.title.casefold())
    heads = [one[:MOST_OF_NAME] for one in words]
    return [
        [sum(word in small for word in one) / max(1, len(one)) for one in heads],
        np.log1p([times[one[0]] if one else 0 for one in heads]),
        [bool(one) and title[: len(one)] == one for one in heads],
        [bool(one) and title[-len(one) :] == one for one in heads],
    ]


def _page_words(page: Page) -> tuple[frozenset[str], Counter[str]]:
    """The words that a page writes small, and how often each word comes."""
    shown = WORD.findall(" ".join(text_blocks(page).texts))
    return frozenset(word for word in shown if word[:1].islower()), Counter(word.casefold() for word in shown)


def _of_address(page: Page, texts: Sequence[str], words: Sequence[Sequence[str]]) -> list[npt.ArrayLike]:
    """Whether the address holds a candidate, as it does codes, and its host, as it does brands."""
    address, host = page.address.casefold(), (urlsplit(page.address).hostname or "").casefold()
    joined = ["".join(one) for one in words]
    return [
        [len(text) >= LONG_WORD and text.casefold() in address for text in texts],
        [len(one) >= LONG_WORD and one in host for one in joined],
    ]


def _values(found: Candidates) -> list[npt.ArrayLike]:
    """What a typed candidate says, compared with the others of its kind."""
    values = [one.value[0] if isinstance(one.value, tuple) else one.value for one in found.all]
    size = np.array([_size(value) for value in values])
    larger, smaller, order = np.zeros(len(size)), np.zeros(len(size)), np.zeros(len(size))
    for kind in TYPED:
        own = np.flatnonzero(found.kind == kind)
        order[own] = np.log1p(np.arange(len(own)))
        distinct = np.unique(size[own])
        rank = np.searchsorted(distinct, size[own])
        smaller[own], larger[own] = np.log1p(rank), np.log1p(len(distinct) - 1 - rank)
    before, after = np.full(len(size), np.nan), np.full(len(size), np.nan)
    for kind in NEXT_TO:
        own = np.flatnonzero(found.kind == kind)
        more = np.diff(size[own])
        before[own[1:]], after[own[:-1]] = more, -more
    return [
        size,
        [-value.as_tuple().exponent if hasattr(value, "as_tuple") else -1 for value in values],
        [isinstance(one.value, tuple) and bool(one.value[1]) for one in found.all],
        *(larger, smaller, order, before, after),
    ]


def _size(value: object) -> float:
    """How large a value is, in logarithms; of a day its number, of a text its length."""
    if value is None or isinstance(value, str):
        return float(len(value or ""))
    if hasattr(value, "toordinal"):
        return float(value.toordinal())
    return float(np.log1p(min(abs(float(value)), 1e12)))  # type: ignore[arg-type]
