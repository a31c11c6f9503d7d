"""Steps 2 and 3: what repeats among the children of an element, where its records begin, and what only looks like it.

A landmark that repeats has its farthest distinct ancestors among the children of one element, so both steps are taken
there: children of one symbol are the candidates, variants of them (other classes, made alike inside by more than 0.7)
join, children that are unlike each other or told apart by their place are no set, and symbols that take turns are
groups.
"""

import re
from collections import Counter, defaultdict
from itertools import pairwise

from rapidfuzz.distance import Indel

from sightline.extract.schemas._align import align
from sightline.extract.schemas._alphabet import TEXT_SYMBOL, Alphabet
from sightline.extract.schemas._instances import Instance, Learning, mean
from sightline.extract.schemas._parse import Runs, between, token_of
from sightline.extract.schemas._prose import prose_symbol

__all__ = ["aliases", "find_sets"]

ALIKE = 0.7  # published: what is more like the records than this is one of them
HOMOGENEOUS = 0.6  # mean likeness of neighbours in a set; the cells of a layout are below 0.4
DENSE = 0.6  # published: a set that is less dense is dissolved
FEW_NODES = 4  # in an element; of fewer the likeness says nothing
SAMPLE = 3  # elements of a symbol that are compared
MOST_COMPARED = 100
STATES = frozenset([".odd", ".even", ".first", ".last", ".alt", ".new", ".row0", ".row1", ".odd0", ".even0"])
ITEMS = frozenset(["dd", "dt", "li", "tr"])  # whose ids name items; other elements have ids for their role on the page
CELLS = frozenset(["td", "th"])
ALWAYS = 0.9  # of the instances have a text among the items of a set
LEAST_INSTANCES = 3  # to know that
LONGEST_TUPLE = 15  # children; what is longer is a set
SHARPER = 0.25  # how much more alike children in the same place are than others, where places matter
USUAL = 0.5  # of the instances have the same number of children
COMPARED = 12  # instances, each with each
TOLD = 0.5  # of the children say the same as most others in their slot
_NUMBERS = re.compile(r"\d+")

ChildPlaces = list[list[int]]
"""For each instance, places among its children."""


def aliases(instances: list[Instance], learning: Learning) -> dict[int, int]:
    """Symbols of one tag that are variants of each other: alike inside, and repeated among the same children."""
    counts: Counter[int] = Counter()
    most: Counter[int] = Counter()
    makes: dict[int, list[list[int]]] = defaultdict(list)
    for own in instances:
        outline = own.outline
        for symbol, count in Counter(own.symbols).items():
            counts[symbol] += count
            most[symbol] = max(most[symbol], count)
        for kid in own.kids:
            if len(makes[outline.symbol[kid]]) < SAMPLE:
                makes[outline.symbol[kid]].append(outline.symbol[kid + 1 : outline.end[kid]])
    alias: dict[int, int] = {}
    for symbol in sorted(counts, key=lambda own: -counts[own]):
        leaders = [own for own in dict.fromkeys(alias.values()) if most[own] > 1 and learning.allows("variants")]
        alias[symbol] = next((own for own in leaders if _are_variants(learning.alphabet, own, symbol, makes)), symbol)
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
    """Which of the children that are no rows repeat as a set, or as groups of several."""
    mine = [[own[place] for place in places] for own, places in zip(symbols, free, strict=True)]
    most: Counter[int] = Counter()
    for word in mine:
        for symbol, number in Counter(word).items():
            most[symbol] = max(most[symbol], number)
    repeated = {
        symbol
        for symbol, number in most.items()
        if number > 1 and symbol != TEXT_SYMBOL and not _is_tuple(symbol, instances, symbols, free, learning)
    }
    group = _find_group(mine, repeated | ({TEXT_SYMBOL} if most[TEXT_SYMBOL] > 1 else set()), learning)
    sets = frozenset(repeated - group.members - group.landmarks)
    if sets or group.landmarks:
        names = [learning.alphabet.names[symbol] for symbol in (*sets, *group.landmarks)]
        learning.tell("sets", f"repeated: {', '.join(names)}{' in groups' if group.landmarks else ''}")
    return group._replace(sets=sets, constants=_constants(instances, symbols, sets, learning))


# ---------------------------------------------------------------- groups


def _find_group(mine: list[list[int]], repeated: set[int], learning: Learning) -> Runs:
    """The landmark and the members of groups that repeat: symbols that take turns."""
    if not learning.allows("groups"):
        return Runs()
    turns: Counter[tuple[int, int]] = Counter()
    first: Counter[int] = Counter()
    followed: Counter[int] = Counter()
    for own in mine:
        first.update([symbol for symbol in own if symbol in repeated][:1])
        for one, other in pairwise(own):
            followed[one] += 1
            if one != other and {one, other} <= repeated:
                turns[one, other] += 1
    for landmark, _ in first.most_common():
        follows = sum(count for (one, _), count in turns.items() if one == landmark)
        both_ways = any(
            one == landmark and count > 1 and turns[other, landmark] for (one, other), count in turns.items()
        )
        if landmark != TEXT_SYMBOL and both_ways and follows >= DENSE * followed[landmark]:
            return Runs(landmarks=frozenset([landmark]), members=between(mine, landmark))
    return Runs()


