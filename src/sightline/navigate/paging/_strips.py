"""Strips that part a list by dates or letters: "December 2024 · November 2024 · …", "A–F G–M N–Z"."""

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from sightline.navigate.paging._clues import Candidate
from sightline.navigate.paging._steps import split_address
from sightline.page import Page
from sightline.signals import word_set

__all__ = ["strip_on"]

DATES, LETTERS = "dates", "letters"
LEAST_LETTERS = 3  # entries; two letters side by side are anything
MOST_ENTRIES = 240  # twenty years of months
LONGEST_ENTRY = 40  # characters
AROUND = 4  # elements around a link in which its strip may be
MOST_NODES = 8 * MOST_ENTRIES
# What is written between entries.
_MARKS = re.compile(r"[\s|·•,;/.\[\]()–—-]*")
YEAR = r"(?:19|20)\d\d"
MONTHS = word_set("""
    january february march april may june july august september october november december
    jan feb mar apr jun jul aug sep sept oct nov dec
    januar februar märz mai juni juli oktober dezember mär okt dez jänner
    janvier février mars avril juin juillet août septembre octobre novembre décembre
    enero febrero marzo abril mayo junio julio agosto septiembre octubre noviembre diciembre
    gennaio febbraio aprile maggio giugno luglio settembre ottobre dicembre
    janeiro fevereiro março maio junho julho setembro outubro novembro dezembro
    januari februari maart mei augustus april maj augusti marts
    styczeń luty marzec kwiecień czerwiec lipiec sierpień wrzesień październik listopad grudzień
    leden únor březen duben květen červen červenec srpen září říjen prosinec
    январь февраль март апрель май июнь июль август сентябрь октябрь ноябрь декабрь
    """)
_DATES = re.compile(
    rf"{YEAR}|{YEAR}[-./]\d{{1,2}}(?:[-./]\d{{1,2}})?|\d{{1,2}}[-./]{YEAR}|\d{{1,2}}[-./]\d{{1,2}}[-./]{YEAR}"
    rf"|{YEAR}\s?[年년](?:\s?\d{{1,2}}\s?[月월])?|{YEAR}\s?[-–/]\s?(?:{YEAR}|\d\d)"
)
_RANGE = re.compile(r"[^\W\d_]|[^\W\d_]{1,2}\s?[-–—…]\s?[^\W\d_]{1,2}|0\s?[-–—]\s?9|#")
_COUNT = re.compile(r"\s*\(\d+\)$")
_LAST_YEAR = re.compile(rf"\s*,?\s*{YEAR}$")


class _Entry(NamedTuple):
    """A part of a strip: what it says, and where it leads; "" for what isn't a link, or leads to the page itself."""

    said: str
    address: str = ""


def strip_on(page: Page, candidates: Sequence[Candidate], own: str) -> tuple[str, ...]:
    """The addresses of a strip of dates or letters that the page itself has a part in; () if there is none.

    The part that the page shows isn't a link, or leads to the page itself, which tells a strip from an archive beside a
    list. All that stands in a strip is dates, or all is letters.
    """
    ways = {node: one.address for one in candidates for node in one.links}
    said = {node: label for one in candidates for node, label in zip(one.links, one.labels, strict=True)}
    likely = [node for node in sorted(ways) if _kind(said[node])]
    tried: set[int] = set()
    for node in likely[:MOST_ENTRIES]:
        for block in _around(page, node):
            if block in tried:
                break
            tried.add(block)
            addresses = _strip_of(list(_entries(page, block, ways, said)), own)
            if addresses:
                return addresses
    return ()


def _around(page: Page, node: int) -> Iterator[int]:
    above = int(page.parent[node])
    for _ in range(AROUND):
        if above < 0 or page.end[above] - above > MOST_NODES:
            return
        yield above
        above = int(page.parent[above])


def _strip_of(entries: Sequence[_Entry], own: str) -> tuple[str, ...]:
    """The addresses of the strip that these entries are; () if they are none."""
    kinds = {_kind(entry.said) for entry in entries}
    if len(entries) > MOST_ENTRIES or len(kinds) != 1:
        return ()
    kind = kinds.pop()
    here = sum(not entry.address for entry in entries)
    ways = tuple(dict.fromkeys(entry.address for entry in entries if entry.address))
    # Letters without records aren't links either; of dates there is one, that of the page.
    is_strip = here == 1 if kind == DATES else kind == LETTERS and here > 0 and len(entries) >= LEAST_LETTERS
    return ways if is_strip and all(_same_site(way, own) for way in ways) else ()


def _same_site(address: str, own: str) -> bool:
    one, other = split_address(address), split_address(own)
    return one is not None and other is not None and one.site == other.site


def _entries(page: Page, block: int, ways: Mapping[int, str], said: Mapping[int, str]) -> Iterator[_Entry]:
    """What stands in an element, marks left out: links, and texts that are in none."""
    node, stop = block, int(page.end[block])
    while node < stop:
        if node in ways:
            yield _Entry(said[node], ways[node])
            node = int(page.end[node])
            continue
        text = page.strings[page.text[node]].strip() if page.text[node] >= 0 else ""
        if text and not _MARKS.fullmatch(text):
            yield _Entry(text)
        node += 1


def _kind(said: str) -> str | None:
    """Whether a text is a date or stands for letters; a number of articles may follow: "May 2024 (17)".

    >>> [_kind(said) for said in ("December 2024", "2024", "2024-11", "A–F", "Kitchen", "7", "März")]
    ['dates', 'dates', 'dates', 'letters', None, None, 'dates']
    """
    if len(said) > LONGEST_ENTRY:
        return None
    bare = _COUNT.sub("", said.strip()).lower()
    if _DATES.fullmatch(bare):
        return DATES
    words = _LAST_YEAR.sub("", bare).split()
    if len(words) == 1 and words[0].strip(".") in MONTHS:
        return DATES
    return LETTERS if _RANGE.fullmatch(bare) else None
