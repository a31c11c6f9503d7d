"""Keys by their names, as the DevTools protocol wants them: `a`, `Enter`, `Control+a`, `Shift+Tab`."""

from collections.abc import Iterator
from typing import Any, NamedTuple

from sightline.errors import UsageError
from sightline.sources.browser._actions import KEYS, MODIFIERS

__all__ = ["Chord", "chord", "key_events"]

PLUS = "+"
SHIFT = MODIFIERS["Shift"][1]
# What a key types is not typed while one of these is held.
COMMANDING = MODIFIERS["Control"][1] | MODIFIERS["Alt"][1] | MODIFIERS["Meta"][1]


class Chord(NamedTuple):
    """A key and the modifiers that are held while it is pressed."""

    key: str
    modifiers: tuple[str, ...] = ()


def chord(text: str) -> Chord:
    """A key with modifiers, from what a user writes.

    >>> chord("Control+Shift+ArrowRight")
    Chord(key='ArrowRight', modifiers=('Control', 'Shift'))
    >>> chord("Control++"), chord("+")
    (Chord(key='+', modifiers=('Control',)), Chord(key='+', modifiers=()))
    """
    key = PLUS if text.endswith(PLUS) else text.rpartition(PLUS)[2]
    before = text.removesuffix(key).removesuffix(PLUS)
    modifiers = tuple(before.split(PLUS)) if before else ()
    for name in modifiers:
        if name not in MODIFIERS:
            raise UsageError(f"There is no modifier {name!r} in {text!r}; there are {', '.join(MODIFIERS)}.")
    if key not in KEYS and len(key) != 1:
        raise UsageError(f"There is no key {key!r}; give one character, or one of {', '.join(KEYS)}.")
    return Chord(key, modifiers)


def key_events(pressed: Chord) -> Iterator[dict[str, Any]]:
    """The events of pressing and releasing the keys of a chord."""
    held = 0
    for name in pressed.modifiers:
        held |= MODIFIERS[name][1]
        yield {"type": "rawKeyDown", **_modifier(name), "modifiers": held}
    event, text = _key(pressed.key, held)
    typed = {"text": text} if text and not held & COMMANDING else {}
    yield {"type": "keyDown" if typed else "rawKeyDown", **event, **typed, "modifiers": held}
    yield {"type": "keyUp", **event, "modifiers": held}
    for name in reversed(pressed.modifiers):
        held &= ~MODIFIERS[name][1]
        yield {"type": "keyUp", **_modifier(name), "modifiers": held}


def _modifier(name: str) -> dict[str, Any]:
    number, _ = MODIFIERS[name]
    return {"key": name, "code": f"{name}Left", "windowsVirtualKeyCode": number}


def _key(key: str, held: int) -> tuple[dict[str, Any], str]:
    """The event of a key, and what it types."""
    if key in KEYS:
        code, number, text = KEYS[key]
        return {"key": " " if key == "Space" else key, "code": code, "windowsVirtualKeyCode": number}, text
    typed = key.upper() if held & SHIFT else key
    code, number = "", 0
    if key.isascii() and key.isalnum():  # what scripts and the browser's own shortcuts ask for
        code, number = f"{'Digit' if key.isdigit() else 'Key'}{key.upper()}", ord(key.upper())
    return {"key": typed, "code": code, "windowsVirtualKeyCode": number}, typed
