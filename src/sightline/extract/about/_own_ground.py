"""What every field of one's own is looked for in: the candidates, the words around each, and what the page says."""

import re
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from functools import cache, cached_property
from itertools import chain
from typing import Any

import numpy as np
import numpy.typing as npt

from sightline.arrays import IntArray
from sightline.extract.about._candidates import (
    BLOCK,
    HEADINGS,
    KINDS,
    LONGEST_LABEL,
    PIECE,
    VALUE,
    Candidates,
    ValueCandidate,
)
from sightline.extract.about._concepts import SIGN, meant_by
from sightline.extract.about._context import WordContext, words_of
from sightline.extract.about._own_said import SaidText, texts_said
from sightline.extract.about._typed import ISO_DAY, typed
from sightline.page import Page, nearest
from sightline.signals import bold_nodes, kind_name

LABEL_ROLES = ("label", "row", "column", "section", "after")
NAME_ROLES = ("element", "parent", "above", "link")
ROLES = (*LABEL_ROLES, "heading", *NAME_ROLES, "words")
FORMS = ("money", "span", "date", "number", "code", "phone", "email", "url", "address")
OF_KIND = {"money": "money", "span": "span", "day": "date", "number": "number", "code": "code"}
OF_NAME = {"price": "money", "date": "date", "url": "url", "email": "email", "phone": "phone", "number": "number"}
LONGEST_FORM = 60
MOST_PLACES = 50  # at which something that is said is seen; a page that repeats both would be a square of them
PLAIN = re.compile(r"\d{1,12}(?:\.\d{1,6})?")  # numbers as machines write them
DATE = FORMS.index("date")
CLOCK = re.compile(
    r"[\s,T]*\d{1,2}:\d\d(?::\d\d)?(?:\.\d+)?\s*(?:[ap]\.?m\.?)?\s*(?:[A-Z]{2,4}|[+-]\d\d:?\d\d|Z)?\W*", re.IGNORECASE
)
MAY_HAVE_FORM = re.compile(r"[\d@/.]|\bago\b", re.IGNORECASE)  # without any of these a text has none by its letters
INSIDE = 0.5  # how well a text is of a form that only a part of it has
BARE_DATE = re.compile(r"\W*(?:[^\W\d_]{3,9}[.,]?\s+)?(?:19|20)\d\d\W*")  # "June 2010", "2009"
PLACE = re.compile(
    r"\d[\w/-]{0,5}\s+[^\W\d_].{3,}|.*[^\W\d_]{3,}.*(?<!\d)\d{4,6}(?:-\d{4})?\W*|[^\W\d_]{3,}[^,]*\s\d+\w?(?:,.*)?"
)


@dataclass(frozen=True, eq=False)
class WordSets:
    """Sets of words, as numbers of words in one list: set `i` is `words[first[i]:first[i + 1]]`."""

    words: npt.NDArray[np.intp]
    first: npt.NDArray[np.intp]

    @classmethod
    def of(cls, sets: Sequence[Sequence[str]], number: dict[str, int]) -> "WordSets":
        """Sets by the numbers of their words, which new words are given."""
        size = np.array([len(one) for one in sets], dtype=np.intp)
        flat = [number.setdefault(word, len(number)) for word in chain.from_iterable(sets)]
        return cls(np.array(flat, dtype=np.intp), np.concatenate([[0], np.cumsum(size)]).astype(np.intp))


@dataclass(frozen=True, eq=False)
class OwnGround:
    """A page as it is asked for fields: its candidates, the words around them by role, their forms and measures."""

    rows: tuple[ValueCandidate, ...]
    vocabulary: tuple[str, ...]
    sets: Mapping[str, WordSets]
    of: Mapping[str, IntArray]
    forms: npt.NDArray[np.float32]
    matrix: npt.NDArray[np.float32]
    labels: npt.NDArray[np.float32]
    said: tuple[SaidText, ...]
    said_by: npt.NDArray[np.intp]
    """Pairs of a candidate and what is said in the same words, (2, pairs), in the order of the candidates."""
    said_words: WordSets
    concepts: Mapping[str, int]
    meant: Mapping[str, WordSets]
    said_meant: WordSets
    kind: IntArray
    alike: IntArray
    """A number for each way in which candidates hang, with the labels over them."""
    start: IntArray
    parent: IntArray
    end: IntArray

    def __len__(self) -> int:
        return len(self.rows)

    @cached_property
    def distinct_texts(self) -> frozenset[str]:
        """The texts of the candidates, each once."""
        return frozenset(one.text for one in self.rows)


