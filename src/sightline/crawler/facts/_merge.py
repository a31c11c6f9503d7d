"""Which names are one: subjects and attributes by spelling, and by spelling and values together.

Whatever is in doubt stays apart: a separate entry is seen, a wrong merge is not.
"""

from collections import Counter, defaultdict
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TypeAlias

from rapidfuzz.distance import OSA

from sightline.crawler.facts._compare import Comparable, agree, attribute_key, name_key, units_of, with_unit
from sightline.crawler.facts._statements import Claim

# Evidence that two names are one; by judgement, and `bench/crawl/facts.py` counts wrong merges (0 wanted).
FEWEST_SHARED = 2  # attributes that two spellings of a subject have in common
LEAST_AGREEING = 0.6  # of these; sources are wrong now and then
FEWEST_LED = 3  # subjects that begin with a word, before it counts as a brand that may be left out
SHORTEST_MISSPELLED = 5  # letters; of shorter words, one letter is too much
FEWEST_AGREEING = 3  # subjects on which two attributes of different names agree
LEAST_ALIKE = 0.8  # of the subjects that both have
MOST_HOLDERS = 20  # attributes of a subject with one value, such as "yes"; with more of them it says nothing
MOST_ALIKE = 200  # subjects with the same numbers; with more of them the numbers say nothing
MOST_CHANCE = 1e-4  # the probability that as many values agree by chance

_Values: TypeAlias = Mapping[tuple[int, int], Sequence[Comparable]]
"""What is said about a subject and an attribute."""


@dataclass(frozen=True, slots=True)
class Merged:
    """All claims with the numbers of their subject and attribute, and the spellings of each."""

    claims: tuple[tuple[int, int, Claim], ...]
    subjects: Mapping[int, Counter[str]]
    attributes: Mapping[int, Counter[str]]


class Groups:
    """Sets of numbers that are one (union–find); a group is named by its smallest number.

    >>> groups = Groups(3)
    >>> groups.join(2, 0)
    >>> [groups.of(number) for number in range(3)]
    [0, 1, 0]
    """

    def __init__(self, count: int) -> None:
        self._over = list(range(count))

    def of(self, number: int) -> int:
        """The group of a number."""
        while self._over[number] != number:
            self._over[number] = self._over[self._over[number]]
            number = self._over[number]
        return number

    def join(self, first: int, second: int) -> None:
        """Make one group of two."""
        one, other = sorted((self.of(first), self.of(second)))
        self._over[other] = one


def merge(claims: Sequence[Claim], named: Sequence[tuple[str, int]], *, by_evidence: bool = True) -> Merged:
    """Number subjects and attributes so that those that are one have one number.

    `named` has the name and the site of each subject. Where several brands have a model of one name, a site that leaves
    the brand out may mean any of them: what it means is then found by its values alone.
    """
    names = [name for name, _ in named]
    unclear = _names_of_several(names) if by_evidence else {}
    subjects = Groups(len(names))
    _join_equal(subjects, [_subject_keys(name, site, unclear) for name, site in named])
    headings = list(dict.fromkeys(claim.heading for claim in claims))
    numbers = {heading: number for number, heading in enumerate(headings)}
    attributes = Groups(len(headings))
    _join_equal(attributes, [(key.in_any_order, key.letters) for key in map(attribute_key, headings)])
    if by_evidence:
        _join_attributes(attributes, claims, numbers, subjects)
    told = _with_units(claims, lambda claim: attributes.of(numbers[claim.heading]), subjects)
    if by_evidence:
        said = _Said(subjects, told, lambda claim: attributes.of(numbers[claim.heading]))
        spelled = {subjects.of(number): name for number, name in reversed(list(enumerate(names)))}
        clear = {group: name for group, name in spelled.items() if _key(name) not in unclear}
        leading: defaultdict[int, set[str]] = defaultdict(set)
        for number, name in enumerate(names):
            leading[subjects.of(number)].add(_leading(name))
        said.join((*_without_brand(clear, leading), *_misspelled(clear)))
        said.join_likeliest(_meanings(spelled, unclear))
    return Merged(
        tuple((subjects.of(claim.subject), attributes.of(numbers[claim.heading]), claim) for claim in told),
        _spellings((subjects.of(claim.subject), names[claim.subject], claim.site) for claim in told),
        _spellings((attributes.of(numbers[claim.heading]), claim.heading, claim.site) for claim in told),
    )


