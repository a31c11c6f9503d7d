"""Which field of a page is its title: one at most, by its element and by what the page's own title says."""

from collections.abc import Iterator, Sequence

from sightline.extract.schemas._template import Inner, Leaf, Slot, Template, TemplateRow
from sightline.extract.schemas._witness import Witness

__all__ = ["CLIMB", "HEADINGS", "SAMPLE", "page_title", "tags_around", "usual_name"]

SAMPLE = 30  # texts that tell what a field holds
CLIMB = 3  # elements around a text that say something about it
HEADINGS = frozenset(["h1", "h2", "h3", "h4", "h5", "h6"])
# What speaks for a text being the title of its page, beside beginning the page's title, which counts up to one.
MAIN_HEADING, HEADING, IS_PART, IS_WHOLE = 2.0, 0.5, 0.5, 0.25
IN_TITLE = 0.6  # of a field's texts begin the title of a page, or a part of it
MAIN = "h1"
TITLES = frozenset(["title", "name", "headline", "heading", "subject"])  # in labels of titles
# Of the texts of a title differ, unless they are in the main heading: on 28 sites right ones have 0.9 and more, and
# a team that players share has 0.6. Between 0.5 and 1 no name of the judged sites changes (`bench.induce.naming`).
DIFFERENT = 0.75
SAME_END, FEWEST_ENDS = 3, 3  # words at the end that are the same, of at least so many different texts


def page_title(template: Template, witness: Witness) -> Leaf | None:
    """The one field that is the title of the page: the main heading, or what the page's title says, on most pages."""
    pages = max(1, template.root.total)
    found = [
        (_title_weight(texts, tags, witness) * len(leaf.texts) / pages, -number, leaf)
        for number, (leaf, tags, label) in enumerate(_leaves_of_page(template, template.root, ()))
        if leaf.is_field and not leaf.prose and _may_be_title(texts := leaf.texts[:SAMPLE], tags, label)
    ]
    weight, _, leaf = max(found, key=lambda one: one[:2], default=(0, 0, None))
    return leaf if weight else None


def _title_weight(texts: Sequence[str], tags: frozenset[str], witness: Witness) -> float:
    """How much speaks for these texts being titles: they are words, in a main heading, and in the page's title."""
    if 2 * sum(any(map(str.isalpha, text)) for text in texts) < len(texts) or len(set(texts)) < min(2, len(texts)):
        return 0.0
    said = IS_PART * witness.is_title(texts) + IS_WHOLE * witness.is_whole_title(texts)
    said += share if (share := witness.begins_titles(texts)) >= IN_TITLE else 0.0
    heading = MAIN_HEADING * (MAIN in tags) + HEADING * bool(HEADINGS & tags)
    return said + heading if said or MAIN in tags or not witness.has_titles else 0.0


def _may_be_title(texts: Sequence[str], tags: frozenset[str], label: str) -> bool:
    """Whether texts may be titles: they differ, do not end alike, and no label says that they are something else.

    >>> _may_be_title(["EOS 5D", "EOS 6D"], frozenset(), "Model name:")
    True
    >>> _may_be_title(["EOS 5D", "EOS 6D"], frozenset(), "Seller:"), _may_be_title(["A", "A"], frozenset(), "")
    (False, False)
    """
    if _ends_alike(texts):
        return False
    if MAIN in tags:
        return True
    says_else = label.endswith(":") and not TITLES & set(label.lower().rstrip(": ").split())
    return not says_else and len(set(texts)) >= DIFFERENT * len(texts)


def _ends_alike(texts: Sequence[str]) -> bool:
    """Whether texts end with the same words, as the titles of pages do that also say what the site has.

    >>> _ends_alike([f"{name} reviews, ratings and more" for name in ("Tron", "Alien", "Heat")])
    True
    """
    distinct = [text.split() for text in set(texts)]
    if len(distinct) < FEWEST_ENDS or min(map(len, distinct)) <= SAME_END:
        return False
    return len({tuple(words[-SAME_END:]) for words in distinct}) == 1


def _leaves_of_page(
    template: Template, inner: Inner | None, names: tuple[str, ...], label: str = ""
) -> Iterator[tuple[Leaf, frozenset[str], str]]:
    """The leaves outside sets, with the tags around them and the label of their row."""
    if isinstance(inner, Leaf):
        yield inner, tags_around(names), label
        return
    for taker in inner.takers if inner else ():
        if isinstance(taker, TemplateRow):
            yield from _leaves_of_page(template, taker.inner, (*names, ""), taker.label)
        elif taker.take in ("one", "rest") and taker.symbols:
            yield from _leaves_of_page(template, taker.inner, (*names, usual_name(taker, template)), label)


def usual_name(slot: Slot, template: Template) -> str:
    """The element that was most often in a slot, by its name."""
    return template.alphabet.names[max(slot.symbols, key=slot.symbols.__getitem__)] if slot.symbols else ""


def tags_around(names: Sequence[str]) -> frozenset[str]:
    """The tags of the nearest elements around, given by their names.

    >>> sorted(tags_around(["div .main", "h1", "b"]))
    ['b', 'div', 'h1']
    """
    return frozenset(name.partition(" ")[0] for name in names[-CLIMB:])
