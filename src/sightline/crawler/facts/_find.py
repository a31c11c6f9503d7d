"""Facts of sources: pages are read one by one, and only what they state is kept."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np

from sightline.crawler.facts._compare import Comparable, agree, attribute_label
from sightline.crawler.facts._facts import Fact, Facts, SiteStanding, StatedValue, Votes, Weighed, weigh
from sightline.crawler.facts._merge import Merged, merge
from sightline.crawler.facts._statements import Claim, GatheredClaims, PageStatements, state
from sightline.data import Verdict
from sightline.errors import SightlineError
from sightline.jobs import Cancel, Job, OnProgress, Outcome
from sightline.page import Page
from sightline.settings import Settings, setting
from sightline.sources import Loader

# What can be set about facts.


@dataclass(frozen=True, kw_only=True)
class FactSettings(Settings):
    """How statements of many pages become facts."""

    weighing: str = setting(
        "sources",
        help="how sites are weighed: `sources` by how often they are right elsewhere, `majority` all alike",
        choices=("sources", "majority"),
    )
    merging: str = setting(
        "evidence",
        help="which names are one: `evidence` also those spelled alike whose values agree, `spelling` only equal ones",
        choices=("evidence", "spelling"),
    )
    places: int = setting(3, help="how many pages to name for each value and site", minimum=1)


def find_facts(
    sources: Iterable[str | bytes],
    loader: Loader,
    *,
    settings: FactSettings | None = None,
    on_progress: OnProgress | None = None,
    cancel: Cancel | None = None,
) -> Facts:
    """Open all sources, one page at a time, and find what they say together."""
    return facts_of(Job(sources, state, loader, on_progress=on_progress, cancel=cancel), settings)


def facts_of(outcomes: Iterable[Outcome[PageStatements]], settings: FactSettings | None = None) -> Facts:
    """The facts of what a job with `state` gives; a source that failed is told and stops no other."""
    settings = settings or FactSettings()
    gathered, failed, gaps = GatheredClaims(settings.places), list[tuple[str, SightlineError]](), list[str]()
    for outcome in outcomes:
        if outcome.found is not None:
            gathered.add(outcome.found)
            gaps += [f"{outcome.source}: {gap}" for gap in (outcome.page.gaps if outcome.page else ())]
        elif outcome.error:
            failed.append((outcome.source, outcome.error))
    merged = merge(gathered.claims(), gathered.subjects(), by_evidence=settings.merging == "evidence")
    names = {number: site for site, number in gathered.sites.items()}
    facts, sites = settle(merged, names, by_sources=settings.weighing == "sources")
    return Facts(
        facts, sites, gathered.pages, gathered.mirrors, gathered.set_aside, failed=tuple(failed), gaps=tuple(gaps)
    )


def facts_of_pages(pages: Iterable[Page], settings: FactSettings | None = None) -> Facts:
    """The facts of pages that are open already.

    >>> from sightline.testing import grid_page
    >>> page = grid_page([["Name", "Weight"], ["EOS 5D", "675 g"], ["D70", "700 g"], ["D80", "701 g"]])
    >>> facts_of_pages([page]).get("eos-5d", "weight").value
    '675 g'
    """
    return facts_of((Outcome(page.url, page, state(page, page.url)) for page in pages), settings)


# From claims to facts: which of them agree, which value is right, and what is doubtful about it.

# A consensus below this probability is suspicious: of 120 generated domains with up to 35 % wrong values, 96 % of the
# facts are above it, and 99.2 % of these are right (`python -m bench.crawl.fit_facts --sure`).
LEAST_SURE = 0.9
# A consensus must have this many times as many sites as any other value. By judgement: sites that err by themselves err
# differently, so where nearly as many agree on another value, both may be true in some way (with and without battery).
LEAST_LEAD = 2.0
TIE = 0.02  # a lead in probability below which no value is ahead


@dataclass(slots=True)
class _Stated:
    """Claims that agree; the finest of them is what the others are compared with."""

    value: Comparable
    claims: list[Claim] = field(default_factory=list)

    @property
    def sites(self) -> set[int]:
        return {claim.site for claim in self.claims}


def settle(
    merged: Merged, names: Mapping[int, str], *, by_sources: bool = True
) -> tuple[tuple[Fact, ...], tuple[SiteStanding, ...]]:
    """All facts, by subject and attribute, and how each site stands; `names` are those of the sites."""
    groups: defaultdict[tuple[int, int], list[Claim]] = defaultdict(list)
    for subject, attribute, claim in merged.claims:
        groups[subject, attribute].append(claim)
    stated = {key: _agreeing(claims) for key, claims in groups.items()}
    votes = _votes(list(stated.values()))
    weighed = weigh(votes, len(names), by_sources=by_sources)
    facts: list[Fact] = []
    place = 0
    for (subject, attribute), values in stated.items():
        chances = weighed.probability[place : place + len(values)]
        place += len(values)
        about = (merged.subjects[subject], merged.attributes[attribute])
        facts.append(_fact(about, values, [float(chance) for chance in chances], names))
    facts.sort(key=lambda fact: (fact.subject.casefold(), fact.attribute.casefold()))
    return tuple(facts), _standings(votes, weighed, names)


def _agreeing(claims: Sequence[Claim]) -> list[_Stated]:
    """Claims that agree, together: finer ones first, so that a rounded one joins what most of the finer ones say."""
    equal: dict[object, _Stated] = {}
    for claim in claims:
        equal.setdefault(claim.value.key, _Stated(claim.value)).claims.append(claim)
    found: list[_Stated] = []
    for one in sorted(equal.values(), key=lambda one: (one.value.step, -len(one.sites))):
        fitting = [other for other in found if agree(other.value, one.value)]
        if fitting:
            max(fitting, key=lambda other: len(other.sites)).claims.extend(one.claims)
        else:
            found.append(one)
    return found


def _votes(stated: Sequence[Sequence[_Stated]]) -> Votes:
    """One vote for each site and fact; a site that says several things divides it by its pages."""
    rows: list[tuple[int, int, float]] = []
    fact_of: list[int] = []
    for fact, values in enumerate(stated):
        pages: defaultdict[int, Counter[int]] = defaultdict(Counter)
        for place, value in enumerate(values, start=len(fact_of)):
            for claim in value.claims:
                pages[claim.site][place] += claim.support.pages
        fact_of += [fact] * len(values)
        rows += [(value, site, n / said.total()) for site, said in pages.items() for value, n in said.items()]
    return Votes.of(rows, fact_of)


def _fact(
    about: tuple[Counter[str], Counter[str]],
    values: Sequence[_Stated],
    chances: Sequence[float],
    names: Mapping[int, str],
) -> Fact:
    spelled, headings = about
    order = sorted(range(len(values)), key=lambda place: -chances[place])
    stated = tuple(_stated_value(values[place], chances[place], names) for place in order)
    tied = len(stated) > 1 and stated[0].probability - stated[1].probability < TIE
    verdict, reasons = _judged(stated, values[order[0]], tied=tied)
    labels = Counter[str]()
    for heading, count in headings.items():
        labels[attribute_label(heading)] += count
    subject, label = _best_spelling(spelled), _best_spelling(labels)
    return Fact(subject, label, stated, verdict, reasons, tied, tuple(spelled), tuple(headings))


def _best_spelling(spelled: Counter[str]) -> str:
    """The commonest spelling; of equally common ones one with capitals and without brackets, else the first."""
    return min(spelled, key=lambda text: (-spelled[text], "(" in text, text.islower() or text.isupper()))


def _judged(stated: Sequence[StatedValue], first: _Stated, *, tied: bool) -> tuple[Verdict, tuple[str, ...]]:
    """What is doubtful about a consensus: a tie, a narrow majority, or a text that can be read in two ways."""
    reasons = []
    if tied:
        reasons.append(f"no value is ahead: {_told(stated[0])}, {_told(stated[1])}")
    elif stated[0].probability < LEAST_SURE or _is_narrow(stated):
        reasons.append(f"disputed: {_told(stated[0])}, {_told(stated[1])}")
    if all(claim.value.doubt for claim in first.claims):
        reasons.append(first.claims[0].value.doubt)
    return ("suspicious" if reasons else "ok"), tuple(reasons)


def _is_narrow(stated: Sequence[StatedValue]) -> bool:
    return len(stated) > 1 and len(stated[0].sites) < LEAST_LEAD * max(len(value.sites) for value in stated[1:])


def _told(value: StatedValue) -> str:
    count = len(value.sites)
    return f"{value.text} by {count} site{'s' * (count != 1)}"


def _stated_value(value: _Stated, chance: float, names: Mapping[int, str]) -> StatedValue:
    written = Counter(text for text, _ in {(claim.value.shown, claim.site) for claim in value.claims})
    finest = {claim.value.shown: claim.value for claim in sorted(value.claims, key=lambda claim: -claim.value.step)}
    text = min(written, key=lambda text: (*_clarity(finest[text]), -written[text], finest[text].step, len(text)))
    amounts = finest[text].amounts
    single = amounts[0] if len(amounts) == 1 else None
    return StatedValue(
        text=text,
        number=float(single.written) if single else None,
        unit=single.unit if single else "",
        sites=tuple(sorted(names[site] for site in value.sites)),
        pages=sum(claim.support.pages for claim in value.claims),
        probability=chance,
        spellings=tuple(dict.fromkeys(claim.value.text for claim in value.claims)),
        places=tuple(place for claim in value.claims for place in claim.support.places),
    )


def _clarity(value: Comparable) -> tuple[int, bool]:
    """What makes one spelling of a value better than others: the whole date, and words instead of marks."""
    return value.coarseness, not any(map(str.isalnum, value.text))


def _standings(votes: Votes, weighed: Weighed, names: Mapping[int, str]) -> tuple[SiteStanding, ...]:
    counts = np.bincount(votes.site, votes.part, minlength=len(names))
    copies: defaultdict[int, list[int]] = defaultdict(list)
    for site, group in enumerate(weighed.copies.tolist()):
        copies[group].append(site)
    return tuple(
        SiteStanding(
            names[site],
            round(float(counts[site])),
            float(weighed.accuracy[site]),
            float(weighed.weight[site]),
            tuple(names[other] for other in copies[int(weighed.copies[site])] if other != site),
        )
        for site in range(len(names))
    )