SAID = len(KINDS)
"""The kind of a candidate that is said and not seen."""


def ground_of(page: Page, found: Candidates, context: WordContext, matrix: npt.NDArray[np.float32]) -> OwnGround:
    """The ground of a page: what is seen, then what is only said."""
    said = tuple(texts_said(page))
    seen = _seen_places(found)
    pairs = [(place, number) for number, one in enumerate(said) for place in _places(one.text, seen)]
    hidden: dict[str, int] = {}
    rows = list(found.all)
    for number, one in enumerate(said):
        if not _places(one.text, seen):
            if one.text not in hidden:
                hidden[one.text] = len(rows)
                rows.append(ValueCandidate(SAID, -1, 0, (), one.text, "", "", None))
            pairs.append((hidden[one.text], number))
    sets, of = _role_words(found, context)
    number_of: dict[str, int] = {}
    unseen = len(rows) - len(found)
    empty = np.full((1, unseen), np.nan, dtype=np.float32)
    numbered = {role: WordSets.of([*map(_plain, words), ()], number_of) for role, words in sets.items()}
    said_words = WordSets.of([one.words for one in said], number_of)
    concept_of: dict[str, int] = {}
    meant = {role: WordSets.of([*map(_meant, sets[role]), ()], concept_of) for role in (*LABEL_ROLES, *NAME_ROLES)}
    said_meant = WordSets.of([meant_by(one.words) for one in said], concept_of)
    start = np.array([one.nodes[0] if one.nodes else 0 for one in rows], dtype=np.int32)
    return OwnGround(
        rows=tuple(rows),
        vocabulary=tuple(number_of),
        sets=numbered,
        of={role: np.append(own, np.full(unseen, len(sets[role]), dtype=np.int32)) for role, own in of.items()},
        forms=_forms(rows),
        matrix=np.concatenate([matrix, np.repeat(empty, len(matrix), axis=0)], axis=1),
        labels=np.concatenate([_label_looks(found), np.repeat(empty, len(LABEL_LOOKS), axis=0)], axis=1),
        said=said,
        said_by=np.array(sorted(pairs), dtype=np.intp).reshape(-1, 2).T,
        said_words=said_words,
        concepts=concept_of,
        meant=meant,
        said_meant=said_meant,
        kind=np.append(found.kind, np.full(unseen, SAID, dtype=np.int32)),
        alike=_alike(found, of, unseen),
        start=start,
        parent=page.parent,
        end=page.end,
    )


def _plain(words: Sequence[str]) -> tuple[str, ...]:
    return tuple(word for word in words if word[0] != SIGN)


def _meant(words: Sequence[str]) -> tuple[str, ...]:
    return tuple(word for word in words if word[0] == SIGN)


def _seen_places(found: Candidates) -> dict[Any, list[int]]:
    """The candidates by their words, by their numbers and by their days."""
    seen: dict[Any, list[int]] = defaultdict(list)
    for place, one in enumerate(found.all):
        seen[letters_of(one.text)].append(place)
        value = one.value[0] if isinstance(one.value, tuple) else one.value
        if isinstance(value, date | Decimal):
            seen[value].append(place)
    return seen


def _places(text: str, seen: Mapping[Any, list[int]]) -> list[int]:
    """The candidates that show what is said."""
    if places := seen.get(letters_of(text)):
        return places[:MOST_PLACES]
    value = (
        typed(text, "day")
        if ISO_DAY.match(text)
        else typed(text, "number", said=True)
        if PLAIN.fullmatch(text)
        else None
    )
    return seen.get(value, [])[:MOST_PLACES] if value is not None else []


