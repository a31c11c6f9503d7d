"""Names that mean the same thing: keys of subjects, attributes and texts.

Case, accents, punctuation and word order do not matter; digits always do. "Canon EOS 5D", "canon eos-5d" and "EOS 5D
(Canon)" have a key in common, "EOS 50D" and "EOS 5D Mark II" have none with them.
"""

import re
import unicodedata
from dataclasses import dataclass
from functools import lru_cache

from sightline.data import read_title

__all__ = [
    "NameKey",
    "attribute_key",
    "attribute_label",
    "name_key",
    "page_subject",
    "text_key",
    "title_parts",
    "without_notes",
]

_TOKEN = re.compile(r"[^\W_]+(?:(?<=\d)[.,](?=\d)[^\W_]+)*|[+#%&$€£¥<>=±°]")
_APOSTROPHES = re.compile(r"['’ʼ`´]")
_MARKS = re.compile("[™®©℠\u200b-\u200f\u00ad\ufeff]")
_NOTE = re.compile(r"\s*(?:\[(?:\d{1,3}|[a-z]{1,2}|(?:note|nb|fn) ?\d{1,3})\]|[*†‡§¶]+)\Z", re.IGNORECASE)
_EDITION = re.compile(r"(?:mark|mk)(\d{1,2}|i|ii|iii|iv|v|vi|vii|viii|ix|x)?\Z")
_ROMAN = {"i": 1, "ii": 2, "iii": 3, "iv": 4, "v": 5, "vi": 6, "vii": 7, "viii": 8, "ix": 9, "x": 10}
# Words at the end of a page's heading that say what kind of page it is, not what it is about.
_PAGE_WORDS = "data datasheet details features full key overview price prices review reviews sheet spec specification"
_KINDS_OF_PAGE = frozenset((*_PAGE_WORDS.split(), "specifications", "specs", "technical", "test"))
_TITLE_PARTS = re.compile(r"\s+[|–—·»:-]+\s+|\s*[|»]\s*|\s*::\s*|:\s+")
_SMALL = frozenset(("the", "of", "a", "an", "in"))
# Spellings on both sides of the Atlantic that headings of data use.
_SPELLINGS = {"colour": "color", "grey": "gray", "aluminium": "aluminum", "metre": "meter", "litre": "liter"}
_SHORTEST_PLURAL = 4  # letters: "specs", but not "gas"


@dataclass(frozen=True, slots=True)
class NameKey:
    """What two spellings of one name have in common: their words in any order, or all their letters in a row."""

    words: tuple[str, ...]
    numbers: tuple[str, ...]
    letters: str

    @property
    def in_any_order(self) -> str:
        """The words sorted; those with digits in the order of the name, since that may mean something."""
        return f"{' '.join(self.words)}|{' '.join(self.numbers)}"


@lru_cache(maxsize=65536)
def name_key(text: str) -> NameKey:
    """The key of a name; its parts are empty if it has neither letters nor digits.

    >>> name_key("Canon EOS 5D").in_any_order == name_key("EOS-5D (Canon)").in_any_order
    True
    >>> name_key("Canon EOS5D").letters == name_key("canon eos-5d").letters, name_key("A1 1") == name_key("A 11")
    (True, False)
    >>> name_key("5D Mark II").in_any_order == name_key("5D Mk2").in_any_order
    True
    """
    return _key(_tokens(text))


def _key(tokens: list[str]) -> NameKey:
    words = tuple(sorted(token for token in tokens if not _has_digit(token)))
    return NameKey(words, tuple(token for token in tokens if _has_digit(token)), _in_a_row(tokens))


def _tokens(text: str) -> list[str]:
    plain = _MARKS.sub("", _APOSTROPHES.sub("", without_notes(text)))
    tokens = _TOKEN.findall(_folded(plain))
    if plain.lstrip()[:1] in "-−" and tokens and tokens[0][0].isdigit():
        tokens[0] = f"-{tokens[0]}"
    return _with_editions(["and" if token == "&" else token for token in tokens])


