"""Induction: the template of pages, element by element, from what each element contains on all pages."""

from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from sightline.data import infer
from sightline.extract.schemas._align import Token, align
from sightline.extract.schemas._labels import is_label
from sightline.extract.schemas._outline import TEXT_SYMBOL, Alphabet, Instance, Learning, LearningStep, Outline, mean
from sightline.extract.schemas._parse import Runs, inner_kids, label_rows, parse, pieces, token_of
from sightline.extract.schemas._prose import behind_heading, is_prose, prose_of
from sightline.extract.schemas._sets import aliases, find_rows, find_sets
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
from sightline.signals import TextKind, class_words, has_label, text_kind, word_set

AGAIN = 3  # runs of one set among the same children, from which on their order means nothing
DENSE = 0.6  # published: a set that is less dense is dissolved
CELL = 3  # elements between a text and the cell that contains it
LAST = 1_000_000  # the place of what has not occurred yet
MOST_SYMBOLS = 300  # of the children of an element: on 26 sites of the benchmark 23; what repeats costs the square
DEEPEST = 100  # nested elements; anything deeper is treated as free text, so that no page exhausts the stack


def learn(
    outlines: Sequence[Outline], without: frozenset[str] = frozenset(), trace: list[LearningStep] | None = None
) -> Template:
    """Learn the template of pages from their outlines; nothing has a name yet."""
    learning = Learning(outlines[0].alphabet, without, trace)
    instances = [Instance(outline, number, [0]) for number, outline in enumerate(outlines) if len(outline)]
    template = Template(learning.alphabet, _learn_body(instances, learning))
    free_unchanged(template, learning)
    return template


def _learn_inner(instances: list[Instance], learning: Learning) -> Inner:
    instances = [instance for instance in instances if instance.kids]
    if len(learning.path) > DEEPEST or _is_motley(instances) or is_prose(instances, learning):
        learning.tell("prose", f"free text, structured differently in {len(instances)} instances")
        return prose_of(instances)
    rest = behind_heading(instances)
    if rest and is_prose(rest, learning):
        learning.tell("prose", "a heading and free text")
        return _headed_prose(instances, rest)
    return _learn_body(instances, learning)


def _is_motley(instances: list[Instance]) -> bool:
    """Whether the children have too many symbols for each to be told from the others."""
    symbols: set[int] = set()
    for instance in instances:
        symbols.update(instance.symbols)
        if len(symbols) > MOST_SYMBOLS:
            return True
    return False


def _headed_prose(instances: list[Instance], rest: list[Instance]) -> TemplateBody:
    outline, leaves = instances[0].outline, instances[0].leaves
    heading = outline.texts[leaves[0]]
    head = Slot("one", present=len(instances), inner=Leaf([heading], heading))
    text = Slot("rest", present=len(rest), inner=prose_of(rest))
    return TemplateBody(len(instances), [head, text], headed=True)


def _learn_body(instances: list[Instance], learning: Learning) -> TemplateBody:
    """Learn the slots and rows of a list of children, from all its instances, and what they contain."""
    body = TemplateBody(len(instances), alias=aliases(instances, learning))
    symbols = [[body.alias[symbol] for symbol in instance.symbols] for instance in instances]
    find_rows(body, instances, symbols, learning)
    free = [_free_places(body, instance, word) for instance, word in zip(instances, symbols, strict=True)]
    body.open_rows &= all(
        instance.outline.size(instance.kids[place]) > 1
        for instance, word, places in zip(instances, symbols, free, strict=True)
        for place in places
        if word[place] in body.row_symbols and body.row_members is None
    )
    runs = _with_open_rows(body, find_sets(instances, symbols, free, learning))
    body.constants = runs.constants
    sequences = [
        tuple(
            token_of(instance.outline, instance.kids[start], word[start]) if take == "one" else Token(take, word[start])
            for take, start, _ in runs.cut(places, word, instance.contents)
        )
        for instance, word, places in zip(instances, symbols, free, strict=True)
    ]
    body.slots = align(sequences, learning.alphabet, learning.without)
    _find_bags(body)
    _add_slot_for_open_rows(body)
    for slot in body.slots:
        if slot.take == "group":
            slot.landmarks, slot.members = runs.landmarks, runs.members
    return _fill(body, instances, learning)


