"""Learn how what is said and seen weigh: `python -m bench.about.grow_weighing [--write]`, after `bench.about.grow`.

Of each field the trees judge all values of a page that are said, held by its programs, or seen. The pages are those of
`things`, as they are and bare, with their truth; of other sets the products that describe themselves, with that
description taken for the truth, once out of sight and once not. What looks like the values is told by models that do
not know the page's site, and the trees of a fold are grown without its sites. The weights of what tells whether a
product can be had are fitted on the same pages.
"""

import json
import lzma
import pickle
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import orjson

import sightline as sl
from bench.about.grow import PACKAGE
from bench.about.knowing import UnseenFields
from bench.about.samples import NAMES, bare, kind_of, listed, site_of
from bench.about.scores import same_value
from bench.fitting import dealt, logistic, newton
from bench.forests import SAME_EACH_TIME, grown
from bench.frame import CACHE, Options, folder_of, program
from sightline.extract.about._kinds import KINDS
from sightline.extract.about._options import OPTION_MEASURES, WEIGHED, ValueOptions
from sightline.extract.about._said import said_values, thing_of_kind, things_said
from sightline.extract.about._state_values import state_values
from sightline.extract.about._stock import EVEN, STOCK_MEASURES, stock_signs
from sightline.extract.about._typed import GONE, availability
from sightline.files import write_bytes
from sightline.trees import read_forest

KEPT = CACHE / "about-options.pickle"
FOLDS_FILE = Path(__file__).with_name("weighing_folds.json.xz")
FOLDS = 5
ROUNDS = 80
SETTINGS = {
    **SAME_EACH_TIME,
    "objective": "binary",
    "num_leaves": 5,
    "learning_rate": 0.08,
    "min_data_in_leaf": 8,
    "feature_fraction": 0.5,
    "bagging_fraction": 0.8,
    "bagging_freq": 1,
    "lambda_l2": 3,
}
# What can only speak for a value, and what can only speak against it.
FOR = ("json-ld", "microdata", "rdfa", "microformats", "meta", "said", "states", "key", "key now", "above product")
FOR_TOO = ("looks", "seen", "in title", "in address", "sources", "of most", "higher beside")
AGAINST = ("order", "said otherwise", "key old", "above apart", "alike", "rank", "lower beside")
# Of other sets only products teach, which are few; what `content` says of its articles is worded in other ways.
FROM_OTHERS = frozenset(("price", "sku", "brand", "mpn"))
# How much the pages of other sets count: those whose description is out of sight, and those where it can be seen, which
# teach that what is said officially mostly holds.
OTHERS = {"described": 0.5, "told": 0.3}
SITE_POWER = -1.0  # a site counts as one, however many of its pages are there
LEAST = (0.2, 0.25, 0.3, 0.35, 0.4, 0.45, 0.5, 0.55, 0.6, 0.7)
HELD = 0.3  # how strongly the weights of what tells availability are held near 0


@dataclass(frozen=True, eq=False)
class Weighed:
    """The options of a field on a page in one variant, and which of them are right."""

    field: str
    kind: str
    site: str
    variant: str
    has_truth: bool
    matrix: npt.NDArray[np.float32]
    right: npt.NDArray[np.bool_]


@dataclass(frozen=True)
class Stock:
    """The signs of availability on a page in one variant, and whether the product can be had."""

    site: str
    variant: str
    row: tuple[float, ...]
    is_there: bool


def main() -> None:
    """Grow and judge the trees and the weights."""
    parser = program(__doc__)
    parser.add_argument("--write", action="store_true", help="write the trees and the weights")
    parser.add_argument("--afresh", action="store_true", help="read the pages again")
    arguments = parser.parse_args()
    if KEPT.exists() and not arguments.afresh:
        options, stocks = pickle.loads(KEPT.read_bytes())
    else:
        options, stocks = _gathered(Options(data=arguments.data))
        KEPT.parent.mkdir(parents=True, exist_ok=True)
        write_bytes(KEPT, pickle.dumps((options, stocks)))
    folds, models = {}, {}
    for name in WEIGHED:
        known = {
            one.kind for one in options if one.field == name and one.has_truth
        }  # the truth has no names of products
        own = [one for one in options if one.field == name and one.kind in known]
        folds[name] = _judged(name, own)
        models[name] = {**_forest(own), "least": folds[name]["least"]}
    weights = _stock(stocks)
    if arguments.write:
        write_bytes(PACKAGE / "weighing.json", orjson.dumps(models) + b"\n")
        write_bytes(PACKAGE / "stock.json", orjson.dumps(weights["all"], option=orjson.OPT_INDENT_2) + b"\n")
        write_bytes(FOLDS_FILE, lzma.compress(orjson.dumps({"fields": folds, "stock": weights["folds"]})))


