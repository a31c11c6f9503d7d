"""Read a page by a template: its values, and whether it is a page of that template at all.

The children of every element are read as a word by the machine of its body (see `schemas`); words that were read before
are cached. What no state takes is unknown, what is required but absent is missing, and both are reported with their
place.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import repeat
from typing import Any, NamedTuple, cast

from sightline.data import Record, Value, Verdict, origin_of, origins_at, shortened, values_at
from sightline.extract.schemas import (
    TEXT_SYMBOL,
    DecidingText,
    ItemSteps,
    Leaf,
    Outline,
    Program,
    ProgramStep,
    ProgramSteps,
    Reference,
    Slot,
    Taker,
    Template,
    TemplateBody,
    TemplateRow,
    Within,
    cut_lead,
    inner_kids,
    leaves_in,
    outline_of,
    parse,
    pieces,
    value_in,
)
from sightline.extract.wrappers._found import Problem
from sightline.extract.wrappers.templates._addresses import PageAddresses
from sightline.gc_paused import gc_paused
from sightline.page import Page

# Of the fixed texts that all pages had. On the benchmark's sites a page of the same template has at least two thirds of
# them and nearly always all, one of another site none, one of another template of the same site its header and footer.
LEAST_FOUND = 0.6
# Where a fifth of the fixed texts is missing, the page's texts must be known: a page of the same template that lost its
# fixed texts has 0.7 or more of them, a page of another template under the same header 0.35 or less.
MOSTLY_FOUND = 0.85
LEAST_KNOWN = 0.5
LEAST_FIELDS = 0.25  # of the fields that all pages had; a page with fewer has another body under the same header
FEW = 3  # fixed texts or fields, of which a share means nothing
ALL_FOUND = 0.9
ALL_KNOWN = 0.8  # of the texts have a place; comments, advertisements and rare parts of a page may not
ALL_FIELDS = 0.9
# Shapes of one element that come once each, until programs are no longer made of it: those near the root never come
# again, and making them takes 2 % of the time (3 % of the mean).
TRIES = 4
MOST_PROGRAMS = 2_000  # for one element; if it comes in more shapes than that, they are not worth caching
MOST_REMEMBERED = 10_000  # values that the programs of one element take: about a megabyte


class NodeLabel(NamedTuple):
    """What a span of nodes was read as: a field, a fixed text, or nothing.

    `path` holds the slots and rows that lead to it.
    """

    first: int
    last: int
    path: tuple[Taker, ...] = ()
    leaf: Leaf | None = None


class ItemSpan(NamedTuple):
    """Where an item of a set is: from one node of the page up to another."""

    slot: Slot
    first: int
    stop: int


@dataclass(frozen=True, eq=False)
class TemplateReading:
    """What a template has read on a page.

    `found` is the share of the template's fixed texts that are on the page, `filled` that of the fields that all pages
    had, `known` the share of the page's texts that have a place in the template.
    """

    records: tuple[Record, ...]
    verdict: Verdict
    found: float
    filled: float
    known: float
    problems: tuple[Problem, ...] = ()
    labels: tuple[NodeLabel, ...] = ()
    items: tuple[ItemSpan, ...] = ()
    repeated: bool = False
    unseen: bool = False


class _Items(list[Any]):
    """The records of a set."""


class _Values(list[Any]):
    """The values of a set."""


@dataclass(eq=False)
class _Reader:
    """Reads one page; everything found is collected in lists and turned into records at the end."""

    outline: Outline
    traced: bool
    landmarks: list[int] = field(default_factory=list)
    fields: list[int] = field(default_factory=list)
    unknown: list[tuple[int, int]] = field(default_factory=list)
    missing: list[tuple[Taker, int]] = field(default_factory=list)
    lows: list[int] = field(default_factory=list)  # where the values begin and end; plain numbers, which cost
    highs: list[int] = field(default_factory=list)  # the garbage collector nothing
    taken: list[Leaf] = field(default_factory=list)
    values: list[list[Any]] = field(default_factory=list)
    labels: list[NodeLabel] = field(default_factory=list)
    items: list[ItemSpan] = field(default_factory=list)
    path: list[Taker] = field(default_factory=list)
    unseen: bool = False
    in_values: bool = False  # single values lead nowhere, since only records have fields
    steps: list[ProgramStep] = field(default_factory=list)  # what was taken, for programs
    asked: list[DecidingText] = field(default_factory=list)  # texts that mattered
    unrepeatable: int = 0  # sets that no page had so far, which are told of
    shape: list[int] = field(init=False)

    def __post_init__(self) -> None:
        self.shape = self.outline.shape

    def body(self, body: TemplateBody, kids: list[int], record: dict[str, list[Any]]) -> None:
        """Read the children of an element."""
        parsed = parse(body, self.outline, kids)
        if parsed.words is not None:
            self._ask([self.outline.first[kid] for kid in kids], parsed.words)
        if parsed.missing:
            self.missing += [(taker, kids[0]) for taker in parsed.missing]
        for taker, start, stop in parsed.parts:
            if taker is None:
                self.unknown.append((kids[start], kids[stop - 1]))
            elif taker.is_set:
                self._set(cast("Slot", taker), body, kids[start:stop], record)
            elif type(taker.inner) is TemplateBody and stop - start == 1 and not self.traced:
                self._element(taker.inner, taker, kids[start], record)  # as nearly always
            else:
                self._one(taker, kids[start:stop], record)

    def _ask(self, leaves: list[int], known: Mapping[str, int]) -> None:
        """Remember what matters of some texts."""
        kinds, words = self.outline.kinds, self.outline.words
        self.asked += [(leaf, kinds[leaf], known, known.get(words[leaf], 0)) for leaf in leaves]

    def recover(self, template: Template, record: dict[str, list[Any]]) -> None:
        """Read parts of the page for which the template has no place here, by the labels that they begin with."""
        outline, anchors, filled = self.outline, template.anchors, set(self.fields)
        lost, self.unknown = self.unknown, []
        for first, last in lost:
            start, node = first, first
            while node < outline.end[last]:
                taker = anchors.get((outline.symbol[node], outline.content[node]))
                if taker is None or any(id(leaf) in filled for leaf in leaves_in(taker.inner)):
                    node += 1
                    continue
                self._lose(start, node)
                self._one(taker, [node], record)
                start = node = outline.end[node]
            self._lose(start, outline.end[last])

    def refer(self, template: Template, record: dict[str, list[Any]]) -> None:
        """Take the picture of the page, if it has one."""
        self._refer(template.image, (0, 0), record)

    def _lose(self, start: int, stop: int) -> None:
        """Record the texts from one node up to another as unknown."""
        leaves = [leaf for leaf in range(start, stop) if self.outline.symbol[leaf] == TEXT_SYMBOL]
        self.unknown += [(leaf, leaf) for leaf in leaves]

    def _set(self, slot: Slot, body: TemplateBody, kids: list[int], record: dict[str, list[Any]]) -> None:
        parts = pieces(slot, body, self.outline, kids)
        self.unseen |= not slot.present
        self.unrepeatable += not slot.present
        self.fields.append(id(slot))
        around, before = self.steps, len(self.lows)
        items: list[tuple[ProgramStep, ...]] = []
        self.in_values |= slot.is_of_values
        for own in _own_records(slot, record, len(parts)):
            piece = parts[len(items)]
            self.steps = []
            self._one(slot, piece, own)
            if not slot.is_of_values:
                if self.traced:
                    self.items.append(ItemSpan(slot, *self._nodes(piece[0], piece[-1])))
                if own:
                    self._refer(slot.image, (piece[0], piece[-1]), own)
            items.append(tuple(self.steps))
        self.in_values &= not slot.is_of_values
        self.steps = around
        if len(self.lows) > before:
            around.append(ItemSteps(slot, tuple(items)))

    def _one(self, taker: Taker, piece: list[int], record: dict[str, list[Any]]) -> None:
        inner = taker.inner
        if self.traced:
            self.path.append(taker)
        if isinstance(inner, Leaf):
            self._leaf(inner, taker, piece, record)
        elif inner is None:
            self.unknown.append((piece[0], piece[-1]))
        elif self.traced or len(piece) > 1:
            self._inside(inner, taker, piece, record)
        else:
            self._element(inner, taker, piece[0], record)
        if self.traced:
            self.path.pop()

    def _inside(self, inner: TemplateBody, taker: Taker, piece: list[int], record: dict[str, list[Any]]) -> None:
        inside = inner_kids(taker, self.outline, piece)
        if inside:
            self.body(inner, inside, record)
        else:
            self.unknown.append((piece[0], piece[-1]))

    def _element(self, body: TemplateBody, taker: Taker, node: int, record: dict[str, list[Any]]) -> None:
        """Read an element: by its program if one of the same shape was read before, else step by step."""
        program = body.programs.get(self.shape[node])
        if program is not None and (not program.marks or self._holds(program, node)):
            body.repeats = True
            self._run(program, node, record)
        elif not body.repeats and len(body.programs) >= TRIES:
            self._inside(body, taker, [node], record)
        else:
            self._read_and_remember(body, taker, node, record)

    def _read_and_remember(self, body: TemplateBody, taker: Taker, node: int, record: dict[str, list[Any]]) -> None:
        """Read an element step by step, and make a program of that."""
        marks = len(self.steps), len(self.fields), len(self.landmarks), len(self.asked)
        odd, spans = self._odd, len(self.lows)
        self._inside(body, taker, [node], record)
        if self._odd == odd and len(body.programs) < MOST_PROGRAMS and body.remembered < MOST_REMEMBERED:
            body.programs[self.shape[node]] = self._program(node, *marks)
            body.remembered += len(self.lows) - spans

    def _program(self, first: int, steps: int, fields: int, landmarks: int, asked: int) -> Program:
        """What was read of an element since the lists were that long."""
        return Program(
            first,
            tuple(self.steps[steps:]),
            tuple(self.fields[fields:]),
            tuple(self.landmarks[landmarks:]),
            self.outline.first[first],
            tuple(self.asked[asked:]),
        )

    def _holds(self, program: Program, first: int) -> bool:
        """Whether the texts of an element are such as a program was made for."""
        shift, kinds, words = self.outline.first[first] - program.leaf, self.outline.kinds, self.outline.words
        for leaf, kind, known, number in program.marks:
            if kinds[leaf + shift] != kind or known.get(words[leaf + shift], 0) != number:
                return False
        return True

    def _run(self, program: Program, first: int, record: dict[str, list[Any]]) -> None:
        self.fields += program.fields
        self.landmarks += program.landmarks
        if program.marks:
            shift = self.outline.first[first] - program.leaf
            self.asked += [(leaf + shift, kind, known, number) for leaf, kind, known, number in program.marks]
        if program.steps:
            self._repeat(program.steps, first - program.first, record)
            self.steps.append(ProgramSteps(program, first - program.first))

    def _repeat(self, steps: Iterable[ProgramStep], shift: int, record: dict[str, list[Any]]) -> None:
        """Take the values of a program again, so many nodes further on."""
        for step in steps:
            if type(step) is tuple:  # not one of the others, which are more than that
                leaf, low, high = step  # type: ignore[misc]
                self._put(leaf, low + shift, high + shift, record)
            elif isinstance(step, ProgramSteps):
                self._repeat(step.program.steps, step.shift + shift, record)
            else:
                several = cast("ItemSteps", step)
                records = _own_records(several.slot, record, len(several.items))
                for own, inside in zip(records, several.items, strict=True):
                    self._repeat(inside, shift, own)

    @property
    def _odd(self) -> int:
        """How much has been read so far that no program can repeat."""
        return self.unrepeatable + len(self.unknown) + len(self.missing)

    def _nodes(self, first: int, last: int) -> tuple[int, int]:
        """The nodes of the page from the first of some siblings to the end of the last."""
        outline = self.outline
        return int(outline.node[first]), int(outline.page.end[outline.node[last]])

    def _refer(self, reference: Reference | None, span: tuple[int, int], record: dict[str, list[Any]]) -> None:
        if reference is not None and not reference.dropped and not self.in_values:
            self._take(reference, span, record)

    def _take(self, leaf: Leaf, span: tuple[int, int], record: dict[str, list[Any]]) -> None:
        self.steps.append((leaf, *span))
        self._put(leaf, *span, record)

    def _put(self, leaf: Leaf, low: int, high: int, record: dict[str, list[Any]]) -> None:
        into = record.get(leaf.name)
        if into is None:
            into = record[leaf.name] = _Values() if isinstance(leaf, Within) and not leaf.joints else []
        into.append(len(self.lows))
        self.values.append(into)
        self.taken.append(leaf)
        self.lows.append(low)
        self.highs.append(high)

    def _leaf(self, leaf: Leaf, taker: Taker, piece: list[int], record: dict[str, list[Any]]) -> None:
        if self.traced:
            self.labels.append(NodeLabel(piece[0], piece[-1], tuple(self.path), leaf))
        if leaf.fixed is not None:
            if self.outline.texts[self.outline.first[piece[0]]] == leaf.fixed:
                self.landmarks.append(id(leaf))
        else:
            self.fields.append(id(leaf))
            inside = (inner_kids(taker, self.outline, piece) if leaf.prose else piece) or piece
            if not leaf.dropped:
                self._take(leaf, (inside[0], inside[-1]), record)
            for part in leaf.within:
                if not part.dropped:
                    for span in [(inside[0], inside[-1])] if part.joints else [(kid, kid) for kid in inside]:
                        self._take(part, span, record)
        self._refer(leaf.link, (piece[0], piece[-1]), record)


def _own_records(slot: Slot, record: dict[str, list[Any]], count: int) -> Iterator[dict[str, list[Any]]]:
    """The record that each item of a set fills: one of its own, or the one around it if the items are single values.

    What has stayed empty when the next is asked for is left out.
    """
    if slot.is_of_values:
        values = record.setdefault(slot.name, _Values())
        yield from repeat(record, count)
        if not values:
            record.pop(slot.name, None)
        return
    items = record.get(slot.name) or _Items()
    for _ in range(count):
        own: dict[str, list[Any]] = {}
        yield own
        if own:
            items.append(own)
    if items:
        record[slot.name] = items


def read_page(
    page: Page, template: Template, each: Slot | None, *, names: Sequence[str] = (), traced: bool = False
) -> TemplateReading:
    """Read a page by a template; `each` is the set whose items are the records, or None if the page is one record.

    Fields come in the order of `names`, and then as they stand on the page.
    """
    with gc_paused():  # values last, and looking through them again and again takes a fifth of the time
        outline = outline_of(page, template.alphabet)
        reader = _Reader(outline, traced)
        record: dict[str, list[Any]] = {}
        if len(outline):
            reader.body(template.root, [0], record)
            if reader.unknown and template.anchors:
                reader.recover(template, record)
            if each is None:
                reader.refer(template, record)
        return _reading(reader, template, each, record, names)


def _reading(
    reader: _Reader, template: Template, each: Slot | None, record: dict[str, list[Any]], names: Sequence[str]
) -> TemplateReading:
    outline = reader.outline
    found = _share(reader.landmarks, template.landmarks)
    filled = _share(reader.fields, template.required_fields)
    lost = sum(outline.last[last] - outline.first[first] for first, last in reader.unknown)
    known = 1 - lost / len(outline.texts) if outline.texts else 0.0
    verdict = _verdict(found, filled, known, template)
    problems = tuple(_problems(reader)) if verdict != "ok" or reader.traced else ()
    if verdict == "failed":
        return TemplateReading((), verdict, found, filled, known, problems, _labels(reader), tuple(reader.items))
    values = _values(reader)
    items = [record] if each is None else record.get(each.name, [])
    made = tuple([_finish_record(_in_order(item, names), reader, values) for item in items])
    return TemplateReading(
        *(made, verdict, found, filled, known, problems, _labels(reader), tuple(reader.items)),
        repeated=_has_repeated(reader),
        unseen=reader.unseen,
    )


def _has_repeated(reader: _Reader) -> bool:
    """Whether a field that holds a single value has several."""
    several = (numbers for numbers in reader.values if len(numbers) > 1 and not isinstance(numbers, _Values))
    return any(not isinstance(reader.taken[numbers[0]], Reference) for numbers in several)


def _share(found: list[int], wanted: frozenset[int]) -> float:
    return len(wanted.intersection(found)) / len(wanted) if wanted else 1.0


def _labels(reader: _Reader) -> tuple[NodeLabel, ...]:
    """What was read as what, by nodes of the page; unknown parts text by text."""
    outline, node = reader.outline, reader.outline.node
    placed = [label._replace(first=int(node[label.first]), last=int(node[label.last])) for label in reader.labels]
    lost = [
        NodeLabel(int(node[leaf]), int(node[leaf]))
        for first, last in (reader.unknown if reader.traced else ())
        for leaf in outline.leaf[outline.first[first] : outline.last[last]]
    ]
    return (*placed, *lost)


def _verdict(found: float, filled: float, known: float, template: Template) -> Verdict:
    few = len(template.landmarks) < FEW
    if found < LEAST_FOUND or ((few or found < MOSTLY_FOUND) and known < LEAST_KNOWN):
        return "failed"
    if filled < LEAST_FIELDS and len(template.required_fields) >= FEW:
        return "failed"
    return "suspicious" if found < ALL_FOUND or known < ALL_KNOWN or filled < ALL_FIELDS else "ok"


# ---------------------------------------------------------------- values


def _values(reader: _Reader) -> list[Value | None]:
    """All values of a page, read at once; an address that is not there is None."""
    if not reader.lows:
        return []
    outline, page = reader.outline, reader.outline.page
    start, stop = outline.node[reader.lows].tolist(), page.end[outline.node[reader.highs]].tolist()
    is_text = [not isinstance(leaf, Reference) for leaf in reader.taken]
    texts, nodes = _texts_of(reader, is_text, start, stop), _nodes_of(reader, start)
    chosen = [place for place, text in enumerate(is_text) if text]
    made = iter(_values_of(page, [texts[place] for place in chosen], [nodes[place] for place in chosen]))
    addresses = PageAddresses(page)
    return [
        _finish_value(leaf, next(made)) if text else _address(addresses, leaf, start[place], stop[place])
        for place, (leaf, text) in enumerate(zip(reader.taken, is_text, strict=True))
    ]


def _texts_of(reader: _Reader, is_text: list[bool], start: list[int], stop: list[int]) -> list[str]:
    """The text of each span: the only one in it, or all of them as people read them."""
    outline = reader.outline
    firsts, lasts = outline.first, outline.last
    spans = zip(reader.lows, reader.highs, strict=True)
    texts = [outline.texts[firsts[low]] for low in reader.lows]
    long = [place for place, (low, high) in enumerate(spans) if is_text[place] and lasts[high] - firsts[low] != 1]
    if long:
        read = outline.page.texts_between([start[place] for place in long], [stop[place] for place in long])
        for place, text in zip(long, read, strict=True):
            texts[place] = " ".join(text.split())
    return texts


def _nodes_of(reader: _Reader, start: list[int]) -> list[tuple[int, ...]]:
    """The nodes of each span: one, or a run of siblings."""
    nodes: list[tuple[int, ...]] = list(zip(start))
    for place, (low, high) in enumerate(zip(reader.lows, reader.highs, strict=True)):
        if low != high:
            nodes[place] = _run(reader.outline, low, high)
    return nodes


def _run(outline: Outline, first: int, last: int) -> tuple[int, ...]:
    run = [first]
    while run[-1] != last:
        run.append(outline.end[run[-1]])
    return tuple(outline.node[run].tolist())


def _values_of(page: Page, texts: list[str], nodes: list[tuple[int, ...]]) -> list[Value]:
    if not texts:
        return []
    if page.kind == "static":  # nothing has a box
        return values_at(texts, origins_at(page, nodes, None))
    return values_at(texts, [origin_of(page, several) for several in nodes])


def _finish_value(leaf: Leaf, value: Value) -> Value | None:
    """The part of a text that a field is."""
    if isinstance(leaf, Within) and leaf.joints:
        part = value_in(value.text, leaf.joints, leaf.place)
        return shortened(value, part) if part else None
    return shortened(value, cut_lead(value.text, leaf.lead)) if leaf.lead else value


def _address(addresses: PageAddresses, reference: Leaf, node: int, stop: int) -> Value | None:
    """Where a text leads, or the picture among some nodes."""
    assert isinstance(reference, Reference)
    found = addresses.picture(reference.elements, node, stop) if reference.elements else addresses.link(node, stop)
    return Value(found.address, None, origin_of(addresses.page, [found.node])) if found else None


def _in_order(record: dict[str, list[Any]], names: Sequence[str]) -> dict[str, list[Any]]:
    return {name: record[name] for name in names if name in record} | record


def _finish_record(record: dict[str, list[Any]], reader: _Reader, values: list[Value | None]) -> Record:
    """A record with its values in place of their numbers."""
    made = {name: _field(found, reader, values) for name, found in record.items() if found}
    return Record.trusted({name: value for name, value in made.items() if value is not None})


ONE_OF_SEVERAL = (Reference, Within)


def _field(found: list[Any], reader: _Reader, values: list[Value | None]) -> Any:
    if isinstance(found, _Items):
        return tuple(_finish_record(item, reader, values) for item in found)
    if isinstance(found, _Values):
        return tuple([values[number] for number in found])
    if isinstance(reader.taken[found[0]], ONE_OF_SEVERAL):
        # A record that has its link twice leads to the first.
        return next((values[number] for number in found if values[number] is not None), None)
    return values[found[0]] if len(found) == 1 else tuple([values[number] for number in found])


# ---------------------------------------------------------------- problems


def _problems(reader: _Reader) -> Iterator[Problem]:
    outline, page = reader.outline, reader.outline.page
    if not len(outline):
        yield Problem("", "the page has no readable text")
    lost = page.xpaths([int(outline.node[first]) for first, _ in reader.unknown])
    for xpath, (first, last) in zip(lost, reader.unknown, strict=True):
        count = outline.last[last] - outline.first[first]
        text = outline.texts[outline.first[first]]
        more = "" if count == 1 else f" and {count - 1} more text{'s' * (count > 2)}"
        yield Problem(xpath, f"“{text:.60}”{more}: the template has no place for it")
    around = page.xpaths([int(page.parent[outline.node[near]]) for _, near in reader.missing])
    for xpath, (taker, _) in zip(around, reader.missing, strict=True):
        yield Problem(xpath, f"{_taker_in_words(taker)} is missing")


def _taker_in_words(taker: Taker) -> str:
    if isinstance(taker, TemplateRow):
        return f"the row “{taker.label}”"
    fixed = next((leaf.fixed for leaf in leaves_in(taker.inner) if leaf.fixed is not None), None)
    name = next((leaf.name for leaf in leaves_in(taker.inner) if leaf.is_field), None)
    if taker.name:
        return f"the set “{taker.name}”"
    return f"the field “{name}”" if name else f"the text “{fixed or ''}”"
