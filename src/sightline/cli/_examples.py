"""The examples of a lesson on the command line: words that follow the page they are on."""

import os
import re
from collections.abc import Iterable, Sequence
from itertools import groupby
from typing import NamedTuple

from sightline.errors import UsageError
from sightline.jobs import ExampleTexts, PageExamples

__all__ = ["examples_of"]

# No address looks like this: it has a colon or a slash before its first equals sign.
_EXAMPLE = re.compile(r"(?P<name>\w[\w .-]*?)\s*(?P<sign>!?=)(?P<text>.*)", re.DOTALL)


class ExampleWord(NamedTuple):
    """An example on the command line; if not `wanted`, the text is wrong, or without a text, the page has none."""

    name: str
    text: str
    wanted: bool


def examples_of(words: Sequence[str]) -> list[PageExamples]:
    """The examples of a command line: `name=text` belongs to the page before it, any other word is the next page.

    >>> (page,) = examples_of(["x.html", "name=EOS 5D", "price!=0 €"])
    >>> page.fields, page.rejected, page.whole
    ({'name': ['EOS 5D']}, [('price', '0 €')], False)
    """
    pages: dict[str, list[ExampleWord]] = {}
    current: list[ExampleWord] | None = None
    for word in words:
        example = _example(word)
        if example is None:
            current = pages.setdefault(word, [])
        elif current is None:
            raise UsageError(
                f"{word}: this example has no page; write it after its page: sightline teach SOURCE {word}"
            )
        else:
            current.append(example)
    for source, examples in pages.items():
        if not examples:
            raise UsageError(f"{source}: this page has no examples; write some after it, such as name='EOS 5D'.")
    inside = {
        name
        for examples in pages.values()
        for name in _record_names([example.name for example in examples if example.wanted])
    }
    return [_page(source, examples, inside) for source, examples in pages.items()]


def _example(word: str) -> ExampleWord | None:
    """The example that a word gives, or None if it is a source.

    >>> _example("main price=a=b"), _example("https://example.org/?id=7")
    (ExampleWord(name='main price', text='a=b', wanted=True), None)
    """
    found = _EXAMPLE.fullmatch(word)
    if not found or os.path.lexists(word):
        return None
    text, wanted = found["text"].strip(), found["sign"] == "="
    if wanted and not text:
        raise UsageError(
            f"{word}: the example is empty; give its text, or {found['name']}!= where the page has no {found['name']}."
        )
    return ExampleWord(found["name"], text, wanted)


def _record_names(names: Sequence[str]) -> set[str]:
    """The fields of records: names that recur, though not in a row, and everything between them.

    >>> sorted(_record_names(["heading", "name", "price", "sale", "name", "price", "total"]))
    ['name', 'price', 'sale']
    >>> _record_names(["name", "genre", "genre"])
    set()
    """
    runs = [name for name, _ in groupby(names)]
    places = [place for place, name in enumerate(runs) if runs.count(name) > 1]
    return set(runs[places[0] : places[-1] + 1]) if places else set()


def _page(source: str, examples: Sequence[ExampleWord], inside: set[str]) -> PageExamples:
    wanted = [example for example in examples if example.wanted]
    for example in examples:
        contrary = [
            other for other in wanted if other.name == example.name and (other.text == example.text or not example.text)
        ]
        if not example.wanted and contrary:
            first = f"{example.name}={contrary[0].text}"
            raise UsageError(
                f"{source}: {first} and {example.name}!={example.text} contradict each other; leave out one of them."
            )
    fields: ExampleTexts = {}
    for example in wanted:
        if example.name not in inside:
            fields.setdefault(example.name, []).append(example.text)
    records = _records([example for example in wanted if example.name in inside])
    return PageExamples(
        source,
        fields,
        records,
        rejected=[(example.name, example.text) for example in examples if not example.wanted and example.text],
        absent=[example.name for example in examples if not example.wanted and not example.text],
        # One example of each may stand for a whole list; several show everything there is.
        whole=bool(records) or any(len(texts) > 1 for texts in fields.values()),
    )


def _records(examples: Iterable[ExampleWord]) -> list[ExampleTexts]:
    """The records in order: a new one starts where a name recurs, unless it directly follows itself.

    >>> words = [("name", "A"), ("tag", "x"), ("tag", "y"), ("name", "B")]
    >>> _records(ExampleWord(name, text, wanted=True) for name, text in words)
    [{'name': ['A'], 'tag': ['x', 'y']}, {'name': ['B']}]
    """
    records: list[ExampleTexts] = []
    last = None
    for name, text, _ in examples:
        if not records or (name in records[-1] and name != last):
            records.append({})
        records[-1].setdefault(name, []).append(text)
        last = name
    return records
