"""Step 4: align many sequences of children into common slots, by path, type and content.

The scores are the published ones (UWIDE, section on alignment), plus one for what an element contains.
"""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import accumulate, pairwise
from typing import NamedTuple, cast

import numpy as np

from sightline.extract.schemas._outline import Alphabet
from sightline.extract.schemas._template import Slot, Take, Usual
from sightline.signals import TextKind

PATH = 0.5  # published
NEAR_PATH = 0.2  # the same tag with other attributes, or other inline markup around one text
TYPE = 0.25  # published
NEAR_TYPE = 0.125  # published: a parent or child of the type
CONTENT = 1.0  # published: the same text
PARTIAL = 0.25  # published: a part of the text, here its first word
MISMATCH = -0.1  # published: another text where one is established
# Another text that occurs beside the established one elsewhere: two labels of one table are never one slot. It must
# outweigh any sum of path, type and make (at most 1.5).
RIVAL = -2.0
MAKE = 0.75  # all symbols inside are the same; found on the sites of the benchmark, where 0.5 to 1 do as well
ESTABLISHED = 0.8  # of the instances of a slot have the same text
CORE = 0.5  # of the instances of a slot contain a symbol
NEVER = -1e9
CELL = "td"
# Pairs of a token and a slot that are all scored; 26 sites of the benchmark have 1,600 at most. Of longer sequences,
# so many tokens at a time are fitted into twice as many slots that come next.
MOST_PAIRS, WINDOW = 40_000, 100
# Pairs up to which plain lists are faster than arrays, by far for two tokens and ten slots, not at all beyond these.
FEW_PAIRS = 400
MOST_KNOWN = 10_000  # tokens whose scores are remembered
# Instances of a slot, from which on one more does not change what is usual in it: only one in a thousand more is
# looked at again, for each look goes through all its texts. Those of 26 sites of the benchmark have 220 at most.
STEADY = 1000
# Inline markup around a text that comes and goes without meaning anything for the data.
DECORATIVE = frozenset(
    [
        "#text",
        "b",
        "i",
        "em",
        "strong",
        "u",
        "s",
        "font",
        "span",
        "nobr",
        "small",
        "big",
        "mark",
        "tt",
        "a",
        "abbr",
        "ins",
        "center",
    ]
)
_NUMERIC = {TextKind.NUMBER, TextKind.DIGITS}


class Token(NamedTuple):
    """A child, or a run of children, as the alignment sees it."""

    take: Take
    symbol: int
    content: int = 0
    word: str = ""
    kind: int = 0
    make: frozenset[int] = frozenset()
    single: bool = False


