"""Which lines are the titles of the items: every run of k in each class, and every count, all measured at once."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import numpy.typing as npt

from sightline.arrays import BoolArray, FloatArray, IntArray, prefix_sum
from sightline.extract.lists._measures import (
    COMMENT_WORDS,
    FURNITURE_TAGS,
    FURNITURE_WORDS,
    MAIN_TAGS,
    MENU_TAGS,
    below_tags,
    below_words,
)
from sightline.extract.lists._page_signals import PageSignals
from sightline.extract.lists._promise import LANGUAGES, words
from sightline.extract.lists._span_reader import NodeSpan, SpanReader, read_number
from sightline.extract.lists._title_lines import BOLD, TitleClass, is_award

CHOICE_MEASURES: dict[str, str] = {
    "numbered": "share of the items that are numbered 1, 2, 3 or downwards",
    "body": "words behind the median title (logarithm)",
    "uneven": "how much the items differ in length",
    "likeness": "how similar the items are in structure",
    "template": "texts that occur in at least half of the items (logarithm)",
    "distinct": "share of the titles that are different",
    "questions": "share of the titles that are questions",
    "framing": "whether titles begin like introductions and conclusions; two or more count fully",
    "framed": "share of the other lines of this kind that begin like that",
    "pattern": "whether all titles, or none, are split by a colon or a dash or are awards",
    "section": "whether the items are all lines of their kind between two higher headings, or on the page",
    "crosses": "whether higher headings stand between the items",
    "inner headings": "how much the items differ in their number of headings",
    "size": "font size of the titles relative to the usual size",
    "headings": "whether the titles are headings by their tag",
    "first": "how far down the list begins, as a share of the page",
    "early": "whether it begins before the page's own title",
    "main": "whether its tags place it in the main part",
    "furniture": "whether its tags or classes place it in page furniture",
    "contents": "share of the titles that link to a place on the same page",
    "area": "share of the page's area that the items cover",
}
# Share of the items that must have a text for it to be part of the template; only the commonest texts are considered.
IN_TEMPLATE = 0.5
MOST_TEXTS = 256
MOST_CROSSED = 3
MOST_FRAMING = 2
MOST_WORDED = 0.8  # of the titles must have letters; a column of prices has none
FRAME = tuple(beginning for language in LANGUAGES for beginning in words(language.frame))


@dataclass(frozen=True, eq=False)
class Ground:
    """What all choices on a page are measured against."""

    signals: PageSignals

    @cached_property
    def furniture(self) -> FloatArray:
        """For each node: 1 in furniture by tag and class, 0.5 by one of them."""
        by_words = below_words(self.signals, (*FURNITURE_WORDS, *COMMENT_WORDS))
        return np.asarray(0.5 * below_tags(self.signals, FURNITURE_TAGS) + 0.5 * by_words, dtype=np.float64)

    @cached_property
    def menus(self) -> BoolArray:
        return below_tags(self.signals, MENU_TAGS)

    @cached_property
    def main(self) -> BoolArray:
        return below_tags(self.signals, MAIN_TAGS)

    @cached_property
    def title(self) -> int:
        """The node of the page's own title, its first heading."""
        levels = self.signals.heading_levels
        return int(self.signals.heading_nodes[levels == 1][0]) if (levels == 1).any() else 0

    @cached_property
    def usual_size(self) -> float:
        size = self.signals.looks.size[self.signals.texts]
        return float(np.median(size)) if len(size) else 0.0

    @cached_property
    def anchors(self) -> IntArray:
        """The links to places on the same page."""
        return self.signals.all_links[~self.signals.leads_away]


