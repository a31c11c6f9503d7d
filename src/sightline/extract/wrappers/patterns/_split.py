"""Several values in one text: "Drama, Comedy and Crime" shown as three."""

import re
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise

import numpy as np
from rapidfuzz import fuzz, process

from sightline.errors import UsageError
from sightline.extract.schemas import collapse_spaces
from sightline.extract.wrappers.patterns._expression import SlowExpression, StepBudget, expression_of
from sightline.extract.wrappers.patterns._view import BLOCKS, View, joined_address, key_of

# -- where an example is --------------------------------------------------------------------------------------------

MOST_PLACES = 60  # of one example that are considered; more would not tell which one is meant
LONGEST_AROUND = 300  # characters of a text that an example can be part of
CLOSE = 70  # of 100; anything less similar doesn't help
ADDRESSES = frozenset(("href", "src", "action", "poster", "data-src"))
WORDED = ("href", "src", "content", "datetime", "alt", "title", "value", "data-src", "poster", "aria-label")


@dataclass(frozen=True, slots=True)
class Located:
    """The nodes that have the text of an example, any of which will do.

    `take` is where it was read, `part` whether it is only part of their text, `places` how often it occurs.
    """

    text: str
    nodes: tuple[int, ...]
    take: str = "text"
    part: bool = False
    places: int = 1


def locate_text(view: View, text: str, start: int, stop: int, *, parts: bool = False) -> Located:
    """The nodes of a span with a text; with `parts`, also those that contain it as a part."""
    if not key_of(text):
        raise UsageError("The example is empty; give a text that is on the page.")
    runs = [run for run in view.places(text) if start <= view.leaves[run[0]] < stop]
    whole = [nodes for run in runs[:MOST_PLACES] if (nodes := view.nodes_of(*run))]
    if whole and not parts:
        return Located(text, _flat(whole), places=len(runs))
    holders = _holders(view, text, start, stop)
    if holders or whole:
        return Located(text, _flat([*whole, holders]), part=True, places=len(runs) or len(holders))
    found = _in_attributes(view, text, start, stop)
    if found is None:
        raise UsageError(_not_found_message(view, text))
    return found


def locate_node(view: View, node: int) -> Located:
    """A node that was pointed at, with those that have the same text."""
    page = view.page
    if not 0 <= node < len(page):
        raise UsageError(f"The page has no node {node}; its nodes are numbered 0 to {len(page) - 1}.")
    if view.last[node] == view.first[node]:
        tag = page.strings[int(page.tag[node])]
        attributes = page.node(node).attributes
        take = next((name for name in ("src", "href", "content") if attributes.get(name)), None)
        if take and page.visible[node]:
            return Located(address_of(view, node, take), (node,), take)
        reason = "it is not visible" if not page.visible[node] else "it has no text"
        raise UsageError(f"Node {node} <{tag}> cannot be an example, since {reason}; point at a visible text.")
    nodes = view.nodes_of(int(view.first[node]), int(view.last[node]))
    return Located(view.text(node), tuple(nodes) or (node,))


def locate_point(view: View, x: float, y: float) -> Located:
    """What is at a point of a rendered page."""
    box = view.page.box[view.leaves]
    hit = np.flatnonzero((box[:, 0] <= x) & (x <= box[:, 2]) & (box[:, 1] <= y) & (y <= box[:, 3]))
    if not len(hit):
        reason = "the page is not rendered" if view.page.kind == "static" else "there is no text"
        raise UsageError(f"There is nothing to point at in ({x:g}, {y:g}): {reason}; give a text or a node instead.")
    return locate_node(view, int(view.leaves[hit[-1]]))


def address_of(view: View, node: int, name: str) -> str:
    """An attribute of a node; addresses are made absolute."""
    number = int(view.attribute(name)[node])
    text = view.page.strings[number].strip() if number >= 0 else ""
    return joined_address(view.base, text) if name in ADDRESSES and view.base else text


def _flat(groups: list[list[int]]) -> tuple[int, ...]:
    return tuple(dict.fromkeys(node for group in groups for node in group))


