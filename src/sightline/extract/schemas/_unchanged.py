"""Texts that are the same on all pages and still are data: labelled, typed, or beside others that differ.

Pages to learn from are few, and a language, a currency or a day may well be the same on all of them. Such a text is
taken for a part of the template, unless something says what it is.
"""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from sightline.data import infer
from sightline.extract.schemas._alphabet import Alphabet
from sightline.extract.schemas._instances import Learning
from sightline.extract.schemas._labels import is_label
from sightline.extract.schemas._template import Inner, Leaf, Slot, Taker, Template, TemplateBody
from sightline.signals import class_words, has_label, word_set

__all__ = ["free_unchanged"]

LONGEST = 60  # characters of a value beside a label; more are a notice that pages share
SHORTEST_LABEL = 3
NEAR = 3  # elements between a label and its value
TYPED = frozenset(["date", "money", "measure"])  # kinds of values that no template has by itself
LONGEST_TYPED = 30
PAIR = 2  # texts: a label and its value
# What surrounds the data of a page rather than being part of it, by tag and by class.
FRAME_TAGS = frozenset(["nav", "footer", "form", "button", "select", "option", "aside", "noscript", "thead"])
FRAME_WORDS = word_set("""
    nav navigation navbar menu footer foot related similar share social advert advertisement ads ad sponsor sponsored
    banner copyright legal disclaimer privacy newsletter subscribe login signin cart basket toolbar pager pagination
    cookie search sort filter sidebar
    """)
LABEL_TAGS = frozenset(["th", "dt", "label", "h3", "h4", "h5", "h6", "legend", "strong", "b"])
NEVER = frozenset(["h1", "h2", "h3", "h4", "h5", "h6", "th", "dt", "label", "legend"])  # which are labels themselves


class _Placed(NamedTuple):
    """A leaf with the elements around it: their numbers in the template, and their tags."""

    leaf: Leaf
    path: tuple[int, ...]
    tags: tuple[str, ...]

    @property
    def tag(self) -> str:
        """The element right around it."""
        return self.tags[-1] if self.tags else ""


def free_unchanged(template: Template, learning: Learning) -> None:
    """Turn texts of the template that are data into fields, in place; texts in sets are left as they are."""
    if not learning.allows("unchanged"):
        return
    before: _Placed | None = None
    for placed in list(_leaves(template.root, template.alphabet, (), ())):
        if placed.leaf.fixed is not None and _is_data(placed, before):
            learning.tell("unchanged", f"“{placed.leaf.fixed:.40}” is data, though it never changed")
            placed.leaf.fixed = None
        before = placed
    _free_pairs(template.root, template.alphabet, learning)


def _is_data(placed: _Placed, before: _Placed | None) -> bool:
    text = placed.leaf.fixed or ""
    if not text or placed.tag in NEVER or text.endswith((":", "：")) or "©" in text:
        return False
    if before is not None and _is_labelled(placed, before):
        return True
    if placed.tag == "a":
        return False
    return _is_worded(text) or (len(text) <= LONGEST_TYPED and _is_typed(text))


def _is_labelled(placed: _Placed, before: _Placed) -> bool:
    """Whether a text follows a label with a colon, near enough to be its value."""
    label = before.leaf.fixed or ""
    if not label.endswith((":", "：")) or len(placed.leaf.fixed or "") > LONGEST or not _names(label):
        return False
    common = sum(1 for one, other in zip(before.path, placed.path, strict=False) if one == other)
    return max(len(before.path), len(placed.path)) - common <= NEAR


def _names(label: str) -> bool:
    name = label.rstrip(" :：").lstrip(" |·•-–—,;/")
    return len(name) >= SHORTEST_LABEL and is_label(name)


def _is_worded(text: str) -> bool:
    """Whether a text is a label and its value, as in "Language: English"."""
    name, _, value = text.partition(":")
    return has_label(text) and 0 < len(value.strip()) <= LONGEST and _names(name) and ":" not in value


def _is_typed(text: str) -> bool:
    return any(map(str.isdigit, text)) and infer([text]).kind in TYPED


# ---------------------------------------------------------------- pairs


def _free_pairs(inner: Inner | None, alphabet: Alphabet, learning: Learning) -> None:
    """Free the values of labelled pairs beside one whose value differs: they are all data then."""
    if not isinstance(inner, TemplateBody):
        return
    pairs = [pair for slot in inner.slots if (pair := _pair(slot, alphabet))]
    varying = {tags for tags, _, value in pairs if value.fixed is None}
    for tags, _, value in pairs:
        if value.fixed is not None and tags in varying and len(value.fixed) <= LONGEST:
            learning.tell("unchanged", f"“{value.fixed:.40}” is data, though it never changed")
            value.fixed = None
    for taker in inner.takers:
        if isinstance(taker, Slot) and taker.take in ("one", "rest") and not _is_frame(taker, alphabet):
            _free_pairs(taker.inner, alphabet, learning)


def _pair(slot: Slot, alphabet: Alphabet) -> tuple[tuple[str, ...], Leaf, Leaf] | None:
    """The label and the value of a slot that has nothing else, and the tags of both."""
    found = list(_leaves(slot.inner, alphabet, (), ())) if slot.take == "one" else []
    if len(found) != PAIR or found[0].leaf.fixed is None or found[0].tag not in LABEL_TAGS:
        return None
    label, value = found
    if not is_label(label.leaf.fixed or "") or value.tag in NEVER:
        return None
    return (_tag(slot, alphabet), *label.tags, "", *value.tags), label.leaf, value.leaf


# ---------------------------------------------------------------- the template


def _leaves(inner: Inner | None, alphabet: Alphabet, path: tuple[int, ...], tags: tuple[str, ...]) -> Iterator[_Placed]:
    """The leaves outside sets and outside the frame of the pages, in order."""
    if isinstance(inner, Leaf):
        yield _Placed(inner, path, tags)
        return
    takers: Sequence[Taker] = inner.takers if inner else ()
    for number, taker in enumerate(takers):
        if isinstance(taker, Slot):
            if taker.take not in ("one", "rest") or _is_frame(taker, alphabet):
                continue
            tag = _tag(taker, alphabet)
            yield from _leaves(taker.inner, alphabet, (*path, number), (*tags, tag) if tag != "#text" else tags)
        else:
            yield from _leaves(taker.inner, alphabet, (*path, number), tags)


def _tag(slot: Slot, alphabet: Alphabet) -> str:
    return alphabet.tag(next(iter(slot.symbols))) if slot.symbols else ""


def _is_frame(slot: Slot, alphabet: Alphabet) -> bool:
    if _tag(slot, alphabet) in FRAME_TAGS:
        return True
    words = {word for symbol in slot.symbols for token in alphabet.words(symbol) for word in class_words(token[1:])}
    return not FRAME_WORDS.isdisjoint(words)