@dataclass(frozen=True)
class SlotScorer:
    """Scores tokens against slots.

    It knows which texts occur side by side, and so cannot be one label, among elements with one symbol.
    """

    alphabet: Alphabet
    rivals: frozenset[tuple[int, int]] = frozenset()
    several: frozenset[int] = frozenset()
    without: frozenset[str] = frozenset()

    def rows(
        self, tokens: Sequence[Token], slots: Sequence[Slot], known: "dict[Token, list[float]] | None" = None
    ) -> list[list[float]]:
        """The score of every token in every slot; `known` are those of tokens seen before in the same slots."""
        rows = {} if known is None else known
        found = [rows.get(token) for token in tokens]
        if None in found:
            usual = [self._usual_of(slot) for slot in slots]
            for place, token in enumerate(tokens):
                if found[place] is None:
                    found[place] = rows[token] = rows.get(token) or self._row(token, slots, usual)
        return cast("list[list[float]]", found)

    def _row(self, token: Token, slots: Sequence[Slot], usual: Sequence[Usual]) -> list[float]:
        """The score of a token in every slot; most slots are ruled out cheaply."""
        tag, take, single = self.alphabet.tag(token.symbol), token.take, token.single
        return [
            self._score(token, tag, slot, usual_in_slot)
            if take == slot.take and (tag in usual_in_slot.tags or (single and slot.single))
            else NEVER
            for slot, usual_in_slot in zip(slots, usual, strict=True)
        ]

    def _score(self, token: Token, tag: str, slot: Slot, usual: Usual) -> float:
        path = PATH if token.symbol in slot.symbols else self._near_path(token, tag, slot, usual)
        if path == NEVER or token.take != "one":
            return path
        kind = TYPE if usual.kind == token.kind else NEAR_TYPE if _near(usual.kind, token.kind) else 0.0
        content = self._content(token, slot, usual)
        # The same text in another kind of element is just a hint: two columns may have the same texts.
        return path + kind + self._make(token, slot, usual) + (content if path == PATH else min(content, PARTIAL))

    def _near_path(self, token: Token, tag: str, slot: Slot, usual: Usual) -> float:
        if token.take != "one" or tag in usual.tags:
            is_other = tag == CELL and self._is_other_column(token, slot)
            return NEAR_PATH if token.take == "one" and not is_other else NEVER
        decorative = token.single and slot.single and tag in DECORATIVE and not usual.tags.isdisjoint(DECORATIVE)
        return NEAR_PATH if decorative and "decorative" not in self.without else NEVER

    def _is_other_column(self, token: Token, slot: Slot) -> bool:
        """Whether a cell of a record is in another column than those of a slot: there, empty cells count for sure."""
        if not self.alphabet.is_record(token.symbol):
            return False
        place = self.alphabet.place(token.symbol)
        return bool(place) and all(self.alphabet.place(symbol) not in ("", place) for symbol in slot.symbols)

    def _make(self, token: Token, slot: Slot, usual: Usual) -> float:
        """How far an element contains the symbols that are usual in the slot."""
        if "make" in self.without or (token.single and slot.single):
            return 0.0
        make, core = token.make, usual.core
        if make == core:
            return MAKE
        common = len(make & core)
        return MAKE * common / (len(make) + len(core) - common)

    def _content(self, token: Token, slot: Slot, usual: Usual) -> float:
        if token.content and token.content in slot.contents:
            return CONTENT
        if usual.content and slot.contents[usual.content] >= ESTABLISHED * slot.present:
            rival = token.symbol in self.several and (usual.content, token.content) in self.rivals
            return RIVAL if rival else MISMATCH
        return PARTIAL if token.word and token.word in slot.words else 0.0

    def _usual_of(self, slot: Slot) -> Usual:
        if slot.usual is None or slot.present - slot.usual.present > slot.present // STEADY:
            slot.usual = Usual(
                slot.present,
                max(slot.kinds, key=slot.kinds.__getitem__, default=0),
                max(slot.contents, key=slot.contents.__getitem__, default=0),
                frozenset(symbol for symbol, count in slot.makes.items() if count >= CORE * slot.present),
                frozenset(map(self.alphabet.tag, slot.symbols)),
            )
        return slot.usual


def _near(kind: int, other: int) -> bool:
    """Whether two kinds of text have a common parent: numbers of some kind, or words."""
    return (kind in _NUMERIC) == (other in _NUMERIC)


class SlotCosts(NamedTuple):
    """What all words that are aligned to the same slots have in common.

    `steps` is the cost of passing over each slot, `known` holds the scores of tokens seen before.
    """

    steps: list[float]
    known: dict[Token, list[float]]

    @classmethod
    def of(cls, skips: Iterable[float]) -> "SlotCosts":
        """The costs, given as the scores see them: as differences of their sums."""
        return cls([after - before for before, after in pairwise(accumulate(skips, initial=0.0))], {})

    def near(self, slots: slice) -> "SlotCosts":
        """The costs of some of the slots alone."""
        return SlotCosts(self.steps[slots], {})


def fit(
    tokens: Sequence[Token], slots: Sequence[Slot], scorer: SlotScorer, costs: SlotCosts | None = None
) -> list[int]:
    """The slot of each token, in order, by the best path (Viterbi); -1 for a token that no slot takes.

    Without `costs`, slots are passed over for nothing.

    >>> slots = [Slot("one", Counter({1: 2}), present=2), Slot("one", Counter({2: 2}), present=2)]
    >>> fit([Token("one", 2)], slots, SlotScorer(Alphabet(frozenset(), ["#text", "b", "i"])))
    [1]
    """
    if len(tokens) * len(slots) <= MOST_PAIRS:
        return _fit_all(tokens, slots, scorer, costs)
    found: list[int] = []
    begin = 0
    for start in range(0, len(tokens), WINDOW):
        near = slice(begin, begin + 2 * WINDOW)
        part = _fit_all(tokens[start : start + WINDOW], slots[near], scorer, costs and costs.near(near))
        found += [place + begin if place >= 0 else -1 for place in part]
        begin = max(begin, max(found) + 1)
    return found


