"""Which slot takes which children: rows by their labels, runs as sets, and the rest in the order of the slots."""

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import chain
from typing import NamedTuple

import numpy as np

from sightline.extract.schemas._align import DECORATIVE, SlotCosts, SlotScorer, Token, fit
from sightline.extract.schemas._outline import TEXT_SYMBOL, Alphabet, Outline
from sightline.extract.schemas._template import (
    Leaf,
    Matters,
    Parsed,
    ParsedPart,
    Slot,
    Take,
    Taker,
    TemplateBody,
    TemplateRow,
    is_required,
)

# The cost of passing over a slot that was always filled: half of a match by path, so that a text does not fall to a
# later slot for a slight likeness. A slot that was filled half of the time costs 0.04. Set by judgement; 0 reads the
# sites of the benchmark as well.
SKIP = 0.25
LEAST_CHANCE = 0.01
MOST_TOKENS = 1_000  # cached by one body, if their first texts are not longer than this
LONG_TEXT = 100
MOST_SKIPS = 4096  # pairs of counts whose costs are remembered
MOST_WORDS = 10_000  # cached by one body; nobody who reads millions of pages wants more
NO_MAKE = frozenset(["make"])  # if symbols determine the reading, what the elements contain does not matter
LESS = 0.1  # the weight of a word that only one of two symbols has, against one that both have

ChildSpan = tuple[int, int]
"""From one place among the children up to another."""


class Runs(NamedTuple):
    """Which symbols repeat as a set, and which begin (`landmarks`) and continue (`members`) repeated groups."""

    sets: Collection[int] = frozenset()
    landmarks: frozenset[int] = frozenset()
    members: frozenset[int] = frozenset()
    constants: frozenset[int] = frozenset()

    def cut(
        self, places: Sequence[int], symbols: Sequence[int], contents: Sequence[int]
    ) -> list[tuple[Take, int, int]]:
        """Cut children into runs of neighbours that one slot takes."""
        found: list[tuple[Take, int, int]] = []
        for place in places:
            symbol = symbols[place]
            take, start, stop = found[-1] if found else ("one", -1, -1)
            constant = contents[place] in self.constants and symbol in self.sets
            grouped = symbol in self.landmarks or (take == "group" and stop == place and symbol in self.members)
            now: Take = "one" if constant else "group" if grouped else "set" if symbol in self.sets else "one"
            alike = now == "group" or (now == "set" and symbols[start] == symbol)
            if stop == place and take == now and alike:
                found[-1] = (take, start, place + 1)
            else:
                found.append((now, place, place + 1))
        return found


@dataclass(frozen=True, eq=False)
class BodyPlan:
    """What of a body all words that it reads have in common.

    It is `plain` if each slot takes one child, and nothing else is looked for. `words` numbers the first words of texts
    that slots know. `resolved` are unknown symbols and `tokens` children met so far, these by their shapes and first
    texts.
    """

    runs: Runs
    plain: bool
    scorer: SlotScorer
    costs: SlotCosts
    required: tuple[Taker, ...]
    words: dict[str, int]
    resolved: dict[int, int] = field(default_factory=dict)
    tokens: dict[tuple[int, str], Token] = field(default_factory=dict)


def _plan_of(body: TemplateBody, alphabet: Alphabet) -> BodyPlan:
    plan: BodyPlan | None = body.plan
    if plan is None:
        matters = body.matters or deciding_features(body, alphabet)
        plan = body.plan = BodyPlan(
            _runs_of(body),
            not (body.rows or body.bags) and all(slot.take == "one" for slot in body.slots),
            SlotScorer(alphabet, without=NO_MAKE if matters != "makes" else frozenset()),
            SlotCosts.of(_skips(body)),
            tuple(taker for taker in body.takers if is_required(taker, body)),
            _known_words(body),
        )
    return plan


def _known_words(body: TemplateBody) -> dict[str, int]:
    """The first words of texts that slots know, numbered from 1."""
    words = dict.fromkeys(chain.from_iterable(slot.words for slot in body.slots))
    return {word: number for number, word in enumerate(words, start=1)}


def token_of(outline: Outline, kid: int, symbol: int) -> Token:
    """A single child as a token."""
    first = outline.first[kid]
    single = outline.last[kid] - first == 1
    word, kind = outline.words[first], int(outline.kinds[first])
    return Token("one", symbol, outline.content[kid], word, kind, make_of(outline, kid), single)


def _known_token(plan: BodyPlan, outline: Outline, kid: int, symbol: int) -> Token:
    """The same, made once for all children of one shape that begin with the same text; most come on every page."""
    text = outline.texts[outline.first[kid]]
    if len(text) > LONG_TEXT:
        return token_of(outline, kid, symbol)
    token = plan.tokens.get((outline.shape[kid], text))
    if token is None:
        if len(plan.tokens) > MOST_TOKENS:
            plan.tokens.clear()
        token = plan.tokens[outline.shape[kid], text] = token_of(outline, kid, symbol)
    return token


def make_of(outline: Outline, kid: int) -> frozenset[int]:
    """The symbols of the elements in a node."""
    return frozenset(outline.symbol[kid + 1 : outline.end[kid]]) - {TEXT_SYMBOL}


