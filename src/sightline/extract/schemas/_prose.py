"""Part of step 5: free text, which is one value whatever its markup."""

from collections import Counter, defaultdict
from typing import NamedTuple

from sightline.extract.schemas._outline import TEXT_SYMBOL, Alphabet, Instance, Learning, Outline, collapse_spaces
from sightline.extract.schemas._template import Leaf, Within

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
CLASSED = frozenset(["a", "code", "li"])  # tags that are text markup even with a class
PLAIN = 0.9  # of the instances contain nothing but text markup
FEW_SHARED = 0.3  # of the texts may be shared with other pages; more are labels
LITTLE_SHARED = 0.2  # of the characters, if words in a sentence (links, code) are shared and the sentences are not
RECORDS = 0.7  # of the children have the same structure
LABEL = 40  # characters; a longer shared text is a sentence that pages repeat
VERBATIM = frozenset(["pre", "code", "samp", "textarea"])  # where elements only mark colours
PARAGRAPHS = frozenset(["p", "dd", "blockquote"])
PARTS = PARAGRAPHS | VERBATIM | frozenset(["ul", "ol", "h3", "h4", "h5", "h6", "hr", "br"])  # what texts are made of
PURE = 0.7  # of the texts consist of nothing else; some have a table or a box in them
MARKS = frozenset(["b", "strong", "em", "i", "mark", "u"])  # what words in a line are marked with
MOST_LABELLED = 0.25  # of the texts with marked words have a colon before or in a mark; of labelled values all have
PARAGRAPH = 60  # characters in the median of texts; shorter paragraphs are lines, such as those of an address


class _Bounds(NamedTuple):
    """Thresholds from which on something is free text.

    `differently` is the share of instances with a structure of their own: records mostly share a structure, texts
    hardly ever. `several` is the number of texts per instance, `sentence` the characters of the longest text in the
    median instance. All were read off the sites of the benchmark.
    """

    differently: float
    several: float
    sentence: int


ANYWHERE = _Bounds(0.4, 1.5, 40)
IN_PARAGRAPHS = _Bounds(0.25, 1.1, 15)  # which are made for sentences


def is_prose(instances: list[Instance], learning: Learning) -> bool:
    """Whether a region is free text: nothing but text markup, structured differently each time, with sentences."""
    if not instances or not learning.allows("prose"):
        return False
    tag = learning.path[-1].partition(".")[0].partition("#")[0] if learning.path else ""
    if tag in VERBATIM:
        return any(len(instance.leaves) > 1 for instance in instances)
    if _has_marked_words(instances, learning.alphabet):
        return True
    bounds = IN_PARAGRAPHS if tag in PARAGRAPHS else ANYWHERE
    paragraphs = _are_paragraphs(instances, learning.alphabet)
    if not (paragraphs or _varies(instances, bounds)):
        return False
    if not _is_plain(instances, learning.alphabet, PURE if paragraphs else PLAIN):
        return False
    if not _has_own_sentences(instances, bounds):
        return False
    return paragraphs or not (_is_list(instances) or _are_records(instances))


def _has_marked_words(instances: list[Instance], alphabet: Alphabet) -> bool:
    """Whether words of a text are marked here and there, as results mark what was searched for: it is one text.

    Labels are marked as well, or beside what is marked, but at the same places and mostly with a colon.
    """
    makes = {tuple(instance.symbols) for instance in instances}
    if len(makes) < 2 or not any(TEXT_SYMBOL in make and len(make) > 1 for make in makes):
        return False
    marks = {symbol for instance in instances for symbol in instance.inside if symbol != TEXT_SYMBOL}
    if not marks or any(alphabet.tag(symbol) not in MARKS for symbol in marks):
        return False
    begins = [instance.symbols[0] != TEXT_SYMBOL for instance in instances if instance.kids]
    if all(begins):
        return False
    labelled = sum(any(_said(instance.outline, kid).endswith(":") for kid in instance.kids) for instance in instances)
    return labelled <= MOST_LABELLED * len(instances)


