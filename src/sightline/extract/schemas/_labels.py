"""Labels in the texts of a field: "Publisher: Acme" is a field `Publisher` with the value "Acme"."""

import re
from collections import Counter
from collections.abc import Sequence
from typing import NamedTuple

from sightline.data import infer
from sightline.signals import label_of, word_set

__all__ = ["Lead", "cut_lead", "is_label", "is_neutral", "is_unnamed", "lead_of", "without_joining"]

LONGEST_LABEL = 40  # characters
MOST_WORDS = 6  # of a label
ALL = 0.9  # of the texts begin with the words before a date
SAMPLE = 100  # texts that decide
MOST_LEADING = 4  # words before a date, as in "Last updated on"
# Words at the end of "Published on" that are no part of a name, in the languages that dates are read in.
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

    Two labels in one text are no label of the whole.

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


def is_unnamed(name: str) -> bool:
    """Whether a name does not even tell the kind of a field.

    >>> is_unnamed("text 3"), is_unnamed("price 2")
    (True, False)
    """
    return is_neutral(name) and name.partition(" ")[0] in ("text", "number", "items", "values")


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
