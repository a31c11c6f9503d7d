"""How well each candidate of a page fits a field that somebody asks for, whatever the field is called.

Words that are asked are compared with those around a candidate by the letters they begin with: "director" is near
"directed". Nothing is known of any particular name but the concepts of parts of a thing, by which "instructions" are
near "Directions" and "Zubereitung".
"""

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt
from rapidfuzz.distance import Prefix
from rapidfuzz.process import cdist

from sightline.arrays import BoolArray
from sightline.extract.about._asked import AskedField
from sightline.extract.about._measures import MEASURES
from sightline.extract.about._own_ground import (
    FORMS,
    LABEL_LOOKS,
    LABEL_ROLES,
    NAME_ROLES,
    ROLES,
    SAID,
    OwnGround,
    WordSets,
    letters_of,
)
from sightline.signals import fits_name

NEAR = 0.6  # of the letters of the longer word; "publisher" is no "publication"
SAID_MEASURES = (
    *("is said", "only said", "said: asked words found", "said: words that were asked"),
    *("best said", "below the best said", "said depth"),
)
MEANT_MEASURES = ("label means it", "name means it", "said means it")
PAIR_MEASURES = (
    *(f"{role}: asked words found" for role in ROLES),
    *(f"{role}: words that were asked" for role in ROLES),
    *("best label", "below the best label", "as good a label", "best name", "below the best name", "as good a name"),
    *("form fits", "best form elsewhere", "as good a form", "fits name", "asked many", "asked name", "any label"),
    *SAID_MEASURES,
    *LABEL_LOOKS,
    *MEANT_MEASURES,
)
# What tells the name of a thing; of any other field it is unknown, so that no heading is taken for a colour.
OF_NAMES = (
    *("in heading", "covers heading", "begins heading", "title covers", "covers title", "in title", "from heading"),
    *("<h1>", "<h2>"),
)
# Of what a candidate is like alone, no more than where it stands and what it is made of: with all eighty measures the
# mean F1 out of fold was 0.01 less, because trees learned the values of the fields that they saw.
ALONE = (
    *("is block", "is piece", "is value", "is money", "is day", "is number", "is code", "letters", "words", "figures"),
    *("in heading", "covers heading", "from heading", "steps from heading", "share of block", "has label", "colon"),
    *("alike", "alike before", "place", "bold", "same text", "<th>", "<dt>", "<button>"),
    *("in <nav>", "in <footer>", "in <header>", "in <aside>", "in <form>", "in <a>"),
)
NAMES = (*PAIR_MEASURES, *(f"as a name: {name}" for name in OF_NAMES), *ALONE)
PLACES_OF_NAMES = [MEASURES.index(name) for name in OF_NAMES]
PLACES_ALONE = [MEASURES.index(name) for name in ALONE]


def fitting(asked: AskedField, ground: OwnGround) -> BoolArray:
    """Which candidates may be a value: of a field with a type those that have its form, if there are any."""
    form = form_of(asked, ground)
    if form is None or not form.any():
        return np.ones(len(ground), dtype=bool)
    return np.asarray(form > 0, dtype=bool)


def is_heading(asked: AskedField, ground: OwnGround) -> BoolArray:
    """Which candidates are the heading of the page, where no name is asked for."""
    begins, covers = (ground.matrix[MEASURES.index(name)] for name in ("begins heading", "covers heading"))
    return np.asarray((begins > 0) & (covers == 1) & (not asked.is_name), dtype=bool)


def form_of(asked: AskedField, ground: OwnGround) -> npt.NDArray[np.float32] | None:
    """How well each candidate has the form of the type; None where the type has none."""
    guess = asked.likely_type
    return ground.forms[FORMS.index(guess)] if guess in FORMS else None


def asked_measures(asked: AskedField, ground: OwnGround) -> npt.NDArray[np.float32]:
    """A row for each of `NAMES`, a column for each candidate."""
    near = _nearness(asked.words, ground.vocabulary)
    found, told = {}, {}
    for role in ROLES:
        one, other = _covers(near, ground.sets[role])
        found[role], told[role] = one[ground.of[role]], other[ground.of[role]]
    label = np.max([found[role] * told[role] for role in LABEL_ROLES], axis=0)
    name = np.max([found[role] * told[role] for role in NAME_ROLES], axis=0)
    columns: list[npt.ArrayLike] = [*(found[role] for role in ROLES), *(told[role] for role in ROLES)]
    for best in (label, name):
        as_good = len(best) - np.searchsorted(np.sort(best), best)
        columns += [best, best - best.max(initial=0), np.log1p(as_good)]
    form = form_of(asked, ground)
    fits = np.full(len(ground), np.nan) if form is None else form
    own_name = " ".join(asked.words)
    fits_own = {text: fits_name(own_name, [text]) for text in ground.distinct_texts}
    columns += [
        fits,
        np.full(len(ground), fits.max(initial=0)),
        np.full(len(ground), np.nan) if form is None else _rivals(form, ground),
        [fits_own[one.text] for one in ground.rows],
        np.full(len(ground), asked.many),
        np.full(len(ground), asked.is_name),
        np.full(len(ground), label.max(initial=0)),
        *_said(near, ground),
        *ground.labels,
        *_meant(asked, ground),
    ]
    pair = np.array([np.asarray(column, dtype=np.float32) for column in columns])
    as_name = ground.matrix[PLACES_OF_NAMES]
    if not asked.is_name:
        as_name = np.full_like(as_name, np.nan)
    return np.concatenate([pair, as_name, ground.matrix[PLACES_ALONE]])


