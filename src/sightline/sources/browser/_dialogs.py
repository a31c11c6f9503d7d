"""Dialogs of a page (alert, confirm, prompt): answered as the session says, recorded, and stopped if they never end."""

from dataclasses import dataclass
from typing import Any

from sightline.errors import LimitError

__all__ = ["Dialog", "DialogAnswer", "Dialogs"]

LEAVING = "beforeunload"


@dataclass(frozen=True)
class DialogAnswer:
    """How to answer dialogs: whether to accept them, and what to type into a prompt (None: what it suggests)."""

    accept: bool = True
    text: str | None = None


@dataclass(frozen=True)
class Dialog:
    """A dialog that a page opened, and how it was answered; `kind` is alert, confirm, prompt or beforeunload."""

    kind: str
    message: str
    accepted: bool
    text: str | None = None


class Dialogs:
    """Answers the dialogs of a session, at most `most` of them for each action."""

    def __init__(self, most: int) -> None:
        self.answer: DialogAnswer = DialogAnswer()
        self.seen: list[Dialog] = []
        self._most = most
        self._opened = 0

    @property
    def endless(self) -> bool:
        """Whether the page opened more dialogs than one action may cause."""
        return self._opened > self._most

    def begin_action(self) -> None:
        """Count from here."""
        self._opened = 0

    def reply(self, params: dict[str, Any]) -> dict[str, Any]:
        """The answer to a dialog that opens."""
        self._opened += 1
        kind = params.get("type", "alert")
        # Nobody who says where to go wants to be asked whether to leave.
        accept = kind == LEAVING or (self.answer.accept and not self.endless)
        text = self._text(params) if kind == "prompt" and accept else None
        if not self.endless:
            self.seen.append(Dialog(kind, params.get("message", ""), accept, text))
        return {"accept": accept} if text is None else {"accept": accept, "promptText": text}

    def check(self, source: str) -> None:
        """Raise if the page went on opening dialogs."""
        if self.endless:
            problem = f"opened more than {self._most} dialogs in a row, so its scripts were stopped"
            raise LimitError(source, f"{problem}; raise the limit `dialogs` if it needs so many.", limit="dialogs")

    def _text(self, params: dict[str, Any]) -> str:
        suggested: str = params.get("defaultPrompt", "")
        return suggested if self.answer.text is None else self.answer.text
