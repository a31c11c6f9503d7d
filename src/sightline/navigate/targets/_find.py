"""Where a target is on a captured page: exactly one place, or a report of what is there instead."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass

import numpy as np
from rapidfuzz import fuzz, process

from sightline.navigate.targets._names import CONTROLS, ROLES, NamedElement, NamedElements, same_name, squeezed
from sightline.navigate.targets._remember import ANYTHING, LABEL, TEXT, Target, relocate
from sightline.page import Page

__all__ = ["FoundTarget", "find_named", "find_target", "nothing_found", "too_many"]

LABELLED = frozenset(("textbox", "checkbox", "radio", "switch", "combobox", "slider", "file"))
CLOSE = 60  # of 100; a name that is less alike is no help
SAME = 0.02  # of a likeness from 0 to 1: differences as between two rows of a list
SHOWN = 4  # names that an error lists
LARGEST = 400  # nodes of an element that is looked for by its whole text; larger ones are parts of the page
LONGEST_NAME = 40


@dataclass(frozen=True)
class FoundTarget:
    """The nodes that a target may be, and in which way they were found; one node is what every step needs."""

    nodes: tuple[int, ...]
    how: str = "name"

    @property
    def one(self) -> int | None:
        """The only one."""
        return self.nodes[0] if len(self.nodes) == 1 else None


def find_target(
    elements: NamedElements, target: Target, span: tuple[int, int] | None = None, roles: Collection[str] = ()
) -> FoundTarget:
    """Where a target is by its name, in a span of nodes, or else by what is remembered of it.

    Where a target does not say what it is, `roles` say what it can be.
    Several places with one name are told apart by memory as well; a doubt stays a doubt.
    """
    found = find_named(elements, target, span, roles)
    if target.number is not None:
        chosen = found[target.number - 1 : target.number]
        return FoundTarget(tuple(chosen if _is_as_remembered(elements, target, chosen, found) else found))
    if len(found) == 1 or target.memory is None:
        return FoundTarget(tuple(found))
    start, stop = span or (0, len(elements.page))
    among = found or [one.node for one in elements.all if start <= one.node < stop]
    again = relocate(elements, target.memory, among)
    if again and again.is_clear:
        return FoundTarget((again.node,), f"memory ({again.score:.0%} alike, the next {again.margin:.0%} less)")
    return FoundTarget(tuple(found))


def _is_as_remembered(elements: NamedElements, target: Target, chosen: Sequence[int], found: Sequence[int]) -> bool:
    """Whether no other element of the name is more like the remembered one than the one with the number.

    Numbers shift when a page is redesigned; then it is a doubt which one is meant.
    """
    if target.memory is None or not chosen:
        return True
    best, own = relocate(elements, target.memory, found), relocate(elements, target.memory, chosen)
    return best is None or own is None or own.score >= best.score - SAME


def find_named(
    elements: NamedElements, target: Target, span: tuple[int, int] | None = None, roles: Collection[str] = ()
) -> list[int]:
    """All nodes with the role and name of a target."""
    start, stop = span or (0, len(elements.page))
    within = [one for one in elements.all if start <= one.node < stop]
    if target.kind == TEXT:
        return _with_text(elements.page, target.name, start, stop)
    called = [one for one in within if same_name(target.name, one.name)]
    if target.kind == ANYTHING:
        meant = _innermost(elements.page, [one for one in called if one.role in roles])
        others = _innermost(elements.page, [one for one in called if one.role in CONTROLS])
        return meant or others or _with_text(elements.page, target.name, start, stop)
    kinds = LABELLED if target.kind == LABEL else {target.kind}
    return _innermost(elements.page, [one for one in called if one.role in kinds])


def _innermost(page: Page, found: Sequence[NamedElement]) -> list[int]:
    """Without elements that only surround another one of the same name, as a link around a button."""
    nodes = [one.node for one in found]
    return [node for node in nodes if not any(node < other < int(page.end[node]) for other in nodes)]


def _with_text(page: Page, wanted: str, start: int, stop: int) -> list[int]:
    """The smallest visible elements whose whole text this is."""
    size = page.end - np.arange(len(page))
    small = np.flatnonzero(page.visible & ~page.is_text & (size > 1) & (size <= LARGEST))
    small = small[(small >= start) & (small < stop)]
    texts = page.texts_of(small)
    nodes = [node for node, text in zip(small.tolist(), texts, strict=True) if text and same_name(wanted, text)]
    return [node for node in nodes if not any(node < other < int(page.end[node]) for other in nodes)]


def nothing_found(elements: NamedElements, target: Target) -> str:
    """Why a target is not on the page, with what comes close; a clause to follow the target."""
    roles = CONTROLS if target.kind in (ANYTHING, TEXT) else LABELLED if target.kind == LABEL else {target.kind}
    names = list(dict.fromkeys(one.name for one in elements.all if one.role in roles and one.name))
    other = next((one for one in elements.all if target.kind in ROLES and same_name(target.name, one.name)), None)
    if other is not None:
        return f"is not on the page, but there is the {other.role} “{other.name}”; write {{{other.role}: {other.name}}}"
    if target.kind and target.kind not in ROLES and not names:
        return "is not on the page"
    close = [
        name for name, *_ in process.extract(target.name, names, scorer=fuzz.WRatio, score_cutoff=CLOSE, limit=SHOWN)
    ]
    if close:
        return f"is not on the page; close to it {'is' if len(close) == 1 else 'are'} {_listed(close)}"
    what = f"{target.kind}s" if target.kind in ROLES else "controls"
    return (
        f"is not on the page; its {what} are {_listed(names[:SHOWN])}"
        if names
        else f"is not on the page, which has no {what}"
    )


def too_many(elements: NamedElements, nodes: Sequence[int]) -> str:
    """Why a target is ambiguous; a clause to follow the target."""
    page = elements.page
    where = [page.xpath(node) for node in nodes[:SHOWN]]
    more = f" and {len(nodes) - SHOWN} more" if len(nodes) > SHOWN else ""
    roles = {one.role: one.name for node in nodes if (one := elements.of(node)) is not None}
    advice = "say which one with `in` (in a loop, `in: record`) or `number`"
    if len(roles) > 1:
        advice = "say what it is: " + " or ".join(f"{{{role}: {name}}}" for role, name in roles.items())
    return f"is on the page {len(nodes)} times ({', '.join(where)}{more}); {advice}"


def _listed(names: Sequence[str]) -> str:
    short = [squeezed(name) for name in names]
    return ", ".join(f"“{name if len(name) <= LONGEST_NAME else name[: LONGEST_NAME - 1] + '…'}”" for name in short)
