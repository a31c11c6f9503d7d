"""Values as text in YAML: what stands after a colon or a dash, and the lines below it."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from io import StringIO
from typing import Any

from ruamel.yaml import YAML
from ruamel.yaml.comments import CommentedMap, CommentedSeq
from ruamel.yaml.scalarstring import DoubleQuotedScalarString, LiteralScalarString, SingleQuotedScalarString

__all__ = ["Indents", "on_one_line", "quoted", "written_item", "written_scalar", "written_value", "yaml_writer"]

WIDTH = 1 << 30  # characters of a line: a folded one would be hard to edit
# Words that mean nothing else in YAML: they begin with a letter and are not a number, a truth value or null.
_PLAIN = re.compile(r"(?!(?:true|false|null|yes|no|on|off|y|n)$)[A-Za-z][\w .()/+-]*(?<! )", re.IGNORECASE | re.ASCII)


@dataclass(frozen=True)
class Indents:
    """How a text is indented: a level of keys, the dash of a list below its key, and an entry after its dash."""

    mapping: int = 2
    dash: int = 2
    entry: int = 2


def yaml_writer(indents: Indents = Indents()) -> YAML:
    """Writes as people do, and folds no line."""
    writer = YAML(typ="rt")
    writer.width = WIDTH
    writer.brace_single_entry_mapping_in_flow_sequence = True
    writer.indent(mapping=indents.mapping, sequence=indents.dash + indents.entry, offset=indents.dash)
    return writer


def on_one_line(value: Any) -> Any:
    """A value as YAML in braces and brackets."""
    if isinstance(value, Mapping):
        inner: Any = CommentedMap({quoted(key): on_one_line(one) for key, one in value.items()})
    elif isinstance(value, list):
        inner = CommentedSeq([on_one_line(one) for one in value])
    else:
        return quoted(value)
    inner.fa.set_flow_style()
    return inner


def quoted(value: Any) -> Any:
    """A text in quotes, unless it is a few plain words, which nothing else can be meant by."""
    return DoubleQuotedScalarString(value) if isinstance(value, str) and not _PLAIN.fullmatch(value) else value


def written_value(
    value: Any, indents: Indents, *, style: str | None = None, plain: bool = False, levels: int = 1
) -> list[str]:
    r"""What stands after a key and its colon, and the lines below, indented as if the key were not.

    `style` is the quote of a text, `plain` allows no text over lines, and mappings of the first `levels` have a line
    for each key.

    >>> written_value({"to": "EUR", "digits": 2}, Indents())
    ['', '  to: EUR', '  digits: 2']
    >>> written_value("a\nb\n", Indents()), written_value("a\nb\n", Indents(), plain=True)
    (['|', '  a', '  b'], ['"a\\nb\\n"'])
    """
    if value is None:
        return [""]
    first, *below = _lines(CommentedMap({"k": _laid_out(value, style, plain=plain, levels=levels)}), indents)
    return [first.removeprefix("k:").strip(), *below]


def written_item(value: Any, indents: Indents) -> list[str]:
    """The lines of an entry of a list, without its dash and as if that were not indented."""
    if isinstance(value, Mapping) and value:
        return _lines(CommentedMap({quoted(name): on_one_line(one) for name, one in value.items()}), indents)
    return [written_scalar(value)]


def written_scalar(value: Any) -> str:
    """A value on one line, in braces and brackets if it is more than a text."""
    return (
        _lines(on_one_line([value]), Indents())[0].removeprefix("[").removesuffix("]") if value is not None else "null"
    )


def _lines(content: Any, indents: Indents) -> list[str]:
    out = StringIO()
    yaml_writer(indents).dump(content, out)
    return out.getvalue().removesuffix("\n").split("\n")


def _laid_out(value: Any, style: str | None, *, plain: bool, levels: int) -> Any:
    """A value as people would write it: some levels of names below each other, and what is deeper on one line."""
    if isinstance(value, Mapping) and value and levels:
        inner = {quoted(name): _laid_out(one, None, plain=plain, levels=levels - 1) for name, one in value.items()}
        return CommentedMap(inner)
    if isinstance(value, list) and any(isinstance(one, Mapping) for one in value) and levels:
        return CommentedSeq([_laid_out(one, None, plain=plain, levels=1) for one in value])
    if not isinstance(value, str):
        return on_one_line(value)
    if "\n" in value and levels and not plain and value.strip() and not value[0].isspace() and "\r" not in value:
        return LiteralScalarString(value)
    if style == "'" and "\n" not in value:
        return SingleQuotedScalarString(value)
    return DoubleQuotedScalarString(value) if style == '"' else quoted(value)
