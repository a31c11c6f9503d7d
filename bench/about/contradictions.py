"""Contradictions planted in real pages: what they say for machines is changed, and what they show stays.

Of every page that says and shows its price, its day or its availability, one is changed in the source: amounts by a
tenth, days by three weeks, availability to its opposite. A page is planted only if it is free of doubts before, so that
what is doubted afterwards is what was planted; pages that are left as they are tell how many doubts are false.
"""

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import date, timedelta
from decimal import Decimal
from typing import Any

import sightline as sl
from sightline.data import Thing

FIELDS = ("price", "datePublished", "availability")
LATER = timedelta(days=21)
OPPOSITE = {"InStock": "OutOfStock", "OutOfStock": "InStock"}


@dataclass(frozen=True)
class Planted:
    """A page with something changed: the field, and whether a doubt says so."""

    field: str
    caught: bool


def plant(html: str, url: str, thing: Thing) -> Iterator[Planted]:
    """Change each field of a page that can be, and look at the doubts."""
    for field in FIELDS:
        found = thing.fields.get(field, ())
        if not found or found[0].said is None or found[0].value.origin is None:
            continue
        changed = _changed(html, field, found[0].plain)
        if changed is None or changed == html:
            continue
        again = sl.about(sl.open(changed.encode(), static=True, url=url), kind=thing.kind)
        is_caught = any(doubt.field == field for doubt in again.doubts)
        has_changed = str(again[field]) != str(thing[field])
        if is_caught or has_changed:  # else it is said in another place as well, and that counts
            yield Planted(field, is_caught)


def _changed(html: str, field: str, value: Any) -> str | None:
    """The source with another value in all data for machines: scripts, `meta` and `content` attributes."""
    pairs = dict(_pairs(field, value))
    if not pairs:
        return None
    said = re.compile("|".join(rf"(?<![\w.]){re.escape(old)}(?![\w])" for old in pairs))

    def in_machine_part(part: re.Match[str]) -> str:
        return said.sub(lambda found: pairs[found[0]], part[0])

    return MACHINE.sub(in_machine_part, html)


MACHINE = re.compile(
    r"<script\b[^>]*application/ld\+json[^>]*>.*?</script\s*>|<meta\b[^>]*>|<link\b[^>]*itemprop[^>]*>"
    r"|<\w+\b[^>]*\sitemprop=[^>]*\scontent=[^>]*>|<\w+\b[^>]*\scontent=[^>]*\sitemprop=[^>]*>",
    re.DOTALL | re.IGNORECASE,
)


def _pairs(field: str, value: Any) -> Iterator[tuple[str, str]]:
    if field == "price":
        amount = Decimal(str(value))
        other = (amount * Decimal("1.1") + 1).quantize(Decimal("0.01"))
        for written in {str(amount), f"{amount:.2f}", f"{amount.normalize():f}"}:
            yield written, str(other)
    elif field == "datePublished" and isinstance(value, date):
        yield value.isoformat()[:10], (value + LATER).isoformat()[:10]
    elif field == "availability" and str(value) in OPPOSITE:
        yield str(value), OPPOSITE[str(value)]


def as_said(thing: Thing) -> Mapping[str, Any]:
    """The fields of a thing as JSON has them."""
    fields: Mapping[str, Any] = json.loads(json.dumps(thing.to_json()["fields"], default=str))
    return fields
