"""How values are laid out in YAML: short ones on a line, texts in quotes wherever a sign could mislead."""

import re
from typing import Any

from ruamel.yaml import YAML
from ruamel.yaml.comments import CommentedMap, CommentedSeq
from ruamel.yaml.scalarstring import DoubleQuotedScalarString

__all__ = ["on_one_line", "quoted", "yaml_writer"]

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
