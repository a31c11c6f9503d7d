"""Pages that are about one thing, as candidates with what is known of each: `things` by its truth."""

import json
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from decimal import Decimal, InvalidOperation
from typing import Any
from urllib.parse import urlsplit

import numpy as np
import numpy.typing as npt

import sightline as sl
from bench.frame import Options, folder_of
from sightline.extract.about._candidates import Candidates, ValueCandidate, candidates_of
from sightline.extract.about._context import WordContext, context_of
from sightline.extract.about._kinds import KINDS
from sightline.extract.about._measures import measured
from sightline.extract.about._said import SaidThing, said_values, thing_of_kind, things_said

# The names of the truth, and ours.
NAMES = {
    "title": "name",
    "ingredients": "recipeIngredient",
    "instructions": "recipeInstructions",
    "yields": "recipeYield",
    "total_time": "totalTime",
    "ratings": "ratingValue",
    "authors": "author",
    "publishing_date": "datePublished",
}
SCRIPTS = re.compile(rb"<script\b[^>]*>.*?</script\s*>", re.DOTALL | re.IGNORECASE)
MACHINE = re.compile(
    rb"""\s(?:itemprop|itemscope|itemtype|itemref|itemid|typeof|property|vocab|resource|datatype)(?:\s*=\s*(?:"[^"]*"|'[^']*'|[^\s>]+))?(?=[\s/>])""",
    re.IGNORECASE,
)
META = re.compile(rb"<meta\b(?![^>]*charset)[^>]*>", re.IGNORECASE)


@dataclass(eq=False)
class Sample:
    """A page: its site and kind, its candidates with what is around and measured of them, and the truth."""

    id: str
    source: str
    site: str
    kind: str
    truth: Mapping[str, list[Any]]
    found: Sequence[ValueCandidate]
    context: WordContext
    matrix: npt.NDArray[np.float32]
    labels: dict[str, npt.NDArray[np.bool_]] = field(default_factory=dict)


def bare(html: bytes) -> bytes:
    """A page without anything that is meant for machines."""
    return META.sub(b"", MACHINE.sub(b"", SCRIPTS.sub(b"", html)))


def things(options: Options) -> Iterator[Sample]:
    """The pages of `things`."""
    folder = folder_of("things", options)
    for line in (folder / "truth.jsonl").read_text("utf-8").strip("\n").split("\n"):
        page = json.loads(line)
        truth = {NAMES.get(name, name): listed(value) for name, value in page["fields"].items()}
        yield sample(
            page["id"], "things", page["site"], page["kind"], (folder / page["file"]).read_bytes(), page["url"], truth
        )


def sample(  # noqa: PLR0913 - what a page is and what is known of it
    id: str, source: str, site: str, kind: str, html: bytes, url: str, truth: Mapping[str, list[Any]]
) -> Sample:
    """A page as candidates, each labelled by the fields whose value it is."""
    page = sl.open(bare(html), static=True, url=url)
    found = candidates_of(page)
    made = Sample(id, source, site, kind, truth, found.all, context_of(found), measured(found))
    for name, values in truth.items():
        is_same = SAME.get(name)
        if is_same:
            made.labels[name] = labels_of(found, values, *is_same)
    return made


def labels_of(
    found: Candidates, values: Sequence[Any], kinds: tuple[str, ...], is_same: Callable[[Any, ValueCandidate], bool]
) -> npt.NDArray[np.bool_]:
    """Which candidates say one of the values."""
    allowed = found.of_kind(*kinds)
    return np.array(
        [
            bool(may) and any(is_same(value, one) for value in values)
            for may, one in zip(allowed, found.all, strict=True)
        ]
    )


def listed(value: Any) -> list[Any]:
    """One value or several as several."""
    return list(value) if isinstance(value, list) else [] if value in (None, "") else [value]


def plain(text: object) -> str:
    """The words of a text."""
    return " ".join(re.findall(r"[^\W_]+", str(text).casefold()))


