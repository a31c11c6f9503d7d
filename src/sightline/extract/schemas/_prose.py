"""Part of step 5: regions in free form, which are one value however they are marked up."""

from collections import Counter
from typing import NamedTuple

from sightline.extract.schemas._alphabet import TEXT_SYMBOL, Alphabet, squeezed
from sightline.extract.schemas._instances import Instance, Learning
from sightline.extract.schemas._outline import Outline
from sightline.extract.schemas._template import Leaf

__all__ = ["behind_heading", "is_prose", "prose_of", "prose_symbol", "text_between"]

TAGS = frozenset(
    [
        "p",
        "br",
        "b",
        "i",
        "em",
        "strong",
        "a",
        "u",
        "s",
        "sup",
        "sub",
        "span",
        "font",
        "ul",
        "ol",
        "li",
        "blockquote",
        "pre",
        "code",
        "small",
        "big",
        "tt",
        "center",
        "h3",
        "h4",
        "h5",
        "h6",
        "hr",
        "div",
    ]
)
CLASSED = frozenset(["a", "code", "li"])  # tags that are marks of text even with a class
PLAIN = 0.9  # of the instances have nothing but marks of text in them
FEW_SHARED = 0.3  # of the texts may be shared with other pages; more are labels
LITTLE_SHARED = 0.2  # of the characters, where words in a sentence (links, code) are shared and the sentences are not
RECORDS = 0.7  # of the children are made alike
LABEL = 40  # characters; what is longer and shared is a sentence that pages repeat
VERBATIM = frozenset(["pre", "code", "samp", "textarea"])  # where colours are marks and nothing else
PARAGRAPHS = frozenset(["p", "dd", "blockquote"])


class _Bounds(NamedTuple):
    """From where on something is free text.

    `differently` is the share of instances of a make of their own: a record is made alike most of the time, a text
    nearly never. `several` is the number of texts an instance, `sentence` the characters of the longest text in the
    middle of all instances. All read off the sites of the benchmark.
    """

    differently: float
    several: float
    sentence: int


ANYWHERE = _Bounds(0.4, 1.5, 40)
IN_PARAGRAPHS = _Bounds(0.25, 1.1, 15)  # which are made for sentences


def is_prose(instances: list[Instance], learning: Learning) -> bool:
    """Whether a region is in free form: nothing but marks of text, made differently each time, with sentences in it."""
    if not instances or not learning.allows("prose"):
        return False
    tag = learning.path[-1].partition(".")[0].partition("#")[0] if learning.path else ""
    if tag in VERBATIM:
        return any(len(own.leaves) > 1 for own in instances)
    bounds = IN_PARAGRAPHS if tag in PARAGRAPHS else ANYWHERE
    if not _varies(instances, bounds) or not _is_plain(instances, learning.alphabet):
        return False
    return _says_its_own(instances, bounds) and not _is_list(instances) and not _are_records(instances)


def _varies(instances: list[Instance], bounds: _Bounds) -> bool:
    """Whether the instances are made differently; a single one counts where texts and marked words stand in a line."""
    if len(instances) == 1:
        symbols = set(instances[0].symbols)
        return TEXT_SYMBOL in symbols and len(symbols) > 1
    makes = {tuple(own.inside) for own in instances}
    return len(makes) >= max(2, bounds.differently * len(instances))


def _is_plain(instances: list[Instance], alphabet: Alphabet) -> bool:
    plain = {
        symbol: prose_symbol(alphabet, symbol) for symbol in {symbol for own in instances for symbol in own.inside}
    }
    return sum(all(plain[symbol] for symbol in own.inside) for own in instances) >= PLAIN * len(instances)


def prose_symbol(alphabet: Alphabet, symbol: int) -> bool:
    """Whether an element is a mark of text and no part of a design."""
    tag = alphabet.tag(symbol)
    return symbol == TEXT_SYMBOL or (tag in TAGS and (tag in CLASSED or not alphabet.words(symbol)))


def _says_its_own(instances: list[Instance], bounds: _Bounds) -> bool:
    """Whether the texts are long, and few of them are shared with other pages."""
    leaves = [(len(own.outline.texts[leaf]), own.outline.shared[leaf] > 0) for own in instances for leaf in own.leaves]
    if len(leaves) < bounds.several * len(instances):
        return False
    # Paragraphs may repeat sentences of other pages with words marked in them, which are no labels.
    shared = [length for length, is_shared in leaves if is_shared and length < LABEL]
    characters = sum(length for length, _ in leaves)
    labelled = len(shared) > FEW_SHARED * len(leaves) and sum(shared) > LITTLE_SHARED * characters
    if labelled and bounds is not IN_PARAGRAPHS:
        return False
    longest = sorted(max(len(own.outline.texts[leaf]) for leaf in own.leaves) for own in instances if own.leaves)
    return longest[len(longest) // 2] >= bounds.sentence


def _are_records(instances: list[Instance]) -> bool:
    """Whether the children are all of one symbol and nearly all made alike, of several texts: then they are records."""
    makes = Counter(
        tuple(own.outline.symbol[kid : own.outline.end[kid]])
        for own in instances
        for kid in own.kids
        if own.outline.size(kid) > 1
    )
    kids = sum(len(own.kids) for own in instances)
    return kids > len(instances) and max(makes.values(), default=0) >= RECORDS * kids


def _is_list(instances: list[Instance]) -> bool:
    """Whether all own texts stand in one kind of element, as the links of a list do."""
    holders = {holder for own in instances for holder in _holders(own)}
    return len(holders) == 1 and (0, TEXT_SYMBOL) not in holders


def _holders(own: Instance) -> set[tuple[int, int]]:
    """The depths and symbols of the elements around the texts that are not shared."""
    outline, found = own.outline, set()
    stack = [(kid, TEXT_SYMBOL, 0) for kid in own.kids]
    while stack:
        node, above, depth = stack.pop()
        if outline.symbol[node] != TEXT_SYMBOL:
            stack += [(kid, outline.symbol[node], depth + 1) for kid in outline.kids(node)]
        elif not outline.content[node]:
            found.add((depth, above))
    return found


def behind_heading(instances: list[Instance]) -> list[Instance]:
    """What follows a heading or label that all instances begin with; nothing where they do not."""
    heads = Counter(own.contents[0] for own in instances if own.kids)
    if len(heads) != 1 or 0 in heads or heads.total() < len(instances):
        return []
    if any(own.outline.size(own.kids[0]) > 1 for own in instances):
        return []
    return [own._replace(kids=own.kids[1:]) for own in instances if len(own.kids) > 1]


def prose_of(instances: list[Instance]) -> Leaf:
    """The free texts of instances as one leaf."""
    return Leaf([text_between(own.outline, own.kids[0], own.kids[-1]) for own in instances if own.kids], prose=True)


def text_between(outline: Outline, first: int, last: int) -> str:
    """The visible text from one node up to the end of another."""
    page = outline.page
    start, stop = int(outline.node[first]), int(page.end[outline.node[last]])
    return squeezed(page.texts_between([start], [stop])[0])