def _holders(view: View, text: str, start: int, stop: int) -> list[int]:
    """The lowest elements, and texts, that contain an example as whole words, if their text is not too long."""
    found: list[int] = []
    pattern = _whole_words(text)
    for begin, end in view.around(text)[:MOST_PLACES]:
        leaf = int(view.leaves[begin])
        if not start <= leaf < stop:
            continue
        nodes = [view.holder(begin, end)]
        nodes += [leaf] if end - begin == 1 and view.may_be_value[leaf] else []
        found += [
            node
            for node in nodes
            if len(around := view.text(node)) <= len(text) + LONGEST_AROUND and pattern.search(around)
        ]
    return found


def _whole_words(text: str) -> re.Pattern[str]:
    """An expression for a text as whole words, whatever white space separates them."""
    words = r"\s*".join(map(re.escape, collapse_spaces(text).split(" ")))
    return re.compile(rf"(?<!\w){words}(?!\w)" if text[:1].isalnum() and text[-1:].isalnum() else words, re.IGNORECASE)


def _in_attributes(view: View, text: str, start: int, stop: int) -> Located | None:
    wanted = text.strip()
    for name in WORDED:
        column = view.attribute(name)[start:stop]
        nodes = [
            node for node in (np.flatnonzero(column >= 0) + start).tolist() if _attribute_is(view, node, name, wanted)
        ]
        if nodes:
            return Located(text, tuple(nodes), name, places=len(nodes))
    return None


def _attribute_is(view: View, node: int, name: str, wanted: str) -> bool:
    value = view.page.strings[int(view.attribute(name)[node])].strip()
    return value == wanted or address_of(view, node, name) == wanted


def _not_found_message(view: View, text: str) -> str:
    hidden = any(key_of(text) == key_of(string) for string in view.page.strings if len(string) < LONGEST_AROUND)
    if hidden:
        return f"“{text}” is on the page but not visible, so it cannot be an example; give a text that people can read."
    best = process.extractOne(
        collapse_spaces(text), list(dict.fromkeys(view.texts)), scorer=fuzz.ratio, score_cutoff=CLOSE
    )
    closest = f"the closest text is “{best[0]}”" if best else "nothing on it is similar"
    return f"“{text}” is not on the page; {closest}. Give a text exactly as it is shown."


# -- several values in one text: "Drama, Comedy and Crime" shown as three -------------------------------------------

MARKS = (",", ";", "/", "|", "&", "·", "•", "+")
"""The marks that may part two values of one text; words that do are in `_GAP`."""

ENUMERATING = (",", ";", "&", "and", "und", "et")
"""Those that go together in one enumeration: where one of them parts values, another one may do so on the next page."""

_GAP = re.compile(r"\s*([,;/|&·•+])?\s*(?:(?<![^\s,;])(and|und|et|e|y|en|och|og)\s)?\s*")


@dataclass(frozen=True, slots=True)
class JoinedText:
    """Values that are parts of one text, from the first to the last, and what parts them."""

    located: Located
    separators: tuple[str, ...]


def split_text(text: str, separators: tuple[str, ...]) -> list[str]:
    """The parts of a text between separators.

    >>> split_text("Drama, Comedy and Crime", (",", "and"))
    ['Drama', 'Comedy', 'Crime']
    """
    return [part for piece in _expression(separators).split(text) if (part := piece.strip())]


@lru_cache(maxsize=100)
def _expression(separators: tuple[str, ...]) -> re.Pattern[str]:
    """Words part only where there are blanks around them."""
    forms = [rf"(?<=\s){re.escape(one)}(?=\s)" if one.isalpha() else re.escape(one) for one in separators]
    return re.compile("|".join(forms), re.IGNORECASE)


def separators_like(shown: Collection[str], values: Sequence[str]) -> tuple[str, ...]:
    """The separators that were shown, and those of an enumeration that no value has in it.

    >>> separators_like([";"], ["Ann Lee", "Lee & Sons"])
    (',', ';', 'and', 'et', 'und')
    """
    more = ENUMERATING if not set(ENUMERATING).isdisjoint(shown) else ()
    unseen = {mark for mark in more if all(len(split_text(value, (mark,))) == 1 for value in values)}
    return tuple(sorted({*shown, *unseen}))