def _with_open_rows(body: TemplateBody, runs: Runs) -> Runs:
    """What repeats, including rows with labels of one page only."""
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
    """Add a slot for rows with labels that no page has had, if the labels of these pages are all known."""
    take: Take = "set" if body.row_members is None else "group"
    if body.open_rows and not any(takes_open_rows(slot, body) for slot in body.slots):
        body.slots.append(Slot(take, symbols=Counter(dict.fromkeys(body.row_symbols, 1))))


def _find_bags(body: TemplateBody) -> None:
    """Dissolve sets that recur among the same children: their items belong together in any order."""
    runs = Counter(symbol for slot in body.slots if slot.take == "set" for symbol in slot.symbols)
    for symbol in [symbol for symbol, count in runs.items() if count >= AGAIN]:
        recurring = [slot for slot in body.slots if slot.take == "set" and symbol in slot.symbols]
        if sum(slot.present for slot in recurring) < DENSE * len(recurring) * body.total:
            body.bags[symbol] = recurring[0]
            dissolved = set(map(id, recurring[1:]))
            body.slots = [slot for slot in body.slots if id(slot) not in dissolved]


def _free_places(body: TemplateBody, instance: Instance, symbols: list[int]) -> list[int]:
    """The places of children that belong to no row."""
    rows = label_rows(body, instance.outline, instance.kids, symbols)
    in_rows = {place for _, start, stop in rows for place in range(start, stop)}
    return [place for place in range(len(instance.kids)) if place not in in_rows]


def _fill(body: TemplateBody, instances: list[Instance], learning: Learning) -> TemplateBody:
    """Learn what each slot and row contains, from the children that it takes when the body reads them."""
    falls: dict[int, list[Instance]] = defaultdict(list)
    present: Counter[int] = Counter()
    places: dict[int, list[int]] = defaultdict(list)
    for instance in instances:
        filled = set()
        for taker, start, stop in parse(body, instance.outline, instance.kids).parts:
            if taker is not None:
                filled.add(id(taker))
                places[id(taker)].append(start)
                found = pieces(taker, body, instance.outline, instance.kids[start:stop])
                falls[id(taker)] += [instance._replace(kids=piece) for piece in found]
        present.update(filled)
    rows = [instance for row in body.rows.values() for instance in falls[id(row)]]
    for taker in body.takers:
        taker.present = present[id(taker)]
        taker.place = mean(places[id(taker)]) if places[id(taker)] else float(LAST)
        fallen = falls[id(taker)] + (rows if takes_open_rows(taker, body) else [])
        if fallen:
            learning.path.append(_step_name(taker, learning))
            taker.inner = _inner_of(taker, fallen, learning)
            learning.path.pop()
    body.slots = [slot for slot in body.slots if slot.inner is not None]
    body.forget()
    return body


def _step_name(taker: Taker, learning: Learning) -> str:
    if isinstance(taker, TemplateRow):
        return f"[{taker.label}]"
    return learning.alphabet.names[next(iter(taker.symbols))].replace(" ", "")


def _inner_of(taker: Taker, instances: list[Instance], learning: Learning) -> Inner:
    if isinstance(taker, Slot) and TEXT_SYMBOL in taker.symbols:
        return _leaf_of(instances, learning)
    inside = [instance._replace(kids=inner_kids(taker, instance.outline, instance.kids)) for instance in instances]
    inner = _learn_inner(inside, learning)
    if learning.allows("beside labels"):
        _loosen_constants(taker, inner, instances, learning)
    if isinstance(taker, Slot) and taker.take in ("set", "group") and _is_same_everywhere(instances):
        for leaf in leaves_in(inner):
            leaf.dropped = leaf.fixed is None
    return inner


