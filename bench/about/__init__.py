"""What pages are about: fields of products, recipes and articles, whole and bare, kinds, and planted contradictions."""

import json
import lzma
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from statistics import fmean
from time import process_time
from typing import Any
from unittest.mock import patch

import orjson

import sightline as sl
from bench.about.contradictions import FIELDS, Planted, as_said, plant
from bench.about.knowing import UnseenFields
from bench.about.peers import (
    Scores,
    best_of,
    details_of,
    libraries,
    published,
    remarks_of,
    scores_of,
    side_by_side,
)
from bench.about.samples import NAMES, bare, listed
from bench.about.scores import PageFields, field_scores, same_value
from bench.frame import Figure, Options, Outcome, corpus, folder_of
from sightline.data import Thing, ThingDoubt
from sightline.extract.about._kind_model import read_kinds
from sightline.extract.about._weighing import read_weighers

__all__ = ["run"]

HERE = Path(__file__).parent
OTHER_NAMES = {"currency": "priceCurrency", "topics": "keywords", "body": "articleBody"}
# The least F1 of fields, on whole pages and on bare ones.
LEAST = {
    ("product", "price"): (0.95, 0.88),
    ("product", "sku"): (0.87, 0.60),
    ("product", "availability"): (0.96, 0.90),
    ("product", "brand"): (0.85, 0.65),
    ("recipe", "name"): (0.97, 0.95),
    ("recipe", "recipeIngredient"): (0.93, 0.85),
    ("recipe", "recipeInstructions"): (0.90, 0.80),
    ("recipe", "recipeYield"): (0.94, 0.75),
    ("recipe", "totalTime"): (0.92, 0.65),
    ("recipe", "author"): (0.75, 0.50),
    ("article", "name"): (0.95, 0.93),
    ("article", "author"): (0.88, 0.75),
    ("article", "datePublished"): (0.95, 0.85),
    ("article", "articleBody"): (0.96, 0.95),
}
LEAST_KIND = (0.96, 0.88)
LEAST_CAUGHT, MOST_FALSE = 0.95, 0.02
MOST_MILLISECONDS = 15.0
MOST_PLANTED = 300


@dataclass(frozen=True)
class Read:
    """A page of the set as it was read: its truth, the thing, and the processor time beyond opening it."""

    fields: PageFields
    thing: Thing
    milliseconds: float
    html: str
    url: str


def run(options: Options) -> Outcome:
    """Read every page as it is and bare, by models that do not know its site; then plant contradictions."""
    pages = list(_pages(options))[: options.limit]
    unseen = Unseen()
    whole = [_read(page, unseen, lambda html: html) for page in pages]
    stripped = [_read(page, unseen, bare) for page in pages]
    planted = _planted(whole, unseen, pages)
    ours = [one.fields for one in whole]
    answers = libraries(folder_of("things", options), pages)
    peers = scores_of(ours, answers)
    others = {**peers, **published(ours, pages)}
    return Outcome(
        task="about",
        peer="best library",
        corpora=(corpus("things", options),),
        figures=(*_quality(whole, stripped, peers), *_contradictions(whole, planted), *_cost(whole)),
        remarks=tuple(remarks_of(answers)),
        details=_details(whole, "whole") | _details(stripped, "bare") | details_of(others),
        views=(side_by_side(field_scores(ours), others, list(LEAST)),),
    )


class Unseen:
    """Reading by models of fields, of kinds and of what weighs how much that were learned without a site."""

    def __init__(self) -> None:
        self.fields = UnseenFields()
        self.kinds = _kept("kind_folds.json.xz")
        self.weighing = _kept("weighing_folds.json.xz")

    @contextmanager
    def site(self, site: str) -> Iterator[None]:
        """Read by the models of the folds that the site is in; where it is in none, by the first."""
        known = self.fields.models(site)
        assert known.vocabulary, "the vocabulary is made before anything is timed"
        kinds = read_kinds({**_of_site(self.kinds, site), "sure": self.kinds["sure"]})
        chosen = read_weighers(
            {name: {**_of_site(one, site), "least": one["least"]} for name, one in self.weighing["fields"].items()}
        )
        stock = _of_site(self.weighing["stock"], site)

        with (
            patch("sightline.extract.about._model.field_models", lambda: known),
            patch("sightline.extract.about._kind_model.kind_models", lambda: kinds),
            patch("sightline.extract.about._fields.weighers", lambda: chosen),
            patch("sightline.extract.about._stock.stock_weights", lambda: stock),
        ):
            yield


