"""The lines of records, without the line breaks that part nothing.

A line ends at a block, a cell or a break. But the value of a microdata property is all text in its element, a link over
two lines is one link, and some pages break the lines of a sentence by hand.
"""

from itertools import pairwise

from sightline.extract.lists._page_signals import PageSignals

__all__ = ["line_starts", "run_starts", "text_at"]

# Words; a shorter line that ends without a full stop is complete all the same, such as a line of an address. Any number
# from 1 to 8 gives the same figures, so this is the careful end.
WRAPPED = 8
SENTENCE_ENDS = (".", "!", "?", ":")


def line_starts(signals: PageSignals, start: int, low: int, high: int, *, join: bool) -> list[int]:
    """Where the lines of the record at node `start` begin, from the text at place `low` up to `high`."""
    begins = run_starts(signals.line_list, low, high)
    if not join or len(begins) < 2:
        return begins
    kept = begins[:1]
    for begin in begins[1:]:
        if not _goes_on(signals, start, kept[-1], begin):
            kept.append(begin)
    return kept


def run_starts(number: list[int], low: int, high: int) -> list[int]:
    """Where each run of equal numbers begins, from index `low` up to `high`."""
    if high <= low:
        return []
    return [low, *(after for before, after in pairwise(range(low, high)) if number[after] != number[before])]


def text_at(signals: PageSignals, place: int) -> str:
    """The text at a place, without white space at its ends."""
    page = signals.page
    return str(page.strings[page.text[signals.text_list[place]]]).strip()


def _goes_on(signals: PageSignals, start: int, begin: int, place: int) -> bool:
    """Whether the line that began at `begin` goes on at `place`."""
    value, link, holder = signals.property_list, signals.link_list, signals.holder_list
    before = place - 1
    if value[place] >= start and value[place] == value[before]:
        return True
    same = (signals.frame_list, link, holder)
    if any(number[place] != number[before] for number in same):
        return False
    # A record that is a link as a whole has lines like any other.
    return link[place] > start or _is_wrapped(signals, begin, place)


def _is_wrapped(signals: PageSignals, begin: int, place: int) -> bool:
    """Whether a sentence goes on at `place`."""
    words = signals.tallies.words
    if words[signals.text_list[place]] - words[signals.text_list[begin]] < WRAPPED:
        return False
    text = text_at(signals, place - 1)
    has_ended = text.endswith(SENTENCE_ENDS) and not text.endswith("...")
    return not has_ended and text_at(signals, place)[:1].islower()