def _constants(
    instances: list[Instance], symbols: list[list[int]], sets: frozenset[int], learning: Learning
) -> frozenset[int]:
    """The first texts of items that stand once in a set on nearly every page and say the same: they are template.

    The first crumb of a trail is one, and a row of headings that is made like the rows below it.
    """
    if not learning.allows("constants"):
        return frozenset()
    seen: Counter[int] = Counter()
    said: dict[int, set[str]] = defaultdict(set)
    total = 0
    for own, mine in zip(instances, symbols, strict=True):
        outline = own.outline
        kids = [kid for kid, symbol in zip(own.kids, mine, strict=True) if symbol in sets]
        total += bool(kids)
        items = Counter(outline.content[kid] for kid in kids)
        seen.update(content for content, count in items.items() if content and count == 1)
        for kid in kids:
            if outline.content[kid]:
                said[outline.content[kid]].add("\x1f".join(outline.texts[outline.first[kid] : outline.last[kid]]))
    always = {text for text, count in seen.items() if total >= LEAST_INSTANCES and count >= ALWAYS * total}
    return frozenset(text for text in always if len(said[text]) == 1)


# ---------------------------------------------------------------- what is no set


def _is_tuple(
    symbol: int, instances: list[Instance], symbols: list[list[int]], free: ChildPlaces, learning: Learning
) -> bool:
    """Whether children of one symbol are unlike each other or told apart by their place, and so are no set."""
    if learning.alphabet.tag(symbol) in CELLS:
        return True
    kids = [
        [own.kids[place] for place in places if mine[place] == symbol]
        for own, mine, places in zip(instances, symbols, free, strict=True)
    ]
    having = [(own, mine) for own, mine in zip(instances, kids, strict=True) if mine]
    if not _are_alike(having, learning.alphabet):
        return True
    counts = Counter(len(mine) for _, mine in having)
    usual, times = counts.most_common(1)[0]
    if not learning.allows("places") or len(having) < 2 or max(counts) > LONGEST_TUPLE:
        return False
    if times < USUAL * len(having):
        return _fall_into_slots(having, symbol, learning)
    return usual > 1 and _places_matter([(own, mine) for own, mine in having if len(mine) == usual][:COMPARED])


def _are_alike(having: list[tuple[Instance, list[int]]], alphabet: Alphabet) -> bool:
    """Whether neighbours are made alike, as a rule; free text is alike however it is marked up."""
    likes: list[float] = []
    for own, kids in having:
        outline = own.outline
        step = max(1, len(kids) // COMPARED)
        makes = [outline.symbol[kid + 1 : outline.end[kid]] for kid in kids[::step]]
        makes = [[] if all(prose_symbol(alphabet, symbol) for symbol in make) else make for make in makes]
        likes += [Indel.normalized_similarity(one, other) for one, other in pairwise(makes)]
        if len(likes) > MOST_COMPARED:
            break
    return mean(likes) >= HOMOGENEOUS


def _places_matter(having: list[tuple[Instance, list[int]]]) -> bool:
    """Whether children in the same place say more alike things than children in different ones."""
    said = [[_signature(own, kid) for kid in kids] for own, kids in having]
    varying = [place for place in range(len(said[0])) if len({own[place][0] for own in said}) > 1]
    within: list[float] = []
    across: list[float] = []
    for number, one in enumerate(said):
        for other in said[number + 1 :]:
            for i in varying:
                for j in varying:
                    (within if i == j else across).append(_likeness(one[i][1], other[j][1]))
    sharper = SHARPER if len(said) >= LEAST_INSTANCES else 2 * SHARPER
    return bool(within) and mean(within) > mean(across) + sharper


def _fall_into_slots(having: list[tuple[Instance, list[int]]], symbol: int, learning: Learning) -> bool:
    """Whether single texts of varying number fall into few slots when they are aligned, with texts of their own."""
    sequences = [tuple(token_of(own.outline, kid, symbol) for kid in kids) for own, kids in having]
    if not all(token.single for sequence in sequences for token in sequence):
        return False
    slots = align(sequences, learning.alphabet, learning.without)
    total = sum(map(len, sequences))
    told = sum(max(slot.contents.values(), default=0) for slot in slots if slot.present > 1)
    return total >= DENSE * len(slots) * len(sequences) and told >= TOLD * total


def _likeness(one: frozenset[object], other: frozenset[object]) -> float:
    """Jaccard's: what two sets share of what they have."""
    return len(one & other) / len(one | other) if one or other else 1.0


def _signature(own: Instance, kid: int) -> tuple[str, frozenset[object]]:
    """What a child says: its texts, and its words and kinds, numbers all alike."""
    outline = own.outline
    leaves = range(outline.first[kid], outline.last[kid])
    words = {_NUMBERS.sub("0", word) for leaf in leaves for word in outline.texts[leaf].lower().split()[:8]}
    return "\x1f".join(outline.texts[leaves[0] : leaves[-1] + 1]), frozenset(
        words | {(outline.kinds[leaf],) for leaf in leaves}
    )
