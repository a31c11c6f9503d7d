"""What a YAML file gives: every key and value with its line, so that an error can point at it."""

import os
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, fields, is_dataclass, replace
from difflib import get_close_matches
from io import StringIO
from pathlib import Path
from typing import Any, NoReturn

from ruamel.yaml import YAML
from ruamel.yaml.comments import CommentedMap, CommentedSeq
from ruamel.yaml.constructor import DuplicateKeyError, RoundTripConstructor
from ruamel.yaml.error import MarkedYAMLError, YAMLError
from ruamel.yaml.nodes import Node, ScalarNode
from ruamel.yaml.reader import ReaderError

from sightline.errors import UsageError

LONGEST = 40  # characters of a value in an error
DEEPEST = 100  # brackets and braces in each other; the parser's time grows with the square of them
_BRACKET = re.compile(r"[\[\]{}]")
TOO_DEEP = "the brackets and braces are nested too deeply; write it flatter."


class MistakeError(UsageError):
    """Something is wrong at a line of a file; `problem` says what, without the place."""

    def __init__(self, file: str, line: int, problem: str) -> None:
        super().__init__(f"{file}, line {line}: {problem}")
        self.file: str = file
        self.line: int = line
        self.problem: str = problem

    def __reduce__(self) -> tuple[type["MistakeError"], tuple[str, int, str]]:
        return type(self), (self.file, self.line, self.problem)


@dataclass(frozen=True)
class YamlValue:
    """A value, and where it is in its file."""

    value: Any
    file: str
    line: int
    lines: tuple[str, ...] = field(default=(), repr=False)

    def fail(self, problem: str) -> NoReturn:
        """Say what is wrong here."""
        raise MistakeError(self.file, self.line, problem)

    def __str__(self) -> str:
        """The value as an error shows it."""
        text = " ".join(str(self.value).split()) if not isinstance(self.value, dict | list) else "this"
        return f"“{text if len(text) <= LONGEST else text[: LONGEST - 1] + '…'}”" if text != "this" else "this"

    def pairs(self) -> "Iterator[GivenPair]":
        """The keys and values of a mapping."""
        self.check_there("keys with values, such as `button: Search`")
        if not isinstance(self.value, CommentedMap):
            self.fail(f"{self} should be keys with values, such as `button: Search`.")
        known = self.value.lc.data or {}
        for key, value in self.value.items():
            # A key that came by `<<` has its place elsewhere.
            line = self.value.lc.key(key)[0] if key in known else self.line - 1
            # Where a value is missing, YAML's place is that of whatever comes next.
            place = self.value.lc.value(key)[0] if value is not None and key in known else line
            yield GivenPair(replace(self, value=key, line=line + 1), replace(self, value=value, line=place + 1))

    def items(self) -> "Iterator[YamlValue]":
        """The entries of a list."""
        self.check_there("a list, each entry after a dash")
        if isinstance(self.value, CommentedMap) and (key := str(next(iter(self.value), ""))).startswith("-"):
            next(self.pairs()).key.fail(f"put a blank after the dash: `- {key[1:]}`.")
        if not isinstance(self.value, CommentedSeq):
            self.fail(f"{self} should be a list, each entry after a dash.")
        for number, value in enumerate(self.value):
            yield replace(self, value=value, line=self.value.lc.item(number)[0] + 1)

    def check_there(self, what: str) -> None:
        """Say so if there is no value at all."""
        if self.value is None:
            self.check_comment()
            self.fail(f"nothing is here; write {what}.")

    def check_comment(self) -> None:
        """Say so if a value such as #menu is missing because YAML takes it for a comment."""
        comment = comment_in(self.lines[self.line - 1]) if self.value is None and self.line <= len(self.lines) else ""
        if comment:
            self.fail(f"nothing is here, because `#` begins a comment; put the text in quotes: {in_quotes(comment)}.")

    def check_braces(self) -> None:
        """Say so if a text such as {name} was written without quotes, which YAML takes for keys."""
        if not isinstance(self.value, CommentedMap) or len(self.value) != 1:
            return
        key, value = next(iter(self.value.items()))
        if value is not None or not self.value.fa.flow_style():
            return
        word, colon, rest = str(key).partition(":")
        if colon and rest:
            self.fail(f"put a blank after the colon: `{{{word}: {rest.strip()}}}`.")
        self.fail(f"a text that begins with a brace needs quotes: {in_quotes(f'{{{key}}}')}.")


