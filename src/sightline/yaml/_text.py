"""Changes of a YAML text that leave every other line as it was written: comments, order, quotes, indents and line ends.

Parts of the text are replaced at the marks of the parser, and the result is read again: if it does not say exactly what
was meant, the part is written anew as a whole, and if that does not help either, the change is refused.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from copy import deepcopy
from dataclasses import replace
from functools import cached_property
from typing import Any

from ruamel.yaml.nodes import ScalarNode

from sightline.errors import UsageError
from sightline.yaml._places import YamlPlaces, walk
from sightline.yaml._plain_values import YamlPath, plain_values, put_value, same_values, value_at, with_value_at
from sightline.yaml._splices import Splice, SpliceWay, YamlSplicer
from sightline.yaml._yaml_value import YamlContent, parsed_yaml

__all__ = ["YamlText"]

MARK = "\ufeff"

# What is tried in turn: from what leaves most of the text as it is to what is read most surely.
_WAYS = (
    SpliceWay(in_parts=True, plain=False),
    SpliceWay(in_parts=False, plain=False),
    SpliceWay(in_parts=False, plain=True),
)


class YamlText:
    r"""A YAML text and its changes, each of which gives a new one.

    >>> text = YamlText("a: 1   # one\nb: {c: x, d: [1, 2]}\n")
    >>> print(text.set(("b", "d"), [1, 3]).set(("a",), "two").remove(("b",), ["c"]).text, end="")
    a: two   # one
    b: {d: [1, 3]}
    """

    def __init__(self, text: str, file: str = "file") -> None:
        self.text = text
        self.file = file
        # A byte order mark is no part of YAML; it stays where it is.
        self._mark = MARK if text.startswith(MARK) else ""
        self._places = YamlPlaces(text.removeprefix(MARK))

    @cached_property
    def content(self) -> YamlContent:
        """What the text says, with lines and nodes; an error with its line if it is no YAML."""
        return parsed_yaml(self._places.text, self.file)

    @cached_property
    def values(self) -> Any:
        """What the text says, as plain values."""
        return plain_values(self.content.given.value)

    @cached_property
    def _splicer(self) -> YamlSplicer:
        return YamlSplicer(self.content, self._places)

    def set(self, path: YamlPath, value: Any, *, after: str | None = None, levels: int = 1) -> "YamlText":
        """With another value at a place; a key that is not there is added after another one, or at the end.

        In a new value, `levels` of mappings have lines of their own; what is deeper is on one line.
        """
        return self.set_all({path: value}, after=after, levels=levels)

    def set_all(self, changes: Mapping[YamlPath, Any], *, after: str | None = None, levels: int = 1) -> "YamlText":
        """With other values at several places, none of which is inside another."""
        wanted = deepcopy(self.values)
        for path, value in changes.items():
            put_value(wanted, path, value, after)

        def splices(how: SpliceWay) -> Iterable[Splice]:
            for path, value in changes.items():
                yield from self._splicer.set(path, value, after, replace(how, levels=levels))

        try:
            return self._changed(splices, wanted)
        except UsageError:
            if not self._lacks_end:
                raise
            return self._with_end.set_all(changes, after=after, levels=levels)

    def remove(self, path: YamlPath, keys: Sequence[str]) -> "YamlText":
        """Without some keys of a mapping, and without the comments directly above them."""
        wanted = deepcopy(self.values)
        mapping = value_at(wanted, path)
        for key in keys:
            del mapping[key]
        return self._changed(lambda how: self._splicer.remove(path, keys, how), wanted)

    def rename(self, names: Mapping[YamlPath, str]) -> "YamlText":
        """With other names for some keys, at the same places."""
        wanted = self.values
        for path, new in names.items():
            mapping = value_at(wanted, path[:-1])
            renamed = {new if key == path[-1] else key: value for key, value in mapping.items()}
            wanted = with_value_at(wanted, path[:-1], renamed)
        return self._changed(lambda _: self._splicer.rename(names), wanted)

    @cached_property
    def _lacks_end(self) -> bool:
        """Whether the text ends within a text over lines, which would get one more line if anything followed it."""
        end = len(self._places.text)
        return not self._places.text.endswith(("\n", "\r")) and any(
            isinstance(node, ScalarNode) and node.style in ("|", ">") and node.end_mark.index >= end
            for node in walk(self.content.node)
        )

    @property
    def _with_end(self) -> "YamlText":
        return YamlText(self.text + self._places.newline, self.file)

    # ------------------------------------------------------------------ checking

    def _changed(self, splices: Callable[[SpliceWay], Iterable[Splice]], wanted: Any) -> "YamlText":
        if same_values(self.values, wanted):
            return self
        for how in _WAYS:
            try:
                made = YamlText(self._mark + self._spliced(splices(how)), self.file)
                if same_values(made.values, wanted):
                    return made
            except (UsageError, ValueError):
                continue
        raise UsageError(
            f"{self.file} is written there in a way that cannot be changed from here, such as an anchor that is used "
            "elsewhere; change it in the text."
        )

    def _spliced(self, splices: Iterable[Splice]) -> str:
        text, parts, place = self._places.text, [], 0
        for one in sorted(splices, key=lambda one: (one.start, one.end)):
            if one.start < place:
                raise ValueError("two changes touch each other")
            parts += [text[place : one.start], one.text]
            place = one.end
        return "".join((*parts, text[place:]))
