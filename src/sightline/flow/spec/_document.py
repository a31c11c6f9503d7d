"""A flow as its file has it: changed in place, with the comments, order and quotes that people wrote."""

from collections.abc import Mapping
from typing import Any

from sightline.errors import UsageError
from sightline.flow.spec._draft import FlowDraft
from sightline.flow.spec._edits import FlowEdit, add_step, rename_step, set_key
from sightline.flow.spec._flow import Flow
from sightline.yaml import YamlText

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
        self._draft = FlowDraft.loads(text, file)
        self._flow = self._draft.flow

    @property
    def flow(self) -> Flow:
        """The flow that the text is now."""
        return self._flow

    @property
    def text(self) -> str:
        """The text as it is now."""
        return self._draft.text

    def set(self, step: str, key: str, value: Any) -> None:
        """Give a key of a step a value; None takes the key away. What makes no flow is refused."""
        self._take(set_key(self._draft, step, key, value))

    def add(self, name: str, step: Mapping[str, Any]) -> None:
        """Add a step at the end."""
        word = next(iter(step), "")
        self._take(add_step(self._draft, word, step, name=name))

    def remove(self, name: str) -> None:
        """Take a step away; steps that take its rows must have gone before."""
        if name not in self._flow.steps:
            raise UsageError(f"There is no step `{name}`; there are {', '.join(self._flow.steps)}.")
        self._take(self._draft.yaml.remove(("steps",), [name]))

    def rename(self, name: str, new: str) -> None:
        """Give a step another name, there and wherever its rows are taken; refused if SQL would have to be guessed."""
        self._take(rename_step(self._draft, name, new))

    def _take(self, made: FlowEdit | YamlText) -> None:
        """Go on with a new text, if it is a flow."""
        draft = FlowDraft(made.yaml if isinstance(made, FlowEdit) else made)
        flow = draft.flow
        self._draft, self._flow = draft, flow
