"""Steps 2 and 3: what repeats among the children of an element, where its records begin, and what only looks like it.

A landmark that repeats has its farthest distinct ancestors among the children of one element, so both steps work on
these: children with one symbol are the candidates; variants of them (other classes, inner structure more than 0.7
similar) join; children that are unlike each other or told apart by their place are not a set; and symbols that
alternate are groups.
"""

import re
from collections import Counter, defaultdict
from itertools import pairwise
from typing import NamedTuple

from rapidfuzz.distance import Indel

from sightline.extract.schemas._align import align
from sightline.extract.schemas._outline import TEXT_SYMBOL, Alphabet, Instance, Learning, Outline, mean
from sightline.extract.schemas._parse import ChildSpan, Runs, between, chunks, token_of
from sightline.extract.schemas._prose import prose_symbol
from sightline.extract.schemas._template import TemplateBody, TemplateRow

ALIKE = 0.7  # published: anything more similar to the records than this is one of them
HOMOGENEOUS = 0.6  # mean likeness of neighbours in a set; the cells of a layout are below 0.4
DENSE = 0.6  # published: a set that is less dense is dissolved
FEW_NODES = 4  # in an element; with fewer, the likeness means nothing
SAMPLE = 3  # elements of a symbol that are compared
MOST_COMPARED = 100
STATES = frozenset([".odd", ".even", ".first", ".last", ".alt", ".new", ".row0", ".row1", ".odd0", ".even0"])
ITEMS = frozenset(["dd", "dt", "li", "tr"])  # whose ids name items; other elements have ids for their role on the page
CELLS = frozenset(["td", "th"])
ALWAYS = 0.9  # of the instances have a text among the items of a set
LEAST_INSTANCES = 3  # to know that
LONGEST_TUPLE = 15  # children; anything longer is a set
SHARPER = 0.25  # how much more alike children in the same place are than others, if places matter
USUAL = 0.5  # of the instances have the same number of children
COMPARED = 12  # instances, each with each
TOLD = 0.5  # of the children have the text of most others in their slot
_NUMBERS = re.compile(r"\d+")

ChildPlaces = list[list[int]]
"""Places among the children of each instance."""


def aliases(instances: list[Instance], learning: Learning) -> dict[int, int]:
    """Symbols of one tag that are variants: similar inside, and repeated among the same children."""
    counts: Counter[int] = Counter()
    most: Counter[int] = Counter()
    makes: dict[int, list[list[int]]] = defaultdict(list)
    for instance in instances:
        outline = instance.outline
        for symbol, count in Counter(instance.symbols).items():
            counts[symbol] += count
            most[symbol] = max(most[symbol], count)
        for kid in instance.kids:
            if len(makes[outline.symbol[kid]]) < SAMPLE:
                makes[outline.symbol[kid]].append(outline.symbol[kid + 1 : outline.end[kid]])
    alias: dict[int, int] = {}
    leaders: list[int] = []
    for symbol in sorted(counts, key=lambda counted: -counts[counted]):
        alias[symbol] = next(
            (leader for leader in leaders if _are_variants(learning.alphabet, leader, symbol, makes)), symbol
        )
        if alias[symbol] == symbol and most[symbol] > 1 and learning.allows("variants"):
            leaders.append(symbol)
    return alias


def _are_variants(alphabet: Alphabet, leader: int, symbol: int, makes: dict[int, list[list[int]]]) -> bool:
    if TEXT_SYMBOL in (leader, symbol) or alphabet.tag(leader) != alphabet.tag(symbol):
        return False
    apart = alphabet.words(leader) ^ alphabet.words(symbol)
    if apart <= STATES or (alphabet.tag(symbol) in ITEMS and all(word.startswith("#") for word in apart)):
        return True
    if max(map(len, makes[symbol])) < FEW_NODES:
        return False
    return max(Indel.normalized_similarity(one, two) for one in makes[leader] for two in makes[symbol]) > ALIKE


def find_sets(instances: list[Instance], symbols: list[list[int]], free: ChildPlaces, learning: Learning) -> Runs:
    """Which of the children outside rows repeat as a set, or as groups of several."""
    words = [[word[place] for place in places] for word, places in zip(symbols, free, strict=True)]
    most: Counter[int] = Counter()
    for word in words:
        for symbol, number in Counter(word).items():
            most[symbol] = max(most[symbol], number)
    repeated = {
        symbol
        for symbol, number in most.items()
        if number > 1 and symbol != TEXT_SYMBOL and not _is_tuple(symbol, instances, symbols, free, learning)
    }
    group = _find_group(words, repeated | ({TEXT_SYMBOL} if most[TEXT_SYMBOL] > 1 else set()), learning)
    sets = frozenset(repeated - group.members - group.landmarks)
    if sets or group.landmarks:
        names = [learning.alphabet.names[symbol] for symbol in (*sets, *group.landmarks)]
        learning.tell("sets", f"repeated: {', '.join(names)}{' in groups' if group.landmarks else ''}")
    return group._replace(sets=sets, constants=_constants(instances, symbols, sets, learning))


