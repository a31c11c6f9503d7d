"""How well fields of one's own are found: by site and field, then by vertical."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from statistics import fmean

from bench.own_fields.samples import OwnPage, plain_key
from sightline.extract.about._asked import AskedField


@dataclass(frozen=True)
class OwnFound:
    """What was found of one field on one page."""

    page: OwnPage
    field: AskedField
    texts: Sequence[str]
    chance: float = 1.0

    @property
    def is_there(self) -> bool:
        """Whether the page has the field."""
        return bool(self.page.right(self.field))

    @property
    def worth(self) -> float:
        """How much of it is right: of one value all or nothing, of several their F1."""
        right, keys = self.page.right(self.field), [plain_key(text) for text in self.texts]
        if not right or not keys:
            return 0.0
        if not self.field.many:
            return float(keys[0] in right[0])
        if "".join(keys) == "".join(max(one, key=len) for one in right):  # the same, cut elsewhere
            return 1.0
        hits = sum(any(key in one for key in keys) for one in right)
        wrong = sum(not any(key in one for one in right) for key in set(keys))
        return 2 * hits / (hits + len(right) + wrong) if hits else 0.0


def f1_of(found: Iterable[OwnFound]) -> float:
    """The F1 of one field on the pages of a site."""
    several = list(found)
    right = sum(one.worth for one in several)
    given, there = sum(bool(one.texts) for one in several), sum(one.is_there for one in several)
    return 2 * right / (given + there) if given + there else 0.0


def by_field(found: Iterable[OwnFound]) -> dict[tuple[str, str, str], float]:
    """The F1 by vertical, site and field; fields that no page of a site has are left out."""
    groups: dict[tuple[str, str, str], list[OwnFound]] = defaultdict(list)
    for one in found:
        groups[one.page.vertical, one.page.site, one.field.name].append(one)
    return {key: f1_of(own) for key, own in groups.items() if any(one.is_there for one in own)}


def by_vertical(found: Iterable[OwnFound]) -> dict[str, float]:
    """The mean F1 of the fields of each site, of the sites of each vertical."""
    sites: dict[tuple[str, str], list[float]] = defaultdict(list)
    for (vertical, site, _), score in by_field(found).items():
        sites[vertical, site].append(score)
    verticals: dict[str, list[float]] = defaultdict(list)
    for (vertical, _), scores in sites.items():
        verticals[vertical].append(fmean(scores))
    return {vertical: fmean(scores) for vertical, scores in verticals.items()}


def summary(scores: Mapping[str, float]) -> str:
    """The mean of the verticals, and each."""
    each = "  ".join(f"{name} {score:.3f}" for name, score in sorted(scores.items()))
    return f"{fmean(scores.values()):.3f}: {each}"