def chunks(symbols: Sequence[int], landmarks: frozenset[int], members: frozenset[int]) -> list[ChildSpan]:
    """Runs that begin with a landmark and continue with members.

    >>> chunks([7, 1, 2, 1, 2, 2, 9], frozenset({1}), frozenset({2}))
    [(1, 3), (3, 6)]
    """
    found: list[ChildSpan] = []
    start = -1
    for place, symbol in enumerate(symbols):
        if start >= 0 and (symbol in landmarks or symbol not in members):
            found.append((start, place))
            start = -1
        if symbol in landmarks:
            start = place
    return [*found, (start, len(symbols))] if start >= 0 else found


def between(words: Iterable[Sequence[int]], landmark: int) -> frozenset[int]:
    """What is between the first and the last landmark of each word.

    >>> sorted(between([[7, 1, 2, 1, 3], [1, 4, 1]], 1))
    [2, 4]
    """
    found: set[int] = set()
    for word in words:
        places = [place for place, symbol in enumerate(word) if symbol == landmark]
        found.update(word[places[0] : places[-1]] if places else ())
    return frozenset(found - {landmark})


def resolve(body: TemplateBody, outline: Outline, symbol: int) -> int:
    """The symbol that stands for this one in the body; for an unknown one, the most similar known one."""
    resolved = body.alias.get(symbol)
    if resolved is not None:
        return resolved
    known = _plan_of(body, outline.alphabet).resolved
    if symbol not in known:
        known[symbol] = _most_similar(body, outline.alphabet, symbol)
    return known[symbol]


def _most_similar(body: TemplateBody, alphabet: Alphabet, symbol: int) -> int:
    tag, words = alphabet.tag(symbol), alphabet.words(symbol)
    alike = [candidate for candidate in body.alias if alphabet.tag(candidate) == tag]
    if not alike:
        return symbol
    return body.alias[max(alike, key=lambda candidate: _common(words, alphabet.words(candidate)))]


def _common(words: frozenset[str], other: frozenset[str]) -> float:
    return len(words & other) - LESS * len(words ^ other)


def parse(body: TemplateBody, outline: Outline, kids: list[int]) -> Parsed:
    """The parts of a list of children, in order; a word is read only once."""
    matters = body.matters or deciding_features(body, outline.alphabet)
    letters = outline.token if matters == "texts" else outline.symbol
    key = tuple([letters[kid] for kid in kids])
    parsed = body.memo.get(key)
    if parsed is None:
        if len(body.memo) > MOST_WORDS:
            body.memo.clear()
        if key not in body.memo and _matches_exactly(body, outline, kids):
            parsed = body.memo[key] = Parsed([(slot, at, at + 1) for at, slot in enumerate(body.slots)], ())
        elif matters != "makes":
            parsed = body.memo[key] = _parse_with_missing(body, outline, kids)
        else:
            body.memo[key] = None
            parsed = _parse_by_make(body, outline, kids)
    return parsed


def _parse_by_make(body: TemplateBody, outline: Outline, kids: list[int]) -> Parsed:
    """The parts of children that their symbols do not tell apart."""
    shape, kinds, words, first = outline.shape, outline.kinds, outline.words, outline.first
    known = _plan_of(body, outline.alphabet).words
    texts = [first[kid] for kid in kids]
    key = (
        *(-1, *[shape[kid] for kid in kids], *[kinds[text] for text in texts]),
        *[known.get(words[text], 0) for text in texts],
    )
    parsed = body.memo.get(key)
    if parsed is None:
        parsed = body.memo[key] = _parse_with_missing(body, outline, kids)._replace(words=known)
    return parsed


def _parse_with_missing(body: TemplateBody, outline: Outline, kids: list[int]) -> Parsed:
    parts = _parse(body, outline, kids)
    filled = {id(part[0]) for part in parts}
    required = _plan_of(body, outline.alphabet).required
    return Parsed(parts, tuple([taker for taker in required if id(taker) not in filled]))


def _matches_exactly(body: TemplateBody, outline: Outline, kids: list[int]) -> bool:
    """Whether a word is what the slots require, one child each: then it need not be aligned.

    Where symbols alone decide, no other way to read it has a higher score, even if a slot is not required.
    """
    if body.rows or body.constants or body.bags or body.headed or len(kids) != len(body.slots):
        return False
    by_symbols = body.matters == "symbols"
    for kid, slot in zip(kids, body.slots, strict=True):
        if slot.take != "one" or not (by_symbols or is_required(slot, body)):
            return False
        if resolve(body, outline, outline.symbol[kid]) not in slot.symbols:
            return False
    return True