@cache
def letters_of(text: str) -> str:
    """A text as it is compared: its letters and figures.

    >>> letters_of("Canon, EOS-5")
    'canoneos5'
    """
    return "".join(filter(str.isalnum, text.casefold()))


def _alike(found: Candidates, of: Mapping[str, IntArray], unseen: int) -> IntArray:
    """Candidates of a kind that hang in the same way below the same labels, by a number for each such group."""
    page, holder = found.page, found.holder
    parent = np.maximum(page.parent[holder], 0)
    names = page.attribute("class")
    columns = [found.kind, page.tag[holder], names[holder], page.tag[parent], names[parent]]
    columns += [of[role] for role in ("section", "heading", "row")]
    in_block = np.where(found.kind == PIECE, found.block, -1)
    _, number = np.unique(np.stack([*columns, in_block]), axis=1, return_inverse=True)
    number = number.reshape(-1)
    return np.append(number, number.max(initial=0) + 1 + np.arange(unseen)).astype(np.int32)


LABEL_LOOKS = ("label has colon", "label looks alike", "label is alone", "texts in row", "pieces in it", "value in it")


def _label_looks(found: Candidates) -> npt.NDArray[np.float32]:
    """How the text before each candidate looks, a row for each of `LABEL_LOOKS`."""
    page, blocks = found.page, found.blocks
    holder = nearest(page.parent, ~page.is_text)[blocks.start]
    tag, name = page.tag[holder], page.attribute("class")[holder]
    up = np.maximum(page.parent[holder], 0)
    looks = np.stack([tag, name, page.tag[up], page.attribute("class")[up], bold_nodes(page)[blocks.start]])
    alike = np.zeros(len(blocks), dtype=bool)
    shown = np.flatnonzero(blocks.visible)
    alike[shown[1:]] = (looks[:, shown[1:]] == looks[:, shown[:-1]]).all(axis=0)
    colon = [one.before.endswith((":", "：")) or KINDS[one.kind] == "value" for one in found.all]
    before = [blocks.texts[row - 1] if row else "" for row in range(len(blocks))]
    alone = [bool(one.before) and before[one.block] == one.before for one in found.all]
    rows = nearest(page.parent, page.mask("tr"))[blocks.start]
    in_row = np.where(rows < 0, 0, np.bincount(np.maximum(rows, 0), blocks.visible, minlength=1)[np.maximum(rows, 0)])
    is_block = found.kind == BLOCK
    columns = [colon, alike[found.block] & np.array(alone, dtype=bool), alone, np.log1p(in_row)[found.block]]
    for kind in (PIECE, VALUE):
        inside = np.bincount(found.block[found.kind == kind], minlength=len(blocks))
        columns.append(np.where(is_block, inside[found.block], 0))
    return np.array(columns, dtype=np.float32)


def _role_words(
    found: Candidates, context: WordContext
) -> tuple[dict[str, list[tuple[str, ...]]], dict[str, IntArray]]:
    """For each role the distinct sets of words, and which of them each candidate has."""
    sets, of = {}, {}
    for role in ("label", "after", "heading", "words"):
        sets[role], of[role] = context.words[role], context.of[role]
    for role in ("element", "parent", "above"):
        names = [tuple(word for word in words if word[0] not in "<@") for words in context.words[role]]
        sets[role], of[role] = names, context.of[role]
    links = [tuple(word[1:] for word in words if word[0] == "@") for words in context.words["element"]]
    sets["link"], of["link"] = links, context.of["element"]
    labels = _Labels(found)
    for role, texts in (("row", labels.of_row()), ("column", labels.of_column()), ("section", labels.of_section())):
        distinct: dict[str, int] = {}
        block = [distinct.setdefault(text, len(distinct)) for text in texts]
        sets[role] = [words_of(text) for text in distinct]
        of[role] = np.array(block, dtype=np.int32)[found.block] if len(found) else np.zeros(0, dtype=np.int32)
    return sets, of


