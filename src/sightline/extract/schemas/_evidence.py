"""What speaks against a name: texts that no label is about, and labels that are themselves values or headings.

A neutral name is better than a wrong one, so a label, a heading or a class names a field only if nothing here objects.
Found on the sites of the benchmark that are not held out; `python -m bench.induce.naming` tells what each is worth.
"""

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from sightline.extract.schemas._said_names import SHORTEST, SaidNames, key_of, said_names_of
from sightline.extract.schemas._template import Inner, Leaf, Slot, Template, TemplateRow
from sightline.page import Page
from sightline.signals import TITLE_MARKS, word_set

# What pages say about themselves, in their own data and in their title: a witness for the names of fields.

AGREE = 0.6  # of the texts of a field have to be in the pages' titles


class Witness:
    """What the pages' own data calls texts, and which texts are their titles.

    >>> from collections import Counter
    >>> Witness(SaidNames({"eos 5d": Counter(name=2), "eos 6d": Counter(name=1)})).said.name(["EOS 5D", "EOS 6D"])
    'name'
    """

    def __init__(self, said: SaidNames | None = None, titles: Sequence[str] = ()) -> None:
        self.said: SaidNames = said or SaidNames({})
        self._whole_titles = list(dict.fromkeys(map(key_of, titles)))
        self._titles = {part for title in titles for part in _parts(title)}

    def is_title(self, texts: Sequence[str]) -> bool:
        """Whether most of these texts are parts of the pages' titles; a whole title says what the site is, too.

        >>> Witness(None, ["EOS 5D | Shop", "EOS 6D | Shop"]).is_title(["EOS 5D", "EOS 6D"])
        True
        """
        telling = {key_of(text) for text in texts if len(text) > SHORTEST}
        return len(telling) > 1 and len(telling & self._titles) >= AGREE * len(telling)

    def is_whole_title(self, texts: Sequence[str]) -> bool:
        """Whether most of these texts are titles of pages as they are.

        >>> Witness(None, ["EOS 5D", "EOS 6D"]).is_whole_title(["EOS 5D", "EOS 6D"])
        True
        """
        telling = {key_of(text) for text in texts if len(text) > SHORTEST}
        return len(telling) > 1 and len(telling.intersection(self._whole_titles)) >= AGREE * len(telling)

    @property
    def has_titles(self) -> bool:
        """Whether the pages have titles that differ."""
        return len(self._whole_titles) > 1

    def begins_titles(self, texts: Sequence[str]) -> float:
        """The share of the texts that the title of a page, or a part of it, begins with, and goes on after.

        >>> Witness(None, ["EOS 5D at our shop", "News: EOS 6D at our shop"]).begins_titles(["EOS 5D", "EOS 6D"])
        1.0
        """
        telling = [f"{key_of(text)} " for text in texts if len(text) > SHORTEST]
        begins = {*self._whole_titles, *self._titles}
        return sum(any(title.startswith(text) for title in begins) for text in telling) / max(1, len(texts))


def _parts(title: str) -> Iterator[str]:
    """The parts of a title between separators."""
    parts = TITLE_MARKS.split(title)
    return map(key_of, parts if len(parts) > 1 else ())


def witness_of(pages: Sequence[Page]) -> Witness:
    """Everything that the pages say about themselves."""
    return Witness(said_names_of(pages), [page.title for page in pages])


MOST = 0.6  # of the texts of a field; a few are always something else
# What a link or a button says to do. The list has the verbs of buttons, not those of any sentence.
DOING = word_set("""
    add apply be browse buy check choose click compare create download enlarge enter explore find follow get go join
    learn listen print rate read register remove reply request reserve review save search see select send share shop
    show sign submit subscribe try upload view visit watch write
    """)
# Things that are counted beside what they are about: "(220 reviews)" beside a rating is not a rating.
COUNTED = re.compile(
    r"\(?\d[\d,.]*\+? (?:\w+ )?(reviews?|ratings?|votes?|comments?|pages?|copies|customers?)\)?", re.IGNORECASE
)
YEARS = re.compile(r"\b(?:1[89]|20)\d\d\b|[\W_]|\b(?:\d\d|present|now|today)\b")
MOST_BESIDE_YEAR = 1  # words; "2010 Suzuki SX4" is a car
CELLS = frozenset(["td", "th", "dt", "dd"])
_WORD = re.compile(r"[^\W\d_]{3}")


