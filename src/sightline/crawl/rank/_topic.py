"""What the pages looked for are about: words that their titles share and other titles lack.

A link that says such a word and is no link to such a page may lead to a list of them: "All Examples", "File List".
"""

import re
from collections import Counter
from collections.abc import Iterable

import msgspec

__all__ = ["Topic", "TopicState"]

_WORD = re.compile(r"[^\W\d_]{3,}")
_OFTEN, _SELDOM = 0.5, 0.25  # the share of the titles of targets that have a word of the topic, and of other titles
_MOST_WORDS = 20_000
_ROUND = 1.3  # the words are settled anew when so many times the pages are known


class TopicState(msgspec.Struct):
    """What was counted."""

    targets: int = 0
    others: int = 0
    in_targets: dict[str, int] = {}
    in_others: dict[str, int] = {}
    words: set[str] = set()
    next_round: int = 2


class Topic:
    """Counts the words of titles, and knows those of the topic."""

    def __init__(self, state: TopicState | None = None) -> None:
        self._state = state or TopicState()
        self._in_targets, self._in_others = Counter(self._state.in_targets), Counter(self._state.in_others)

    def state(self) -> TopicState:
        """What was counted, to go on after a stop."""
        self._state.in_targets, self._state.in_others = dict(self._in_targets), dict(self._in_others)
        return self._state

    def count(self, title: str, *, is_target: bool) -> None:
        """Take in the title of a page."""
        state = self._state
        if is_target:
            state.targets += 1
        else:
            state.others += 1
        counter = self._in_targets if is_target else self._in_others
        counter.update(set(_stems(title)))
        if state.targets + state.others >= state.next_round:
            self._settle()

    def is_said(self, text: str) -> bool:
        """Whether a text has a word of the topic."""
        return bool(self._state.words) and not self._state.words.isdisjoint(_stems(text))

    def _settle(self) -> None:
        state = self._state
        state.next_round = 1 + int(_ROUND * (state.targets + state.others))
        state.words = {
            word
            for word, count in self._in_targets.items()
            if count > 1 and count >= _OFTEN * state.targets and self._in_others[word] <= _SELDOM * state.others
        }
        if len(self._in_others) > _MOST_WORDS:
            self._in_others = Counter({word: count for word, count in self._in_others.items() if count > 1})


def _stems(text: str) -> Iterable[str]:
    """Words without the s of a plural."""
    for word in _WORD.findall(text.lower()):
        yield word.removesuffix("s") if len(word) > 3 else word