def _subject_keys(name: str, site: int, unclear: Mapping[str, set[str]]) -> tuple[str, str]:
    own = f"@{site}" if _key(name) in unclear else ""
    return f"{_key(name)}{own}", f"{name_key(name).letters}{own}"


def _key(name: str) -> str:
    return name_key(name).in_any_order


def _join_equal(groups: Groups, keys: Iterable[Sequence[str]]) -> None:
    first: dict[tuple[int, str], int] = {}
    for number, several in enumerate(keys):
        for place, key in enumerate(several):
            groups.join(number, first.setdefault((place, key), number))


def _spellings(named: Iterable[tuple[int, str, int]]) -> dict[int, Counter[str]]:
    """How many sites use each spelling of each group."""
    found: defaultdict[int, Counter[str]] = defaultdict(Counter)
    for group, text, _ in dict.fromkeys(named):
        found[group][text] += 1
    return found


# ---------------------------------------------------------------- plain numbers


def _with_units(claims: Sequence[Claim], attribute: Callable[[Claim], int], subjects: Groups) -> list[Claim]:
    """Claims of plain numbers in the unit that makes most of them agree with other sites that write one.

    A site decides once for all its values of an attribute; where no unit fits, they stay plain.
    """
    columns: defaultdict[tuple[int, int], list[Claim]] = defaultdict(list)
    others: defaultdict[int, list[Claim]] = defaultdict(list)
    for claim in claims:
        key = attribute(claim)
        if claim.value.amounts and not claim.value.amounts[0].of:
            columns[key, claim.site].append(claim)
        elif claim.value.amounts:
            others[key].append(claim)
    chosen = {column: _fitting_unit(plain, others[column[0]], subjects) for column, plain in columns.items()}
    return [_in_unit(claim, chosen.get((attribute(claim), claim.site), "")) for claim in claims]


def _in_unit(claim: Claim, unit: str) -> Claim:
    is_plain = unit and claim.value.amounts and not claim.value.amounts[0].of
    return replace(claim, value=with_unit(claim.value, unit)) if is_plain else claim


def _fitting_unit(plain: Sequence[Claim], others: Sequence[Claim], subjects: Groups) -> str:
    known: defaultdict[int, list[Comparable]] = defaultdict(list)
    for claim in others:
        known[subjects.of(claim.subject)].append(claim.value)
    shared = [claim for claim in plain if subjects.of(claim.subject) in known]
    best, unit = 0, ""
    for candidate in units_of(claim.value for claim in others):
        values = ((with_unit(claim.value, candidate), subjects.of(claim.subject)) for claim in shared)
        fitting = sum(any(agree(value, other) for other in known[subject]) for value, subject in values)
        if fitting > best:
            best, unit = fitting, candidate
    return unit if best >= FEWEST_SHARED and 2 * best >= len(shared) else ""


# ---------------------------------------------------------------- attributes


def _join_attributes(groups: Groups, claims: Sequence[Claim], numbers: Mapping[str, int], subjects: Groups) -> None:
    """Join attributes of different names whose values agree on most subjects, and which no site keeps apart."""
    values: defaultdict[int, dict[int, list[Comparable]]] = defaultdict(dict)
    sites: defaultdict[int, set[int]] = defaultdict(set)
    for claim in claims:
        group = groups.of(numbers[claim.heading])
        values[group].setdefault(subjects.of(claim.subject), []).append(claim.value)
        sites[group].add(claim.site)
    # The most widely used first, so that a rare name joins the common one; each name joins once.
    order = {group: (-len(sites[group]), group) for group in values}
    partners = _with_equal_values(values)
    for rare in sorted(values, key=order.__getitem__, reverse=True):
        for common in sorted(partners[rare], key=order.__getitem__):
            if order[common] > order[rare]:
                break
            if sites[rare] & sites[common] or not _same_values(values[rare], values[common]):
                continue
            groups.join(rare, common)
            sites[common] |= sites[rare]
            for subject, several in values[rare].items():
                values[common].setdefault(subject, []).extend(several)
            break


