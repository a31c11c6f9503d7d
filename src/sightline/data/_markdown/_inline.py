"""A line of Markdown: stretches of text with their marks, nested so that no mark is opened twice."""

import re
import unicodedata
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import groupby

from sightline.data._content_parts import InlineText

__all__ = ["inline_markdown", "safe_line", "safe_title"]

MARKS = ("link", "bold", "italic")
DELIMITERS = {"bold": ("**", "__"), "italic": ("*", "_")}
BLANKS, DOUBLE = re.compile(r"\s*[\n\r]\s*"), re.compile(" {2,}")
TICKS = re.compile("`+")


@dataclass(frozen=True, slots=True)
class LinePlace:
    """Where stretches are written: between which letters, and whether in a cell or a link."""

    before: str = ""
    after: str = ""
    cell: bool = False
    link: bool = False


def inline_markdown(stretches: Sequence[InlineText], *, cell: bool = False) -> str:
    """Stretches of text as one line of Markdown.

    >>> inline_markdown([InlineText("See "), InlineText("the "), InlineText("map", bold=True, link="https://x.org/")])
    'See the [**map**](https://x.org/)'
    """
    return _written(_joined(stretches), LinePlace(cell=cell)).strip()


def _joined(stretches: Sequence[InlineText]) -> list[InlineText]:
    """Stretches without line breaks; neighbours that are marked alike are one."""
    plain = [replace(one, text=BLANKS.sub(" ", one.text)) for one in stretches if one.text or one.image]
    runs = groupby(plain, key=lambda one: replace(one, text=one.text if one.image else ""))
    return [marks if marks.image else replace(marks, text=_spaced(run, code=marks.code)) for marks, run in runs]


def _spaced(run: Iterable[InlineText], *, code: bool) -> str:
    """The text of stretches; where an image was left out between two blanks, one is left."""
    text = "".join(one.text for one in run)
    return text if code else DOUBLE.sub(" ", text)


def _written(stretches: Sequence[InlineText], place: LinePlace) -> str:
    """The stretches, each run of them inside the mark that reaches furthest."""
    done, at = "", 0
    while at < len(stretches):
        mark, stop = _widest(stretches, at)
        following = stretches[stop].text[:1] if stop < len(stretches) else place.after
        here = replace(place, before=done[-1:] or place.before, after=following)
        if not mark:
            done += _leaf(stretches[at], here)
        else:
            start, inner, end = _trimmed([_without(one, mark) for one in stretches[at:stop]])
            here = replace(here, before=start[-1:] or here.before, after=end[:1] or here.after)
            written = _marked(mark, stretches[at].link, inner, here)
            if not start and written.startswith("[") and done.endswith("!"):
                done = f"{done[:-1]}\\!"  # else it would be an image
            done += start + written + end
        at = stop
    return done


def _widest(stretches: Sequence[InlineText], start: int) -> tuple[str, int]:
    """The mark of a stretch that the most stretches from it on share, and where it ends."""
    best, furthest = "", start + 1
    for mark in MARKS:
        value = getattr(stretches[start], mark)
        stop = start
        while value and stop < len(stretches) and getattr(stretches[stop], mark) == value:
            stop += 1
        if value and (not best or stop > furthest):
            best, furthest = mark, stop
    return best, furthest


def _without(one: InlineText, mark: str) -> InlineText:
    """A stretch without one of its marks."""
    if mark == "link":
        return replace(one, link="")
    return replace(one, bold=one.bold and mark != "bold", italic=one.italic and mark != "italic")


def _trimmed(stretches: Sequence[InlineText]) -> tuple[str, list[InlineText], str]:
    """Stretches without the blanks around them, which marks cannot begin or end with, and these blanks."""
    kept = list(stretches)
    start = end = ""
    while kept and not kept[0].image and kept[0].text != (text := kept[0].text.lstrip()):
        start += kept[0].text[: len(kept[0].text) - len(text)]
        kept = [replace(kept[0], text=text), *kept[1:]] if text else kept[1:]
    while kept and not kept[-1].image and kept[-1].text != (text := kept[-1].text.rstrip()):
        end = kept[-1].text[len(text) :] + end
        kept = [*kept[:-1], replace(kept[-1], text=text)] if text else kept[:-1]
    return start, _joined(kept), end


def _leaf(one: InlineText, place: LinePlace) -> str:
    """A stretch without any other mark: an image, code or text."""
    if one.image:
        return f"![{escaped(one.text, cell=place.cell, link=True)}]({escaped_address(one.image)})"
    # Backticks that meet would be one mark, and readers disagree on a backslash before a pipe in the code of a cell.
    if one.code and one.text.strip() and place.before != "`" and not (place.cell and "\\|" in one.text):
        return _code(one.text, cell=place.cell)
    return escaped(one.text, cell=place.cell, link=place.link)


def _code(text: str, *, cell: bool) -> str:
    """Code between more backticks than it contains in a row."""
    inner = text.strip()
    start, end = text[: len(text) - len(text.lstrip())], text[len(text.rstrip()) :]
    ticks = "`" * (max(map(len, TICKS.findall(inner)), default=0) + 1)
    gap = " " if inner.startswith("`") or inner.endswith("`") else ""
    # In a table a pipe ends the cell even in code.
    return f"{start}{ticks}{gap}{inner.replace('|', chr(92) + '|') if cell else inner}{gap}{ticks}{end}"