# ---------------------------------------------------------------- groups


def _find_group(words: list[list[int]], repeated: set[int], learning: Learning) -> Runs:
    """The landmark and the members of repeated groups: symbols that alternate."""
    if not learning.allows("groups"):
        return Runs()
    turns: Counter[tuple[int, int]] = Counter()
    first: Counter[int] = Counter()
    followed: Counter[int] = Counter()
    for word in words:
        first.update([symbol for symbol in word if symbol in repeated][:1])
        for symbol_before, other in pairwise(word):
            followed[symbol_before] += 1
            if symbol_before != other and {symbol_before, other} <= repeated:
                turns[symbol_before, other] += 1
    for landmark, _ in first.most_common():
        follows = sum(count for (symbol_before, _), count in turns.items() if symbol_before == landmark)
        both_ways = any(
            symbol_before == landmark and count > 1 and turns[other, landmark]
            for (symbol_before, other), count in turns.items()
        )
        if landmark != TEXT_SYMBOL and both_ways and follows >= DENSE * followed[landmark]:
            return Runs(landmarks=frozenset([landmark]), members=between(words, landmark))
    return Runs()


def _constants(
    instances: list[Instance], symbols: list[list[int]], sets: frozenset[int], learning: Learning
) -> frozenset[int]:
    """The first texts of items that occur once in a set on nearly every page and never change: part of the template.

    The first crumb of a trail is one, and so is a heading row with the structure of the rows below it.
    """
    if not learning.allows("constants"):
        return frozenset()
    occurrences: Counter[int] = Counter()
    texts_by_content: dict[int, set[str]] = defaultdict(set)
    total = 0
    for instance, word in zip(instances, symbols, strict=True):
        outline = instance.outline
        kids = [kid for kid, symbol in zip(instance.kids, word, strict=True) if symbol in sets]
        total += bool(kids)
        items = Counter(outline.content[kid] for kid in kids)
        occurrences.update(content for content, count in items.items() if content and count == 1)
        for kid in kids:
            if outline.content[kid]:
                texts_by_content[outline.content[kid]].add(
                    "\x1f".join(outline.texts[outline.first[kid] : outline.last[kid]])
                )
    always = {text for text, count in occurrences.items() if total >= LEAST_INSTANCES and count >= ALWAYS * total}
    return frozenset(text for text in always if len(texts_by_content[text]) == 1)


# ---------------------------------------------------------------- what is not a set


def _is_tuple(
    symbol: int, instances: list[Instance], symbols: list[list[int]], free: ChildPlaces, learning: Learning
) -> bool:
    """Whether children with one symbol are unlike each other or told apart by their place, and so are not a set."""
    if learning.alphabet.tag(symbol) in CELLS:
        return True
    if learning.alphabet.is_record(symbol):
        return False
    kids = [
        [instance.kids[place] for place in places if word[place] == symbol]
        for instance, word, places in zip(instances, symbols, free, strict=True)
    ]
    having = [(instance, found) for instance, found in zip(instances, kids, strict=True) if found]
    if not _are_alike(having, learning.alphabet):
        return True
    counts = Counter(len(found) for _, found in having)
    usual, times = counts.most_common(1)[0]
    if not learning.allows("places") or len(having) < 2 or max(counts) > LONGEST_TUPLE:
        return False
    if times < USUAL * len(having):
        return _fall_into_slots(having, symbol, learning)
    return usual > 1 and _places_matter([pair for pair in having if len(pair[1]) == usual][:COMPARED])


