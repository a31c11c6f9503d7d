"""A lesson: examples given one by one or all at once, and at any time the wrapper that they make."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import NamedTuple, TypeAlias

import numpy as np

from sightline.errors import UsageError
from sightline.extract.wrappers._found import Checked, Training
from sightline.extract.wrappers._patterns import Patterns
from sightline.extract.wrappers._wrapper import Wrapper
from sightline.extract.wrappers.patterns import (
    Hypothesis,
    Learned,
    Located,
    Pattern,
    RecordShown,
    Rule,
    Span,
    Taught,
    TeachSettings,
    View,
    found_by,
    items_of,
    key_of,
    label_key,
    learn_field,
    learn_set,
    located_node,
    located_point,
    located_text,
    mask_of,
    profile_of,
    read_patterns,
    repeated,
    value_of,
)
from sightline.page import Node, Page

__all__ = ["Example", "Lesson", "Match", "Question"]

ITEMS = "items"
ASKED = 40  # of the best hypotheses have a say in what is asked next
POINT = 2  # numbers of a point
MANY_PLACES = 10  # of one text on a page, from which on it says little about which one is meant
LEAST_TOGETHER = 2  # lists that make records, and records that a page has at least
IN_STEP = 0.5  # as many of one list as of the other
OUT_OF_STEP = 0.2  # of the records that may have two of what all others have one of
SHOWN = 5  # records that rules are learned from

Example: TypeAlias = str | int | Node | tuple[float, float]
"""A text as shown on the page, a node or its number, or a point of a rendered page in CSS pixels."""


class Match(NamedTuple):
    """One match of the current hypothesis."""

    node: int
    text: str
    xpath: str


class Question(NamedTuple):
    """The most useful thing to say next: whether this node is one; `share` of the hypotheses take it to be."""

    name: str
    page: Page
    node: int
    text: str
    share: float


@dataclass(frozen=True, eq=False)
class _Said:
    """One thing that was said: on which page, of which field, what is or is not one."""

    page: int
    name: str
    located: Located | None
    wanted: bool
    complete: bool = False


@dataclass(frozen=True, eq=False)
class _Shown:
    """Records that were shown on a page."""

    page: int
    name: str
    records: tuple[dict[str, tuple[str, ...]], ...]


class Lesson:
    """Teach a wrapper by pointing; see what it would take after every example.

    >>> from sightline.testing import list_page
    >>> page = list_page(["Canon EOS 5D", "Nikon D850", "Pentax K-1", "Leica M11"])
    >>> lesson = Lesson(page)
    >>> [match.text for match in lesson.want("name", "Canon EOS 5D").matches("name")]
    ['Canon EOS 5D', 'Nikon D850', 'Pentax K-1', 'Leica M11']
    """

    def __init__(self, page: Page | None = None, *, settings: TeachSettings | None = None) -> None:
        self.settings = settings or TeachSettings()
        self._views: list[View] = []
        self._said: list[_Said | _Shown] = []
        self._undo: list[int] = []
        self._learned: dict[str, Learned] = {}
        self._current = -1
        if page is not None:
            self.on(page)

    # ------------------------------------------------------------------ examples

    def on(self, page: Page) -> "Lesson":
        """Go on with another page; what is said next is about it."""
        self._current = self._number(page)
        return self

    def want(self, name: str, example: Example, *, page: Page | None = None) -> "Lesson":
        """This is one: a text as shown on the page, a node, or a point."""
        return self._say(name, example, page, wanted=True)

    def reject(self, name: str, example: Example, *, page: Page | None = None) -> "Lesson":
        """This is none."""
        return self._say(name, example, page, wanted=False)

    def absent(self, name: str, *, page: Page | None = None) -> "Lesson":
        """The page has no such value: whatever is found there is wrong."""
        self._mark()
        self._tell(_Said(self._number(page), _named(name), None, wanted=False, complete=True))
        return self

    def show(
        self,
        page: Page,
        fields: Mapping[str, Sequence[str]] | None = None,
        records: Sequence[Mapping[str, Sequence[str] | str]] = (),
        *,
        of: str = ITEMS,
    ) -> "Lesson":
        """Everything that is wanted of a page at once: for each field its texts, and the first of its records.

        A field that is shown on other pages and not on this one has no value here.
        """
        number = self._number(page)
        self._current = number
        view = self._views[number]
        wanted = {_named(name): [texts] if isinstance(texts, str) else texts for name, texts in (fields or {}).items()}
        located = {name: [self._locate(view, text) for text in texts] for name, texts in wanted.items()}
        self._mark()
        for name, found in located.items():
            for one in found:
                self._tell(_Said(number, name, one, wanted=True, complete=True))
        if records:
            self._tell(_Shown(number, of, tuple(map(_record, records))))
        else:
            self._tell(_Shown(number, "", ()))
        return self

    def undo(self) -> "Lesson":
        """Take back what was said last."""
        if not self._undo:
            raise UsageError("There is nothing to undo; no example was given yet.")
        del self._said[self._undo.pop() :]
        self._learned.clear()
        return self

    # ------------------------------------------------------------------ what was learned

    @property
    def names(self) -> list[str]:
        """The fields and sets that examples were given of."""
        return list(dict.fromkeys(own.name for own in self._said if own.name))

    def pattern(self, name: str) -> Pattern:
        """The current hypothesis about a field."""
        return self._hypothesis(name).pattern

    def matches(self, name: str, page: Page | None = None) -> list[Match]:
        """Everything on a page that the current hypothesis takes."""
        return self._matches(name, self._view(page))

    def _matches(self, name: str, view: View) -> list[Match]:
        pattern = self.pattern(name)
        found = self._nodes(name, view)
        texts = [value_of(view, pattern, node) for node in found]
        kept = [(node, text) for node, text in zip(found, texts, strict=True) if text is not None]
        return [Match(node, text, view.page.xpath(node)) for node, text in kept]

    def _nodes(self, name: str, view: View) -> list[int]:
        """What the current hypothesis takes from a page."""
        holder, _, _ = name.rpartition(".")
        whole = Span(0, len(view.page))
        spans = items_of(view, self.pattern(holder), whole)[0] if holder else [whole]
        return [node for span in spans for node in found_by(view, self.pattern(name), span)[0].tolist()]

    @property
    def wrapper(self) -> Wrapper:
        """The wrapper that the examples make so far, checked on all pages of the lesson."""
        patterns = self._patterns()
        languages = [view.page.language for view in self._views if view.page.language]
        language = max(languages, key=languages.count, default=None)
        used = [self._views[number] for number in sorted({own.page for own in self._said})]
        readings = [(view, read_patterns(view, patterns)) for view in used]
        rules = Patterns(patterns, profile_of(patterns, readings, language))
        made = Wrapper(rules, rendered=any(view.page.kind == "rendered" for view in used), language=language)
        found = [made.read(view.page) for view in used]
        names = [view.page.url or view.page.title for view in used]
        checked = tuple(
            Checked(name, own.verdict, round(own.found, 4), round(own.known, 4))
            for name, own in zip(names, found, strict=True)
        )
        training = Training(len(used), len(used), sum(own.verdict == "ok" for own in found))
        return replace(made, training=training, checked=checked)

    @property
    def notes(self) -> list[str]:
        """What is worth knowing about the examples: places that are many, rules that were seen on one page only."""
        told = []
        for own in self._said:
            if isinstance(own, _Said) and own.located and own.wanted and own.located.places >= MANY_PLACES:
                places = own.located.places
                told.append(
                    f"“{own.located.text}” stands in {places} places; if “{own.name}” takes the wrong one, point at "
                    "the right one by its node, or reject what is wrong."
                )
        once = [name for name in self.names if self._hypothesis(name).pattern.pages == 1]
        if once:
            told.append(f"Seen on one page only, so not checked on a second: {', '.join(once)}.")
        return told

    def _patterns(self) -> tuple[Pattern, ...]:
        """The patterns of all names; fields that repeat together are the fields of records."""
        if not self.names:
            raise UsageError("There is no example yet; show one with want().")
        learned = {name: self._hypothesis(name).pattern for name in self.names}
        lists = [name for name, own in learned.items() if own.many and not own.fields and self._is_pointed(name)]
        if not lists:
            return tuple(learned.values())
        if len(learned) == 1:
            return (_of_one(learned[lists[0]]),)
        together = self._together(lists)
        if not together:
            return tuple(learned.values())
        names = [own.name for own in together.fields]
        rest = [own for name, own in learned.items() if name not in names]
        return (*rest, together)

    def _is_pointed(self, name: str) -> bool:
        """Whether a field was taught by single examples; who shows a whole page says what is a list."""
        return not any(own.complete for own in self._said if isinstance(own, _Said) and own.name == name)

    def _together(self, names: Sequence[str]) -> Pattern | None:
        """The records that lists make which go through a page in step, if they do."""
        shown, inside = [], set(names)
        for view in self._views:
            nodes = {name: self._nodes(name, view) for name in names}
            leading = max(names, key=lambda name: len(nodes[name]))
            steps = [name for name in names if _in_step(nodes[leading], nodes[name])]
            if len(steps) < LEAST_TOGETHER or len(nodes[leading]) < LEAST_TOGETHER:
                continue
            inside &= set(steps)
            shown.append(RecordShown(view, tuple(_records(view, {name: nodes[name] for name in steps}, leading))))
        inside_order = [name for name in names if name in inside]
        if not shown or len(inside_order) < LEAST_TOGETHER:
            return None
        kept = [
            replace(own, records=tuple({n: t for n, t in r.items() if n in inside} for r in own.records))
            for own in shown
        ]
        try:
            pattern = learn_set(ITEMS, kept, most=self.settings.conditions).pattern
        except UsageError:  # what goes in step is no record then; the lists stay lists
            return None
        return pattern

    def question(self, name: str | None = None, page: Page | None = None) -> Question | None:
        """The node on which the hypotheses that are left disagree most; None where they all agree."""
        view = self._view(page)
        asked = [question for own in ([name] if name else self.names) if (question := self._ask(own, view))]
        return min(asked, key=lambda own: abs(own.share - 0.5), default=None)

    def _ask(self, name: str, view: View) -> Question | None:
        learned = self._hypothesis(name)
        if learned.pattern.fields or learned.pattern.take != "text":
            return None
        best = learned.hypotheses[:ASKED]
        weights = np.exp([learned.hypotheses[0].cost - own.cost for own in best])
        votes = np.zeros(len(view.page))
        for own, weight in zip(best, weights.tolist(), strict=True):
            votes[_taken_by(view, own)] += weight
        shares = votes / weights.sum()
        known = [node for own in self._said if isinstance(own, _Said) and own.located for node in own.located.nodes]
        shares[known] = 0
        node = int(np.argmin(np.abs(shares - 0.5)))
        if not 0 < shares[node] < 1:
            return None
        return Question(name, view.page, node, view.text(node), float(shares[node]))

    # ------------------------------------------------------------------ within

    def _say(self, name: str, example: Example, page: Page | None, *, wanted: bool) -> "Lesson":
        number = self._number(page)
        view = self._views[number]
        located = self._locate(view, example)
        self._mark()
        self._current = number
        self._tell(_Said(number, _named(name), located, wanted=wanted))
        return self

    def _locate(self, view: View, example: Example) -> Located:
        if isinstance(example, Node):
            example = example.number
        if isinstance(example, tuple):
            if len(example) != POINT:
                raise UsageError(f"A point on the page has two numbers, not {len(example)}.")
            return located_point(view, *example)
        if isinstance(example, str):
            return located_text(view, example, 0, len(view.page))
        return located_node(view, int(example))

    def _mark(self) -> None:
        self._undo.append(len(self._said))

    def _tell(self, said: "_Said | _Shown") -> None:
        self._said.append(said)
        self._learned.clear()

    def _number(self, page: Page | None) -> int:
        """The number of a page in the lesson; a new one joins it."""
        if page is None:
            if self._current < 0:
                raise UsageError("The lesson has no page yet; begin with teach(page), or give one by page=….")
            return self._current
        if not isinstance(page, Page):
            raise UsageError(f"Wrappers are taught on pages, not on {page!r:.60}; open it first, with open().")
        for number, view in enumerate(self._views):
            if view.page is page:
                return number
        view = View(page)
        if not len(view.leaves):
            raise UsageError(f"{page.url or page.title or 'The page'} has no text that can be seen; open another page.")
        self._views.append(view)
        return len(self._views) - 1

    def _view(self, page: Page | None) -> View:
        """The columns of a page; of one that is not in the lesson they are made anew."""
        if page is None:
            return self._views[self._number(None)]
        known = [view for view in self._views if view.page is page]
        return known[0] if known else View(page)

    def _hypothesis(self, name: str) -> Learned:
        if name not in self._learned:
            self._learned[name] = self._learn(name)
        return self._learned[name]

    def _learn(self, name: str) -> Learned:
        holder, _, inner = name.rpartition(".")
        if holder:
            fields = {own.pattern.name: own for own in self._hypothesis(holder).fields}
            if inner not in fields:
                raise UsageError(f"There is no example of “{name}” yet; show one.")
            return fields[inner]
        records = [own for own in self._said if isinstance(own, _Shown) and own.name == name]
        if records:
            shown = [RecordShown(self._views[own.page], own.records) for own in records]
            return learn_set(name, shown, most=self.settings.conditions)
        if name not in self.names:
            raise UsageError(f"There is no example of “{name}” yet; show one with want().")
        taught = self._taught(name)
        many = self._is_in_step(name, taught)
        return learn_field(name, taught, self._values, many=many, most=self.settings.conditions)

    def _is_in_step(self, name: str, taught: Sequence[Taught]) -> bool:
        """Whether the example of a field stands in an item of a list that was taught before: then it is a list, too."""
        if not self._is_pointed(name) or any(own.rejected for own in taught):
            return False
        earlier = [own for own in self.names[: self.names.index(name)] if "." not in own and self._is_pointed(own)]
        lists = [own for own in earlier if self._hypothesis(own).pattern.many]
        return any(
            _shares_items(own.view, one.nodes[0], self._nodes(other, own.view))
            for other in lists
            for own in taught
            for one in own.wanted
        )

    @property
    def _values(self) -> frozenset[str]:
        """The texts of all examples: none of them is a label."""
        single = [own.located.text for own in self._said if isinstance(own, _Said) and own.located and own.wanted]
        inside = [
            text
            for own in self._said
            if isinstance(own, _Shown)
            for record in own.records
            for texts in record.values()
            for text in texts
        ]
        return frozenset(map(label_key, (*single, *inside)))

    def _taught(self, name: str) -> list[Taught]:
        """What was said of a field, page by page; a page that was shown as a whole counts even if it has none."""
        found = []
        for number, view in enumerate(self._views):
            here = [own for own in self._said if own.page == number]
            own = [one for one in here if isinstance(one, _Said) and one.name == name]
            whole = any(isinstance(one, _Shown) for one in here)
            if not own and not whole:
                continue
            wanted = tuple(one.located for one in own if one.located and one.wanted)
            unwanted = frozenset(node for one in own if one.located and not one.wanted for node in one.located.nodes)
            said = {key_of(one.text) for one in wanted}
            others = frozenset(
                node
                for one in here
                if isinstance(one, _Said) and one.name != name and one.wanted and one.located
                if one.located.places == 1 and key_of(one.located.text) not in said
                for node in one.located.nodes
            )
            complete = whole or any(one.complete for one in own)
            rejected = sum(one.located is not None and not one.wanted for one in own)
            found.append(Taught(view, Span(0, len(view.page)), wanted, unwanted, others, complete, rejected))
        return found


def _shares_items(view: View, node: int, others: Sequence[int]) -> bool:
    """Whether a node stands in one of the items that other nodes stand in, one in each."""
    item = repeated(view, node)
    container = int(view.page.parent[item])
    inside = [own for own in others if container < own < view.page.end[container]]
    mine = [own for own in inside if item <= own < view.page.end[item]]
    return len(mine) == 1 and len(inside) >= LEAST_TOGETHER


def _of_one(pattern: Pattern) -> Pattern:
    """Records with one field each, for a page of which nothing but a list is wanted."""
    own = replace(pattern, rules=(Rule((), "first"),), many=False, joined=False, needs_all=False, optional=False)
    return replace(pattern, name=ITEMS, take="text", cut=None, fields=(own,)) if pattern.take == "text" else pattern


def _in_step(leading: Sequence[int], nodes: Sequence[int]) -> bool:
    """Whether between two of the leading nodes there is mostly one of the others, and hardly ever more."""
    if len(nodes) < LEAST_TOGETHER or not leading:
        return False
    counts = np.bincount(np.searchsorted(leading, nodes, side="right"), minlength=len(leading) + 1)
    return bool((counts > 1).sum() <= OUT_OF_STEP * len(leading) and len(nodes) >= IN_STEP * len(leading))


def _records(view: View, nodes: Mapping[str, Sequence[int]], leading: str) -> list[dict[str, tuple[str, ...]]]:
    """The first records that lists make: the values that stand nearest to each of the leading ones."""
    found: list[dict[str, tuple[str, ...]]] = []
    behind = all(own[0] >= nodes[leading][0] for own in nodes.values())
    edges = [*nodes[leading], len(view.page)]
    for start, stop in list(pairwise(edges))[:SHOWN]:
        low, high = (start, stop) if behind else (found_before(edges, start), start + 1)
        texts = {name: tuple(view.text(one) for one in own if low <= one < high) for name, own in nodes.items()}
        found.append({name: own[:1] for name, own in texts.items() if own})
    return found


def found_before(edges: Sequence[int], start: int) -> int:
    """The leading node before one, behind which the values of a record begin that end with it."""
    earlier = [edge for edge in edges if edge < start]
    return earlier[-1] + 1 if earlier else 0


def _taken_by(view: View, hypothesis: Hypothesis) -> list[int]:
    nodes = view.candidates
    for condition in hypothesis.conditions:
        nodes = nodes[mask_of(view, condition)[nodes]]
    if hypothesis.pick == "first":
        nodes = nodes[:1]
    elif hypothesis.pick == "last":
        nodes = nodes[-1:]
    return [int(node) for node in nodes]


def _named(name: str) -> str:
    if not isinstance(name, str) or not name.strip():
        raise UsageError(f"A field has a name, not {name!r}; call it by what it is, such as price.")
    return name


def _record(record: Mapping[str, Sequence[str] | str]) -> dict[str, tuple[str, ...]]:
    """A record of examples with the fields that it has."""
    several = {name: (texts,) if isinstance(texts, str) else tuple(texts) for name, texts in record.items()}
    return {_named(name): texts for name, texts in several.items() if texts}
