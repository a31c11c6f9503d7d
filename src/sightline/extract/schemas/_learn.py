"""Induction: the template of pages, element by element, from what stands in each of them on all pages."""

from collections import Counter, defaultdict
from collections.abc import Sequence

from sightline.extract.schemas._align import Token, align
from sightline.extract.schemas._alphabet import TEXT_SYMBOL
from sightline.extract.schemas._instances import Instance, Learning, LearningStep, mean
from sightline.extract.schemas._outline import Outline
from sightline.extract.schemas._parse import Runs, inner_kids, label_rows, parse, pieces, token_of
from sightline.extract.schemas._prose import behind_heading, is_prose, prose_of
from sightline.extract.schemas._rows import find_rows
from sightline.extract.schemas._sets import aliases, find_sets
from sightline.extract.schemas._template import (
    Inner,
    Leaf,
    Slot,
    Take,
    Taker,
    Template,
    TemplateBody,
    TemplateRow,
    leaves_in,
    takes_open_rows,
)
from sightline.signals import TextKind, text_kind

__all__ = ["learn"]

AGAIN = 3  # runs of one set among the same children, from which their order says nothing
DENSE = 0.6  # published: a set that is less dense is dissolved
CELL = 3  # elements between a text and the cell that it stands in
LAST = 1_000_000  # the place of what was not seen yet
DEEPEST = 100  # elements in each other; what is deeper is taken as free text, so that no page exhausts the stack


def learn(
    outlines: Sequence[Outline], without: frozenset[str] = frozenset(), trace: list[LearningStep] | None = None
) -> Template:
    """The template of pages, from their outlines; nothing has a name yet."""
    learning = Learning(outlines[0].alphabet, without, trace)
    instances = [Instance(outline, number, [0]) for number, outline in enumerate(outlines) if len(outline)]
    return Template(learning.alphabet, _learn_body(instances, learning))


def _learn_inner(instances: list[Instance], learning: Learning) -> Inner:
    instances = [own for own in instances if own.kids]
    if len(learning.path) > DEEPEST or is_prose(instances, learning):
        learning.tell("prose", f"free text, made differently on {len(instances)} occasions")
        return prose_of(instances)
    rest = behind_heading(instances)
    if rest and is_prose(rest, learning):
        learning.tell("prose", "a heading and free text")
        return _headed_prose(instances, rest)
    return _learn_body(instances, learning)


def _headed_prose(instances: list[Instance], rest: list[Instance]) -> TemplateBody:
    outline, leaves = instances[0].outline, instances[0].leaves
    heading = outline.texts[leaves[0]]
    head = Slot("one", present=len(instances), inner=Leaf([heading], heading))
    text = Slot("rest", present=len(rest), inner=prose_of(rest))
    return TemplateBody(len(instances), [head, text], headed=True)


def _learn_body(instances: list[Instance], learning: Learning) -> TemplateBody:
    """The slots and rows of a list of children, from all its instances, and what is in them."""
    body = TemplateBody(len(instances), alias=aliases(instances, learning))
    symbols = [[body.alias[symbol] for symbol in own.symbols] for own in instances]
    find_rows(body, instances, symbols, learning)
    free = [_free_places(body, own, mine) for own, mine in zip(instances, symbols, strict=True)]
    body.open_rows &= all(
        own.outline.size(own.kids[place]) > 1
        for own, mine, places in zip(instances, symbols, free, strict=True)
        for place in places
        if mine[place] in body.row_symbols and body.row_members is None
    )
    runs = _with_open_rows(body, find_sets(instances, symbols, free, learning))
    body.constants = runs.constants
    sequences = [
        tuple(
            token_of(own.outline, own.kids[start], mine[start]) if take == "one" else Token(take, mine[start])
            for take, start, _ in runs.cut(places, mine, own.contents)
        )
        for own, mine, places in zip(instances, symbols, free, strict=True)
    ]
    body.slots = align(sequences, learning.alphabet, learning.without)
    _find_bags(body)
    _add_slot_for_open_rows(body)
    for slot in body.slots:
        if slot.take == "group":
            slot.landmarks, slot.members = runs.landmarks, runs.members
    return _fill(body, instances, learning)


def _with_open_rows(body: TemplateBody, runs: Runs) -> Runs:
    """What repeats, rows with labels of one page only among it."""
    if not body.open_rows:
        return runs
    if body.row_members is None:
        return runs._replace(sets=frozenset(runs.sets) | body.row_symbols)
    if runs.landmarks:
        body.open_rows = False
        return runs
    sets = frozenset(runs.sets) - body.row_symbols - body.row_members
    return runs._replace(sets=sets, landmarks=body.row_symbols, members=body.row_members)


def _add_slot_for_open_rows(body: TemplateBody) -> None:
    """A place for rows with labels that no page had so far, where those of these pages are all known."""
    take: Take = "set" if body.row_members is None else "group"
    if body.open_rows and not any(takes_open_rows(slot, body) for slot in body.slots):
        body.slots.append(Slot(take, symbols=Counter(dict.fromkeys(body.row_symbols, 1))))


