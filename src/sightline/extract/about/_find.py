"""What a page is about, step by step.

1. `said`: the things that the page describes in its own data, the likeliest first;
2. `candidates`: all that may be a value, with the words around each and what it is like;
3. `likely`: how likely each is a value of each field, by models that were learned from pages that say what theirs are;
4. `kind`: of which kind the thing is, by what is said and by what was found;
5. `fields`: of each field what is said and what is seen, and where both do not agree, a doubt.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

from sightline.data import Thing, TraceStep
from sightline.errors import UsageError
from sightline.extract.about._asked import parse_asked
from sightline.extract.about._candidates import Candidates, candidates_of
from sightline.extract.about._fields import FieldReader
from sightline.extract.about._kind_model import kinds_likely
from sightline.extract.about._kinds import KINDS
from sightline.extract.about._model import FieldLikelihoods
from sightline.extract.about._own_fields import read_own_fields
from sightline.extract.about._said import SaidThing, things_said
from sightline.page import Page
from sightline.settings import Settings, setting
from sightline.signals import text_blocks


@dataclass(frozen=True, kw_only=True)
class AboutSettings(Settings):
    """What a page is asked for."""

    kind: str = setting(
        "", help="the kind of thing to read the page as; the likeliest where it is not given", choices=("", *KINDS)
    )
    fields: str = setting(
        "", help="fields of one's own to read instead, as names (`name, price: money`) or as a JSON Schema"
    )


@dataclass(frozen=True, eq=False)
class AboutTrace:
    """Every step: what is said, the candidates, how likely each is of each field, and the kinds."""

    found: Thing
    said: tuple[SaidThing, ...]
    candidates: Candidates
    likely: Mapping[str, npt.NDArray[np.float64]]
    kinds: Mapping[str, float] = field(default_factory=dict)

    def steps(self) -> tuple[TraceStep, ...]:
        """The things said, the kinds, and of each field the likeliest candidates."""
        things = tuple({"kind": one.kind, "syntax": one.thing.syntax, "worth": one.worth} for one in self.said)
        kinds = tuple({"kind": kind, "likely": likely} for kind, likely in self.kinds.items())
        rows = tuple(
            {"field": name, "text": self.candidates.all[place].text[:80], "likely": float(likely[place])}
            for name, likely in self.likely.items()
            for place in np.argsort(-likely)[:3].tolist()
            if len(likely)
        )
        return (
            TraceStep("said", "what the page describes in its own data", things),
            TraceStep("kind", "how likely the page is of each kind", kinds),
            TraceStep("candidates", "what looks most like a value of each field", rows),
        )


def find_about(page: Page, *, settings: AboutSettings | None = None) -> Thing:
    """The thing that a page is about.

    >>> from sightline.testing import list_page
    >>> find_about(list_page(["one", "two"])).kind is None
    True
    """
    return trace_about(page, settings=settings).found


def trace_about(page: Page, *, settings: AboutSettings | None = None) -> AboutTrace:
    """As `find_about`, with every step."""
    if not isinstance(page, Page):
        raise UsageError(f"A page says what it is about, not {page!r:.60}; open it first with open().")
    settings = settings or AboutSettings()
    if settings.fields:
        return AboutTrace(_asked_of(page, settings), (), Candidates(page, text_blocks(page), ()), {})
    said = things_said(page)
    candidates = candidates_of(page)
    likely = FieldLikelihoods(candidates)
    kinds = kinds_likely(page, said, candidates, likely)
    kind = settings.kind or max(kinds, key=lambda one: kinds[one])
    if kind not in KINDS:
        found = Thing(None, is_list=kind == "list", score=kinds[kind], language=page.language)
        return AboutTrace(found, tuple(said), candidates, likely, kinds)
    reader = FieldReader(page, candidates, likely, KINDS[kind], said)
    fields, doubts = reader.read()
    many = frozenset(one.name for one in KINDS[kind].fields if one.many)
    found = Thing(kind, fields, tuple(doubts), many, score=kinds.get(kind, 1.0), language=page.language)
    return AboutTrace(found, tuple(said), candidates, likely, kinds)


def _asked_of(page: Page, settings: AboutSettings) -> Thing:
    """The fields that are asked for, in their order."""
    asked = parse_asked(settings.fields)
    found = read_own_fields(page, asked)
    many = frozenset(one.name for one in asked if one.many)
    return Thing(settings.kind or None, found.fields, found.doubts, many, found.proposals, language=page.language)