def _with_editions(tokens: list[str]) -> list[str]:
    """Mark II, Mk II, MkII and Mark 2 as one spelling."""
    told: list[str] = []
    for token in tokens:
        edition = _EDITION.match(token)
        if edition:
            told.append("mark")
            told += [_in_figures(edition[1])] if edition[1] else []
        else:
            told.append(_in_figures(token) if told[-1:] == ["mark"] else token)
    return told


def _in_figures(token: str) -> str:
    return str(_ROMAN.get(token, token))


def _folded(text: str) -> str:
    """Small letters without the accents of Latin ones."""
    parts = (unicodedata.normalize("NFD", letter) for letter in unicodedata.normalize("NFKC", text).casefold())
    return "".join(part[0] if part[0].isascii() else unicodedata.normalize("NFC", part) for part in parts)


def _has_digit(token: str) -> bool:
    return any(character.isdigit() for character in token)


def _in_a_row(tokens: list[str]) -> str:
    """All tokens without blanks, but with a stroke where two numbers would run into one."""
    row = ""
    for token in tokens:
        row += "|" * (row[-1:].isdigit() and token[0].isdigit()) + token
    return row


def without_notes(text: str) -> str:
    """A text on one line without the marks of notes at its end.

    >>> without_notes(" EOS  5D [1]*")
    'EOS 5D'
    """
    plain = " ".join(text.split())
    while (shorter := _NOTE.sub("", plain)) != plain:
        plain = shorter
    return plain


@lru_cache(maxsize=65536)
def text_key(text: str) -> str:
    """What texts have in common that differ only in case, blanks and punctuation; the text itself if it has no words.

    >>> text_key("Full-frame ") == text_key("full frame"), text_key("24–70 mm") == text_key("24-70mm")
    (True, True)
    """
    return _in_a_row(_tokens(text)) or " ".join(text.split())


def attribute_label(heading: str) -> str:
    """The name of an attribute: the heading without its unit and marks of notes.

    >>> attribute_label("Weight in grams"), attribute_label("weight (g)*")
    ('Weight', 'weight')
    """
    return read_title(" ".join(heading.split()).rstrip(" :")).label.rstrip(" :")


@lru_cache(maxsize=16384)
def attribute_key(heading: str) -> NameKey:
    """The key of an attribute: its words in the singular, without unit, articles and punctuation.

    >>> attribute_key("Shutter speed (max.)").in_any_order == attribute_key("Max shutter speed").in_any_order
    True
    >>> attribute_key("Weight in grams").letters, attribute_key("Wi-Fi").letters == attribute_key("WiFi").letters
    ('weight', True)
    """
    words = [token for token in _tokens(attribute_label(heading)) if token not in _SMALL]
    return _key([_spelling(word) for word in words])


def _spelling(word: str) -> str:
    single = word.removesuffix("s") if len(word) > _SHORTEST_PLURAL and not word.endswith("ss") else word
    return _SPELLINGS.get(single, single)


def page_subject(heading: str, repeated: frozenset[str] = frozenset()) -> str:
    """What a page is about by its heading or title, without parts in `repeated` and words for its kind; may be empty.

    >>> page_subject("Canon EOS 5D – Specifications | Camera World", frozenset({"cameraworld"}))
    'Canon EOS 5D'
    >>> page_subject("Technical data")
    ''
    """
    kept = [part for part in title_parts(heading) if text_key(part) not in repeated]
    return " ".join(told for part in kept if (told := _without_kind(part)))


def title_parts(title: str) -> list[str]:
    """The parts of a title between strokes, dashes and colons.

    >>> title_parts("Canon EOS-5D: Review | Camera World")
    ['Canon EOS-5D', 'Review', 'Camera World']
    """
    return [part.strip() for part in _TITLE_PARTS.split(without_notes(title)) if part and part.strip()]


def _without_kind(part: str) -> str:
    words = part.split()
    while words and words[-1].strip("().,!").casefold() in _KINDS_OF_PAGE:
        words.pop()
    return " ".join(words)
