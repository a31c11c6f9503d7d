"""`python -m bench.induce.fit_main`: fit how likely a field is main, and say what each of its measures is worth.

A field is known to be main if it holds an attribute or the records of the truth, or the text, title, author or date of
an article; it is known not to be if the truth names every column, or if an article's page shows it beside the text.
Furniture (menus, buttons, texts made of the title) is left out of the fit, and counted as not kept.
All others are unknown, and count a little as not main: most are. Sites are those of `sites` and `sites2`, lists cut
from real pages of results, and all sites with several pages in `content` and `content2`.

The threshold keeps `KEPT` of the known main fields of sites that the weights were not fitted on, in ten folds by site.
Printed are figures in fold, out of fold, and out of set: fitted without `sites2`, and fitted on `sites2` alone. With
`--ablate` every measure is left out in turn; with `--write` the weights are written to the package.
"""

import math
import random
import re
import tempfile
from collections import defaultdict
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from typing import Any
from urllib.parse import urlsplit

import numpy as np
from rich.console import Console
from rich.table import Table as Sheet

import sightline as sl
from bench.fitting import Bools, Floats, logistic, newton
from bench.frame import Options, folder_of, program
from bench.induce.columns import key
from bench.induce.listed import listed_sites
from bench.induce.sites import SETS, PageTruth, Site, read_sites
from bench.pages import json_lines
from sightline.extract.schemas import induce_template, same_template
from sightline.extract.wrappers.templates import _main_fields, read_page
from sightline.extract.wrappers.templates._main_fields import (
    MEASURES,
    FieldSeen,
    fields_seen,
    furniture,
    measures_of,
    title_of,
)
from sightline.files import write_bytes

DRAWS, MOST_PAGES = (7, 11, 13), 10  # choices of pages to learn from, and how many
FOLDS = 10
FIRMNESS = 3.0  # of the weights at nothing; 0.3, 1, 3 and 10 were tried
UNKNOWN, OF_CONTENT = 0.25, 0.3  # what a field counts whose truth is not known, and one of an article's page
KEPT = 0.995  # of the main fields of `sites` and `sites2`; 0.99 leaves 2 fields fewer on the median page
SURE, SOFT, LIKELY = 0.25, 0.3, 0.5  # of the pages a field agrees with an attribute on; the worth of a near value
LIST_SHARE, LIST_DOUBT = 0.3, 0.1  # of the cells of the records
TEXT_SHARE, TEXT_DOUBT, TEXT_LENGTH = 0.6, 0.1, 30
WEIGHTS = Path(_main_fields.__file__).with_name("_main_weights.py")

Labels = Callable[[Sequence[FieldSeen], Sequence[Any]], Floats]


@dataclass(frozen=True, eq=False)
class Sample:
    """The fields of a wrapper of some pages of a site: their measures, and 1 for main, 0 for not, NaN for unknown."""

    source: str
    site: str
    measures: Floats
    labels: Floats
    furniture: Bools


# ---------------------------------------------------------------- what is known of fields


def by_attributes(seen: Sequence[FieldSeen], truth: Sequence[PageTruth], *, complete: bool) -> Floats:
    """By attributes and records: of several fields with one attribute, one is main and the others are unknown."""
    found = np.full(len(seen), 0.0 if complete else np.nan)
    held = [{page: {key(text) for text in texts} for page, texts in one.texts.items()} for one in seen]
    attributes: dict[str, dict[int, set[str]]] = defaultdict(dict)
    for number, page in enumerate(truth):
        for name, texts in page.fields.items():
            if wanted := {compared for text in texts if (compared := key(text))}:
                attributes[name][number] = wanted
    for wanted_on in attributes.values():
        agreed = [_agreement(own, wanted_on) for own in held]
        if max(agreed, default=0.0) >= SURE:
            found[[at for at, share in enumerate(agreed) if share >= LIKELY and found[at] != 1]] = np.nan
            found[agreed.index(max(agreed))] = 1
    cells = {
        number: {key(text) for record in page.records for texts in record.values() for text in texts} - {""}
        for number, page in enumerate(truth)
        if page.records
    }
    for at, own in enumerate(held if cells else ()):
        share = np.mean([len(wanted & own.get(page, set())) / max(1, len(wanted)) for page, wanted in cells.items()])
        found[at] = 1 if share >= LIST_SHARE else np.nan if share >= LIST_DOUBT and found[at] == 0 else found[at]
    return found


def _agreement(own: Mapping[int, set[str]], wanted: Mapping[int, set[str]]) -> float:
    """The F-measure of the pages on which a field says what an attribute is; a near value counts for less."""
    both = [page for page in wanted if page in own]
    right = sum(1.0 if wanted[page] & own[page] else SOFT * _is_near(wanted[page], own[page]) for page in both)
    return 2 * right / (len(wanted) + len(own))


def _is_near(wanted: Collection[str], own: Collection[str]) -> bool:
    return any(
        text in other or (len(other) > 3 and other in text)
        for text in wanted
        for other in own
        if len(other) <= 3 * len(text) + 40
    )


