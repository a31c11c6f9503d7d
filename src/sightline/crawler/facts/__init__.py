"""What many pages say together: for each subject and attribute the consensus, its support and the conflicts.

How it works is described in docs/facts.md.
"""

from sightline.crawler.facts._compare import Comparable, agree, comparables
from sightline.crawler.facts._facts import (
    Fact,
    Facts,
    SiteStanding,
    StatedValue,
    Votes,
    Weighed,
    WeighingConstants,
    weigh,
)
from sightline.crawler.facts._find import FactSettings, facts_of, facts_of_pages, find_facts
from sightline.crawler.facts._statements import PageStatements, Sighting, Statement, state

__all__ = [
    "Comparable",
    "Fact",
    "FactSettings",
    "Facts",
    "PageStatements",
    "Sighting",
    "SiteStanding",
    "StatedValue",
    "Statement",
    "Votes",
    "Weighed",
    "WeighingConstants",
    "agree",
    "comparables",
    "facts_of",
    "facts_of_pages",
    "find_facts",
    "state",
    "weigh",
]