def _with_equal_values(values: Mapping[int, Mapping[int, list[Comparable]]]) -> Mapping[int, set[int]]:
    """For each attribute those that say exactly the same of some subjects: no others need to be compared."""
    holders: defaultdict[Hashable, list[int]] = defaultdict(list)
    for group, subjects in values.items():
        for subject, several in subjects.items():
            for key in {value.key for value in several}:
                holders[subject, key].append(group)
    together = Counter(pair for groups in holders.values() if len(groups) <= MOST_HOLDERS for pair in _pairs(groups))
    partners: defaultdict[int, set[int]] = defaultdict(set)
    for (one, other), count in together.items():
        if count >= FEWEST_SHARED:
            partners[one].add(other)
            partners[other].add(one)
    return partners


def _pairs(groups: Sequence[int]) -> Iterator[tuple[int, int]]:
    ordered = sorted(groups)
    return ((one, other) for place, one in enumerate(ordered) for other in ordered[place + 1 :])


def _same_values(first: Mapping[int, list[Comparable]], second: Mapping[int, list[Comparable]]) -> bool:
    shared = first.keys() & second.keys()
    agreeing = sum(_any_agree(first[subject], second[subject]) for subject in shared)
    if agreeing < FEWEST_AGREEING or agreeing < LEAST_ALIKE * len(shared):
        return False
    return _chance(second) ** agreeing <= MOST_CHANCE


def _chance(values: Mapping[int, list[Comparable]]) -> float:
    """How likely two subjects have the same value: the sum of the squared shares of the values."""
    counts = Counter(several[0].key for several in values.values())
    return sum((count / counts.total()) ** 2 for count in counts.values())


def _any_agree(first: Iterable[Comparable], second: Sequence[Comparable]) -> bool:
    return any(agree(one, other) for one in first for other in second)


# ---------------------------------------------------------------- subjects


class _Said:
    """What is said about each subject and by whom, kept up to date while subjects are joined."""

    def __init__(self, groups: Groups, claims: Iterable[Claim], attribute: Callable[[Claim], int]) -> None:
        self._groups = groups
        self._values: defaultdict[int, dict[int, list[Comparable]]] = defaultdict(dict)
        self._sites: defaultdict[int, set[int]] = defaultdict(set)
        for claim in claims:
            group = groups.of(claim.subject)
            self._values[group].setdefault(attribute(claim), []).append(claim.value)
            self._sites[group].add(claim.site)

    def join(self, pairs: Iterable[tuple[int, int]]) -> None:
        """Join pairs whose values agree, and which no site keeps apart."""
        for one, other in pairs:
            if self._agreement(one, other):
                self._join(one, other)

    def join_likeliest(self, meanings: Iterable[tuple[int, Sequence[int]]]) -> None:
        """Join each subject with that of several whose values agree best; with none if two agree equally well."""
        for one, several in meanings:
            rated = {self._groups.of(other): self._agreement(one, other) for other in several}
            best = sorted(rated, key=lambda other: -rated[other])[:2]
            if best and rated[best[0]] and (len(best) == 1 or rated[best[0]] > rated[best[1]]):
                self._join(one, best[0])

    def _agreement(self, one: int, other: int) -> float:
        """How many attributes of two subjects agree; 0 if these are too few, or if a site has both."""
        first, second = self._groups.of(one), self._groups.of(other)
        if first == second or self._sites[first] & self._sites[second]:
            return 0
        shared = self._values[first].keys() & self._values[second].keys()
        agreeing = sum(_any_agree(self._values[first][key], self._values[second][key]) for key in shared)
        is_enough = len(shared) >= FEWEST_SHARED and agreeing >= LEAST_AGREEING * len(shared)
        return agreeing / len(shared) if is_enough else 0

    def _join(self, one: int, other: int) -> None:
        kept, gone = sorted((self._groups.of(one), self._groups.of(other)))
        self._groups.join(kept, gone)
        self._sites[kept] |= self._sites.pop(gone)
        for key, several in self._values.pop(gone).items():
            self._values[kept].setdefault(key, []).extend(several)