def _fit_all(tokens: Sequence[Token], slots: Sequence[Slot], scorer: SlotScorer, costs: SlotCosts | None) -> list[int]:
    """As `fit`, every token against every slot."""
    if not tokens or not slots:
        return [-1] * len(tokens)
    if costs is None:
        score, steps = scorer.rows(tokens, slots), [0.0] * len(slots)
    else:
        if len(costs.known) > MOST_KNOWN:
            costs.known.clear()
        score, steps = scorer.rows(tokens, slots, costs.known), costs.steps
    return _path_back(_best(score, steps) if len(tokens) * len(slots) <= FEW_PAIRS else _best_of_many(score, steps))


def _best(score: list[list[float]], steps: list[float]) -> list[list[float]]:
    """The best score of the first tokens in the first slots, for each number of both.

    It excludes the cost of passing over all slots up to there, so that moving on is a running maximum.
    """
    row = [0.0] * (len(steps) + 1)
    best = [row]
    for gains in score:
        most = row[0]
        following = [most]
        for before, passed, gain, step in zip(row, row[1:], gains, steps, strict=False):
            taken = before + (gain - step)
            most = max(most, passed, taken)
            following.append(most)
        best.append(following)
        row = following
    return best


def _best_of_many(score: list[list[float]], steps: list[float]) -> list[list[float]]:
    """The same by columns, which is faster for long words."""
    gain = np.array(score) - np.array(steps)
    best = np.zeros((len(score) + 1, len(steps) + 1))
    for place in range(len(score)):
        best[place + 1, 1:] = np.maximum(best[place, 1:], best[place, :-1] + gain[place])
        best[place + 1, 0] = best[place, 0]
        np.maximum.accumulate(best[place + 1], out=best[place + 1])
    rows: list[list[float]] = best.tolist()
    return rows


def _path_back(best: list[list[float]]) -> list[int]:
    row, column = len(best) - 1, len(best[0]) - 1
    found = [-1] * row
    while row and column:
        if best[row][column] == best[row - 1][column]:
            row -= 1
        elif best[row][column] == best[row][column - 1]:
            column -= 1
        else:
            row, column = row - 1, column - 1
            found[row] = column
    return found


def align(sequences: Sequence[tuple[Token, ...]], alphabet: Alphabet, without: frozenset[str]) -> list[Slot]:
    """Slots that all sequences fit into, one token each; the longest sequences come first, as they have all slots."""
    counts = Counter(sequences)
    several = frozenset(
        symbol
        for sequence in counts
        for symbol, count in Counter(token.symbol for token in sequence).items()
        if count > 1
    )
    scorer = SlotScorer(alphabet, frozenset() if "rivals" in without else _rivals(counts), several, without)
    slots: list[Slot] = []
    for sequence in sorted(counts, key=lambda tokens: (-len(tokens), -counts[tokens])):
        _merge(slots, sequence, fit(sequence, slots, scorer), counts[sequence])
    return slots


def _rivals(sequences: Counter[tuple[Token, ...]]) -> frozenset[tuple[int, int]]:
    """Pairs of texts that occur side by side in some sequence."""
    texts = [{token.content for token in sequence if token.content} for sequence in sequences]
    return frozenset(
        (text, other)
        for together in texts
        if len(together) <= MANY_TEXTS
        for text in together
        for other in together - {text}
    )


MANY_TEXTS = 200  # in one sequence; the pairs of more cost too much and add nothing new


def _merge(slots: list[Slot], sequence: Sequence[Token], places: Sequence[int], times: int) -> None:
    """Add a sequence to the slots that it fits into; a token that fits nowhere gets a new slot, in its place."""
    shift = following = 0
    for token, place in zip(sequence, places, strict=True):
        if place < 0:
            slots.insert(following, Slot(token.take))
            shift += 1
        else:
            following = place + shift
        _count(slots[following], token, times)
        following += 1


def _count(slot: Slot, token: Token, times: int) -> None:
    slot.single = token.single and (slot.single or not slot.present)
    slot.present += times
    slot.symbols[token.symbol] += times
    slot.kinds[token.kind] += times
    slot.makes.update(dict.fromkeys(token.make, times))
    if token.content:
        slot.contents[token.content] += times
    if token.word:
        slot.words[token.word] += times
