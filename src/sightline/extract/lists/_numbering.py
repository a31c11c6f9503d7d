"""Numbers that count items: "7.", "#7 –", "Tip 7:", read from the texts of all items together.

A number at the start of one text may be part of it ("7 Cups"); numbers of a whole list that count 1, 2, 3 or
10, 9, 8 are not.
"""

import re
from collections import Counter
from collections.abc import Sequence

__all__ = ["are_counting", "read_number", "without_numbers"]

_NUMBER = re.compile(
    r"[^\w$€£¥]{0,4}(?:(?P<word>[^\W\d_]{1,14})\.?\s{0,3})?(?:[#№]\s?)?(?P<number>\d{1,4})"
    r"(?P<mark>(?:st|nd|rd|th)?\s?(?:[.):/\]|>ᐅ·•…](?!\d)|[-–—](?![^\W_]))[\s.):/\]|>\-–—ᐅ·•…]*|\s+|\Z)",
)
# Share of the items; a few may lack their number or have a wrong one.
MOST_COUNT = 0.6


def read_number(text: str) -> tuple[int | None, str]:
    """The number at the start of a text, and the text behind it.

    >>> read_number("#7 – Osprey Atmos"), read_number("Step 3: Rinse"), read_number("Osprey 65 pack")
    ((7, 'Osprey Atmos'), (3, 'Rinse'), (None, 'Osprey 65 pack'))
    """
    found = _NUMBER.match(text)
    if not found or (found["word"] and not _is_mark(found)):
        return None, text
    return int(found["number"]), text[found.end() :].strip()


def _is_mark(found: re.Match[str]) -> bool:
    """After a word a number counts only with a mark after it or a sign before it: "Tip 3:", "Tip #3", not "Area 51"."""
    return bool(found["mark"].strip()) or "#" in found[0] or not found["mark"]


def are_counting(numbers: Sequence[int | None]) -> bool:
    """Whether the numbers of a list count its items, up or down, with few slips.

    >>> are_counting([1, 2, 3]), are_counting([3, 2, 1]), are_counting([1, None, 3, 4])
    (True, True, True)
    >>> are_counting([5, 5, 5]), are_counting([7])
    (False, False)
    """
    numbered = [(place, number) for place, number in enumerate(numbers) if number is not None]
    if len(numbered) < 2 or len(numbered) < MOST_COUNT * len(numbers):
        return False
    offsets = [number - place for place, number in numbered], [number + place for place, number in numbered]
    best = max(max(Counter(differences).values()) for differences in offsets)
    return best >= max(2, MOST_COUNT * len(numbers))


def without_numbers(texts: Sequence[str]) -> tuple[list[int | None], list[str]]:
    """The numbers that count the texts, and the texts without them; unchanged texts if nothing counts them.

    >>> without_numbers(["2. Rigel", "1. Sirius"])
    ([2, 1], ['Rigel', 'Sirius'])
    >>> without_numbers(["7 Cups", "4 Houses"])
    ([None, None], ['7 Cups', '4 Houses'])
    """
    read = [read_number(text) for text in texts]
    if not are_counting([number for number, _ in read]):
        return [None] * len(texts), list(texts)
    return [number for number, _ in read], [rest or text for (_, rest), text in zip(read, texts, strict=True)]