def by_text(seen: Sequence[FieldSeen], truth: Sequence[Mapping[str, Any]]) -> Floats:
    """By the text of an article, its title, its author and its date: what is beside them is not main."""
    texts = [" ".join(page["text"].casefold().split()) for page in truth]
    words = [set(re.findall(r"\w+", text)) for text in texts]
    said = [{key(str(page[name])) for name in ("title", "author", "date") if page.get(name)} for page in truth]
    return np.array([_by_text(one, texts, words, said) for one in seen])


def _by_text(one: FieldSeen, texts: Sequence[str], words: Sequence[set[str]], said: Sequence[set[str]]) -> float:
    inside = np.mean([_is_inside(own, texts[page], words[page]) for page, own in one.texts.items()])
    told = np.mean([any(key(text) in said[page] for text in own) for page, own in one.texts.items()])
    length = np.mean([sum(map(len, own)) for own in one.texts.values()])
    if told >= LIKELY or (inside >= TEXT_SHARE and length >= TEXT_LENGTH):
        return 1.0
    return np.nan if inside > TEXT_DOUBT or told else 0.0


def _is_inside(own: Sequence[str], text: str, words: Collection[str]) -> bool:
    inside = sum(len(one) for one in own if " ".join(one.split()) in text)
    found = re.findall(r"\w+", " ".join(own))
    return inside >= TEXT_SHARE * sum(map(len, own)) or (
        len(found) >= 15 and sum(word in words for word in found) >= 0.9 * len(found)
    )


# ---------------------------------------------------------------- samples


