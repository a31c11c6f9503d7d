"""Labels in the texts of a field: "Publisher: Acme" is a field `Publisher` with the value "Acme"."""

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import accumulate
from typing import NamedTuple

from sightline.data import infer
from sightline.signals import label_of, word_set

LONGEST_LABEL = 40  # characters
MOST_WORDS = 6  # of a label
ALL = 0.9  # of the texts begin with the words before a date
SAMPLE = 100  # texts that decide
MOST_LEADING = 4  # words before a date, as in "Last updated on"
# Words at the end of "Published on" that aren't part of a name, in the languages that dates are read in.
JOINING = word_set("on at by of in from for the since am um vom von den der le la el il lo de du del em op på w dnia")
_MARK = re.compile(r"[:：;,|·•–—-]\s+|[:：]\s?(?=\S)")
_NO_LABEL = re.compile(r"[©®™…!<>{}=]|\.\.\.|https?:|www\.")
_NEUTRAL = re.compile(r"(?:text|number|items|values|price|date|url|phone|email)(?: \d+)?")
_DIGITS = re.compile(r"\d{3,}")


class Lead(NamedTuple):
    """What the texts of a field begin with and values leave out, and the name that it gives.

    >>> Lead("Price:", "Price").cut("Price: 5 €"), Lead("Price:", "Price").cut("free")
    ('5 €', 'free')
    """

    text: str = ""
    name: str = ""

    def cut(self, text: str) -> str:
        """A text without it; one that is nothing else stays."""
        return cut_lead(text, self.text)


def cut_lead(text: str, lead: str) -> str:
    """A text without what it begins with; one that does not, or is nothing else, stays.

    >>> cut_lead(": Formal", ":"), cut_lead("Formal", ":"), cut_lead("Price:", "Price:")
    ('Formal', 'Formal', 'Price:')
    """
    return text[len(lead) :].strip() or text if lead and text.startswith(lead) else text


def lead_of(texts: Sequence[str]) -> Lead:
    """The label, mark or words before a date that (nearly) all texts begin with.

    Two labels in one text aren't a label of the whole.

    >>> lead_of(["Price: 5 €", "Price: 7 €"]), lead_of([": Formal", ": Casual"])
    (Lead(text='Price:', name='Price'), Lead(text=':', name=''))
    >>> lead_of(["City: 16 Highway: 22", "City: 28 Highway: 37"])
    Lead(text='', name='')
    >>> lead_of(["Published on May 12, 2024", "Published on June 3, 2024"])
    Lead(text='Published on', name='Published')
    """
    texts = texts[:SAMPLE]
    label = label_of(texts)
    if label and is_label(label):
        lead = Lead(_as_written(label, texts), label)
        return lead if not label_of([lead.cut(text) for text in texts], anywhere=True) else Lead()
    mark = _mark_of(texts)
    return mark if mark.text else _words_before_dates(texts)


def is_label(name: str) -> bool:
    """Whether a text can be a name: a few words, and no sentence, notice or address.

    >>> is_label("Number of pages"), is_label("© 2011 Acme, LLC"), is_label("of")
    (True, False, False)
    """
    if len(name) > LONGEST_LABEL or len(name.split()) > MOST_WORDS or not any(map(str.isalpha, name)):
        return False
    if name.count("(") != name.count(")"):
        return False
    return not (_NO_LABEL.search(name) or _DIGITS.fullmatch(name) or (len(name) < 3 and name.islower()))


def is_neutral(name: str) -> bool:
    """Whether a name says nothing about what a field means, at most about its kind.

    >>> is_neutral("text 3"), is_neutral("number"), is_neutral("Publisher")
    (True, True, False)
    """
    return bool(_NEUTRAL.fullmatch(name))


def _as_written(label: str, texts: Sequence[str]) -> str:
    """The label with its colon, as most texts have it."""
    form = re.compile(rf"{re.escape(label)}\s?:")
    written = Counter(match[0] for text in texts if (match := form.match(text)))
    return written.most_common(1)[0][0]


