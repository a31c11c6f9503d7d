"""Fields of one's own: what is found by name alone on sites of eleven verticals, each by trees that never saw it."""

import lzma
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from statistics import fmean
from time import process_time
from unittest.mock import patch

import orjson

import sightline as sl
from bench.frame import Figure, Options, Outcome, corpus
from bench.own_fields.samples import FOREIGN, SETS, OwnPage, own_pages, plain_key
from bench.own_fields.scores import OwnFound, by_field, by_vertical
from sightline.data import Thing
from sightline.extract.about import _own_fields
from sightline.extract.about._asked import AskedField
from sightline.extract.about._candidates import candidates_of
from sightline.extract.about._own_ground import OwnGround
from sightline.extract.about._own_model import likely_own, read_own_forest
from sightline.page import Page

__all__ = ["run"]

LEAST_F1 = 0.75
MOST_MILLISECONDS = 60.0
MOST_FOREIGN = 0.2
FOLDS = Path(__file__).with_name("folds.json.xz")
EVERY_FOREIGN = 4  # of so many pages one is asked for fields that it does not have


def run(options: Options) -> Outcome:
    """Ask every page for the fields of its vertical, by trees that were grown without that vertical."""
    pages = list(own_pages(options))[: options.limit]
    unseen = Unseen()
    read = [_read(page, unseen, with_foreign=not number % EVERY_FOREIGN) for number, page in enumerate(pages)]
    outside = [found for one in read for found in one.found]
    return Outcome(
        task="own-fields",
        peer="label equal",
        corpora=tuple(corpus(name, options) for name in SETS),
        figures=tuple(_figures(read)),
        details={" ".join(key): score for key, score in by_field(outside).items()},
    )


@dataclass(frozen=True)
class Read:
    """A page as it was asked: what was found, also by labels alone, what was given of foreign fields, the time."""

    found: Sequence[OwnFound]
    labelled: Sequence[OwnFound]
    foreign: Sequence[bool]
    milliseconds: float


def _read(page: OwnPage, unseen: "Unseen", *, with_foreign: bool) -> Read:
    opened = sl.open(page.path, static=True)
    with unseen.vertical(page.vertical):
        began = process_time()
        thing = sl.about(opened, fields=wanted(page.asked))
        milliseconds = 1000 * (process_time() - began)
        names = _foreign(page) if with_foreign else []
        others = sl.about(opened, fields=", ".join(names)) if names else None
    labelled = [OwnFound(page, field, same_label(opened, field)) for field in page.asked]
    return Read(list(_found(page, thing)), labelled, _given(others, names) if others else (), milliseconds)


class Unseen:
    """Reading by trees that were grown without a vertical."""

    def __init__(self) -> None:
        models = orjson.loads(lzma.decompress(FOLDS.read_bytes()))
        self.forests = {vertical: read_own_forest(model) for vertical, model in models.items()}

    @contextmanager
    def vertical(self, vertical: str) -> Iterator[None]:
        """Read by the trees of its fold."""
        forest = self.forests[vertical]

        def likely(asked: AskedField, ground: OwnGround) -> object:
            return likely_own(asked, ground, forest)

        with patch.object(_own_fields, "likely_own", likely):
            yield


def wanted(asked: Sequence[AskedField]) -> str:
    """Fields as a user writes them: `publication date, genre: texts`."""
    return ", ".join(f"{field.name.replace('_', ' ')}{': texts' if field.many else ''}" for field in asked)


def _found(page: OwnPage, thing: Thing) -> Iterator[OwnFound]:
    for field in page.asked:
        values = thing.fields[field.name.replace("_", " ")]
        yield OwnFound(page, field, [one.value.text for one in values])


def same_label(page: Page, field: AskedField) -> list[str]:
    """What stands behind a label that is the name of the field, letter for letter: what a plain rule finds."""
    key = plain_key(field.name)
    return [one.text for one in candidates_of(page).all if plain_key(one.before) == key][:1]


def _foreign(page: OwnPage) -> list[str]:
    own = {field.name.replace("_", " ") for field in page.asked}
    return [name for name in FOREIGN if name not in own]


def _given(thing: Thing, names: Sequence[str]) -> list[bool]:
    """For which of the fields that the page does not have something was given without a doubt."""
    doubted = {one.field for one in thing.doubts}
    return [bool(thing.fields[name]) and name not in doubted for name in names]


def _figures(read: Sequence[Read]) -> Iterator[Figure]:
    found, labelled = [each for one in read for each in one.found], [each for one in read for each in one.labelled]
    scores, beside = by_vertical(found), by_vertical(labelled)
    yield Figure.of("mean F1 of the verticals", fmean(scores.values()), LEAST_F1, "higher", peer=fmean(beside.values()))
    for vertical, score in sorted(scores.items()):
        yield Figure.of(f"{vertical}: F1", score, None, "higher", peer=beside[vertical])
    fields, plain = by_field(found), by_field(labelled)
    mean, plain_mean = fmean(fields.values()), fmean(plain.values())
    yield Figure.of(f"mean F1 of {len(fields)} fields of sites", mean, None, "higher", peer=plain_mean)
    foreign = [given for one in read for given in one.foreign]
    if foreign:
        given = fmean(foreign)
        yield Figure.of("foreign fields given without a doubt", given, MOST_FOREIGN, "lower", "share")
    mean = fmean(one.milliseconds for one in read)
    yield Figure.of("processor time a page beyond opening, ms", mean, MOST_MILLISECONDS, "lower", "ms")