class FixedText(NamedTuple):
    """A fixed text that may be a label: the elements around it, by name and number, and those that mark it as one."""

    text: str
    names: tuple[str, ...]
    path: tuple[int, ...]
    marks: frozenset[str]
    share: float = 1.0  # of the records that have it
    in_row: bool = False  # one of several labels beside each other: a heading row, and not the label of what follows
    in_block: bool = False  # another label is before it in its row: labels come first there, and then their values

    @property
    def tag(self) -> str:
        """The element that it is in."""
        return self.names[-1].partition(" ")[0] if self.names else ""

    @property
    def is_marked(self) -> bool:
        """Whether it is marked as a label by an element or a colon."""
        return bool(self.marks) or self.has_colon

    @property
    def has_colon(self) -> bool:
        """Whether it ends with a colon, as labels do."""
        return self.text.endswith(":")


def has_word(text: str) -> bool:
    """Whether a text has a word, so that what follows it is about that.

    >>> has_word("Reviews"), has_word("|"), has_word("of")
    (True, False, False)
    """
    return _WORD.search(text) is not None


def is_named_elsewhere(texts: Sequence[str]) -> bool:
    """Whether most texts aren't values: they say what to do, or are labels of what follows them.

    >>> is_named_elsewhere(["Read reviews", "Be the first to review"]), is_named_elsewhere(["Find it in:"])
    (True, True)
    >>> is_named_elsewhere(["Red", "Find me"])
    False
    """
    return sum(_says_what_to_do(text) or text.endswith((":", "：")) for text in texts) >= MOST * max(1, len(texts))


def _says_what_to_do(text: str) -> bool:
    words = text.split()
    return len(words) > 1 and words[0].lower() in DOING


def is_byline(texts: Sequence[str]) -> bool:
    """Whether most texts say who wrote something; a heading above is about what they wrote.

    >>> is_byline(["by Hal Erickson", "by Paul Brenner"])
    True
    """
    return sum(text[:3].lower() == "by " for text in texts) >= MOST * max(1, len(texts))


def counted(texts: Sequence[str]) -> str:
    """What most texts count, if they say it themselves.

    >>> counted(["(220 Reviews)", "(1 Review)"]), counted(["5 stars"]), counted(["12 User Reviews"])
    ('reviews', '', 'reviews')
    """
    found = [match[1].lower() for text in texts if (match := COUNTED.fullmatch(text))]
    if len(found) < MOST * max(1, len(texts)) or not found:
        return ""
    return found[0] if found[0].endswith("s") else f"{found[0]}s"


def can_be(name: str, texts: Sequence[str]) -> bool:
    """Whether texts can be years, if that is what a class calls them.

    >>> can_be("years", ["2010 Suzuki SX4", "2009 Suzuki SX4"]), can_be("year", ["2010", "2010-11", "© 2011"])
    (False, True)
    """
    if name.rpartition(" ")[2].removesuffix("s") != "year":
        return True
    return sum(len(YEARS.sub(" ", text).split()) <= MOST_BESIDE_YEAR for text in texts) >= MOST * max(1, len(texts))


def are_peers(label: FixedText, names: Sequence[str], path: Sequence[int], texts: Sequence[str]) -> bool:
    """Whether a fixed text and a value beside it are of one kind by their markup: both labels, or both values.

    They are words in elements with the same class or id, each in its own (cells of a table often share theirs); or the
    text is an item like the value, marked as nothing, and some records have none.
    """
    if label.has_colon:
        return False
    common = common_steps(label.path, path)
    styled = _nearest_style(label.names[common:])
    if styled and styled == _nearest_style(names[common:]) and not _have_digits(texts):
        return True
    return bool(label.tag) and not label.is_marked and label.share < 1.0 and tuple(names) == label.names


def common_steps(path: Sequence[int], other: Sequence[int]) -> int:
    """How many steps two places share from the top.

    >>> common_steps((1, 2, 3), (1, 2, 5, 6)), common_steps((1, 2), (1, 2, 5))
    (2, 2)
    """
    shorter = min(len(path), len(other))
    return next((at for at in range(shorter) if path[at] != other[at]), shorter)


def _have_digits(texts: Sequence[str]) -> bool:
    return 2 * sum(any(map(str.isdigit, text)) for text in texts) > len(texts)


def _nearest_style(names: Sequence[str]) -> str:
    """The classes and ids of the nearest element around that has any, with its tag."""
    for name in reversed(names):
        if any(word[0] in ".#" for word in name.split()[1:]) and name.partition(" ")[0] not in CELLS:
            return " ".join(word for word in name.split() if word[0] != ":")
    return ""


# Which field of a page is its title: one at most, by its element and by what the page's own title says.

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