def _are_paragraphs(instances: list[Instance], alphabet: Alphabet) -> bool:
    """Whether all children are paragraphs of sentences, however many there are: then they are one text."""
    if len({len(instance.kids) for instance in instances}) < 2:
        return False  # as many on every page are different things, each with its place
    tags = [{alphabet.tag(symbol) for symbol in instance.symbols} for instance in instances]
    pure = sum(own <= PARTS for own in tags)
    if pure < PURE * len(instances) or sum(bool(own & PARAGRAPHS) for own in tags) < PLAIN * len(instances):
        return False
    sizes = sorted(
        sum(len(instance.outline.texts[leaf]) for leaf in instance.leaves) / len(instance.kids)
        for instance in instances
    )
    return sizes[len(sizes) // 2] >= PARAGRAPH


def _varies(instances: list[Instance], bounds: _Bounds) -> bool:
    """Whether the instances differ in structure; a single one counts if texts and marked words share a line."""
    if len(instances) == 1:
        symbols = set(instances[0].symbols)
        return TEXT_SYMBOL in symbols and len(symbols) > 1
    makes = {tuple(instance.inside) for instance in instances}
    return len(makes) >= max(2, bounds.differently * len(instances))


def _is_plain(instances: list[Instance], alphabet: Alphabet, least: float) -> bool:
    plain = {
        symbol: prose_symbol(alphabet, symbol)
        for symbol in {symbol for instance in instances for symbol in instance.inside}
    }
    return sum(all(plain[symbol] for symbol in instance.inside) for instance in instances) >= least * len(instances)


def prose_symbol(alphabet: Alphabet, symbol: int) -> bool:
    """Whether an element is text markup and not part of a design."""
    tag = alphabet.tag(symbol)
    return symbol == TEXT_SYMBOL or (tag in TAGS and (tag in CLASSED or not alphabet.words(symbol)))


def _has_own_sentences(instances: list[Instance], bounds: _Bounds) -> bool:
    """Whether the texts are long, and few of them are shared with other pages."""
    leaves = [
        (len(instance.outline.texts[leaf]), instance.outline.shared[leaf] > 0)
        for instance in instances
        for leaf in instance.leaves
    ]
    if len(leaves) < bounds.several * len(instances):
        return False
    # Paragraphs may repeat sentences of other pages with words marked in them, which are not labels.
    shared = [length for length, is_shared in leaves if is_shared and length < LABEL]
    characters = sum(length for length, _ in leaves)
    labelled = len(shared) > FEW_SHARED * len(leaves) and sum(shared) > LITTLE_SHARED * characters
    if labelled and bounds is not IN_PARAGRAPHS:
        return False
    longest = sorted(
        max(len(instance.outline.texts[leaf]) for leaf in instance.leaves) for instance in instances if instance.leaves
    )
    return longest[len(longest) // 2] >= bounds.sentence


def _are_records(instances: list[Instance]) -> bool:
    """Whether the children share one symbol and nearly all one structure, of several texts: then they are records."""
    makes = Counter(
        tuple(instance.outline.symbol[kid : instance.outline.end[kid]])
        for instance in instances
        for kid in instance.kids
        if instance.outline.size(kid) > 1
    )
    kids = sum(len(instance.kids) for instance in instances)
    return kids > len(instances) and max(makes.values(), default=0) >= RECORDS * kids


def _is_list(instances: list[Instance]) -> bool:
    """Whether all texts that are not shared are in one kind of element, like the links of a list."""
    holders = {holder for instance in instances for holder in _holders(instance)}
    return len(holders) == 1 and (0, TEXT_SYMBOL) not in holders


def _holders(instance: Instance) -> set[tuple[int, int]]:
    """The depths and symbols of the elements around the texts that are not shared."""
    outline, found = instance.outline, set()
    stack = [(kid, TEXT_SYMBOL, 0) for kid in instance.kids]
    while stack:
        node, above, depth = stack.pop()
        if outline.symbol[node] != TEXT_SYMBOL:
            stack += [(kid, outline.symbol[node], depth + 1) for kid in outline.kids(node)]
        elif not outline.content[node]:
            found.add((depth, above))
    return found


def behind_heading(instances: list[Instance]) -> list[Instance]:
    """What follows a heading or label that all instances begin with; nothing if they do not."""
    heads = Counter(instance.contents[0] for instance in instances if instance.kids)
    if len(heads) != 1 or 0 in heads or heads.total() < len(instances):
        return []
    if any(instance.outline.size(instance.kids[0]) > 1 for instance in instances):
        return []
    return [instance._replace(kids=instance.kids[1:]) for instance in instances if len(instance.kids) > 1]


def prose_of(instances: list[Instance]) -> Leaf:
    """The free texts of instances as one leaf."""
    filled = [instance for instance in instances if instance.kids]
    by_page: dict[int, list[Instance]] = defaultdict(list)
    for instance in filled:
        by_page[instance.page].append(instance)
    texts = {page: iter(_texts_of(of_page)) for page, of_page in by_page.items()}  # to read a page costs all of it
    several = any(len(instance.kids) > 1 for instance in filled)
    parts = [Within([_said(filled[0].outline, kid) for kid in filled[0].kids])] if several else []
    return Leaf([next(texts[instance.page]) for instance in filled], prose=True, within=parts)


def _said(outline: Outline, node: int) -> str:
    return " ".join(outline.texts[outline.first[node] : outline.last[node]])


def _texts_of(instances: list[Instance]) -> list[str]:
    """The visible texts of instances on one page."""
    outline = instances[0].outline
    starts = outline.node[[instance.kids[0] for instance in instances]]
    stops = outline.page.end[outline.node[[instance.kids[-1] for instance in instances]]]
    return [collapse_spaces(text) for text in outline.page.texts_between(starts, stops)]
