"""Figures and names as people read them, in the text and on the page of a summary."""

import unicodedata
from itertools import accumulate

__all__ = ["amount", "bytes_in_words", "duration", "one_line", "percent", "width_of"]


def percent(share: float) -> str:
    """A share, with as many digits as tell it from nothing and from all.

    >>> percent(0.5), percent(0.0004), percent(0), percent(0.9996), percent(1), percent(0.0000004)
    ('50.0 %', '0.04 %', '0 %', '99.96 %', '100 %', '<0.01 %')
    """
    if share in (0, 1):
        return f"{share:.0%}".replace("%", " %")
    if not 0.001 <= share <= 0.999:
        return "<0.01 %" if share < 0.0001 else ">99.99 %" if share > 0.9999 else f"{100 * share:.2f} %"
    return f"{100 * share:.1f} %"


def duration(seconds: float) -> str:
    """A time, in the unit that suits it.

    >>> duration(0.0123), duration(3.2), duration(600), duration(7200), duration(1e6)
    ('12.3 ms', '3.2 s', '10.0 min', '2.0 h', '11.6 days')
    """
    for unit, length in (("days", 86400.0), ("h", 3600.0), ("min", 60.0), ("s", 1.0)):
        if seconds >= 2 * length or (unit == "s" and seconds >= 1):
            return f"{seconds / length:,.1f} {unit}"
    return f"{1000 * seconds:.1f} ms"


def bytes_in_words(count: float) -> str:
    """A number of bytes.

    >>> bytes_in_words(999), bytes_in_words(1_500_000), bytes_in_words(2e15)
    ('999 bytes', '1.5 MB', '2,000.0 TB')
    """
    for unit, size in (("TB", 1e12), ("GB", 1e9), ("MB", 1e6), ("kB", 1e3)):
        if count >= size:
            return f"{count / size:,.1f} {unit}"
    return f"{count:,.0f} bytes"


def amount(count: float) -> str:
    """A number, without digits that nobody reads.

    >>> amount(12.345), amount(1234.5), amount(0.0123)
    ('12.3', '1,234', '0.012')
    """
    return f"{count:,.0f}" if count >= 100 else f"{count:.1f}" if count >= 1 else f"{count:.2g}"


def width_of(text: str) -> int:
    """How many columns of a terminal a text takes."""
    return sum(2 if unicodedata.east_asian_width(letter) in "WF" else 1 for letter in text)


def one_line(text: str, width: int) -> str:
    r"""A text from outside on one line: no control of the terminal survives, and what is too long is cut.

    >>> one_line("a\x1b[31m\nb", 20), one_line("abcdef", 4)
    ('a�[31m b', 'abc…')
    """
    line = "".join(letter if letter.isprintable() else "\ufffd" for letter in " ".join(text[: 4 * width].split()))
    if width_of(line) <= width and len(text) <= 4 * width:
        return line
    ends = accumulate(2 if unicodedata.east_asian_width(letter) in "WF" else 1 for letter in line)
    return line[: sum(end < width for end in ends)] + "…"
