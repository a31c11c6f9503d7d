"""Arrays that give the records of a list on every page of one kind, element by element."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from sightline.extract.behind._carried import CarriedName, CarriedParts, told_carried
from sightline.extract.behind._documents import elements_of, leaves_of, value_at
from sightline.extract.behind._match import ShownRows, likely_arrays
from sightline.extract.behind._rules import DataRule, Leaves, NoWordError, ShownPart, find_rule
from sightline.page import OwnPath

# Of one page so many records have to show so many different texts, before an array is known to be theirs.
LEAST_ROWS, LEAST_TEXTS = 4, 3
SEARCHED = 3  # pages on which arrays are looked for; they are held against all of them


@dataclass(frozen=True)
class ListPath:
    """The array of the records of a list, and for its fields the rules that give what every record shows."""

    source: CarriedName
    path: OwnPath
    rules: Mapping[str, DataRule]

    @property
    def told(self) -> str:
        """The path in words."""
        return told_carried(self.source, self.path) if self.path else f"every {self.source.told}"

    def array(self, carried: CarriedParts) -> list[Any] | None:
        """The elements of the array on a page; None if the page has none."""
        part = carried.get(self.source)
        found = None if part is None else value_at(list(part.data), self.path)
        return elements_of(found) if isinstance(found, dict | list) else None

    def source_node(self, carried: CarriedParts) -> int:
        """The element that holds the array on a page that has it."""
        return carried[self.source].node_of(self.path)

    def shown(self, name: str, leaves: Leaves) -> ShownPart:
        """What a record shows in a field; None also if nobody can know."""
        try:
            return self.rules[name].read(leaves)
        except NoWordError:
            return None


class CarryingList(NamedTuple):
    """A page to learn from: what it carries, the records that it shows, its address and language."""

    carried: CarriedParts
    rows: ShownRows
    base: str
    language: str


def find_list_path(pages: Sequence[CarryingList]) -> ListPath | None:
    """The array that gives all records of every page that has it, one element for each, in their order."""
    for name, path in _candidates(pages):
        place = ListPath(name, path, {})
        both = [(page, found) for page in pages if (found := place.array(page.carried)) is not None]
        if not all(len(page.rows.shown) == len(found) for page, found in both):
            continue
        shown = [row for page, _ in both for row in page.rows.shown]
        elements = [leaves_of(one) for _, found in both for one in found]
        rules = _rules(shown, elements, pages[0].language)
        if any(not rule.words for rule in rules.values()):  # a yes and a no alone are often the same by chance
            return ListPath(name, path, rules)
    return None


def _candidates(pages: Sequence[CarryingList]) -> list[tuple[CarriedName, OwnPath]]:
    """The arrays that are likely on the pages with the most records."""
    counted: Counter[tuple[CarriedName, OwnPath]] = Counter()
    longest = sorted((page for page in pages if page.carried), key=lambda page: -len(page.rows.shown))[:SEARCHED]
    for page in longest:
        names = list(page.carried)
        documents = [page.carried[name].document for name in names]
        for place in likely_arrays(page.rows, documents, base=page.base):
            counted[names[place.document], place.path] += 1
    return [place for place, _ in counted.most_common()]


def _rules(shown: Sequence[Mapping[str, ShownPart]], elements: Sequence[Leaves], language: str) -> dict[str, DataRule]:
    """The rules of the fields that follow letter by letter in every record, from enough of different ones."""
    found: dict[str, DataRule] = {}
    for name in dict.fromkeys(name for row in shown for name, text in row.items() if text):
        texts = [row.get(name) for row in shown]
        if sum(text is not None for text in texts) < LEAST_ROWS:
            continue
        rule = find_rule(texts, elements, language)
        enough = LEAST_TEXTS if rule is not None and not rule.words else 2
        if rule is not None and not rule.is_constant and len(set(texts) - {None}) >= enough:
            found[name] = rule
    return found