# ---------------------------------------------------------------- pages


def _gathered(options: Options) -> tuple[list[Weighed], list[Stock]]:
    fields, stocks, unseen = [], [], UnseenFields()
    for site, kind, variant, page, truth in _pages(options):
        found, likely = unseen.told(page, site)
        things = [] if variant == "described" else things_said(page)
        thing = thing_of_kind(things, KINDS[kind])
        held = state_values(page) if kind == "product" else {}
        for one in KINDS[kind].fields:
            if one.name not in WEIGHED or (variant in OTHERS and one.name not in FROM_OTHERS):
                continue
            said = [] if variant == "described" else said_values(page, thing, one)
            values = ValueOptions(
                page, one, found, likely.get(one.name, np.zeros(len(found))), said, held.get(one.name, [])
            )
            true = truth.get(one.name, [])
            right = [any(same_value(one.name, each, _plain(value)) for each in true) for value in values.all]
            if len(right):
                matrix = values.measures()
                fields.append(Weighed(one.name, kind, site, variant, bool(true), matrix, np.array(right)))
        if kind == "product" and truth.get("availability"):
            one = next(one for one in KINDS[kind].fields if one.name == "availability")
            told = [] if variant == "described" else said_values(page, thing, one)
            said_state = next((state for each in told if (state := availability(each.text))), None)
            is_there = str(truth["availability"][0]) not in GONE
            stocks.append(Stock(site, variant, stock_signs(found, likely, said_state).row, is_there))
    return fields, stocks


def _plain(option: Any) -> Any:
    value = option.text if option.value is None else option.value
    return float(value) if isinstance(value, Decimal) else value if isinstance(value, str) else str(value)


def _pages(options: Options) -> Iterator[tuple[str, str, str, sl.Page, Mapping[str, list[Any]]]]:
    folder = folder_of("things", options)
    for line in (folder / "truth.jsonl").read_text("utf-8").strip("\n").split("\n"):
        page = json.loads(line)
        html = (folder / page["file"]).read_bytes()
        truth = {NAMES.get(name, name): listed(value) for name, value in page["fields"].items()}
        for variant, content in (("whole", html), ("bare", bare(html))):
            yield page["site"], page["kind"], variant, sl.open(content, static=True, url=page["url"]), truth
    for name in ("content", "content2"):
        for path in sorted((folder_of(name, options) / "pages").rglob("*.html")):
            html = path.read_bytes()
            if b"schema.org" not in html:
                continue
            opened = sl.open(html, static=True)
            things = things_said(opened)
            if kind_of(things) != "product":
                continue
            thing = thing_of_kind(things, KINDS["product"])
            wanted = (one for one in KINDS["product"].fields if one.name in FROM_OTHERS or one.name == "availability")
            truth = {one.name: [each.text for each in said_values(opened, thing, one)] for one in wanted}
            if told := truth.get("availability"):
                truth["availability"] = [state for each in told if (state := availability(each))]
            for variant in ("described", "told"):
                yield site_of(opened.address) or path.stem, "product", variant, opened, truth


# ---------------------------------------------------------------- trees


def _forest(pages: Sequence[Weighed]) -> dict[str, Any]:
    counts: dict[tuple[str, str], int] = defaultdict(int)
    for one in pages:
        counts[one.site, one.variant] += 1
    shares = [counts[one.site, one.variant] ** SITE_POWER * OTHERS.get(one.variant, 1.0) for one in pages]
    weight = np.concatenate([np.full(len(one.right), share) for one, share in zip(pages, shares, strict=True)])
    goal = np.concatenate([one.right for one in pages]).astype(float)
    signs = [(name in (*FOR, *FOR_TOO)) - (name in AGAINST) for name in OPTION_MEASURES]
    settings = {**SETTINGS, "monotone_constraints": signs}
    forest = grown(
        np.concatenate([one.matrix for one in pages]), goal, weight / weight.mean(), OPTION_MEASURES, settings, ROUNDS
    )
    return {"names": forest["names"], "bias": forest["bias"], "trees": forest["trees"].split("\n")}


