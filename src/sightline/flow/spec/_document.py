"""A flow as its file has it: changed in place, with the comments, order and quotes that people wrote."""

from collections.abc import Mapping
from io import StringIO
from typing import Any

from ruamel.yaml import YAML
from ruamel.yaml.comments import CommentedMap
from ruamel.yaml.util import load_yaml_guess_indent

from sightline.errors import UsageError
from sightline.flow.spec._flow import Flow
from sightline.flow.spec._steps import FLOW_STEPS
from sightline.yaml import on_one_line, quoted, yaml_writer

__all__ = ["FlowDocument"]


class FlowDocument:
    r"""The text of a flow, changed step by step; whatever is not changed stays as it was written.

    >>> document = FlowDocument("flow: 1\nsteps:\n  ours:  # the catalogue\n    read: ours.csv\n")
    >>> document.add("kept", {"deliver": "ours", "to": "x.duckdb#t"})
    >>> document.rename("ours", "catalogue")
    >>> print(document.text)
    flow: 1
    steps:
      catalogue:  # the catalogue
        read: ours.csv
      kept:
        deliver: catalogue
        to: "x.duckdb#t"
    <BLANKLINE>
    """

    def __init__(self, text: str, file: str = "flow") -> None:
        self._file = file
        self._flow = Flow.loads(text, file)
        self._writer = _writer_like(text)
        self._content = self._writer.load(text)

    @property
    def flow(self) -> Flow:
        """The flow that the text is now."""
        return self._flow

    @property
    def text(self) -> str:
        """The text as it is now."""
        out = StringIO()
        self._writer.dump(self._content, out)
        return out.getvalue()

    def set(self, step: str, key: str, value: Any) -> None:
        """Give a key of a step a value; None takes the key away. What makes no flow is refused."""
        with _Change(self) as content:
            mapping = _step(content, step)
            if value is None:
                mapping.pop(key, None)
            else:
                mapping[key] = _laid_out(value)

    def add(self, name: str, step: Mapping[str, Any]) -> None:
        """Add a step at the end."""
        with _Change(self) as content:
            if name in content["steps"]:
                raise UsageError(f"There is a step `{name}` already; give the new one another name.")
            content["steps"][name] = CommentedMap({key: _laid_out(value) for key, value in step.items()})

    def remove(self, name: str) -> None:
        """Take a step away; steps that take its rows must have gone before."""
        with _Change(self) as content:
            _step(content, name)
            del content["steps"][name]

    def rename(self, name: str, new: str) -> None:
        """Give a step another name, there and wherever its rows are taken; SQL is left for people to change."""
        with _Change(self) as content:
            _step(content, name)
            if new in content["steps"]:
                raise UsageError(f"There is a step `{new}` already; choose another name.")
            _rename_key(content["steps"], name, new)
            for step in content["steps"].values():
                _rename_inputs(step, name, new)


class _Change:
    """A change of a document that is undone if what comes out is no flow."""

    def __init__(self, document: FlowDocument) -> None:
        self._document = document
        self._before = document.text

    def __enter__(self) -> Any:
        return self._document._content

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        document = self._document
        try:
            if kind is None:
                document._flow = Flow.loads(document.text, document._file)
                return
        except UsageError:
            document._content = document._writer.load(self._before)
            raise
        document._content = document._writer.load(self._before)


def _writer_like(text: str) -> YAML:
    """A writer that indents as the text does."""
    _, sequence, offset = load_yaml_guess_indent(text)
    writer = yaml_writer()
    writer.preserve_quotes = True
    if sequence is not None:
        writer.indent(mapping=2, sequence=sequence, offset=offset or 0)
    return writer


def _step(content: Any, name: str) -> Any:
    if name not in content["steps"]:
        raise UsageError(f"There is no step `{name}`; there are {', '.join(content['steps'])}.")
    return content["steps"][name]


def _laid_out(value: Any) -> Any:
    """A value as people would write it: one level of names below each other, and what they have on one line."""
    if isinstance(value, Mapping):
        return CommentedMap({quoted(name): on_one_line(one) for name, one in value.items()})
    if isinstance(value, list) and any(isinstance(one, Mapping) for one in value):
        return [_laid_out(one) for one in value]
    return on_one_line(value)


def _rename_key(mapping: Any, name: str, new: str) -> None:
    """Rename a key at its place, with its comments."""
    place = list(mapping).index(name)
    comments = mapping.ca.items.pop(name, None)
    value = mapping.pop(name)
    mapping.insert(place, new, value)
    if comments is not None:
        mapping.ca.items[new] = comments


def _rename_inputs(step: Any, name: str, new: str) -> None:
    word = next(word for word in step if word in FLOW_STEPS)
    for key in (word, "to") if word == "match" else (word,):
        if word in ("read", "query", "extract", "collect", "play", "sql"):
            continue
        if step[key] == name:
            step[key] = new
        elif isinstance(step[key], list):
            for place, one in enumerate(step[key]):
                if one == name:
                    step[key][place] = new
    columns = step.get("columns") if word == "union" else None
    for steps in (columns or {}).values():
        if name in steps:
            _rename_key(steps, name, new)