def _is_same_everywhere(instances: list[Instance]) -> bool:
    """Whether the items of a set are the same on all pages, like those of a menu: then they belong to the template."""
    page_texts: dict[int, list[str]] = defaultdict(list)
    for instance in instances:
        page_texts[instance.page] += instance.outline.texts[instance.leaves.start : instance.leaves.stop]
    return len(page_texts) > 1 and len({tuple(texts) for texts in page_texts.values()}) == 1


def _leaf_of(instances: list[Instance], learning: Learning) -> Leaf:
    texts = [instance.outline.texts[instance.leaves[0]] for instance in instances]
    always = len({instance.page for instance in instances}) > 1 and len(set(texts)) == 1
    # A number in a table cell is data even if it has never changed.
    number = text_kind(texts[0]) == TextKind.NUMBER and any(step.startswith("td") for step in learning.path[-CELL:])
    return Leaf(texts, texts[0] if always and not number else None)


def _loosen_constants(taker: Taker, inner: Inner, instances: list[Instance], learning: Learning) -> None:
    """Turn texts that have never changed into fields if they are alone beside a label or in a table cell."""
    if isinstance(taker, TemplateRow):
        if all(len(instance.leaves) <= 2 for instance in instances):
            for leaf in leaves_in(inner):
                leaf.fixed = leaf.fixed if leaf.fixed == taker.label else None
    elif taker.take == "set" and isinstance(inner, TemplateBody):
        for slot in inner.slots:
            tags = {learning.alphabet.tag(symbol) for symbol in slot.symbols}
            if isinstance(slot.inner, TemplateBody) and tags == {"td"}:
                _loosen_cell(slot.inner)


def _loosen_cell(cell: TemplateBody) -> None:
    if len(cell.slots) == 1 and TEXT_SYMBOL in cell.slots[0].symbols and isinstance(cell.slots[0].inner, Leaf):
        cell.slots[0].inner.fixed = None


# Texts that are the same on all pages and still are data: labelled, typed, or beside others that differ.
#
# Pages to learn from are few, and a language, a currency or a day may well be the same on all of them. Such a text is
# taken for a part of the template, unless something says what it is.

LONGEST = 60  # characters of a value beside a label; more are a notice that pages share
SHORTEST_LABEL = 3
NEAR = 3  # elements between a label and its value
TYPED = frozenset(["date", "money", "measure"])  # kinds of values that no template has by itself
LONGEST_TYPED = 30
PAIR = 2  # texts: a label and its value
# What surrounds the data of a page rather than being part of it, by tag and by class.
FRAME_TAGS = frozenset(["nav", "footer", "form", "button", "select", "option", "aside", "noscript", "thead"])
FRAME_WORDS = word_set("""
    nav navigation navbar menu footer foot related similar share social advert advertisement ads ad sponsor sponsored
    banner copyright legal disclaimer privacy newsletter subscribe login signin cart basket toolbar pager pagination
    cookie search sort filter sidebar
    """)
LABEL_TAGS = frozenset(["th", "dt", "label", "h3", "h4", "h5", "h6", "legend", "strong", "b"])
NEVER = frozenset(["h1", "h2", "h3", "h4", "h5", "h6", "th", "dt", "label", "legend"])  # which are labels themselves


class _Placed(NamedTuple):
    """A leaf with the elements around it: their numbers in the template, and their tags."""

    leaf: Leaf
    path: tuple[int, ...]
    tags: tuple[str, ...]

    @property
    def tag(self) -> str:
        """The element right around it."""
        return self.tags[-1] if self.tags else ""


def free_unchanged(template: Template, learning: Learning) -> None:
    """Turn texts of the template that are data into fields, in place; texts in sets are left as they are."""
    if not learning.allows("unchanged"):
        return
    before: _Placed | None = None
    for placed in list(_leaves(template.root, template.alphabet, (), ())):
        if placed.leaf.fixed is not None and _is_data(placed, before):
            learning.tell("unchanged", f"“{placed.leaf.fixed:.40}” is data, though it never changed")
            placed.leaf.fixed = None
        before = placed
    _free_pairs(template.root, template.alphabet, learning)