def _marked(mark: str, link: str, stretches: Sequence[InlineText], place: LinePlace) -> str:
    """Stretches inside a mark; without it if Markdown would not take it for one in this place."""
    if not stretches:
        return ""
    if mark == "link":
        inner = _written(stretches, replace(place, before="[", after="]", link=True))
        return f"[{inner}]({escaped_address(link)})"
    for delimiter in DELIMITERS[mark]:
        letter = delimiter[0]
        inner = _written(stretches, replace(place, before=letter, after=letter))
        if _can_mark(letter, inner, place):
            return f"{delimiter}{inner}{delimiter}"
    return _written(stretches, place)


def _can_mark(letter: str, inner: str, place: LinePlace) -> bool:
    """Whether a delimiter opens and closes here, by the rules of CommonMark for left- and right-flanking runs."""
    if place.before == letter or (letter == "_" and (_is_in_word(place.before) or _is_in_word(place.after))):
        return False
    opens = inner[:1].isalnum() or _is_edge(place.before)
    closes = inner[-1:].isalnum() or _is_edge(place.after)
    return bool(inner) and opens and closes


def _is_in_word(letter: str) -> bool:
    """Whether a letter belongs to a word: for CommonMark all but blanks and punctuation, known or not."""
    return not _is_edge(letter) and not unicodedata.category(letter).startswith("S")


def _is_edge(letter: str) -> bool:
    """Whether a letter is a blank or punctuation to every reader of Markdown; the end of a line is."""
    kind = unicodedata.category(letter) if letter else "Zs"
    return kind == "Zs" or kind.startswith("P")


# Text that Markdown reads as just this text, with as few backslashes as possible.

PUNCTUATION = re.escape("!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~")
# What marks something inside a line: a backslash before punctuation or at the end, code, stars unless they stand alone,
# underscores unless they are inside a word, tildes that may close, the middle of a link, tags and entities.
_INLINE = (
    rf"\\(?=[{PUNCTUATION}]|\Z)"
    r"|`"
    r"|(?<! )\*+|\*+(?! )"
    r"|(?<![^\W_])(?<!_)_+(?! )|(?<=[^ _])_+(?![^\W_]|_)|^_+"
    r"|(?<=[^ ~])~+|~~+"
    r"|\](?=\()|!(?=\[)"
    r"|<(?=[A-Za-z/!?])"
    r"|&(?=#?\w+;)"
)
INLINE, INSIDE_LINK = re.compile(_INLINE), re.compile(rf"{_INLINE}|[\[\]]")
# What makes a line more than a line: headings, quotations, items, fences, underlines, tasks, definitions, tables.
LINE_START = re.compile(
    r"#{1,6}(?=\s|$)|>|[-+](?=\s|$)|\d{1,9}(?=[.)](?:\s|$))|~~~|=+\s*$|(?=[^-]*-)[|:\-\s]+$"
    r"|\[(?=[ xX]\](?:\s|$))|\[(?=(?:[^\]\\]|\\.)+\]:)"
)
TITLE_END = re.compile(r"(?:(?<=\s)|^)(?=#+\s*$)")
ENTITY = re.compile(r"&(?=#?\w+;)")
# What an address cannot contain, or what would end it; a backslash is one to Markdown only before punctuation.
UNSAFE = {ord(letter): f"%{ord(letter):02X}" for letter in ' <>|\\`"'}
CONTROLS = re.compile(r"[\x00-\x1f\x7f]+")


def escaped(text: str, *, cell: bool = False, link: bool = False) -> str:
    r"""A text inside a line, in which nothing is a mark; in a cell also no pipe, in a link no bracket.

    >>> print(escaped("snake_case, 2 * 3 < 7, R&D, but *so*, `x` and <b>"))
    snake_case, 2 * 3 < 7, R&D, but \*so\*, \`x\` and \<b>
    """
    marks = INSIDE_LINK if link else INLINE
    marked = marks.sub(lambda found: "".join(f"\\{letter}" for letter in found[0]), text)
    return marked.replace("|", "\\|") if cell else marked


def safe_line(line: str) -> str:
    r"""A line of a paragraph that begins nothing else.

    >>> print(safe_line("1. May was cold."), safe_line("#1 again"), safe_line("- so"))
    1\. May was cold. #1 again \- so
    """
    found = LINE_START.match(line)
    if not found:
        return line
    # A number is not punctuation, so the dot behind it is escaped instead.
    place = found.end() if found[0][0].isdigit() else 0
    return f"{line[:place]}\\{line[place:]}"


def safe_title(line: str) -> str:
    r"""The text of a heading, which does not end in what closes one.

    >>> print(safe_title("C #"), safe_title("C#"))
    C \# C#
    """
    return TITLE_END.sub(lambda _: "\\", line, count=1)


def escaped_address(address: str) -> str:
    r"""The address of a link; brackets that come in pairs stay as they are.

    >>> escaped_address("https://example.org/a b_(c)"), escaped_address("https://example.org/:)")
    ('https://example.org/a%20b_(c)', 'https://example.org/:\\)')
    """
    safe = ENTITY.sub(r"\\&", CONTROLS.sub("", address).translate(UNSAFE))
    return safe if _is_paired(safe) else re.sub(r"[()]", r"\\\g<0>", safe)


def _is_paired(address: str) -> bool:
    """Whether every bracket of an address is closed behind where it opens."""
    open = 0
    for letter in address:
        open += (letter == "(") - (letter == ")")
        if open < 0:
            return False
    return open == 0
