"""What is wrong with a file that is no YAML, told by the line of the text where it happened.

YAML's own messages name tokens of its grammar. People know their text, so the advice is about what is written there.
"""

import re
from collections.abc import Sequence

from ruamel.yaml.constructor import DuplicateKeyError
from ruamel.yaml.error import MarkedYAMLError
from ruamel.yaml.reader import ReaderError

__all__ = ["advice_on", "comment_in", "in_quotes"]

LONGEST = 60  # characters of a line or value that an error repeats
_KEY = re.compile(r"\s*(?:-\s+)?([^\s:#{}\[\]\"'-][^:#{}\[\]\"']*):(?:\s|$)")
_VALUE = re.compile(r"\s*(?:-\s+)?(?:[^:#{}\[\]\"']+:\s+)?(\S.*?)\s*(?:\s#.*)?$")
_DASH = re.compile(r"(\s*)-\s+(\S.*)?")
_COMMENT_IN_BRACES = re.compile(r"[{\[][^}\]\"']*\s(#[^\s,}\]]+)[^\"']*$")
_COMMENT_AS_VALUE = re.compile(r"(?::|-)\s+(#\S.*?)\s*$")
_PRIVATE = re.compile(r"passw|secret|token", re.IGNORECASE)
_TWICE = re.compile(r'found duplicate key "(.*?)" with value', re.DOTALL)
_TOO_MANY = re.compile(r"found '([}\]])'")
_CLOSING = {"{": "}", "[": "]"}

Told = tuple[int, str]  # the index of a line, and what is wrong with it


def advice_on(problem: MarkedYAMLError | ReaderError, text: str) -> Told:
    """The number of the line that is wrong, and a sentence that says how to mend it."""
    lines = text.splitlines() or [""]
    if isinstance(problem, ReaderError):
        place = text.count("\n", 0, problem.position)
        return place + 1, f"there is a character that no text has (number {problem.character}); remove it."
    mark = problem.problem_mark or problem.context_mark
    line, column = (min(mark.line, len(lines) - 1), mark.column) if mark else (0, 0)
    line, told = _told(problem, lines, line, column)
    if _is_private(lines, line):
        told = "this cannot be read as YAML; check its quotes, colons and blanks."
    return line + 1, told


def in_quotes(text: str) -> str:
    """A text as YAML takes it, whatever is in it.

    >>> print(in_quotes("{shop}/cameras"), in_quotes('a "b"'))
    "{shop}/cameras" 'a "b"'
    """
    short = text if len(text) <= LONGEST else f"{text[: LONGEST - 1]}…"
    return f"'{short}'" if '"' in short and "'" not in short else f'"{short}"'


def comment_in(line: str) -> str:
    """What a line has as a comment where a value should be.

    >>> comment_in("  - click: #menu"), comment_in("  - click: {css: #menu}"), comment_in("  - back  # to the list")
    ('#menu', '#menu', '')
    """
    found = _COMMENT_IN_BRACES.search(line) or _COMMENT_AS_VALUE.search(line)
    return found[1] if found else ""


def _told(problem: MarkedYAMLError, lines: Sequence[str], line: int, column: int) -> Told:
    said, context = problem.problem or "", problem.context or ""
    if isinstance(problem, DuplicateKeyError):
        return _twice(said, lines, line)
    if "quoted scalar" in context and "end of stream" in said:
        return _start(problem, line), "the quotes that begin here never end; close them."
    if "escape character" in said:
        return line, "a backslash means something else in double quotes; put the text in single quotes."
    if "another document" in context + said:
        return line, "`---` begins a second document, and a file holds one; remove this line."
    if "not allowed here" in said or "cannot start" in said or "alias" in context + said or "block scalar" in context:
        return _unquoted(said, lines, line, column)
    return _comment(lines, line) or _misplaced(problem, lines, line, column)


def _twice(said: str, lines: Sequence[str], line: int) -> Told:
    found = _TWICE.search(said)
    may_be_step = lines[line].startswith(" ") and "{" not in lines[line]
    step = ", or put a dash before the second if it is a step of its own" if may_be_step else ""
    return line, f"`{found[1] if found else 'a key'}` is there twice; leave one of them out{step}."


def _start(problem: MarkedYAMLError, line: int) -> int:
    return problem.context_mark.line if problem.context_mark else line


def _unquoted(said: str, lines: Sequence[str], line: int, column: int) -> Told:
    """A sign that means something in YAML, where a text was meant."""
    if "mapping values" in said:
        return _colon(lines, line, column)
    if r"character '\t'" in said:
        return line, "there is a tab here; indent with blanks instead."
    if "sequence entries" in said:
        return line, "a list begins on the next line, each entry after a dash; a text with a dash needs quotes."
    value = _value(lines[line])
    return line, f"a text cannot begin with “{value[:1]}”; put it in quotes: {in_quotes(value)}."