@dataclass(frozen=True)
class GivenPair:
    """A key and its value."""

    key: YamlValue
    value: YamlValue

    @property
    def word(self) -> str:
        """The key as a text."""
        return str(self.key.value)


def listed(words: Iterable[str]) -> str:
    """Words as in a sentence."""
    return ", ".join(f"`{word}`" for word in words)


def did_you_mean(word: str, known: Iterable[str], others: Mapping[str, str] | None = None) -> str:
    """The known word that is closest, as a question, or all of them; `others` are words that mean a known one."""
    known = list(known)
    meant = (others or {}).get(" ".join(word.lower().replace("_", " ").split()))
    close = [meant] if meant in known else get_close_matches(word.lower(), known, n=1, cutoff=0.6)
    return f"did you mean `{close[0]}`?" if close else f"there {'is' if len(known) == 1 else 'are'} {listed(known)}."


def check_version(given: YamlValue, found: YamlValue | None, key: str, version: int, what: str) -> None:
    """Say so if a file is of no version, or of another than this program knows."""
    if found is None:
        given.fail(f"the {what} does not say its version; begin it with `{key}: {version}`.")
    found.check_there(f"the version of the language, `{key}: {version}`")
    if str(found.value) == str(version) and not isinstance(found.value, int):
        found.fail(f"the version is a number; write `{key}: {version}`, without quotes.")
    if found.value != version:
        found.fail(f"this is a {what} of version {found.value}; this program knows version {version}.")


def read_keys(text: str, file: str, known: Sequence[str], what: str, version: int) -> dict[str, YamlValue]:
    """What stands at the top of a file of this kind, by its keys; the first of `known` says the version."""
    given = read_yaml(text, file)
    if not isinstance(given.value, dict):
        given.fail(f"a {what} has the keys {listed(known)}; this has none.")
    values = {}
    for pair in given.pairs():
        if pair.word not in known:
            pair.key.fail(f"a {what} has no key `{pair.word}`; {did_you_mean(pair.word, known)}")
        values[pair.word] = pair.value
    check_version(given, values.get(known[0]), known[0], version, what)
    if "steps" not in values:
        given.fail(f"the {what} has no `steps`; write what is to be done.")
    return values


def inside(value: Any, but: tuple[type, ...] = ()) -> Iterator[Any]:
    """A value that was read, and all that it consists of, without what is of some types."""
    if isinstance(value, but):
        return
    yield value
    if isinstance(value, tuple | list):
        parts: Any = value
    elif isinstance(value, Mapping):
        parts = value.values()
    else:
        parts = [getattr(value, one.name) for one in fields(value)] if is_dataclass(value) else ()
    for part in parts:
        yield from inside(part, but)


# ---------------------------------------------------------------------- files

MOST_LETTERS = 250_000
"""Letters of a file that people write. YAML is read at some 20,000 letters a second on a slow machine."""


def load_text(path: str | os.PathLike[str], what: str) -> str:
    """The text of a file in UTF-8 with its own line ends; an error names the file that was probably meant."""
    try:
        with Path(path).open(encoding="utf-8-sig", newline="") as stream:
            text = stream.read(MOST_LETTERS + 1)
    except OSError as problem:
        meant = _other_file(Path(path), what)
        raise UsageError(f"{path} could not be read ({problem.strerror}); {meant}") from problem
    except UnicodeDecodeError as problem:
        raise UsageError(f"{path} is not a text in UTF-8; save it as UTF-8.") from problem
    check_length(text, str(path))
    return text


def check_length(text: str, file: str) -> None:
    """Refuse a text that is longer than what people write; reading it could take minutes."""
    if len(text) > MOST_LETTERS:
        raise UsageError(f"{file} has more than {MOST_LETTERS:,} letters, which is too long to be read; split it.")


def _other_file(path: Path, what: str) -> str:
    beside = [one.name for one in path.parent.glob("*.y*ml")] if path.parent.is_dir() and not path.exists() else []
    close = get_close_matches(path.name, beside, n=1, cutoff=0.6)
    return f"did you mean {path.with_name(close[0])}?" if close else f"check the name of the {what}."


