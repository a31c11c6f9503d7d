"""What a YAML text says as plain values, and changes of those."""

from collections.abc import Mapping
from typing import Any, TypeAlias

from sightline.errors import UsageError

__all__ = ["YamlPath", "check_plain", "plain_values", "put_value", "same_values", "value_at", "with_value_at"]

YamlPath: TypeAlias = tuple[str | int, ...]
"""Keys and numbers of entries from the top of a text to a place in it."""

MOST_VALUES = 200_000  # of one text, with those that aliases repeat: a small text can mean billions


def plain_values(content: Any) -> Any:
    """What was read from YAML as plain values; numbers with a zero before them are texts, as they were written."""
    return _Plain().of(content)


class _Plain:
    def __init__(self) -> None:
        self._left = MOST_VALUES

    def of(self, value: Any) -> Any:
        self._left -= 1
        if self._left < 0:
            raise UsageError(f"The file says more than {MOST_VALUES:,} values, by its aliases; write it without them.")
        if isinstance(value, Mapping):
            return {str(key): self.of(one) for key, one in value.items()}
        if isinstance(value, list | tuple):
            return [self.of(one) for one in value]
        if value is None or isinstance(value, bool):
            return value
        if isinstance(value, int):
            written = str(value)
            return written if written.lstrip("+-")[:1] == "0" and len(written) > 1 else int(value)
        return float(value) if isinstance(value, float) else str(value)


def check_plain(value: Any) -> None:
    """Refuse what no text in YAML can hold."""
    if isinstance(value, str) and any("\ud800" <= sign <= "\udfff" for sign in value):
        raise UsageError("The text has half of a character; remove it.")
    if isinstance(value, Mapping):
        for key, one in value.items():
            check_plain(key)
            check_plain(one)
    elif isinstance(value, list):
        for one in value:
            check_plain(one)


def same_values(one: Any, other: Any) -> bool:
    """Whether values are the same with their order and types; `true` is not 1 here."""
    return repr(one) == repr(other)


def value_at(values: Any, path: YamlPath) -> Any:
    """The value at a place."""
    for part in path:
        values = values[part]
    return values


def put_value(values: Any, path: YamlPath, value: Any, after: str | None) -> None:
    """Set a value in plain values; a new key comes after another one."""
    for number, part in enumerate(path[:-1]):
        if isinstance(values, dict) and values.get(part) is None:
            values[part] = {}
        values = value_at(values, path[number : number + 1])
    last = path[-1]
    if isinstance(values, dict) and last not in values and after in values:
        items = list(values.items())
        place = list(values).index(after) + 1
        values.clear()
        values.update([*items[:place], (str(last), value), *items[place:]])
    else:
        values[last] = value


def with_value_at(values: Any, path: YamlPath, value: Any) -> Any:
    """Plain values with another one at a place; the given ones stay."""
    if not path:
        return value
    if isinstance(values, dict):
        return {key: with_value_at(one, path[1:], value) if key == path[0] else one for key, one in values.items()}
    return [with_value_at(one, path[1:], value) if key == path[0] else one for key, one in enumerate(values)]
