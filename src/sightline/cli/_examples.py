"""The examples of a lesson as people write them on the command line: words behind the page they are on."""

import os
import re
from collections.abc import Iterable, Sequence
from itertools import groupby
from typing import NamedTuple

from sightline.errors import UsageError
from sightline.jobs import ExampleTexts, PageExamples

__all__ = ["examples_of"]

# No address has such a beginning: a colon or a slash stands before its first equals sign.
_EXAMPLE = re.compile(r"(?P<name>\w[\w .-]*?)\s*(?P<sign>!?=)(?P<text>.*)", re.DOTALL)


class Said(NamedTuple):
    """One word of a command line: what is one, what is none, and with no text that there is none."""

    name: str
    text: str
    wanted: bool


def examples_of(words: Sequence[str]) -> list[PageExamples]:
    """The examples of a command line: `name=text` is one on the page before it, any other word is the next page.

    >>> (page,) = examples_of(["x.html", "name=EOS 5D", "price!=0 €"])
    >>> page.fields, page.rejected, page.whole
    ({'name': ['EOS 5D']}, [('price', '0 €')], False)
    """
    pages: dict[str, list[Said]] = {}
    current: list[Said] | None = None
    for word in words:
        said = _said(word)
        if said is None:
            current = pages.setdefault(word, [])
        elif current is None:
            raise UsageError(f"{word}: on which page? Examples follow their page: sightline teach SOURCE {word}")
        else:
            current.append(said)
    for source, told in pages.items():
        if not told:
            raise UsageError(f"{source}: no example follows it; write some behind it, such as name='EOS 5D'.")
    inside = {name for told in pages.values() for name in _record_names([own.name for own in told if own.wanted])}
    return [_page(source, told, inside) for source, told in pages.items()]


def _said(word: str) -> Said | None:
    """What a word says, or nothing where it is a source.

    >>> _said("main price=a=b"), _said("https://example.org/?id=7")
    (Said(name='main price', text='a=b', wanted=True), None)
    """
    found = _EXAMPLE.fullmatch(word)
    if not found or os.path.lexists(word):
        return None
    text, wanted = found["text"].strip(), found["sign"] == "="
    if wanted and not text:
        raise UsageError(
            f"{word}: the example is empty; give its text, or {found['name']}!= where the page has no {found['name']}."
        )
    return Said(found["name"], text, wanted)


def _record_names(names: Sequence[str]) -> set[str]:
    """The fields of records: names that come again, but not next to themselves, and whatever stands between them.

    >>> sorted(_record_names(["heading", "name", "price", "sale", "name", "price", "total"]))
    ['name', 'price', 'sale']
    >>> _record_names(["name", "genre", "genre"])
    set()
    """
    runs = [name for name, _ in groupby(names)]
    places = [place for place, name in enumerate(runs) if runs.count(name) > 1]
    return set(runs[places[0] : places[-1] + 1]) if places else set()


def _page(source: str, told: Sequence[Said], inside: set[str]) -> PageExamples:
    wanted = [own for own in told if own.wanted]
    for own in told:
        contrary = [one for one in wanted if one.name == own.name and (one.text == own.text or not own.text)]
        if not own.wanted and contrary:
            said = f"{own.name}={contrary[0].text}"
            raise UsageError(
                f"{source}: {said} and {own.name}!={own.text} contradict each other; leave out one of them."
            )
    fields: ExampleTexts = {}
    for own in wanted:
        if own.name not in inside:
            fields.setdefault(own.name, []).append(own.text)
    records = _records([own for own in wanted if own.name in inside])
    return PageExamples(
        source,
        fields,
        records,
        rejected=[(own.name, own.text) for own in told if not own.wanted and own.text],
        absent=[own.name for own in told if not own.wanted and not own.text],
        # One example of each may stand for a whole list; who shows several shows what there is.
        whole=bool(records) or any(len(texts) > 1 for texts in fields.values()),
    )


def _records(told: Iterable[Said]) -> list[ExampleTexts]:
    """Records in their order: one that has a name already ends where the name comes again.

    >>> _records([Said("name", "A", True), Said("tag", "x", True), Said("tag", "y", True), Said("name", "B", True)])
    [{'name': ['A'], 'tag': ['x', 'y']}, {'name': ['B']}]
    """
    records: list[ExampleTexts] = []
    last = None
    for name, text, _ in told:
        if not records or (name in records[-1] and name != last):
            records.append({})
        records[-1].setdefault(name, []).append(text)
        last = name
    return records
