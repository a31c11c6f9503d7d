"""Values as text in YAML: what stands after a colon or a dash, and the lines below it."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from io import StringIO
from typing import Any

from ruamel.yaml import YAML
from ruamel.yaml.comments import CommentedMap, CommentedSeq
from ruamel.yaml.scalarstring import DoubleQuotedScalarString, LiteralScalarString, SingleQuotedScalarString

__all__ = [
    "Indents",
    "WrittenValue",
    "on_one_line",
    "quoted",
    "written_item",
    "written_scalar",
    "written_value",
    "yaml_writer",
]

NEVER_FOLDED = 1 << 30  # characters of a line


@dataclass(frozen=True)
class Indents:
    """How a text is indented: a level of keys, the dash of a list below its key, and an entry after its dash."""

    mapping: int = 2
    dash: int = 2
    entry: int = 2

    def writer(self) -> YAML:
        """What writes so."""
        writer = yaml_writer()
        writer.width = NEVER_FOLDED
        writer.indent(mapping=self.mapping, sequence=self.dash + self.entry, offset=self.dash)
        return writer


@dataclass(frozen=True)
class WrittenValue:
    """What stands in the line of the key, and the lines below it, indented as if the key were not."""

    inline: str
    below: tuple[str, ...] = ()


def written_value(
    value: Any, indents: Indents, *, style: str | None = None, plain: bool = False, levels: int = 1
) -> WrittenValue:
    r"""A value as it is written after its key; `style` is the quote of a text, and `plain` allows no text over lines.

    Mappings of the first `levels` have a line for each key.

    >>> written_value({"to": "EUR", "digits": 2}, Indents())
    WrittenValue(inline='', below=('  to: EUR', '  digits: 2'))
    >>> written_value("a\nb\n", Indents()), written_value("a\nb\n", Indents(), plain=True)
    (WrittenValue(inline='|', below=('  a', '  b')), WrittenValue(inline='"a\\nb\\n"', below=()))
    """
    if value is None:
        return WrittenValue("")
    lines = _lines({"k": _laid_out(value, style, plain=plain, levels=levels)}, indents)
    return WrittenValue(lines[0].removeprefix("k:").strip(), tuple(lines[1:]))


def written_item(value: Any, indents: Indents) -> tuple[str, ...]:
    """The lines of an entry of a list, without its dash and as if that were not indented."""
    if isinstance(value, Mapping) and value:
        return tuple(_lines({name: on_one_line(one) for name, one in value.items()}, indents))
    return (written_scalar(value),)


def written_scalar(value: Any) -> str:
    """A value on one line, in braces and brackets if it is more than a text."""
    if value is None:
        return "null"
    inner = DoubleQuotedScalarString(value) if isinstance(value, str) and "\n" in value else on_one_line(value)
    return _lines([inner], Indents(), flow=True)[0].removeprefix("[").removesuffix("]")


def _lines(content: Any, indents: Indents, *, flow: bool = False) -> list[str]:
    made: Any = CommentedSeq(content) if isinstance(content, list) else CommentedMap()
    if isinstance(content, dict):
        for key, value in content.items():
            made[quoted(key)] = value
    if flow:
        made.fa.set_flow_style()
    out = StringIO()
    indents.writer().dump(made, out)
    return out.getvalue().removesuffix("\n").split("\n")


def _laid_out(value: Any, style: str | None, *, plain: bool, levels: int) -> Any:
    """A value as people would write it: some levels of names below each other, and what is deeper on one line."""
    if isinstance(value, Mapping) and value and levels:
        inner = {quoted(name): _laid_out(one, None, plain=plain, levels=levels - 1) for name, one in value.items()}
        return CommentedMap(inner)
    if isinstance(value, list) and any(isinstance(one, Mapping) for one in value) and levels:
        return CommentedSeq([_laid_out(one, None, plain=plain, levels=1) for one in value])
    if isinstance(value, str):
        return _text(value, style, plain=plain or not levels)
    return on_one_line(value)


def _text(value: str, style: str | None, *, plain: bool) -> Any:
    if "\n" in value and not plain and value.strip() and not value[0].isspace() and "\r" not in value:
        return LiteralScalarString(value)
    if style == "'" and "\n" not in value:
        return SingleQuotedScalarString(value)
    return DoubleQuotedScalarString(value) if style == '"' or "\n" in value else quoted(value)


# How values are laid out in YAML: short ones on a line, texts in quotes wherever a sign could mislead.

WIDTH = 4096  # characters of a line; a folded one would be hard to edit
# Words that mean nothing else in YAML: they begin with a letter and are no number, truth or nothing.
_PLAIN = re.compile(r"(?!(?:true|false|null|yes|no|on|off|y|n)$)[A-Za-z][\w .()/+-]*(?<! )", re.IGNORECASE | re.ASCII)


def yaml_writer() -> YAML:
    """Writes as people do: two blanks a level, and no line folded."""
    writer = YAML(typ="rt")
    writer.width = WIDTH
    writer.brace_single_entry_mapping_in_flow_sequence = True
    writer.indent(mapping=2, sequence=4, offset=2)
    return writer


def on_one_line(value: Any) -> Any:
    """A value as YAML in braces and brackets."""
    if isinstance(value, dict):
        inner: Any = CommentedMap({quoted(key): on_one_line(one) for key, one in value.items()})
    elif isinstance(value, list):
        inner = CommentedSeq([on_one_line(one) for one in value])
    else:
        return quoted(value)
    inner.fa.set_flow_style()
    return inner


def quoted(value: Any) -> Any:
    """A text in quotes, unless it is a few plain words: no sign can then be taken for anything else."""
    return DoubleQuotedScalarString(value) if isinstance(value, str) and not _PLAIN.fullmatch(value) else value