def _find_bags(body: TemplateBody) -> None:
    """Dissolve sets that come again and again among the same children: their items belong together in any order."""
    runs = Counter(symbol for slot in body.slots if slot.take == "set" for symbol in slot.symbols)
    for symbol in [symbol for symbol, count in runs.items() if count >= AGAIN]:
        own = [slot for slot in body.slots if slot.take == "set" and symbol in slot.symbols]
        if sum(slot.present for slot in own) < DENSE * len(own) * body.total:
            body.bags[symbol] = own[0]
            body.slots = [slot for slot in body.slots if slot not in own[1:]]


def _free_places(body: TemplateBody, own: Instance, symbols: list[int]) -> list[int]:
    """The places of children that belong to no row."""
    rows = label_rows(body, own.outline, own.kids, symbols)
    taken = {place for _, start, stop in rows for place in range(start, stop)}
    return [place for place in range(len(own.kids)) if place not in taken]


def _fill(body: TemplateBody, instances: list[Instance], learning: Learning) -> TemplateBody:
    """Learn what stands in each slot and row, from the children that fall to it when the body reads them."""
    falls: dict[int, list[Instance]] = defaultdict(list)
    present: Counter[int] = Counter()
    places: dict[int, list[int]] = defaultdict(list)
    for own in instances:
        seen = set()
        for taker, start, stop in parse(body, own.outline, own.kids).parts:
            if taker is not None:
                seen.add(id(taker))
                places[id(taker)].append(start)
                found = pieces(taker, body, own.outline, own.kids[start:stop])
                falls[id(taker)] += [own._replace(kids=piece) for piece in found]
        present.update(seen)
    rows = [own for row in body.rows.values() for own in falls[id(row)]]
    for taker in body.takers:
        taker.present = present[id(taker)]
        taker.place = mean(places[id(taker)]) if places[id(taker)] else float(LAST)
        fallen = falls[id(taker)] + (rows if takes_open_rows(taker, body) else [])
        if fallen:
            learning.path.append(_step_name(taker, learning))
            taker.inner = _inner_of(taker, fallen, learning)
            learning.path.pop()
    body.slots = [slot for slot in body.slots if slot.inner is not None]
    body.memo.clear()
    return body


def _step_name(taker: Taker, learning: Learning) -> str:
    if isinstance(taker, TemplateRow):
        return f"[{taker.label}]"
    return learning.alphabet.names[next(iter(taker.symbols))].replace(" ", "")


def _inner_of(taker: Taker, instances: list[Instance], learning: Learning) -> Inner:
    if isinstance(taker, Slot) and TEXT_SYMBOL in taker.symbols:
        return _leaf_of(instances, learning)
    inside = [own._replace(kids=inner_kids(taker, own.outline, own.kids)) for own in instances]
    inner = _learn_inner(inside, learning)
    if learning.allows("beside labels"):
        _loosen(taker, inner, instances, learning)
    if isinstance(taker, Slot) and taker.take in ("set", "group") and _is_same_everywhere(instances):
        for leaf in leaves_in(inner):
            leaf.dropped = leaf.fixed is None
    return inner


def _is_same_everywhere(instances: list[Instance]) -> bool:
    """Whether the items of a set are the same on all pages, as those of a menu are: then they are template."""
    said: dict[int, list[str]] = defaultdict(list)
    for own in instances:
        said[own.page] += own.outline.texts[own.leaves.start : own.leaves.stop]
    return len(said) > 1 and len({tuple(texts) for texts in said.values()}) == 1


def _leaf_of(instances: list[Instance], learning: Learning) -> Leaf:
    texts = [own.outline.texts[own.leaves[0]] for own in instances]
    always = len({own.page for own in instances}) > 1 and len(set(texts)) == 1
    # A number in the cell of a table is data even if it never changed so far.
    number = text_kind(texts[0]) == TextKind.NUMBER and any(step.startswith("td") for step in learning.path[-CELL:])
    return Leaf(texts, texts[0] if always and not number else None)


def _loosen(taker: Taker, inner: Inner, instances: list[Instance], learning: Learning) -> None:
    """Make fields of texts that never changed so far, where they stand alone beside a label or in a table's cell."""
    if isinstance(taker, TemplateRow):
        if all(len(own.leaves) <= 2 for own in instances):
            for leaf in leaves_in(inner):
                leaf.fixed = leaf.fixed if leaf.fixed == taker.label else None
    elif taker.take == "set" and isinstance(inner, TemplateBody):
        for slot in inner.slots:
            if isinstance(slot.inner, TemplateBody) and {learning.alphabet.tag(own) for own in slot.symbols} == {"td"}:
                _loosen_cell(slot.inner)


def _loosen_cell(cell: TemplateBody) -> None:
    if len(cell.slots) == 1 and TEXT_SYMBOL in cell.slots[0].symbols and isinstance(cell.slots[0].inner, Leaf):
        cell.slots[0].inner.fixed = None