def number(value: object) -> Decimal | None:
    """The first number in a text of the truth."""
    found = re.search(r"\d+(?:[.,]\d+)*", str(value).replace("\u00a0", ""))
    if not found:
        return None
    text = found.group()
    if "," in text and "." in text:
        text = text.replace("," if text.rfind(".") > text.rfind(",") else ".", "").replace(",", ".")
    elif re.fullmatch(r"\d{1,3}(?:,\d{3})+", text):
        text = text.replace(",", "")
    try:
        return Decimal(text.replace(",", "."))
    except InvalidOperation:
        return None


def minutes(value: object) -> Decimal | None:
    """A span of time in minutes, also as ISO 8601 writes it."""
    iso = re.fullmatch(r"P(?:(\d+)D)?T?(?:(\d+)H)?(?:(\d+)M)?(?:\d+S)?", str(value))
    if iso:
        days, hours, mins = (int(part or 0) for part in iso.groups())
        return Decimal(days * 1440 + hours * 60 + mins)
    return number(value)


def _text(true: Any, one: ValueCandidate) -> bool:
    return plain(true) == plain(one.text) != ""


def _most(true: Any, one: ValueCandidate) -> bool:
    """Whether a text says an item, or nearly all of it."""
    mine, its = plain(one.text), plain(true)
    return bool(mine) and (
        mine == its or (mine in its and len(mine) > 0.6 * len(its)) or (its in mine and len(its) > 0.6 * len(mine))
    )


def _money(true: Any, one: ValueCandidate) -> bool:
    value = one.value[0] if isinstance(one.value, tuple) else one.value
    return number(true) == value


def _value(true: Any, one: ValueCandidate) -> bool:
    return number(true) is not None and number(true) == one.value


def _minutes(true: Any, one: ValueCandidate) -> bool:
    return minutes(true) is not None and minutes(true) == one.value


def _day(true: Any, one: ValueCandidate) -> bool:
    return str(true)[:10] == str(one.value)


TEXTS = ("block", "piece", "value")
SAME: dict[str, tuple[tuple[str, ...], Callable[[Any, ValueCandidate], bool]]] = {
    "name": (("block", "piece"), _text),
    "author": (TEXTS, _text),
    "brand": (TEXTS, _text),
    "recipeIngredient": (("block",), _most),
    "recipeInstructions": (("block",), _most),
    "price": (("money", "number"), _money),
    "sku": (("code", "value"), _text),
    "mpn": (("code", "value"), _text),
    "totalTime": (("span",), _minutes),
    "recipeYield": (("number",), _value),
    "ratingValue": (("number",), _value),
    "datePublished": (("day",), _day),
}


def described(options: Options, names: Sequence[str] = ("content", "content2")) -> Iterator[Sample]:
    """Pages of other sets that describe a product, a recipe or an article themselves: what they say is the truth."""
    for name in names:
        for path in sorted((folder_of(name, options) / "pages").rglob("*.html")):
            html = path.read_bytes()
            if b"schema.org" not in html:
                continue
            page = sl.open(html, static=True)
            things = things_said(page)
            kind = kind_of(things)
            if kind not in ("product", "recipe", "article"):
                continue
            thing = thing_of_kind(things, KINDS[kind])
            truth = {
                one.name: [value.text for value in said_values(page, thing, replace(one, meta=()))]
                for one in KINDS[kind].fields
                if one.name in SAME
            }
            truth = {field: values for field, values in truth.items() if values}
            if truth:
                yield sample(
                    f"{name}/{path.stem}", name, site_of(page.address) or path.stem, kind, html, page.address, truth
                )


def site_of(address: str) -> str:
    """The host of an address, without `www`."""
    return (urlsplit(address).hostname or "").removeprefix("www.")


def kind_of(things: Sequence[SaidThing]) -> str | None:
    """What a page describes first: a recipe or product before the article that it may be as well."""
    kinds = [one.kind for one in things if one.worth > 0]
    return next((kind for kind in ("recipe", "product", "article") if kind in kinds), None)