def run_of(view: View, wanted: Sequence[Located]) -> JoinedText | None:
    """The text that has several values one after the other with nothing but separators between them, if there is one.

    One value may be all of a text, or the part of one.
    """
    if len(wanted) == 1:
        return JoinedText(wanted[0], ())
    parts = [located for located in wanted if located.part and located.take == "text"]
    found: dict[str, list[int]] = {}
    separators: set[str] = set()
    for node in parts[0].nodes if parts else ():
        text = view.text(node)
        run = _run_in(text, [located.text for located in wanted])
        if run:
            found.setdefault(text[run[0] : run[1]], []).append(node)
            separators.update(run[2])
    if not found:
        return None
    text, nodes = max(found.items(), key=lambda one: len(one[1]))
    return JoinedText(Located(text, tuple(nodes), part=text != view.text(nodes[0])), tuple(sorted(separators)))


def text_with(view: View, values: Sequence[str]) -> int | None:
    """The lowest node whose text is these values and what parts them, and nothing else."""
    for begin, end in view.around(values[0])[:MOST_PLACES] if len(values) > 1 else ():
        node = view.holder(begin, end)
        text = view.text(node)
        run = _run_in(text, values)
        if run and not text[: run[0]].strip() and not text[run[1] :].strip():
            return node
    return None


def _run_in(text: str, values: Sequence[str]) -> tuple[int, int, set[str]] | None:
    """Where values are in a text, and what parts them; None if anything else is between two of them."""
    spans = sorted(span for value in values if (span := _span(text, value)))
    if len(spans) < len(values):
        return None
    separators: set[str] = set()
    for (_, end), (start, _) in pairwise(spans):
        gap = _GAP.fullmatch(text[end:start]) if end <= start else None
        if gap is None or not any(gap.groups()):
            return None
        separators.update(mark.lower() for mark in gap.groups() if mark)
    return spans[0][0], spans[-1][1], separators


def _span(text: str, value: str) -> tuple[int, int] | None:
    words = r"\s*".join(map(re.escape, collapse_spaces(value).split(" ")))
    found = re.search(rf"(?<!\w){words}(?!\w)", text, re.IGNORECASE)
    return found.span() if found else None


# One value that has become several: the parts of a block where one line was taught.
#
# A rule that is learned from one page takes what is in the same place on another one, and there may be several values:
# two genres in a list where one was, or the steps of a recipe as items of a list instead of paragraphs.

PROSE = 120  # characters of running text, as of articles: of one that has several paragraphs, all are the value
MOST_PARTS = 60  # of one value; a block with more is another kind of thing


def parts_of(view: View, node: int, *, short: bool) -> list[int]:
    """The blocks that a node consists of, if these are several; with `short` ones that aren't prose, or else lines."""
    count = int(view.last[node] - view.first[node])
    if count < 2:
        return []
    kids = _kids(view, node)
    while len(kids) == 1 and not view.page.is_text[kids[0]]:
        kids = _kids(view, kids[0])
    if not 1 < len(kids) <= MOST_PARTS:
        return []
    if short and ((view.sizes(np.array(kids)) > PROSE).any() or _are_paragraphs(view, kids)):
        return []
    return kids if _are_blocks(view, kids) or (short and _are_lines(view, kids)) else []


def _kids(view: View, node: int) -> list[int]:
    """The children of an element that have a text, in order; of one with too many, only the first."""
    page = view.page
    found: list[int] = []
    kid, stop = node + 1, int(page.end[node])
    while kid < stop and len(found) <= MOST_PARTS:
        if view.last[kid] > view.first[kid]:
            found.append(kid)
        kid = int(page.end[kid])
    return found


def _are_paragraphs(view: View, kids: Sequence[int]) -> bool:
    """Whether children are the paragraphs of one text, which are one value together."""
    return bool((view.page.tag[kids] == view.page.string_id("p")).any())


def _are_blocks(view: View, kids: Sequence[int]) -> bool:
    """Whether children are blocks of one make without further ones in them."""
    page = view.page
    blocks = [page.string_id(tag) for tag in BLOCKS]
    tag = int(page.tag[kids[0]])
    if tag not in blocks or any(page.tag[kid] != tag for kid in kids):
        return False
    if tag == page.string_id("div") and any(not view.alike(kid, kids[0]) for kid in kids):
        return False
    return not any(np.isin(page.tag[kid + 1 : page.end[kid]], blocks).any() for kid in kids)