def _is_data(placed: _Placed, before: _Placed | None) -> bool:
    text = placed.leaf.fixed or ""
    if not text or placed.tag in NEVER or text.endswith((":", "：")) or "©" in text:
        return False
    if before is not None and _is_labelled(placed, before):
        return True
    if placed.tag == "a":
        return False
    return _is_worded(text) or (len(text) <= LONGEST_TYPED and _is_typed(text))


def _is_labelled(placed: _Placed, before: _Placed) -> bool:
    """Whether a text follows a label with a colon, near enough to be its value."""
    label = before.leaf.fixed or ""
    if not label.endswith((":", "：")) or len(placed.leaf.fixed or "") > LONGEST or not _names(label):
        return False
    common = sum(1 for one, other in zip(before.path, placed.path, strict=False) if one == other)
    return max(len(before.path), len(placed.path)) - common <= NEAR


def _names(label: str) -> bool:
    name = label.rstrip(" :：").lstrip(" |·•-–—,;/")
    return len(name) >= SHORTEST_LABEL and is_label(name)


def _is_worded(text: str) -> bool:
    """Whether a text is a label and its value, as in "Language: English"."""
    name, _, value = text.partition(":")
    return has_label(text) and 0 < len(value.strip()) <= LONGEST and _names(name) and ":" not in value


def _is_typed(text: str) -> bool:
    return any(map(str.isdigit, text)) and infer([text]).kind in TYPED


# ---------------------------------------------------------------- pairs


def _free_pairs(inner: Inner | None, alphabet: Alphabet, learning: Learning) -> None:
    """Free the values of labelled pairs beside one whose value differs: they are all data then."""
    if not isinstance(inner, TemplateBody):
        return
    pairs = [pair for slot in inner.slots if (pair := _pair(slot, alphabet))]
    varying = {tags for tags, _, value in pairs if value.fixed is None}
    for tags, _, value in pairs:
        if value.fixed is not None and tags in varying and len(value.fixed) <= LONGEST:
            learning.tell("unchanged", f"“{value.fixed:.40}” is data, though it never changed")
            value.fixed = None
    for taker in inner.takers:
        if isinstance(taker, Slot) and taker.take in ("one", "rest") and not _is_frame(taker, alphabet):
            _free_pairs(taker.inner, alphabet, learning)


def _pair(slot: Slot, alphabet: Alphabet) -> tuple[tuple[str, ...], Leaf, Leaf] | None:
    """The label and the value of a slot that has nothing else, and the tags of both."""
    found = list(_leaves(slot.inner, alphabet, (), ())) if slot.take == "one" else []
    if len(found) != PAIR or found[0].leaf.fixed is None or found[0].tag not in LABEL_TAGS:
        return None
    label, value = found
    if not is_label(label.leaf.fixed or "") or value.tag in NEVER:
        return None
    return (_tag(slot, alphabet), *label.tags, "", *value.tags), label.leaf, value.leaf


# ---------------------------------------------------------------- the template


def _leaves(inner: Inner | None, alphabet: Alphabet, path: tuple[int, ...], tags: tuple[str, ...]) -> Iterator[_Placed]:
    """The leaves outside sets and outside the frame of the pages, in order."""
    if isinstance(inner, Leaf):
        yield _Placed(inner, path, tags)
        return
    takers: Sequence[Taker] = inner.takers if inner else ()
    for number, taker in enumerate(takers):
        if isinstance(taker, Slot):
            if taker.take not in ("one", "rest") or _is_frame(taker, alphabet):
                continue
            tag = _tag(taker, alphabet)
            yield from _leaves(taker.inner, alphabet, (*path, number), (*tags, tag) if tag != "#text" else tags)
        else:
            yield from _leaves(taker.inner, alphabet, (*path, number), tags)


def _tag(slot: Slot, alphabet: Alphabet) -> str:
    return alphabet.tag(next(iter(slot.symbols))) if slot.symbols else ""


def _is_frame(slot: Slot, alphabet: Alphabet) -> bool:
    if _tag(slot, alphabet) in FRAME_TAGS:
        return True
    words = {word for symbol in slot.symbols for token in alphabet.words(symbol) for word in class_words(token[1:])}
    return not FRAME_WORDS.isdisjoint(words)