def _are_alike(having: list[tuple[Instance, list[int]]], alphabet: Alphabet) -> bool:
    """Whether neighbours usually have a similar structure; free text is similar whatever its markup."""
    likes: list[float] = []
    for instance, kids in having:
        outline = instance.outline
        step = max(1, len(kids) // COMPARED)
        makes = [outline.symbol[kid + 1 : outline.end[kid]] for kid in kids[::step]]
        makes = [[] if all(prose_symbol(alphabet, symbol) for symbol in make) else make for make in makes]
        likes += [Indel.normalized_similarity(one, other) for one, other in pairwise(makes)]
        if len(likes) > MOST_COMPARED:
            break
    return mean(likes) >= HOMOGENEOUS


def _places_matter(having: list[tuple[Instance, list[int]]]) -> bool:
    """Whether children in the same place have more similar texts than children in different places."""
    signatures = [[_signature(instance, kid) for kid in kids] for instance, kids in having]
    varying = [
        place for place in range(len(signatures[0])) if len({signature[place][0] for signature in signatures}) > 1
    ]
    within: list[float] = []
    across: list[float] = []
    for number, signature in enumerate(signatures):
        for other in signatures[number + 1 :]:
            for i in varying:
                for j in varying:
                    (within if i == j else across).append(_likeness(signature[i][1], other[j][1]))
    sharper = SHARPER if len(signatures) >= LEAST_INSTANCES else 2 * SHARPER
    return bool(within) and mean(within) > mean(across) + sharper


def _fall_into_slots(having: list[tuple[Instance, list[int]]], symbol: int, learning: Learning) -> bool:
    """Whether single texts of varying number fall into few slots when aligned, with recurring texts."""
    sequences = [tuple(token_of(instance.outline, kid, symbol) for kid in kids) for instance, kids in having]
    if not all(token.single for sequence in sequences for token in sequence):
        return False
    slots = align(sequences, learning.alphabet, learning.without)
    total = sum(map(len, sequences))
    recurring = sum(max(slot.contents.values(), default=0) for slot in slots if slot.present > 1)
    return total >= DENSE * len(slots) * len(sequences) and recurring >= TOLD * total


def _likeness(first: frozenset[object], other: frozenset[object]) -> float:
    """The Jaccard index of two sets."""
    return len(first & other) / len(first | other) if first or other else 1.0


def _signature(instance: Instance, kid: int) -> tuple[str, frozenset[object]]:
    """What a child says: its texts, and its words and kinds, with all numbers alike."""
    outline = instance.outline
    leaves = range(outline.first[kid], outline.last[kid])
    words = {_NUMBERS.sub("0", word) for leaf in leaves for word in outline.texts[leaf].lower().split()[:8]}
    return "\x1f".join(outline.texts[leaves[0] : leaves[-1] + 1]), frozenset(
        words | {(outline.kinds[leaf],) for leaf in leaves}
    )


# Rows that are told apart by labels: the lines of a specification, terms with their explanation, headed sections.
#
# A frequent pattern of siblings is not a set if each of them begins with its own text that other pages also have: such
# a set is dissolved into fields, which are found by their label in whatever order they come.

MOST = 0.6  # of the rows have a label; the others are headings, notes, or labels of one page only
FEW = 0.25  # are enough if labels are on most pages: an infobox with a long list in it
OFTEN = 0.65  # of the instances have a label, on average; the same names in a list of any names are rarer
USUAL_ROWS = 0.5  # of the instances have a label
LEAST_USUAL = 3  # such labels
VARY = 0.3  # of the labels have values that differ between pages; else the rows are records that pages share
PAIRS = 3  # texts; rows of so few are a label and its value, and there may be more of them on other pages
SMALL = 5  # texts; rows of a specification have so few, rows that lay out a page have more
LONGEST = 60  # characters of a label
_WORD = re.compile(r"[^\w]{0,2}[^\W\d_]{2}")
_DATED = re.compile(r"\b(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*\.? \d|\d[/.-]\d|\d{3}", re.IGNORECASE)
LABELS = frozenset(["th", "dt", "label", "h2", "h3", "h4", "h5", "h6", "legend"])
INLINE = frozenset(["a", "code", "em", "i", "span", "font", "tt", "u", "sup", "sub", "small"])


class _Labels(NamedTuple):
    """Labels and how often each occurred; `pairs` if the rows are a label and its value each."""

    counts: dict[int, int]
    symbol: int
    members: frozenset[int] | None
    pairs: bool

    @property
    def rows(self) -> int:
        return sum(self.counts.values())


def find_rows(body: TemplateBody, instances: list[Instance], symbols: list[list[int]], learning: Learning) -> None:
    """Find the rows among the children, if any, and record their labels in the body."""
    if not learning.allows("rows"):
        return
    repeated = {symbol for word in symbols for symbol, count in Counter(word).items() if count > 1} - {TEXT_SYMBOL}
    found = [
        labels
        for symbol in sorted(repeated)
        if not learning.alphabet.is_record(symbol)
        for labels in _candidates(symbol, instances, symbols, learning.alphabet)
    ]
    if not found:
        return
    best = max(found, key=lambda labels: labels.rows)
    body.row_symbols, body.row_members, body.open_rows = frozenset([best.symbol]), best.members, best.pairs
    names = learning.texts(list(best.counts))
    body.rows = {
        label: TemplateRow(name, count) for (label, count), name in zip(best.counts.items(), names, strict=True)
    }
    learning.tell("rows", f"{len(names)} rows by their label: {', '.join(names[:6])}{' …' if len(names) > 6 else ''}")


def _candidates(symbol: int, instances: list[Instance], symbols: list[list[int]], alphabet: Alphabet) -> list[_Labels]:
    """The labels of rows that are elements with this symbol, and of rows that begin with one."""
    spans = [[(at, at + 1) for at, other in enumerate(word) if other == symbol] for word in symbols]
    single = _labels(instances, spans)
    found = [_Labels(single[0], symbol, None, single[1])] if single else []
    if _starts_line(symbol, symbols, alphabet):
        members = between(symbols, symbol)
        headed = _labels(instances, [chunks(word, frozenset([symbol]), members) for word in symbols])
        found += [_Labels(headed[0], symbol, members, headed[1])] if headed and len(headed[0]) > 1 else []
    return found


def _starts_line(symbol: int, symbols: list[list[int]], alphabet: Alphabet) -> bool:
    """Whether an inline element is at the start of its line, like labels, unlike words in a sentence."""
    if alphabet.tag(symbol) not in INLINE:
        return True
    having = [word for word in symbols if symbol in word]
    return sum(TEXT_SYMBOL not in word[: word.index(symbol)] for word in having) >= MOST * len(having)


def _labels(instances: list[Instance], spans: list[list[ChildSpan]]) -> tuple[dict[int, int], bool] | None:
    """The labels of these rows with how often each occurred, and whether rows are pairs of label and value.

    None if labels do not tell the rows apart.
    """
    total = several = texts = marked = 0
    values: dict[int, list[str]] = defaultdict(list)
    for instance, row_spans in zip(instances, spans, strict=True):
        outline = instance.outline
        heads = Counter(outline.content[instance.kids[start]] for start, _ in row_spans)
        for start, stop in row_spans:
            leaves = outline.texts[outline.first[instance.kids[start]] : outline.last[instance.kids[stop - 1]]]
            total, several = total + 1, several + (len(leaves) > 1)
            label = outline.content[instance.kids[start]]
            if label and heads[label] == 1 and len(leaves) > 1 and _is_label(leaves[0]):
                texts += len(leaves)
                marked += _is_marked(outline, instance.kids[start], leaves[0])
                values[label].append("\x1f".join(leaves[1:]))
    labelled = sum(map(len, values.values()))
    small = texts <= SMALL * labelled
    if several < MOST * total and not small:
        return None
    values = {label: texts_of_label for label, texts_of_label in values.items() if len(texts_of_label) > 1}
    counts = _label_counts(values, several if small else total, sum(map(bool, spans)), marked=marked >= MOST * labelled)
    pairs = texts <= PAIRS * labelled and (len(counts) >= LEAST_USUAL or marked >= MOST * labelled)
    return (counts, pairs) if counts else None


def _is_marked(outline: Outline, node: int, text: str) -> bool:
    """Whether a first text is marked as a label: by a colon, or by an element made for labels."""
    above = node
    while outline.symbol[node] != TEXT_SYMBOL:
        above, node = node, outline.kids(node)[0]
    return text.endswith(":") or outline.alphabet.tag(outline.symbol[above]) in LABELS


def _label_counts(values: dict[int, list[str]], rows: int, instances: int, *, marked: bool) -> dict[int, int]:
    if len(values) < (1 if marked else 2):
        return {}
    labelled = sum(map(len, values.values()))
    usual = sum(len(texts) >= USUAL_ROWS * instances for texts in values.values())
    often = labelled >= OFTEN * len(values) * instances
    if not marked and not often:
        return {}
    if labelled < MOST * rows and (usual < LEAST_USUAL or labelled < FEW * rows or not often):
        return {}
    varying = sum(len(set(texts)) > 1 for texts in values.values())
    if not varying or (varying < VARY * len(values) and usual < USUAL_ROWS * len(values)):
        return {}
    return {label: len(texts) for label, texts in values.items()}


def _is_label(text: str) -> bool:
    """Whether a text can be the label of a row: it begins with a word, is short, and is not a date."""
    return len(text) <= LONGEST and _WORD.match(text) is not None and not _DATED.search(text)
