"""The examples of a lesson as people write them: words behind a page, or a file with a line for each page."""

import os
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import groupby
from pathlib import Path
from typing import Any, NamedTuple

import orjson

from sightline.errors import UsageError
from sightline.files import read_bytes

__all__ = ["RECORDS", "PageExamples", "examples_in", "examples_of", "joined", "without"]

ExampleTexts = dict[str, list[str]]

KEYS = ("source", "fields", "records")
LINE = '{"source": "p1.html", "fields": {"name": ["EOS 5D"], "price": ["500 €"]}}'
RECORDS = "items"  # what a lesson calls the set of the records that it is shown
BYTE_ORDER_MARK = b"\xef\xbb\xbf"
# No address has such a beginning: a colon or a slash stands before its first equals sign.
_EXAMPLE = re.compile(r"(?P<name>\w[\w .-]*?)\s*(?P<sign>!?=)(?P<text>.*)", re.DOTALL)


class Said(NamedTuple):
    """One word of a command line: what is one, what is none, and with no text that there is none."""

    name: str
    text: str
    wanted: bool


@dataclass(frozen=True)
class PageExamples:
    """What is said of a page; a page that is shown as a whole has nothing beyond that."""

    source: str
    fields: ExampleTexts = field(default_factory=dict)
    records: list[ExampleTexts] = field(default_factory=list)
    rejected: list[tuple[str, str]] = field(default_factory=list)
    absent: list[str] = field(default_factory=list)
    whole: bool = False

    @property
    def names(self) -> list[str]:
        """The fields that examples are given of."""
        return list(dict.fromkeys([*self.fields, *(name for record in self.records for name in record)]))


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


# ---------------------------------------------------------------- files of examples


def examples_in(file: Path) -> list[PageExamples]:
    """The examples of a file, all pages of which are shown as a whole."""
    content = read_bytes(file, f"write one with a line for each page, such as {LINE}")
    lines = content.removeprefix(BYTE_ORDER_MARK).split(b"\n")
    return [_line(line, f"{file}, line {number}", file) for number, line in enumerate(lines, start=1) if line.strip()]


def _line(line: bytes, where: str, file: Path) -> PageExamples:
    try:
        told = orjson.loads(line)
    except orjson.JSONDecodeError as problem:
        raise UsageError(f"{where}: it is not JSON ({problem}); a line is such as {LINE}") from problem
    if not isinstance(told, dict) or not isinstance(told.get("source"), str) or not told["source"]:
        raise UsageError(f'{where}: it names no page; a line has a "source", such as {LINE}')
    strange = next((key for key in told if key not in KEYS), None)
    if strange is not None:
        raise UsageError(f'{where}: it has a key "{strange}"; the keys of a line are {", ".join(KEYS)}.')
    records = told.get("records") or []
    if not isinstance(records, list):
        raise UsageError(f'{where}: "records" is a list of records, such as [{{"name": ["EOS 5D"]}}].')
    return PageExamples(
        _found(told["source"], file),
        _texts(told.get("fields") or {}, f'{where}: "fields"'),
        [own for record in records if (own := _texts(record, f'{where}: a record of "records"'))],
        whole=True,
    )


def _texts(told: Any, what: str) -> ExampleTexts:
    problem = UsageError(f'{what} has a list of texts for each name, such as {{"name": ["EOS 5D"]}}.')
    if not isinstance(told, dict):
        raise problem
    several = {name: [texts] if isinstance(texts, str) else texts or [] for name, texts in told.items()}
    for name, texts in several.items():
        if not name.strip() or not isinstance(texts, list) or not all(isinstance(text, str) for text in texts):
            raise problem
    return {name: texts for name, texts in several.items() if texts}


def _found(source: str, file: Path) -> str:
    """A source that stands beside the file, else one as it is: an address, or a file of the working folder."""
    beside = file.parent / source
    return str(beside) if os.path.lexists(beside) else source


# ---------------------------------------------------------------- all of them


def joined(pages: Iterable[PageExamples]) -> list[PageExamples]:
    """What is said of each page, with everything that is said of it together."""
    by_source: dict[str, PageExamples] = {}
    for page in pages:
        known = by_source.get(page.source)
        by_source[page.source] = _both(known, page) if known else page
    found = list(by_source.values())
    _check_names(found)
    return found


def _both(one: PageExamples, other: PageExamples) -> PageExamples:
    names = dict.fromkeys([*one.fields, *other.fields])
    return PageExamples(
        one.source,
        {name: [*one.fields.get(name, []), *other.fields.get(name, [])] for name in names},
        [*one.records, *other.records],
        [*one.rejected, *other.rejected],
        [*one.absent, *other.absent],
        whole=one.whole or other.whole,
    )


def _check_names(pages: Sequence[PageExamples]) -> None:
    """Refuse names that no field has, and to say what is none of a field that nothing is one of."""
    known = {name for page in pages for name in page.names}
    if not known:
        raise UsageError("There is no example; write what is wanted behind its page, such as name='EOS 5D'.")
    dotted = next((name for name in sorted(known) if "." in name), None)
    if dotted:
        raise UsageError(f"A field is not called “{dotted}”: a dot parts a set from its fields; leave it out.")
    if any(page.records for page in pages) and any(RECORDS in page.names for page in pages):
        raise UsageError(f"The records of a page are called “{RECORDS}”, so no field is; give it another name.")
    for page in pages:
        for name in [*(name for name, _ in page.rejected), *page.absent]:
            if name not in known:
                told = f"the fields with examples are {', '.join(sorted(known))}"
                raise UsageError(f"{page.source}: there is no example of “{name}” to tell it from; {told}.")


def without(page: PageExamples, names: Iterable[str]) -> PageExamples:
    """What is said of a page, but for some fields."""
    gone = set(names)
    records = [_but(record, gone) for record in page.records]
    return PageExamples(
        page.source,
        _but(page.fields, gone),
        [record for record in records if record],
        [own for own in page.rejected if own[0] not in gone],
        [name for name in page.absent if name not in gone],
        whole=page.whole,
    )


def _but(texts: Mapping[str, list[str]], gone: set[str]) -> ExampleTexts:
    return {name: own for name, own in texts.items() if name not in gone}