@dataclass(frozen=True, eq=False)
class Choices:
    """All choices of k lines from one class each. The lines of all classes form one sequence; a choice is a row."""

    ground: Ground
    groups: list[TitleClass]
    k: int
    texts: list[str]
    without: tuple[str, ...] = ()

    @classmethod
    def of(
        cls, ground: Ground, reader: SpanReader, groups: list[TitleClass], k: int, without: tuple[str, ...] = ()
    ) -> "Choices":
        """Read the titles of some classes."""
        titles = [title for group in groups for title in group.title]
        reader.read(titles)
        return cls(ground, groups, k, [reader.text(title).replace("\n", " ") for title in titles], without)

    # ------------------------------------------------------------------ the lines of all classes

    @cached_property
    def _size_of_group(self) -> IntArray:
        return np.array([len(group) for group in self.groups], dtype=np.int32)

    @cached_property
    def _first_line(self) -> IntArray:
        """Where the lines of each class begin, and where the last ends."""
        return prefix_sum(self._size_of_group).astype(np.int32)

    @cached_property
    def _line_start(self) -> IntArray:
        return np.concatenate([group.start for group in self.groups])

    @cached_property
    def _line_stop(self) -> IntArray:
        return np.concatenate([group.stop for group in self.groups])

    @cached_property
    def titles(self) -> list[NodeSpan]:
        """The span of each title."""
        return [title for group in self.groups for title in group.title]

    @cached_property
    def _title(self) -> npt.NDArray[np.int64]:
        return np.array(self.titles, dtype=np.int64)

    @cached_property
    def numbers(self) -> list[tuple[int | None, str]]:
        """The numbers that the titles begin with, and the text behind them."""
        by_text = {text: read_number(text) for text in set(self.texts)}
        return [by_text[text] for text in self.texts]

    # ------------------------------------------------------------------ the choices

    @cached_property
    def members(self) -> IntArray:
        """The lines of each choice."""
        rows = []
        for number, group in enumerate(self.groups):
            low = int(self._first_line[number])
            rows.append(low + np.arange(len(group) - self.k + 1)[:, None] + np.arange(self.k))
            counted = [] if "numbering" in self.without else self._counted(low, low + len(group))
            rows.extend(np.array([row]) for row in counted if row[-1] - row[0] >= self.k)
        members = np.concatenate(rows).astype(np.int32)
        worded = np.array([any(map(str.isalpha, text)) for text in self.texts])
        kept: IntArray = members[worded[members].mean(axis=1) >= MOST_WORDED]
        return kept

    def _counted(self, low: int, high: int) -> list[list[int]]:
        """The lines that count from 1 to k or from k to 1, leaving out others between them."""
        found = []
        for wanted in (range(1, self.k + 1), range(self.k, 0, -1)):
            row: list[int] = []
            for line in range(low, high):
                if len(row) < self.k and self.numbers[line][0] == wanted[len(row)]:
                    row.append(line)
            if len(row) == self.k:
                found.append(row)
        return found

    @cached_property
    def owner(self) -> IntArray:
        """The class of each choice."""
        return (np.searchsorted(self._first_line, self.members[:, 0], side="right") - 1).astype(np.int32)

    def group(self, row: int) -> TitleClass:
        """The class of a choice."""
        return self.groups[int(self.owner[row])]

    @cached_property
    def start(self) -> IntArray:
        start: IntArray = self._line_start[self.members]
        return start

    @cached_property
    def stop(self) -> IntArray:
        """Where the items end; behind free-standing titles the last ends no later than the element around them all."""
        stop: IntArray = self._line_stop[self.members].copy()
        page = self.ground.signals.page
        for row in np.flatnonzero(self._of_group([group.spread for group in self.groups])).tolist():
            first, last = int(self.start[row, 0]), int(self.start[row, -1])
            around = int(page.end[_common_ancestor(page.parent, page.end, first, last)])
            stop[row, -1] = max(min(int(stop[row, -1]), around), int(page.end[last]))
        return stop

    def _of_group(self, values: Sequence[object]) -> npt.NDArray[np.generic]:
        """For each choice, the value of its class."""
        return np.array(values)[self.owner]

    # ------------------------------------------------------------------ measures

    @cached_property
    def measures(self) -> FloatArray:
        """A row for each choice, a column for each of `CHOICE_MEASURES`."""
        columns = [getattr(self, f"_{name.replace(' ', '_')}") for name in CHOICE_MEASURES]
        return np.column_stack(columns).astype(np.float64)

    def _share(self, marks: Sequence[bool]) -> FloatArray:
        return np.asarray(np.array(marks, dtype=np.float64)[self.members].mean(axis=1), dtype=np.float64)

    @cached_property
    def _numbered(self) -> FloatArray:
        if "numbering" in self.without:
            return np.zeros(len(self.members))
        number = np.array([-1 if number is None else number for number, _ in self.numbers])[self.members]
        upwards = (number == np.arange(1, self.k + 1)).mean(axis=1)
        downwards = (number == np.arange(self.k, 0, -1)).mean(axis=1)
        return np.asarray(np.maximum(upwards, downwards), dtype=np.float64)

    @cached_property
    def _bodies(self) -> FloatArray:
        """The words of each item without its title (logarithm)."""
        words = self.ground.signals.tallies.words
        count = words[self.stop] - words[self.start]
        titles = np.array([len(text.split()) for text in self.texts])[self.members]
        spread = self._of_group([group.spread for group in self.groups])[:, None]
        return np.asarray(np.log1p(np.maximum(0, count - np.where(spread, titles, 0))), dtype=np.float64)

    @property
    def _body(self) -> FloatArray:
        return np.asarray(np.median(self._bodies, axis=1), dtype=np.float64)

    @property
    def _uneven(self) -> FloatArray:
        return np.asarray(np.std(self._bodies, axis=1), dtype=np.float64)

    @property
    def _likeness(self) -> FloatArray:
        rows = self.ground.signals.profiles.of(self.start.ravel(), self.stop.ravel())
        mean = rows.reshape(*self.start.shape, -1).mean(axis=1)
        return np.asarray(np.linalg.norm(mean, axis=1), dtype=np.float64)

    @property
    def _template(self) -> FloatArray:
        """Texts are equal if they are one string of the page."""
        signals, lines = self.ground.signals, len(self._line_start)
        low, high = np.searchsorted(signals.texts, self._line_start), np.searchsorted(signals.texts, self._line_stop)
        count = np.maximum(0, high - low)
        line = np.repeat(np.arange(lines), count)
        place = np.arange(len(line)) - np.repeat(np.cumsum(count) - count, count) + np.repeat(low, count)
        string = signals.page.text[signals.texts[place]]
        common = np.bincount(string, minlength=1).argsort()[::-1][:MOST_TEXTS]
        column = np.full(len(signals.page.strings), -1)
        column[common] = np.arange(len(common))
        is_common = column[string] >= 0
        has = np.zeros((lines + 1, len(common)), dtype=np.int32)
        has[line[is_common] + 1, column[string[is_common]]] = 1
        sums = np.cumsum(has, axis=0)
        occurrences = sums[self.members[:, -1] + 1] - sums[self.members[:, 0]]
        often = occurrences >= max(2.0, IN_TEMPLATE * self.k)
        return np.asarray(np.log1p(often.sum(axis=1)), dtype=np.float64)

    @property
    def _distinct(self) -> FloatArray:
        ids: dict[str, int] = {}
        same = np.array([ids.setdefault(text.casefold(), len(ids)) for text in self.texts])
        rows = np.sort(same[self.members], axis=1)
        return np.asarray((1 + (rows[:, 1:] != rows[:, :-1]).sum(axis=1)) / self.k, dtype=np.float64)

    @property
    def _questions(self) -> FloatArray:
        return self._share(["?" in text for text in self.texts])

    @cached_property
    def _is_frame(self) -> list[bool]:
        return [text.casefold().startswith(FRAME) for text in self.texts]

    @cached_property
    def _framing(self) -> FloatArray:
        return np.minimum(1.0, self._share(self._is_frame) * self.k / MOST_FRAMING)

    @property
    def _framed(self) -> FloatArray:
        all_of = np.add.reduceat(np.array(self._is_frame, dtype=np.float64), self._first_line[:-1])
        others = self._size_of_group - self.k
        outside = all_of[self.owner] - self._share(self._is_frame) * self.k
        return np.where(others[self.owner] > 0, outside / np.maximum(1, others[self.owner]), 0.5)

    @property
    def _pattern(self) -> FloatArray:
        pairs = zip(self.numbers, self.texts, strict=True)
        heads = [text if number is None else rest for (number, rest), text in pairs]
        colon = self._share([":" in text for text in heads])
        dash = self._share([any(mark in text for mark in (" - ", " – ", " — ", " | ")) for text in heads])
        awards = {text: is_award(text) for text in set(heads)}
        award = self._share([awards[text] for text in heads])
        shares = np.stack([colon, dash, award])
        return np.asarray(np.maximum(shares, 1 - shares).sum(axis=0) - 2, dtype=np.float64)

    @cached_property
    def _higher(self) -> npt.NDArray[np.int64]:
        """How many headings above its own level precede each line."""
        signals = self.ground.signals
        levels = np.repeat([0 if group.level == BOLD else group.level for group in self.groups], self._size_of_group)
        higher = np.zeros(len(levels), dtype=np.int64)
        for level in np.unique(levels).tolist():
            of_level = levels == level
            higher[of_level] = np.searchsorted(
                signals.heading_nodes[signals.heading_levels < level], self._line_start[of_level]
            )
        return higher

    @property
    def _section(self) -> FloatArray:
        first, last = self.members[:, 0], self.members[:, -1]
        begins = first == self._first_line[self.owner]
        ends = last == self._first_line[self.owner + 1] - 1
        before = begins | (self._higher[first] > self._higher[np.maximum(first - 1, 0)])
        after = ends | (self._higher[np.minimum(last + 1, len(self._higher) - 1)] > self._higher[last])
        return np.asarray(0.5 * before + 0.5 * after, dtype=np.float64)

    @property
    def _crosses(self) -> FloatArray:
        crossed = self._higher[self.members[:, -1]] - self._higher[self.members[:, 0]]
        return np.asarray(np.minimum(MOST_CROSSED, crossed) / MOST_CROSSED, dtype=np.float64)

    @property
    def _inner_headings(self) -> FloatArray:
        headings = self.ground.signals.headings
        has_heading = self._of_group([0 < group.level < BOLD for group in self.groups])[:, None]
        inner = headings[self.stop] - headings[self.start] - np.where(has_heading, 1, 0)
        return np.asarray(np.std(np.log1p(np.maximum(0, inner)), axis=1), dtype=np.float64)

    @property
    def _size(self) -> FloatArray:
        signals = self.ground.signals
        if not self.ground.usual_size:  # font sizes are unknown
            return np.ones(len(self.members))
        text = signals.texts[np.minimum(np.searchsorted(signals.texts, self._title[:, 0]), len(signals.texts) - 1)]
        size = np.median(signals.looks.size[text][self.members], axis=1)
        return np.asarray(size / self.ground.usual_size, dtype=np.float64)

    @property
    def _headings(self) -> npt.NDArray[np.generic]:
        return self._of_group([group.how == "headings" for group in self.groups])

    @property
    def _first(self) -> FloatArray:
        return np.asarray(self.start[:, 0] / len(self.ground.signals.page), dtype=np.float64)

    @property
    def _early(self) -> BoolArray:
        early: BoolArray = self.start[:, 0] < self.ground.title
        return early

    @property
    def _main(self) -> FloatArray:
        return np.asarray(self.ground.main[self.start].mean(axis=1), dtype=np.float64)

    @property
    def _furniture(self) -> FloatArray:
        return np.asarray(self.ground.furniture[self.start].mean(axis=1), dtype=np.float64)

    @property
    def _contents(self) -> FloatArray:
        """A table of contents names the items, but is not the list."""
        anchors, first, last = self.ground.anchors, self._title[:, 0], self._title[:, 1]
        inside = np.searchsorted(anchors, np.maximum(last, first + 1)) > np.searchsorted(anchors, first - 2)
        return np.asarray(inside[self.members].mean(axis=1), dtype=np.float64)

    @property
    def _area(self) -> FloatArray:
        leaves, sums = self.ground.signals.leaves, self.ground.signals.area_sums
        covered = sums[np.searchsorted(leaves, self.stop)] - sums[np.searchsorted(leaves, self.start)]
        return np.asarray(np.minimum(1.0, covered.sum(axis=1)), dtype=np.float64)


def _common_ancestor(parent: IntArray, end: IntArray, first: int, last: int) -> int:
    """The lowest element that holds two nodes."""
    while parent[first] >= 0 and end[first] <= last:
        first = int(parent[first])
    return first