def _rivals(form: npt.NDArray[np.float32], ground: OwnGround) -> npt.NDArray[np.float64]:
    """How many different texts of the page have the form as well as each candidate: the only one needs no label."""
    best: dict[str, float] = {}
    for row in np.flatnonzero(form).tolist():
        key = letters_of(ground.rows[row].text)
        best[key] = max(best.get(key, 0.0), float(form[row]))
    every = np.sort(list(best.values()))
    return np.asarray(np.log1p(len(every) - np.searchsorted(every, form)))


def said_fit(asked: AskedField, ground: OwnGround) -> tuple[npt.NDArray[np.float32], npt.NDArray[np.float32]]:
    """For each text that is said, how much of what is asked is in the name of its property, and how much of it was."""
    return _covers(_nearness(asked.words, ground.vocabulary), ground.said_words)


def _said(near: npt.NDArray[np.float32], ground: OwnGround) -> list[npt.ArrayLike]:
    """How well the properties that each candidate is said under fit what is asked, the best of them."""
    found, told = _covers(near, ground.said_words)
    best, depth = np.zeros(len(ground)), np.full(len(ground), np.nan)
    best_found, best_told = np.zeros(len(ground)), np.zeros(len(ground))
    places, numbers = ground.said_by
    is_said = np.zeros(len(ground), dtype=bool)
    is_said[places] = True
    order = np.argsort(found[numbers] * told[numbers], kind="stable")  # what comes last stays
    places, numbers = places[order], numbers[order]
    best[places] = (found * told)[numbers]
    best_found[places], best_told[places] = found[numbers], told[numbers]
    depth[places] = np.array([one.depth for one in ground.said])[numbers] if len(numbers) else 0
    return [is_said, ground.kind == SAID, best_found, best_told, best, best - best.max(initial=0), depth]


def _meant(asked: AskedField, ground: OwnGround) -> list[npt.ArrayLike]:
    """How much what stands around each candidate means what is asked; unknown where that is no concept."""
    if not asked.concepts:
        return [np.full(len(ground), np.nan)] * len(MEANT_MEASURES)
    same = np.zeros((len(asked.concepts), len(ground.concepts)), dtype=np.float32)
    for row, concept in enumerate(asked.concepts):
        if concept in ground.concepts:
            same[row, ground.concepts[concept]] = 1
    label, name = (_means(same, ground, roles) for roles in (LABEL_ROLES, NAME_ROLES))
    found, told = _covers(same, ground.said_meant)
    said = np.zeros(len(ground), dtype=np.float32)
    np.maximum.at(said, ground.said_by[0], (found * told)[ground.said_by[1]])
    return [label, name, said]


def _means(same: npt.NDArray[np.float32], ground: OwnGround, roles: Sequence[str]) -> npt.NDArray[np.float32]:
    """How much the concepts around each candidate are those that are asked, in the role that fits best."""
    best = np.zeros(len(ground), dtype=np.float32)
    for role in roles:
        found, told = _covers(same, ground.meant[role])
        best = np.maximum(best, (found * told)[ground.of[role]])
    return best


def _nearness(asked: Sequence[str], words: Sequence[str]) -> npt.NDArray[np.float32]:
    """How near each word is to each that is asked, from 0 to 1."""
    if not asked or not words:
        return np.zeros((len(asked), len(words)), dtype=np.float32)
    near = cdist(asked, words, scorer=Prefix.normalized_similarity, dtype=np.float32)
    return np.where(near >= NEAR, near, 0).astype(np.float32)


def _covers(near: npt.NDArray[np.float32], sets: WordSets) -> tuple[npt.NDArray[np.float32], npt.NDArray[np.float32]]:
    """For each set of words how much of what is asked is in it, and how much of it was asked."""
    size = np.diff(sets.first)
    found, told = np.zeros(len(size), dtype=np.float32), np.zeros(len(size), dtype=np.float32)
    filled = size > 0
    own = near[:, sets.words]
    if own.any():  # most words are nowhere in most roles
        starts = sets.first[:-1][filled]
        found[filled] = np.maximum.reduceat(own, starts, axis=1).mean(axis=0)
        told[filled] = np.add.reduceat(own.max(axis=0), starts) / size[filled]
    return found, told
