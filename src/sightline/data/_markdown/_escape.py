"""Text that Markdown reads as just this text, with as few backslashes as possible."""

import re

__all__ = ["escaped", "escaped_address", "safe_line", "safe_title"]

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