def _names_of_several(names: Iterable[str]) -> dict[str, set[str]]:
    """Names with numbers that are left of several others without their first words; with the keys of these."""
    known = {_key(name) for name in names}
    longer: defaultdict[str, set[str]] = defaultdict(set)
    for name in dict.fromkeys(names):
        rest = _without_first(name)
        if rest in known:
            longer[rest].add(_key(name))
    return {rest: several for rest, several in longer.items() if len(several) > 1}


def _without_first(name: str) -> str:
    """The key of a name without its first word; empty if that isn't a word, or if no number is left."""
    key, first = name_key(name), _leading(name)
    if not first or first not in key.words or not key.numbers:
        return ""
    words = list(key.words)
    words.remove(first)
    return replace(key, words=tuple(words)).in_any_order


def _meanings(spelled: Mapping[int, str], unclear: Mapping[str, set[str]]) -> Iterator[tuple[int, Sequence[int]]]:
    """Subjects whose name several others share but for a brand: what each may mean, and who else calls it so."""
    groups: defaultdict[str, list[int]] = defaultdict(list)
    for group, name in spelled.items():
        groups[_key(name)].append(group)
    for key, longer in unclear.items():
        meant = [group for other in sorted(longer) for group in groups[other]]
        for place, bare in enumerate(groups[key]):
            yield bare, [*meant, *groups[key][:place]]


def _without_brand(spelled: Mapping[int, str], leading: Mapping[int, set[str]]) -> Iterator[tuple[int, int]]:
    """Pairs of which one has a brand in front that the other lacks, where no other name is as near."""
    keys = {group: name_key(name) for group, name in spelled.items()}
    leads = Counter(word for group in spelled for word in leading[group])
    short = {(key.words, key.numbers): group for group, key in keys.items() if key.numbers}
    longer: defaultdict[int, set[tuple[int, str]]] = defaultdict(set)
    for group, key in keys.items():
        for place, word in enumerate(key.words):
            rest = (key.words[:place] + key.words[place + 1 :], key.numbers)
            if rest in short:
                longer[short[rest]].add((group, word))
    for bare, several in longer.items():
        (group, word), *others = several
        if not others and word in leading[group] and leads[word] >= FEWEST_LED:
            yield bare, group


def _leading(name: str) -> str:
    first = name.split()[:1]
    words = name_key(first[0]).words if first else ()
    return words[0] if len(words) == 1 else ""


def _misspelled(spelled: Mapping[int, str]) -> Iterator[tuple[int, int]]:
    """Pairs with the same numbers, of which one word differs by one letter, and no third is as near."""
    buckets: defaultdict[Hashable, list[int]] = defaultdict(list)
    keys = {group: name_key(name) for group, name in spelled.items()}
    for group, key in keys.items():
        if key.numbers:
            buckets[key.numbers, len(key.words)].append(group)
    near: defaultdict[int, list[int]] = defaultdict(list)
    for several in (bucket for bucket in buckets.values() if len(bucket) <= MOST_ALIKE):
        for place, one in enumerate(several):
            for other in several[:place]:
                if _one_letter(keys[one].words, keys[other].words):
                    near[one].append(other)
                    near[other].append(one)
    return ((one, others[0]) for one, others in near.items() if len(others) == 1 and len(near[others[0]]) == 1)


def _one_letter(first: Sequence[str], second: Sequence[str]) -> bool:
    one, other = Counter(first) - Counter(second), Counter(second) - Counter(first)
    if one.total() != 1 or other.total() != 1:
        return False
    (wrong,), (right,) = one, other
    return min(len(wrong), len(right)) >= SHORTEST_MISSPELLED and OSA.distance(wrong, right, score_cutoff=1) == 1
