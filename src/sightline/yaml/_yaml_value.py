"""What a YAML file gives: every key and value with its line, so that an error can point at it."""

import os
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, fields, is_dataclass, replace
from difflib import get_close_matches
from io import StringIO
from pathlib import Path
from typing import Any, NoReturn

from ruamel.yaml import YAML
from ruamel.yaml.comments import CommentedMap, CommentedSeq
from ruamel.yaml.constructor import RoundTripConstructor
from ruamel.yaml.error import MarkedYAMLError, YAMLError
from ruamel.yaml.nodes import Node, ScalarNode
from ruamel.yaml.reader import ReaderError

from sightline.errors import UsageError
from sightline.yaml._advice import advice_on, comment_in, in_quotes

__all__ = [
    "GivenPair",
    "MistakeError",
    "YamlContent",
    "YamlValue",
    "check_length",
    "check_version",
    "did_you_mean",
    "inside",
    "listed",
    "load_text",
    "parsed_yaml",
    "read_yaml",
]

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