def _mark_of(texts: Sequence[str]) -> Lead:
    """A colon, comma or dash that is left over from the text before."""
    found = [match[0].strip() for text in texts if (match := _MARK.match(text)) and match.end() < len(text)]
    mark, count = next(iter(Counter(found).most_common(1)), ("", 0))
    return Lead(mark) if mark and count >= ALL * len(texts) else Lead()


def _words_before_dates(texts: Sequence[str]) -> Lead:
    """Words that give a date its name, as in "Published on May 12, 2024"."""
    distinct = list(dict.fromkeys(texts))
    if len(distinct) < 2 or any(not any(map(str.isdigit, text)) for text in distinct):
        return Lead()
    split = [text.split() for text in distinct]
    for count in range(min(MOST_LEADING, *(len(words) - 1 for words in split)), 0, -1):
        lead = split[0][:count]
        if any(words[:count] != lead for words in split) or any(map(str.isdigit, "".join(lead))):
            continue
        rest = [" ".join(words[count:]) for words in split]
        name = without_joining(lead)
        if (
            name.lower() not in JOINING
            and is_label(name)
            and infer(rest).kind == "date"
            and infer(distinct).kind != "date"
        ):
            return Lead(" ".join(lead), name)
    return Lead()


def without_joining(words: Sequence[str]) -> str:
    """Words without those at their end that only lead on to a value.

    >>> without_joining(["Published", "on"])
    'Published'
    """
    kept = list(words)
    while len(kept) > 1 and kept[-1].strip(":,").lower() in JOINING:
        kept.pop()
    return " ".join(kept).strip(" :,")


# Several values in one text: "Company: Acme · Berlin · Posted 3 May" is three fields.
#
# The words that all texts of a field have in common, in one order, are their wording, and what is between them are
# values. Commas and hyphens alone never separate values: names and places have them.

LEAST_TEXTS = 4  # different ones; words that three share may be chance
WORDED_SAMPLE = 60  # texts that decide
LONGEST = 200  # characters; more is prose, which has words in common as well
LONGEST_SENTENCE = 120  # characters of a text whose values only words separate
ALL_WORDED = 0.95  # of the texts have the wording
MOST_VALUES = 8
# What stands alone between two values. By itself, it must vary what is on both sides of it.
SEPARATORS = frozenset(["·", "|", "•", "–", "—", "∙", "‧", "/", "»", "›", "⋅", "●"])
LEAST_JOINTS = 2  # pieces of wording between and before values, where these are words


class Wording(NamedTuple):
    """What is before, between and after the values of a text, in words; and the names that this gives them.

    >>> wording_of(["Maker: Ada | 3 May", "Maker: Bo | 4 May", "Maker: Cy | 5 May", "Maker: Di | 6 June"])
    Wording(joints=('Maker:', '|', ''), names=('Maker', ''))
    """

    joints: tuple[str, ...]
    names: tuple[str, ...]


def value_in(text: str, joints: Sequence[str], place: int) -> str | None:
    """One of the values of a text; None if it is worded otherwise.

    >>> value_in("Company: Acme · Posted 3 May", ("Company:", "· Posted", ""), 1)
    '3 May'
    """
    values = values_in(text.split(), [joint.split() for joint in joints])
    return values[place] if values and place < len(values) else None


def values_in(words: Sequence[str], joints: Sequence[Sequence[str]]) -> list[str] | None:
    """All values of a text between joints, each found as early as possible; None if one is missing or empty."""
    first, *between, last = joints
    stop = len(words) - len(last)
    if list(words[: len(first)]) != list(first) or list(words[stop:]) != list(last):
        return None
    at, values = len(first), []
    for joint in between:
        found = next((n for n in range(at + 1, stop) if list(words[n : n + len(joint)]) == list(joint)), -1)
        if found < 0:
            return None
        values.append(" ".join(words[at:found]))
        at = found + len(joint)
    values.append(" ".join(words[at:stop]))
    return values if all(values) else None