def _colon(lines: Sequence[str], line: int, column: int) -> Told:
    """A colon where none can be: a second one on the line, or one below a line that is complete already."""
    first = _KEY.match(lines[line])
    if first and first.end(1) < column:
        rest = lines[line][first.end() :].strip()
        braces = f"`{first[1]}: {{{rest}}}`" if len(rest) <= LONGEST else "braces"
        return line, f"there are two colons; write {braces}, or put the text in quotes: {in_quotes(rest)}."
    above = _above(lines, line)
    word = first[1] if first else "this"
    owner = _KEY.match(lines[above])
    if owner:
        return line, f"`{word}` is indented too far; indent it like `{owner[1]}`, by {owner.start(1)} blanks."
    dash = _DASH.match(lines[above])
    if dash and dash[2]:
        return above, f"`{dash[2].strip()}` needs a colon, because `{word}` belongs to it: `{dash[2].strip()}:`."
    return line, _shown(lines[line])


def _comment(lines: Sequence[str], line: int) -> Told | None:
    """A `#` in braces that was meant as a text, on this line or the last one before it with anything on it."""
    for place in (line, _above(lines, line)):
        if found := _COMMENT_IN_BRACES.search(lines[place]):
            return (
                place,
                f"`#` begins a comment, so the braces never end; put the text in quotes: {in_quotes(found[1])}.",
            )
    return None


def _misplaced(problem: MarkedYAMLError, lines: Sequence[str], line: int, column: int) -> Told:
    """Something that is whole, in a place where it cannot be."""
    said, context, start = problem.problem or "", problem.context or "", _start(problem, line)
    if "flow" in context:
        return _in_braces(said, lines, line, start, problem.context_mark.column if problem.context_mark else 0)
    if found := _TOO_MANY.search(said):
        return line, f"there is one `{found[1]}` too many; remove it, or put the text in quotes."
    value = _value(lines[line])
    if column > lines[line].find(value) >= 0:
        if value[0] in "{[":
            return line, f"a text that begins with `{value[0]}` needs quotes: {in_quotes(value)}."
        if value[0] in "\"'":
            return line, 'the quotes end before the text does; put all of it in quotes, in "…" if it has a \' in it.'
    return _indented(lines, line, column)


def _in_braces(said: str, lines: Sequence[str], line: int, start: int, column: int) -> Told:
    brace = lines[start][column : column + 1] if start < len(lines) else ""
    if "got ':'" in said and line == start:
        return line, "a comma is missing before a key in the braces, or a text with a colon needs quotes."
    if brace in _CLOSING:
        return start, f"the `{brace}` that begins here never ends; close it with `{_CLOSING[brace]}` on the same line."
    for place in range(line, -1, -1):
        for sign, closing in _CLOSING.items():
            if lines[place].count(sign) > lines[place].count(closing):
                return place, f"the `{sign}` that begins here never ends; close it with `{closing}` on the same line."
    return line, _shown(lines[line])


def _indented(lines: Sequence[str], line: int, column: int) -> Told:
    """A key or a dash that is not below its like."""
    dash = next((found for place in range(line - 1, -1, -1) if (found := _DASH.match(lines[place]))), None)
    here = _KEY.match(lines[line])
    if dash is None or lines[line][:column].strip():
        return line, _shown(lines[line])
    if _DASH.match(lines[line]):
        below = f"put it below the dash above it, behind {len(dash[1])} blanks"
        return line, f"this dash belongs to no list; {below}, or below a key that has steps, such as `steps:`."
    if here:
        owner, blanks = (dash[2] or "").partition(":")[0].strip(), len(dash[0]) - len(dash[2] or "")
        like = f"like `{owner}` above it, by {blanks} blanks"
        if (dash[2] or "").rstrip().endswith(":"):
            like = f"further than `{owner}` above it, by {blanks + 2} blanks"
        return line, f"`{here[1]}` belongs to no step; indent it {like}, or put a dash before it if it is a step."
    return line, _shown(lines[line])


def _above(lines: Sequence[str], line: int) -> int:
    """The last line before this one that has anything but a comment on it; this one if there is none."""
    return next(
        (place for place in range(line - 1, -1, -1) if (text := lines[place].strip()) and not text.startswith("#")),
        line,
    )


def _value(line: str) -> str:
    found = _VALUE.match(line)
    return found[1] if found else line.strip()


def _shown(line: str) -> str:
    short = line.strip()
    short = short if len(short) <= LONGEST else f"{short[: LONGEST - 1]}…"
    return (
        f"“{short}” cannot be read as YAML here; check its quotes, colons and blanks, and those of the line above it."
    )


def _is_private(lines: Sequence[str], line: int) -> bool:
    """Whether a line may have a secret on it, in a file that should have none: then nothing of it is repeated."""
    top = next((lines[place] for place in range(line, -1, -1) if lines[place][:1].strip("# \t-")), "")
    return top.startswith("secrets") or any(map(_PRIVATE.search, lines[max(0, line - 1) : line + 1]))