def samples(options: Options) -> Iterator[Sample]:
    """The fields of every site, learned from several choices of its pages."""
    for name in SETS:
        for site in read_sites(options, data=name):
            yield from _of_site(name, site, len(site.truth) // 2)
    with tempfile.TemporaryDirectory() as folder:
        for site in listed_sites(options, Path(folder)):
            yield from _of_site("listed", site, len(site.truth))
    for name in ("content", "content2"):
        home, hosts = folder_of(name, options), defaultdict[str, dict[Path, Any]](dict)
        for page in json_lines(home / "truth.jsonl"):
            hosts[urlsplit(page.get("url") or "").netloc][home / page["file"]] = page
        for host, of_host in hosts.items():
            if host and len(of_host) > 1:
                yield from _learned("content", host, of_host, MOST_PAGES, by_text)


def _of_site(source: str, site: Site, most: int) -> Iterator[Sample]:
    def labels(seen: Sequence[FieldSeen], truth: Sequence[PageTruth]) -> Floats:
        return by_attributes(seen, truth, complete=site.complete)

    truth = {path: site.truth[path.name] for path in site.files}
    yield from _learned(source, site.name, truth, min(MOST_PAGES, max(2, most)), labels)


def _learned(source: str, name: str, truth: Mapping[Path, Any], most: int, labels: Labels) -> Iterator[Sample]:
    for draw in DRAWS if len(truth) > most else DRAWS[:1]:
        order = sorted(truth)
        random.Random(f"{draw}:{name}").shuffle(order)
        pages = [sl.open(path.read_bytes(), static=True) for path in order[:most]]
        for group in same_template(pages):
            alike = [pages[number] for number in group]
            if len(alike) > 1:
                template = induce_template(alike).template
                seen = fields_seen(alike, [read_page(page, template, None, traced=True) for page in alike])
                known = labels(seen, [truth[order[number]] for number in group])
                _, said = title_of(seen)
                beside = np.array([bool(furniture(one, said)) for one in seen], dtype=bool)
                yield Sample(source, name, measures_of(seen, len(alike)), known, beside)


# ---------------------------------------------------------------- fitting


@dataclass(frozen=True, eq=False)
class Fields:
    """All fields of some samples in one table."""

    rows: Floats  # the measures, with a one before them
    labels: Floats
    furniture: Bools
    source: Sequence[str]
    sample: Sequence[int]
    fold: Sequence[int]

    @classmethod
    def of(cls, known: Sequence[Sample], left_out: Sequence[str] = ()) -> "Fields":
        """The fields of all samples, without some of the measures."""
        columns = [at for at, name in enumerate(MEASURES) if name not in left_out]
        sites = sorted({f"{one.source}/{one.site}" for one in known})
        random.Random(3).shuffle(sites)
        fold = {site: at % FOLDS for at, site in enumerate(sites)}
        rows = np.concatenate([one.measures[:, columns] for one in known])
        counts = [len(one.labels) for one in known]
        return cls(
            np.column_stack([np.ones(len(rows)), rows]),
            np.concatenate([one.labels for one in known]),
            np.concatenate([one.furniture for one in known]),
            np.repeat([one.source for one in known], counts),
            np.repeat(np.arange(len(known)), counts),
            np.repeat([fold[f"{one.source}/{one.site}"] for one in known], counts),
        )

    def of_sources(self, *sources: str) -> Bools:
        """Which fields are of some sources."""
        return np.isin(self.source, sources)


def fitted(fields: Fields, of: Bools) -> Floats:
    """The weights by some of the fields; each wrapper counts by the root of its fields, and both kinds alike.

    Furniture is told by itself, and not by weights.
    """
    of = of & ~fields.furniture
    labels = np.nan_to_num(fields.labels[of], nan=0.0)
    sample = np.asarray(fields.sample)[of]
    counts = np.where(np.isnan(fields.labels[of]), UNKNOWN, 1.0) / np.sqrt(np.bincount(sample)[sample])
    counts *= np.where(fields.of_sources("content")[of], OF_CONTENT, 1.0)
    counts[labels == 1] *= math.sqrt(counts[labels == 0].sum() / counts[labels == 1].sum())
    counts *= 0.2 * len(counts) / counts.sum()
    held = np.full(fields.rows.shape[1], FIRMNESS)
    held[0] = 1e-6
    return newton(np.zeros(len(held)), held, logistic(fields.rows[of], labels, counts))


def out_of_fold(fields: Fields) -> Floats:
    """The score of every field by weights fitted on other sites."""
    found = np.zeros(len(fields.labels))
    for fold in range(FOLDS):
        held_out = np.asarray(fields.fold) == fold
        found[held_out] = fields.rows[held_out] @ fitted(fields, ~held_out)
    return found


def threshold(fields: Fields, scores: Floats, sources: Sequence[str] = SETS) -> float:
    """The score that keeps the wanted share of what is known to be main on the sites."""
    main = fields.of_sources(*sources) & (fields.labels == 1)
    return float(np.quantile(scores[main], 1 - KEPT))


def shares(fields: Fields, scores: Floats, least: float, of: Bools) -> tuple[float, float, float]:
    """The share kept of what is main and of what is not, and the main fields of a wrapper, at the median."""
    kept = (scores >= least) & ~fields.furniture
    main, beside = of & (fields.labels == 1), of & (fields.labels == 0)
    sample = np.asarray(fields.sample)
    numbers = [int(kept[of & (sample == one)].sum()) for one in np.unique(sample[of])]
    return float(kept[main].mean()), float(kept[beside].mean()) if beside.any() else math.nan, median(numbers)


def report(fields: Fields) -> tuple[Sheet, Floats, float]:
    """Figures in fold, out of fold and out of set; the weights of all fields and their threshold."""
    everything = np.ones(len(fields.labels), dtype=bool)
    weights, held_out = fitted(fields, everything), out_of_fold(fields)
    least = threshold(fields, held_out)
    sheet = Sheet("", "fields of", "main kept", "others kept", "main fields, median")

    def add(what: str, source: str, scores: Floats, at: float) -> None:
        main, beside, number = shares(fields, scores, at, fields.of_sources(source))
        sheet.add_row(what, source, f"{main:.3f}", f"{beside:.3f}", f"{number:g}")

    for source in dict.fromkeys(fields.source):
        add("in fold", source, fields.rows @ weights, least)
        add("out of fold", source, held_out, least)
    for source, other in (SETS, SETS[::-1]):
        without = ~fields.of_sources(source)
        add(
            f"out of set, threshold of {other}",
            source,
            scores := fields.rows @ fitted(fields, without),
            threshold(fields, scores, (other,)),
        )
    main = fields.labels == 1
    for source in dict.fromkeys(fields.source):
        of = fields.of_sources(source)
        sheet.add_row(
            "furniture", source, f"{(fields.furniture & of & main).sum()} of {(of & main).sum()} are main", "", ""
        )
    return sheet, weights, least


def ablation(known: Sequence[Sample]) -> Sheet:
    """What each measure is worth out of fold: what is kept beside nearly all main fields, and main text."""
    sheet = Sheet("left out", "main kept: content", "others kept: content", "main fields, median")
    for name in ("", *MEASURES):
        fields = Fields.of(known, (name,))
        scores = out_of_fold(fields)
        least = threshold(fields, scores)
        main, beside, _ = shares(fields, scores, least, fields.of_sources("content"))
        number = shares(fields, scores, least, fields.of_sources(*SETS))[2]
        sheet.add_row(name or "nothing", f"{main:.3f}", f"{beside:.3f}", f"{number:g}")
    return sheet


def written(weights: Floats, least: float) -> bytes:
    """The module of the weights."""
    lines = [
        '"""What each measure says for a field being main; written by `python -m bench.induce.fit_main --write`."""',
        "",
        f"LEAST_MAIN = {1 / (1 + math.exp(-least)):.4f}",
        "MAIN_WEIGHTS = {",
        *(f'    "{name}": {weight:.3f},' for name, weight in zip(("bias", *MEASURES), weights, strict=True)),
        "}",
        "",
    ]
    return "\n".join(lines).encode()


def main() -> None:
    """Fit, print the figures, and write the weights if that is asked for."""
    parser = program(__doc__)
    parser.add_argument("--ablate", action="store_true", help="leave out every measure in turn")
    parser.add_argument("--write", action="store_true", help="write the weights to the package")
    arguments = parser.parse_args()
    known = list(samples(Options(data=arguments.data)))
    console = Console(width=120)
    sheet, weights, least = report(Fields.of(known))
    console.print(sheet)
    if arguments.ablate:
        console.print(ablation(known))
    if arguments.write:
        write_bytes(WEIGHTS, written(weights, least))


if __name__ == "__main__":
    main()