# ---------------------------------------------------------------------- YAML


class _WrittenInt(int):
    """A number that is shown as it was written: 01234, or 1_000."""

    written: str

    def __str__(self) -> str:
        return self.written


class _WrittenFloat(float):
    """A number that is shown as it was written: 1.10, or 1e3."""

    written: str

    def __str__(self) -> str:
        return self.written


class _Constructor(RoundTripConstructor):
    """Keeps how numbers and dates were written: whoever types 01234 into a form means these five digits."""

    def written_int(self, node: ScalarNode) -> _WrittenInt:
        """A whole number."""
        value = _WrittenInt(self.construct_yaml_int(node))
        value.written = str(node.value)
        return value

    def written_float(self, node: ScalarNode) -> _WrittenFloat:
        """Another number."""
        value = _WrittenFloat(self.construct_yaml_float(node))
        value.written = str(node.value)
        return value

    def written_date(self, node: ScalarNode) -> str:
        """A date, which files of this kind have as a text only."""
        return str(node.value)


for _tag, _made in (
    ("int", _Constructor.written_int),
    ("float", _Constructor.written_float),
    ("timestamp", _Constructor.written_date),
):
    _Constructor.add_constructor(f"tag:yaml.org,2002:{_tag}", _made)


@dataclass(frozen=True, eq=False)
class YamlContent:
    """What a YAML text says: its values with their lines, and the nodes with the places of their signs."""

    given: YamlValue
    node: Node | None


def read_yaml(text: str, file: str) -> YamlValue:
    """The content of a YAML file."""
    return parsed_yaml(text, file).given


def _check_depth(text: str, file: str) -> None:
    """Refuse what the parser would take minutes for; quotes and comments are not looked at, since nobody comes near."""
    depth = 0
    for found in _BRACKET.finditer(text):
        depth = depth + 1 if found[0] in "[{" else max(depth - 1, 0)
        if depth > DEEPEST:
            raise MistakeError(file, text.count("\n", 0, found.start()) + 1, TOO_DEEP)


def parsed_yaml(text: str, file: str) -> YamlContent:
    """The content of a YAML file with the nodes that it was made of, for those who change its text."""
    reader = YAML(typ="rt")
    reader.Constructor = _Constructor
    reader.preserve_quotes = True  # a text in quotes is a kind of its own, and certainly meant as a text
    _check_depth(text, file)
    try:
        constructor, _ = reader.get_constructor_parser(StringIO(text))
        node = constructor.composer.get_single_node()
        content = constructor.construct_document(node) if node is not None else None
    except (MarkedYAMLError, ReaderError) as problem:
        line, told = advice_on(problem, text)
        raise MistakeError(file, line, told) from problem
    except RecursionError as problem:
        raise MistakeError(file, 1, TOO_DEEP) from problem
    except (YAMLError, ValueError) as problem:
        raise UsageError(f"{file} cannot be read as YAML ({str(problem).splitlines()[0]}); fix that.") from problem
    return YamlContent(YamlValue(content, file, 1, tuple(text.splitlines())), node)


# -- what is wrong with a file that is no YAML, told by the line of the text where it happened ----------------------
# YAML's own messages name tokens of its grammar. People know their text, so the advice is about what is written there.

LONGEST_ADVICE = 60  # characters of a line or value that an error repeats
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
    short = text if len(text) <= LONGEST_ADVICE else f"{text[: LONGEST_ADVICE - 1]}…"
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
        braces = f"`{first[1]}: {{{rest}}}`" if len(rest) <= LONGEST_ADVICE else "braces"
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
    short = short if len(short) <= LONGEST_ADVICE else f"{short[: LONGEST - 1]}…"
    return (
        f"“{short}” cannot be read as YAML here; check its quotes, colons and blanks, and those of the line above it."
    )


def _is_private(lines: Sequence[str], line: int) -> bool:
    """Whether a line may have a secret on it, in a file that should have none: then nothing of it is repeated."""
    top = next((lines[place] for place in range(line, -1, -1) if lines[place][:1].strip("# \t-")), "")
    return top.startswith("secrets") or any(map(_PRIVATE.search, lines[max(0, line - 1) : line + 1]))
