"""What a script file gives: every key and value with its line, so that an error can point at it."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from difflib import get_close_matches
from io import StringIO
from typing import Any, NoReturn

from ruamel.yaml import YAML
from ruamel.yaml.comments import CommentedMap, CommentedSeq
from ruamel.yaml.error import MarkedYAMLError, YAMLError

from sightline.errors import UsageError

__all__ = ["Given", "GivenPair", "did_you_mean", "listed", "read_yaml"]

LONGEST = 40  # characters of a value in an error


@dataclass(frozen=True)
class Given:
    """A value of a script, and where it is in its file."""

    value: Any
    file: str
    line: int

    def fail(self, problem: str) -> NoReturn:
        """Say what is wrong here."""
        raise UsageError(f"{self.file}, line {self.line}: {problem}")

    def __str__(self) -> str:
        """The value as an error shows it."""
        text = " ".join(str(self.value).split()) if not isinstance(self.value, dict | list) else "this"
        return f"“{text if len(text) <= LONGEST else text[: LONGEST - 1] + '…'}”" if text != "this" else "this"

    def pairs(self) -> "Iterator[GivenPair]":
        """The keys and values of a mapping."""
        if not isinstance(self.value, CommentedMap):
            self.fail(f"{self} should be keys with values, such as `button: Search`.")
        for key, value in self.value.items():
            line, _ = self.value.lc.key(key)
            yield GivenPair(replace(self, value=key, line=line + 1), self._inside(value, *self.value.lc.value(key)))

    def items(self) -> "Iterator[Given]":
        """The entries of a list."""
        if not isinstance(self.value, CommentedSeq):
            self.fail(f"{self} should be a list, each entry after a dash.")
        for number, value in enumerate(self.value):
            yield self._inside(value, *self.value.lc.item(number))

    def _inside(self, value: Any, line: int, _: int) -> "Given":
        return replace(self, value=value, line=line + 1)


@dataclass(frozen=True)
class GivenPair:
    """A key and its value."""

    key: Given
    value: Given

    @property
    def word(self) -> str:
        """The key as a text."""
        return str(self.key.value)


def listed(words: Iterable[str]) -> str:
    """Words as in a sentence."""
    return ", ".join(f"`{word}`" for word in words)


def did_you_mean(word: str, known: Iterable[str]) -> str:
    """The known word that is closest, as a question, or all of them."""
    known = list(known)
    close = get_close_matches(word.lower(), known, n=1, cutoff=0.6)
    return f"did you mean `{close[0]}`?" if close else f"there are {listed(known)}."


def read_yaml(text: str, file: str) -> Given:
    """The content of a YAML file."""
    try:
        content = YAML(typ="rt").load(StringIO(text))
    except MarkedYAMLError as problem:
        mark = problem.problem_mark or problem.context_mark
        line = mark.line + 1 if mark else 1
        said = (problem.problem or problem.context or "it cannot be read").strip().splitlines()[0]
        raise UsageError(f"{file}, line {line}: this is not YAML: {said}.") from problem
    except (YAMLError, ValueError) as problem:
        raise UsageError(f"{file}: this is not YAML: {str(problem).splitlines()[0]}.") from problem
    return Given(content, file, 1)