def wording_of(texts: Sequence[str]) -> Wording | None:
    """The wording that texts have in common, if they have several values in it."""
    some = list(dict.fromkeys(texts))[:WORDED_SAMPLE]
    if len(some) < LEAST_TEXTS or max(map(len, some)) > LONGEST:
        return None
    split = [text.split() for text in some]
    joints = _joints(split)
    if not 2 < len(joints) <= MOST_VALUES + 1 or not _tells(joints, some):
        return None
    read = [values for words in split if (values := values_in(words, joints))]
    if len(read) < ALL_WORDED * len(some):
        return None
    columns = list(zip(*read, strict=True))
    if any(len(set(column)) < 2 for column in columns):
        return None
    return Wording(tuple(map(" ".join, joints)), tuple(map(_name, joints[:-1])))


def _tells(joints: Sequence[Sequence[str]], texts: Sequence[str]) -> bool:
    """Whether joints separate values: by marks or labels, or, in short texts, by several words."""
    if all(any(map(_is_mark, joint)) for joint in joints[1:-1]):
        return True
    if max(map(len, texts)) > LONGEST_SENTENCE or not joints[0]:
        return False
    return len([joint for joint in joints if joint]) >= LEAST_JOINTS


def _is_mark(word: str) -> bool:
    return word in SEPARATORS or (len(word) > 2 and word.endswith((":", "：")))


def _joints(split: Sequence[Sequence[str]]) -> list[list[str]]:
    """The words that all texts have, in runs: what is before, between and after the values."""
    common = list(split[0])
    for words in split[1:]:
        common = _shared(common, words)
        if not common:
            return []
    places = [list(_places(common, words)) for words in split]
    near = [all(place[n + 1] == place[n] + 1 for place in places) for n in range(len(common) - 1)]
    starts = all(place[0] == 0 for place in places)
    ends = all(place[-1] == len(words) - 1 for place, words in zip(places, split, strict=True))
    runs: list[list[str]] = [[common[0]]]
    for word, joined in zip(common[1:], near, strict=True):
        if joined:
            runs[-1].append(word)
        else:
            runs.append([word])
    return [*([] if starts else [[]]), *runs, *([] if ends else [[]])]


def _places(common: Sequence[str], words: Sequence[str]) -> Iterator[int]:
    """Where common words are among the words of a text, each as early as possible."""
    at = -1
    for word in common:
        at = words.index(word, at + 1)
        yield at


def _shared(first: Sequence[str], other: Sequence[str]) -> list[str]:
    """The longest sequence of words that is in both."""
    lengths = [[0] * (len(other) + 1)]
    for word in first:
        above = lengths[-1]
        row = accumulate(
            range(len(other)),
            lambda left, n, word=word, above=above: (  # type: ignore[misc]
                above[n] + 1 if word == other[n] else max(above[n + 1], left)
            ),
            initial=0,
        )
        lengths.append(list(row))
    found, n, m = [], len(first), len(other)
    while n and m:
        if first[n - 1] == other[m - 1] and lengths[n][m] == lengths[n - 1][m - 1] + 1:
            found.append(first[n - 1])
            n, m = n - 1, m - 1
        elif lengths[n - 1][m] >= lengths[n][m - 1]:
            n -= 1
        else:
            m -= 1
    return found[::-1]


def _name(joint: Sequence[str]) -> str:
    """The name that the words before a value give it; those of a sentence give none."""
    words = [word for word in joint if word not in SEPARATORS]
    if not words:
        return ""
    label = words[-1].endswith((":", "："))
    name = without_joining(words).strip(" :：,;")
    is_name = is_label(name) and (label or name[:1].isupper()) and len(name) > 2
    return name if is_name else ""