def _kept(name: str) -> Any:
    return orjson.loads(lzma.decompress((HERE / name).read_bytes()))


def _of_site(folds: Mapping[str, Any], site: str) -> Any:
    """What was learned without a site; where it was in no fold, what the first was not learned on."""
    return folds["models"][folds["fold"].get(site, 0)]


def _pages(options: Options) -> Iterator[Mapping[str, Any]]:
    folder = folder_of("things", options)
    for line in (folder / "truth.jsonl").read_text("utf-8").strip("\n").split("\n"):
        page = json.loads(line)
        yield {**page, "html": (folder / page["file"]).read_bytes()}


def _read(page: Mapping[str, Any], unseen: Unseen, strip: Callable[[bytes], bytes]) -> Read:
    html = strip(page["html"])
    opened = sl.open(html, static=True, url=page["url"])
    with unseen.site(page["site"]):
        began = process_time()
        thing = sl.about(opened)
        milliseconds = 1000 * (process_time() - began)
    truth = {NAMES.get(name, OTHER_NAMES.get(name, name)): listed(value) for name, value in page["fields"].items()}
    fields = PageFields(page["kind"], truth, thing.kind, as_said(thing))
    return Read(fields, thing, milliseconds, html.decode("utf-8", "replace"), page["url"])


# ---------------------------------------------------------------- figures


def _quality(whole: Sequence[Read], stripped: Sequence[Read], peers: Mapping[str, Scores]) -> Iterator[Figure]:
    for place, (name, read) in enumerate((("whole", whole), ("bare", stripped))):
        scores = field_scores(one.fields for one in read)
        for (kind, field_name), least in LEAST.items():
            if score := scores.get((kind, field_name)):
                peer = best_of(peers, (kind, field_name)) if name == "whole" else None
                title = f"{kind}: {field_name}, {name} pages: F1"
                yield Figure.of(title, score.f1, least[place], "higher", peer=peer)
        right = fmean(one.fields.kind == one.fields.found_kind for one in read)
        yield Figure.of(f"kind right, {name} pages", right, LEAST_KIND[place], "higher", "share")


def _planted(whole: Sequence[Read], unseen: Unseen, pages: Sequence[Mapping[str, Any]]) -> list[Planted]:
    found: list[Planted] = []
    for read, page in zip(whole, pages, strict=True):
        if read.thing.kind and not read.thing.doubts and len(found) < MOST_PLANTED:
            with unseen.site(page["site"]):
                found += plant(read.html, read.url, read.thing)
    return found


def _contradictions(whole: Sequence[Read], planted: Sequence[Planted]) -> Iterator[Figure]:
    caught = fmean(one.caught for one in planted) if planted else 0.0
    yield Figure.of("planted contradictions caught", caught, LEAST_CAUGHT, "higher", "share")
    for name in FIELDS:
        own = [one.caught for one in planted if one.field == name]
        if own:
            yield Figure.of(f"planted contradictions caught: {name} ({len(own)})", fmean(own), None, "higher", "share")
    doubted = fmean(any(doubt.field in FIELDS for doubt in one.thing.doubts) for one in whole)
    yield Figure.of("pages with a doubt before anything is planted", doubted, None, "lower", "share")
    wrongly = fmean(any(_is_false(one, doubt) for doubt in one.thing.doubts) for one in whole)
    yield Figure.of("pages with a doubt of what is true", wrongly, MOST_FALSE, "lower", "share")


def _is_false(one: Read, doubt: ThingDoubt) -> bool:
    """Whether a doubt is of something that the truth has as the page says it; where it has nothing, nobody knows."""
    true = one.fields.truth.get(doubt.field, ())
    return any(same_value(doubt.field, each, doubt.said) for each in true) and not any(
        same_value(doubt.field, each, doubt.seen) for each in true
    )


def _cost(whole: Sequence[Read]) -> Iterator[Figure]:
    mean = fmean(one.milliseconds for one in whole)
    yield Figure.of("processor time a page beyond opening, ms", mean, MOST_MILLISECONDS, "lower", "ms")


def _details(read: Sequence[Read], name: str) -> dict[str, float]:
    scores = field_scores(one.fields for one in read)
    return {f"{name}: {kind}: {own}": score.f1 for (kind, own), score in scores.items()}
