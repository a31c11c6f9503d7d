"""Secrets by their names: read where they are kept, typed where they are needed, and blackened everywhere else."""

from collections.abc import Mapping
from contextlib import suppress
from dataclasses import replace

import numpy as np

from sightline.arrays import IntArray
from sightline.data import Field as RecordField
from sightline.data import Record, Value
from sightline.errors import MissingExtra, UsageError
from sightline.page import Page
from sightline.redaction import HIDDEN, Redaction, remember
from sightline.yaml import SecretPlace, look_up

BLACKENED = HIDDEN


class Secrets:
    """The secrets of one run, looked up at its beginning: a page may show one before a step has typed it.

    One that is missing is an error only when it is needed. Those that are `given` are not looked up.
    """

    def __init__(self, places: Mapping[str, SecretPlace], given: Mapping[str, str] | None = None) -> None:
        self._places = places
        self._known: dict[str, str] = {}
        self._redaction = Redaction()
        for name, text in (given or {}).items():
            if name in places and text:
                self._know(name, text)
        for name in places:
            with suppress(UsageError, MissingExtra):
                self.get(name)

    def __repr__(self) -> str:
        return f"<Secrets {', '.join(self._places)}>"

    def get(self, name: str) -> str:
        """The secret itself."""
        if name not in self._known:
            self._know(name, look_up(name, self._places[name]))
        return self._known[name]

    def _know(self, name: str, secret: str) -> None:
        self._known[name] = remember(secret)
        self._redaction.add(secret)

    def redact(self, text: str) -> str:
        """A text without any of the secrets, however they are written in it."""
        return self._redaction(text)

    def blacken_page(self, page: Page) -> Page:
        """A page without any of the secrets in its texts and attributes, to be stored."""
        if not self._known:
            return page
        strings, place = self._blackened_strings(page)
        return replace(
            page,
            strings=strings,
            text=np.where(page.text >= 0, place[page.text], page.text),
            attributes=replace(
                page.attributes,
                value=np.where(page.attributes.value >= 0, place[page.attributes.value], page.attributes.value),
            ),
            url=self.redact(page.url),
            title=self.redact(page.title),
            notes=tuple(self.redact(one) for one in page.notes),
            gaps=tuple(self.redact(one) for one in page.gaps),
        )

    def _blackened_strings(self, page: Page) -> tuple[tuple[str, ...], IntArray]:
        """The strings of a page, and where each of its texts is among them.

        A tag or a style stays what it is, though a text that says the same does not.
        """
        strings, place = list(page.strings), np.arange(len(page.strings), dtype=np.int32)
        said = np.union1d(page.text, page.attributes.value)
        meant = {*page.tag.tolist(), *page.attributes.name.tolist(), *np.unique(page.styles).tolist()}
        for number in said[said >= 0].tolist():
            struck = self._redaction.struck(strings[number])
            if struck != strings[number] and number in meant:
                place[number] = len(strings)
                strings.append(struck)
            else:
                strings[number] = struck
        return tuple(strings), place

    def blacken_record(self, record: Record) -> Record:
        """A record without any of the secrets."""
        return Record({name: self._blackened(field) for name, field in record.items()}) if self._known else record

    def _blackened(self, field: RecordField) -> RecordField:
        if isinstance(field, Record):
            return self.blacken_record(field)
        if isinstance(field, tuple):
            return tuple(self._blackened(one) for one in field)
        if isinstance(field, Value) and (text := self.redact(field.text)) != field.text:
            return Value(text)
        return field