def _are_lines(view: View, kids: Sequence[int]) -> bool:
    """Whether each child is a line: there is a break between any two of them."""
    page = view.page
    breaks = np.flatnonzero(page.tag[kids[0] : kids[-1]] == page.string_id("br")) + kids[0]
    if len(breaks) < len(kids) - 1 or not all(view.may_be_value[kid] for kid in kids):
        return False
    after = np.searchsorted(breaks, [int(page.end[kid]) for kid in kids[:-1]])
    return bool((after < len(breaks)).all() and (breaks[np.minimum(after, len(breaks) - 1)] < kids[1:]).all())


# Values that are only part of a text: a regular expression learned from examples, short enough to read.

LONGEST_LEFT = 30  # characters of text before a value that are probably its label

FORMS = (r"[\d.,]*\d", r"\d+", r"[^,;|()\[\]]+?", r"\S+", r".+?")


def apply_cut(expression: str, text: str, budget: StepBudget | None = None) -> str | None:
    r"""The part of a text that an expression captures, or None; raises `SlowExpression` if that takes too long.

    The expressions of one page share a `budget`.

    >>> apply_cut(r"Director:\s*(.+)", "Director: Jane Campion")
    'Jane Campion'
    """
    found = expression_of(expression).first_group(text, budget or StepBudget())
    return found.strip() if found is not None else None


def learn_cut(pairs: Sequence[tuple[str, str]]) -> str | None:
    r"""The first expression, the most general first, that captures each value in its text; None if none does.

    >>> print(learn_cut([("Director: Jane Campion", "Jane Campion")]))
    Director:\s*(.+?)\s*$
    """
    if all(key_of(text) == key_of(value) for text, value in pairs):
        return None
    sides = [side for text, value in pairs if (side := _sides(text, value)) is not None]
    if len(sides) < len(pairs):
        return None
    for left in _lefts([side[0] for side in sides]):
        for right in _rights([side[1] for side in sides]):
            for form in reversed(FORMS):
                expression = rf"{left}({form}){right}"
                if all(_captures(expression, text, value) for text, value in pairs):
                    return expression
    return None


def _captures(expression: str, text: str, value: str) -> bool:
    """Whether an expression captures a value; one that has to work hard for it is not worth learning."""
    try:
        return key_of(apply_cut(expression, text) or "") == key_of(value)
    except SlowExpression:
        return False


def _sides(text: str, value: str) -> tuple[str, str] | None:
    words = r"\s*".join(map(re.escape, collapse_spaces(value).split(" ")))
    found = re.search(words, text, re.IGNORECASE)
    return (text[: found.start()], text[found.end() :]) if found else None


def _lefts(befores: list[str]) -> Iterator[str]:
    """What may precede a value: nothing, its label, a punctuation mark."""
    if not any(map(str.strip, befores)):
        yield r"^\s*"
        return
    shared = _shared_end(befores)
    if shared.strip():
        mark = shared.strip()[-1]
        if not mark.isalnum() and mark not in ":：":
            yield _literal(mark) + r"\s*"
        if len(shared) <= LONGEST_LEFT and all(before.strip() == shared.strip() for before in befores):
            yield _literal(shared) + r"\s*"
        last = re.search(r"(\w+\W*|\W+)$", shared)
        if last:
            yield _literal(last[0]) + r"\s*"
        yield _literal(shared) + r"\s*"
    yield r"^\w+\s*"  # all but the first word


def _rights(afters: list[str]) -> Iterator[str]:
    if not any(map(str.strip, afters)):
        yield r"\s*$"
    shared = _shared_start(afters)
    if shared.strip():
        for form in (r"\w+|\W", r"\W*\w+"):  # a word or a mark, or a mark and the word after it
            first = re.match(form, shared.strip())
            if first:
                yield r"\s*" + _literal(first[0].strip())
    yield r"(?=\s|[,;|()]|$)"
    yield ""


def _literal(text: str) -> str:
    return r"\s*".join(map(re.escape, text.split()))


def _shared_end(texts: list[str]) -> str:
    return _shared_start([text[::-1] for text in texts])[::-1]


def _shared_start(texts: list[str]) -> str:
    first = min(texts, key=len)
    size = next(
        (place for place, letter in enumerate(first) if any(text[place] != letter for text in texts)), len(first)
    )
    return first[:size]