def _chances(forest: Mapping[str, Any], one: Weighed) -> npt.NDArray[np.float64]:
    read = read_forest(tuple(forest["names"]), "\n".join(forest["trees"]), forest["bias"])
    return read.likely(one.matrix[:, [OPTION_MEASURES.index(name) for name in read.names]])


def _judged(name: str, pages: Sequence[Weighed]) -> dict[str, Any]:
    """The models of each fold, and the least chance by which a value is given."""
    fold = dealt((one.site for one in pages), FOLDS, seed=1)
    models = [_forest([one for one in pages if fold[one.site] != number]) for number in range(FOLDS)]
    told = [(one, _chances(models[fold[one.site]], one)) for one in pages]
    inside = _forest(pages)
    in_fold = [(one, _chances(inside, one)) for one in pages]
    scored = [(one, chances) for one, chances in told if one.variant not in OTHERS]
    least = max(LEAST, key=lambda bound: np.mean(list(_scores(scored, bound).values())))
    print(name, "least", least)
    for key, score in sorted(_scores(told, least).items()):
        print("   ", *key, f"F1 out of fold {score:.3f}, in fold {_scores(in_fold, least)[key]:.3f}")
    return {"fold": fold, "models": models, "least": least}


def _scores(told: Sequence[tuple[Weighed, npt.NDArray[np.float64]]], least: float) -> dict[tuple[str, str], float]:
    right: dict[tuple[str, str], list[int]] = defaultdict(lambda: [0, 0, 0])
    for one, chances in told:
        counts, best = right[one.kind, one.variant], int(chances.argmax())
        counts[0] += bool(chances[best] >= least and one.right[best] and one.has_truth)
        counts[1] += bool(chances[best] >= least)
        counts[2] += one.has_truth
    return {key: 2 * hit / max(1, given + there) for key, (hit, given, there) in right.items()}


# ---------------------------------------------------------------- availability


def _stock(rows: Sequence[Stock]) -> dict[str, Any]:
    fold = dealt((one.site for one in rows), FOLDS, seed=1)
    folds = np.array([fold[one.site] for one in rows])
    weights = [_both([one for one, own in zip(rows, folds, strict=True) if own != number]) for number in range(FOLDS)]
    told: dict[tuple[str, bool], list[bool]] = defaultdict(list)
    for one in rows:
        known = weights[fold[one.site]]
        told[one.variant, one.is_there].append((_stock_chance(known["all"], one) >= EVEN) == one.is_there)
    for (variant, is_there), right in sorted(told.items()):
        print("availability", variant, "there" if is_there else "gone", f"{np.mean(right):.3f} of {len(right)}")
    everything = _both(rows)
    print(everything)
    for bound in (0.1, 0.2, 0.3, 0.5, 0.7, 0.8, 0.9, 0.95):
        chances = [(_stock_chance(weights[fold[one.site]]["seen"], one), one) for one in rows if one.variant == "whole"]
        there = np.mean([chance > bound for chance, one in chances if one.is_there])
        gone = [round(chance, 2) for chance, one in chances if not one.is_there]
        print(f"seen alone above {bound}: {there:.3f} of those that are there; those gone: {gone}")
    return {"all": everything, "folds": {"fold": fold, "models": weights}}


def _both(rows: Sequence[Stock]) -> dict[str, Any]:
    """The weights of all signs, and those of what is seen alone."""
    blind = [replace(one, row=(*one.row[:-2], 0.0, 0.0)) for one in rows]
    return {"all": _fitted(rows), "seen": _fitted(blind)}


def _fitted(rows: Sequence[Stock]) -> dict[str, Any]:
    counts: dict[tuple[str, str], int] = defaultdict(int)
    for one in rows:
        counts[one.site, one.variant] += 1
    matrix = np.array([[1.0, *one.row] for one in rows])
    labels = np.array([one.is_there for one in rows], dtype=float)
    shares = np.array([counts[one.site, one.variant] ** -0.5 for one in rows])
    held = np.full(matrix.shape[1], HELD)
    held[0] = 1e-3
    found = newton(np.zeros(matrix.shape[1]), held, logistic(matrix, labels, shares / shares.mean()))
    names = dict(zip(STOCK_MEASURES, found[1:].round(4).tolist(), strict=True))
    return {"bias": round(float(found[0]), 4), "weights": names}


def _stock_chance(weights: Mapping[str, Any], one: Stock) -> float:
    score = weights["bias"] + sum(
        weights["weights"][name] * value for name, value in zip(STOCK_MEASURES, one.row, strict=True)
    )
    return float(1 / (1 + np.exp(-score)))


if __name__ == "__main__":
    main()
