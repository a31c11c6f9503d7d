"""The schema of a wrapper as an indented outline for people."""

from collections.abc import Mapping

from sightline.data import Option, SetOf, TupleOf

__all__ = ["outline_lines"]

LONGEST_EXAMPLE = 60


def outline_lines(node: TupleOf, scope: str, examples: Mapping[str, str], indent: str = "") -> list[str]:
    """A line for each field with its type and an example; the fields of records follow, indented."""
    lines: list[str] = []
    for name, part in node.fields:
        marks, inner = "", part
        while isinstance(inner, Option | SetOf):
            marks += " optional" if isinstance(inner, Option) else " set of"
            inner = inner.item
        full = f"{scope}{name}"
        if isinstance(inner, TupleOf):
            lines += [f"{indent}{name}:{marks} records", *outline_lines(inner, f"{full}.", examples, indent + "  ")]
        else:
            example = examples.get(full, "")
            shown = f"  “{example[:LONGEST_EXAMPLE]}{'…' * (len(example) > LONGEST_EXAMPLE)}”" if example else ""
            lines.append(f"{indent}{name}:{marks} {inner}{shown}")
    return lines
