"""Families of documents: what they say is always the same, is what is set, and differs from one to the next."""

import random
from html import unescape

import pytest
from bench.pdf.families import DOCUMENTS, LEARNED, LOOKED_AT
from bench.pdf.family_sources import OFFICE, SOURCES
from bench.pdf.family_texts import SAID, Draw, Said


def _said(name: str, number: int) -> Said:
    return SAID[name](Draw(random.Random(f"0/{name}/{number}")))


@pytest.mark.parametrize("name", SAID)
def test_documents_are_drawn_the_same_again(name: str) -> None:
    """The truth is made anew in every run, and belongs to files that were set in an earlier one."""
    assert [_said(name, number) for number in range(3)] == [_said(name, number) for number in range(3)]
    assert len({str(_said(name, number).fields) for number in range(DOCUMENTS)}) == DOCUMENTS


@pytest.mark.parametrize("name", SAID)
def test_what_is_said_is_set(name: str) -> None:
    """Every value of a row stands in the source, line by line those of a block."""
    style, source_of = SOURCES[name]
    for number in range(DOCUMENTS):
        said = _said(name, number)
        source = source_of(said)
        plain = unescape(source) if style == OFFICE else source.replace("--", "–").replace("\\", "")
        missing = [text for row in said.rows for text in row.values() if text not in plain]
        missing += [line for lines in said.beside.values() for line in lines if line not in plain]
        assert not missing


def test_some_families_are_not_looked_at() -> None:
    """They say whether a change holds elsewhere; no document is learned from and read."""
    assert len(set(SAID) - set(LOOKED_AT)) >= 2
    assert max(LEARNED) <= DOCUMENTS // 2
