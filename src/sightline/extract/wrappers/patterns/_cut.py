"""Values that are only part of a text: a regular expression learned from examples, short enough to read."""

import re
from collections.abc import Iterator, Sequence

from sightline.extract.schemas import collapse_spaces
from sightline.extract.wrappers.patterns._expression import SlowExpression, StepBudget, expression_of
from sightline.extract.wrappers.patterns._view import key_of

__all__ = ["apply_cut", "learn_cut"]

LONGEST_LEFT = 30  # characters of text before a value that are probably its label

FORMS = (r"[\d.,]*\d", r"\d+", r"[^,;|()\[\]]+?", r"\S+", r".+?")


def apply_cut(expression: str, text: str, budget: StepBudget | None = None) -> str | None:
    r"""The part of a text that an expression captures, or None; raises `SlowExpression` if that takes too long.

    The expressions of one page share a `budget`.

    >>> apply_cut(r"Director:\s*(.+)", "Director: Jane Campion")
    'Jane Campion'
    """
    found = expression_of(expression).first_group(text, budget or StepBudget())
    return found.strip() if found is not None else None


def learn_cut(pairs: Sequence[tuple[str, str]]) -> str | None:
    r"""The first expression, the most general first, that captures each value in its text; None if none does.

    >>> print(learn_cut([("Director: Jane Campion", "Jane Campion")]))
    Director:\s*(.+?)\s*$
    """
    if all(key_of(text) == key_of(value) for text, value in pairs):
        return None
    sides = [side for text, value in pairs if (side := _sides(text, value)) is not None]
    if len(sides) < len(pairs):
        return None
    for left in _lefts([side[0] for side in sides]):
        for right in _rights([side[1] for side in sides]):
            for form in reversed(FORMS):
                expression = rf"{left}({form}){right}"
                if all(_captures(expression, text, value) for text, value in pairs):
                    return expression
    return None


def _captures(expression: str, text: str, value: str) -> bool:
    """Whether an expression captures a value; one that has to work hard for it is not worth learning."""
    try:
        return key_of(apply_cut(expression, text) or "") == key_of(value)
    except SlowExpression:
        return False


def _sides(text: str, value: str) -> tuple[str, str] | None:
    words = r"\s*".join(map(re.escape, collapse_spaces(value).split(" ")))
    found = re.search(words, text, re.IGNORECASE)
    return (text[: found.start()], text[found.end() :]) if found else None


def _lefts(befores: list[str]) -> Iterator[str]:
    """What may precede a value: nothing, its label, a punctuation mark."""
    if not any(map(str.strip, befores)):
        yield r"^\s*"
        return
    shared = _shared_end(befores)
    if shared.strip():
        mark = shared.strip()[-1]
        if not mark.isalnum() and mark not in ":：":
            yield _literal(mark) + r"\s*"
        if len(shared) <= LONGEST_LEFT and all(before.strip() == shared.strip() for before in befores):
            yield _literal(shared) + r"\s*"
        last = re.search(r"(\w+\W*|\W+)$", shared)
        if last:
            yield _literal(last[0]) + r"\s*"
        yield _literal(shared) + r"\s*"
    yield r"^\w+\s*"  # all but the first word


def _rights(afters: list[str]) -> Iterator[str]:
    if not any(map(str.strip, afters)):
        yield r"\s*$"
    shared = _shared_start(afters)
    if shared.strip():
        for form in (r"\w+|\W", r"\W*\w+"):  # a word or a mark, or a mark and the word after it
            first = re.match(form, shared.strip())
            if first:
                yield r"\s*" + _literal(first[0].strip())
    yield r"(?=\s|[,;|()]|$)"
    yield ""


def _literal(text: str) -> str:
    return r"\s*".join(map(re.escape, text.split()))


def _shared_end(texts: list[str]) -> str:
    return _shared_start([text[::-1] for text in texts])[::-1]


def _shared_start(texts: list[str]) -> str:
    first = min(texts, key=len)
    size = next(
        (place for place, letter in enumerate(first) if any(text[place] != letter for text in texts)), len(first)
    )
    return first[:size]