def deciding_features(body: TemplateBody, alphabet: Alphabet) -> Matters:
    """What decides how a body reads a word, and so must be the same for two words to be read alike."""
    if len(body.slots) == 1:  # as in most bodies; there is nothing to tell apart
        body.matters = "texts" if body.rows or body.constants else "symbols"
        return body.matters
    single = [slot for slot in body.slots if slot.take == "one"]
    tags = [{alphabet.tag(symbol) for symbol in slot.symbols} for slot in single]
    marks = [slot_tags for slot_tags, slot in zip(tags, single, strict=True) if slot.single]
    decorated = sum(not slot_tags.isdisjoint(DECORATIVE) for slot_tags in marks)
    several = sum(map(len, tags)) > len(set().union(*tags)) or decorated > 1
    body.matters = "makes" if several else "texts" if body.rows or body.constants else "symbols"
    return body.matters


def _parse(body: TemplateBody, outline: Outline, kids: list[int]) -> list[ParsedPart]:
    if body.headed:
        parts: list[ParsedPart] = [(body.slots[0], 0, 1), (body.slots[1], 1, len(kids))]
        return parts[: len(kids)]
    symbols = [resolve(body, outline, outline.symbol[kid]) for kid in kids]
    plan = _plan_of(body, outline.alphabet)
    if plan.plain:
        return _parts_of_runs(body, [("one", place, place + 1) for place in range(len(kids))], outline, kids, symbols)
    rows: list[ParsedPart] = [*label_rows(body, outline, kids, symbols)]
    in_rows = {place for _, start, stop in rows for place in range(start, stop)}
    places = [place for place in range(len(kids)) if place not in in_rows]
    if body.bags:
        rows += [(body.bags[symbols[place]], place, place + 1) for place in places if symbols[place] in body.bags]
        places = [place for place in places if symbols[place] not in body.bags]
    runs = plan.runs.cut(places, symbols, [outline.content[kid] for kid in kids])
    return sorted([*rows, *_parts_of_runs(body, runs, outline, kids, symbols)], key=lambda part: part[1])


def _parts_of_runs(
    body: TemplateBody,
    runs: Sequence[tuple[Take, int, int]],
    outline: Outline,
    kids: Sequence[int],
    symbols: Sequence[int],
) -> list[ParsedPart]:
    """Align runs of children to the slots of a body."""
    plan = _plan_of(body, outline.alphabet)
    by_make = body.matters == "makes"
    tokens = [
        _known_token(plan, outline, kids[start], symbols[start])
        if by_make and take == "one"
        else Token(take, symbols[start])
        for take, start, _ in runs
    ]
    parts: list[ParsedPart] = []
    before: Slot | None = None
    for (_, start, stop), token, place in zip(
        runs, tokens, fit(tokens, body.slots, plan.scorer, plan.costs), strict=True
    ):
        before = body.slots[place] if place >= 0 else before if _repeats(before, token) else None
        parts.append((before, start, stop))
    return parts


def _repeats(before: Slot | None, token: Token) -> bool:
    """Whether a further child resembles the slot before: what occurred once may occur twice."""
    if before is None or before.take != token.take or token.symbol not in before.symbols:
        return False
    return not (isinstance(before.inner, Leaf) and before.inner.fixed is not None)


def _skips(body: TemplateBody) -> list[float]:
    """The cost of passing over each slot: the logarithm of how often it was passed over."""
    return [_skip(slot.present, body.total) for slot in body.slots]


@lru_cache(maxsize=MOST_SKIPS)
def _skip(present: int, total: int) -> float:
    chance = max(1 - present / max(1, total), LEAST_CHANCE)
    return float(SKIP * np.log(chance) / -np.log(LEAST_CHANCE))


def label_rows(
    body: TemplateBody, outline: Outline, kids: Sequence[int], symbols: Sequence[int]
) -> list[tuple[TemplateRow, int, int]]:
    """The rows whose labels the body knows."""
    if not body.rows:
        return []
    if body.row_members is None:
        spans = [(place, place + 1) for place, symbol in enumerate(symbols) if symbol in body.row_symbols]
    else:
        spans = chunks(symbols, body.row_symbols, body.row_members)
    labels = [(outline.content[kids[start]], start, stop) for start, stop in spans]
    return [(body.rows[label], start, stop) for label, start, stop in labels if label in body.rows]


def _runs_of(body: TemplateBody) -> Runs:
    groups = [slot for slot in body.slots if slot.take == "group"]
    return Runs(
        {symbol for slot in body.slots if slot.take == "set" for symbol in slot.symbols},
        frozenset(symbol for slot in groups for symbol in slot.landmarks),
        frozenset(symbol for slot in groups for symbol in slot.members),
        body.constants,
    )


def pieces(taker: Taker, body: TemplateBody, outline: Outline, kids: list[int]) -> list[list[int]]:
    """The items among the children that a slot or row has taken: one list of nodes each."""
    if isinstance(taker, TemplateRow) or taker.take in ("one", "rest"):
        return [kids]
    if taker.take == "set":
        return [[kid] for kid in kids]
    symbols = [resolve(body, outline, outline.symbol[kid]) for kid in kids]
    return [kids[low:high] for low, high in chunks(symbols, taker.landmarks, taker.members)]


def inner_kids(taker: Taker, outline: Outline, piece: list[int]) -> list[int]:
    """The children that the body inside a slot or row reads: those of the element, or the run itself."""
    return piece if taker.takes_run else outline.kids(piece[0])