class _Labels:
    """Labels that stand apart from what they name: before it in its row, above it in its column, above it as a line."""

    def __init__(self, found: Candidates) -> None:
        self.page, self.blocks = found.page, found.blocks
        self.texts = [text if len(text) <= LONGEST_LABEL else "" for text in self.blocks.texts]
        self.start = self.blocks.start

    def of_row(self) -> list[str]:
        """The first text of the row that each block stands in, or of the term that it describes."""
        row = nearest(self.page.parent, self.page.mask("tr", "li"))[self.start].tolist()
        first: dict[int, int] = {}
        for place, own in enumerate(row):
            first.setdefault(own, place)
        term, labels = "", []
        is_term = nearest(self.page.parent, self.page.mask("dt"))[self.start] >= 0
        is_told = nearest(self.page.parent, self.page.mask("dd"))[self.start] >= 0
        for place, own in enumerate(row):
            if is_term[place]:
                term = self.texts[place]
            if is_told[place]:
                labels.append(term)
            else:
                labels.append(self.texts[first[own]] if own >= 0 and first[own] != place else "")
        return labels

    def of_column(self) -> list[str]:
        """The text in the first row of its table that stands over each block."""
        page = self.page
        cell = nearest(page.parent, page.mask("td", "th"))[self.start]
        row = nearest(page.parent, page.mask("tr"))[self.start]
        table = nearest(page.parent, page.mask("table"))[self.start]
        order: dict[int, int] = {}
        heads: dict[tuple[int, int], str] = {}
        first_row: dict[int, int] = {}
        labels: list[str] = []
        count: dict[int, int] = defaultdict(int)
        for place, (own, line, sheet) in enumerate(zip(cell.tolist(), row.tolist(), table.tolist(), strict=True)):
            if own < 0 or line < 0 or sheet < 0:
                labels.append("")
                continue
            if own not in order:
                order[own] = count[line]
                count[line] += 1
            is_first = first_row.setdefault(sheet, line) == line
            if is_first:
                heads.setdefault((sheet, order[own]), self.texts[place])
            labels.append("" if is_first else heads.get((sheet, order[own]), ""))
        return labels

    def of_section(self) -> list[str]:
        """The last line before each block that looks like a label: a heading, a term, bold, or with a colon."""
        page, start = self.page, self.start
        marked = self.blocks.inside(page.with_tag(*HEADINGS, "dt", "th", "legend", "label")) | bold_nodes(page)[start]
        last, labels = "", []
        for text, visible, is_marked in zip(self.texts, self.blocks.visible.tolist(), marked.tolist(), strict=True):
            labels.append(last)
            if text and visible and (is_marked or text.endswith((":", "："))):
                last = text
        return labels


def _forms(rows: Sequence[ValueCandidate]) -> npt.NDArray[np.float32]:
    """How well the text of each candidate is of each form, (forms, candidates): 1 the whole, less a part of it."""
    typed: dict[int, list[tuple[int, str]]] = defaultdict(list)
    for one in rows:
        if one.kind < SAID and (form := OF_KIND.get(KINDS[one.kind])):
            typed[one.block].append((FORMS.index(form), one.text))
    forms = np.zeros((len(FORMS), len(rows)), dtype=np.float32)
    named: dict[str, frozenset[str]] = {}
    for place, one in enumerate(rows):
        if len(one.text) > LONGEST_FORM:
            continue
        for row, text in typed.get(one.block, ()):
            if text in one.text:
                rest = one.text.replace(text, "", 1)
                is_whole = not rest or (row == DATE and CLOCK.fullmatch(rest))
                forms[row, place] = max(forms[row, place], 1 if is_whole else INSIDE)
        if one.text not in named:
            named[one.text] = _named_forms(one.text)
        for form in named[one.text]:
            forms[FORMS.index(form), place] = 1
    return forms


def _named_forms(text: str) -> frozenset[str]:
    """The forms that a text has by its letters alone."""
    if not MAY_HAVE_FORM.search(text):
        return frozenset()
    own = {OF_NAME.get(kind_name([text]), "")}
    if BARE_DATE.fullmatch(text) or ISO_DAY.match(text):
        own.add("date")
    if PLACE.fullmatch(text):
        own.add("address")
    return frozenset(own - {""})
