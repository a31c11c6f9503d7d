"""The texts of some rows of a table, and how like the texts of other rows they are, column by column."""

import re
from collections.abc import Iterator
from functools import cache, lru_cache
from math import log
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from sightline.arrays import IntArray
from sightline.extract.tables._draft import TableDraft
from sightline.signals import TextKind

Floats: TypeAlias = npt.NDArray[np.float64]

SEVERAL = 4  # spaces: a text of more words is a phrase
LEAST_SPREAD = 0.35  # of the logarithms of lengths: the texts of any column differ at least by so much
FARTHEST = 4.0  # spreads; what is farther away is not more unlike
PRIOR = 0.5  # of a yes and of a no, before any text has answered
USUAL = 0.5  # share of a column from which on a kind is what it holds
MOST_TEXTS, LONG = 8192, 60  # texts whose traits are remembered, and the characters of the longest of them

# Traits of a text, one byte each. The first are answers to questions which the texts of a column tend to answer alike.
UPPER, SMALL, BLANK, COLON = 0, 1, 2, 5
NUMBER, DIGITS, PROSE, LINKED = 13, 14, 15, 16
QUESTIONS = 17
NAMED, ONCE, FILLED = 17, 18, 19
TRAITS = 20
_UNKNOWN = bytes(4)  # the kind of a text and whether it is linked: known to the draft


class Texts:
    """The texts in the places of some rows, and what they are like; `cell` says which cell takes each place."""

    def __init__(self, draft: TableDraft, cell: IntArray) -> None:
        texts, self._places = draft.texts, cell.tolist()
        self.texts = [[texts[place].strip() if place >= 0 else "" for place in row] for row in self._places]
        each = [_kept_traits(text) if len(text) <= LONG else _traits(text) for row in self.texts for text in row]
        traits = np.frombuffer(bytearray().join(each), dtype=np.uint8).reshape(*cell.shape, TRAITS)
        taken = cell >= 0
        kinds = np.where(taken, draft.kinds[cell], TextKind.EMPTY)
        for trait, kind in ((NUMBER, TextKind.NUMBER), (DIGITS, TextKind.DIGITS), (PROSE, TextKind.PROSE)):
            traits[:, :, trait] = kinds == kind
        traits[:, :, LINKED] = taken & (draft.links[cell] > 0)
        traits[:, :, FILLED] = kinds != TextKind.EMPTY
        # A cell over several places says its text once.
        traits[:, 1:, ONCE] &= cell[:, 1:] != cell[:, :-1]
        traits[:, :, NAMED] &= traits[:, :, ONCE]
        self.traits = traits
        self.lengths: Floats = np.log(np.array([len(text) + 1.0 for row in self.texts for text in row])).reshape(
            cell.shape
        )

    def once(self, row: int) -> list[str]:
        """The texts of a row that are not empty, those of a cell over several places once."""
        places = self._places[row]
        return [
            text
            for text, place, before in zip(self.texts[row], places, [-1, *places], strict=False)
            if text and place != before
        ]

    def compared(self, own: "Texts", row: int, start: int) -> dict[str, float]:
        """The measures of a row of `own` against the rows here from `start` on."""
        held = self.traits[start:].sum(axis=0, dtype=np.intp)
        mine = own.traits[row]
        filled = np.flatnonzero(mine[:, FILLED])
        unlike = _unlikeness(mine, held, len(self.texts) - start)[filled].tolist()
        change = _length_changes(own.lengths[row], self.lengths[start:])[filled].tolist()
        below, each = held.tolist(), mine.tolist()
        return _kinds(each, below, len(self.texts) - start) | {
            "unlike": _mean(unlike),
            "alike": _share(sum(one <= 0 for one in unlike), len(unlike)),
            "longer": _mean([max(one, 0.0) for one in change]),
            "shorter": _mean([max(-one, 0.0) for one in change]),
            "repeated": _mean(list(_come_again(own.texts[row], self.texts[start:]))),
        }


def _kinds(own: list[list[int]], below: list[list[int]], count: int) -> dict[str, float]:
    """What the texts of a row are, by their traits, against how often texts of the columns have these traits."""
    pairs = list(zip(own, below, strict=True))
    numeric = [under[NUMBER] + under[DIGITS] > USUAL * max(under[FILLED], 1) for under in below]
    digits = [one[NUMBER] | one[DIGITS] for one in own]
    filled = sum(one[FILLED] for one in own)
    over = list(zip(own, digits, numeric, strict=True))
    once, once_below = (sum(one[ONCE] for one in some) for some in (own, below))
    return {
        "typed": _share(sum(one[FILLED] and not digit for one, digit, number in over if number), filled),
        "values": _share(sum(digit for _, digit, number in over if number), filled),
        "numbers": _share(sum(digits), filled),
        "prose below": _share(sum(under[PROSE] > USUAL * max(under[FILLED], 1) for under in below), len(own)),
        "capital over small": _share(
            sum(one[UPPER] and under[SMALL] > USUAL * max(under[FILLED], 1) for one, under in pairs), len(own)
        ),
        "capitals": _share(sum(one[UPPER] & one[ONCE] for one in own), once),
        "named": _share(sum(one[NAMED] for one in own), once),
        "named below": _share(sum(under[NAMED] for under in below), once_below),
        "colons": _share(own[0][COLON] + below[0][COLON], count + 1 - own[0][BLANK] - below[0][BLANK]),
    }


def _come_again(texts: list[str], below: list[list[str]]) -> Iterator[bool]:
    """Of each text that is not empty, whether it comes again in its column."""
    for text, column in zip(texts, zip(*below, strict=True), strict=True):
        if text:
            yield text in column


def _traits(text: str) -> bytes:
    """What a text is like: yes or no to some questions, one byte for each."""
    first, last, spaces = text[:1], text[-1:], text.count(" ")
    answers = (
        first.isupper(),
        first.islower(),
        not text,
        first != "" and not first.isalnum(),
        last == ".",
        last == ":",
        "(" in text,
        "_" in text or "/" in text or "\\" in text or "=" in text,
        len(text) > 1 and text.isupper(),
        spaces > 0 or "\n" in text,
        spaces >= SEVERAL,
        "-" in text[:2],
        "," in text,
    )
    return bytes(answers) + _UNKNOWN + bytes((has_heading_word(text), text != "", 0))


_kept_traits = lru_cache(maxsize=MOST_TEXTS)(_traits)  # labels and values come again


def _unlikeness(own: npt.NDArray[np.uint8], held: IntArray, count: int) -> Floats:
    """For each column how little the answers of its text were to be expected from those of `count` other texts.

    Taken off is how little those of another text were to be expected from the rest, so that 0 is as usual.
    """
    answers, yes = own[:, :QUESTIONS], held[:, :QUESTIONS]
    found: Floats = _surprises(count).take(yes + answers * np.intp(count + 1)).sum(axis=1)
    return found


@cache  # by the number of rows that are compared with: a dozen at most
def _surprises(count: int) -> Floats:
    """How unlikely a no is where none, one, … of `count` other texts said yes, then a yes, each less what is usual."""
    usual = [_usual_surprise(yes, count) for yes in range(count + 1)]
    whole = count + 2 * PRIOR
    noes = [-log((count - yes + PRIOR) / whole) - usual[yes] for yes in range(count + 1)]
    return np.array(noes + [-log((yes + PRIOR) / whole) - usual[yes] for yes in range(count + 1)])


def _usual_surprise(yes: int, count: int) -> float:
    """How unlikely an answer is to the others, at the mean, where `yes` of `count` say yes."""
    no, whole = count - yes, count - 1 + 2 * PRIOR
    parts = [each * -log((each - 1 + PRIOR) / whole) for each in (yes, no) if each]
    return sum(parts) / count


def _length_changes(own: Floats, below: Floats) -> Floats:
    """For each column how much longer its text is than those of other rows, in their spread."""
    mean = below.sum(axis=0) / len(below)
    apart = below - mean
    spread = np.maximum(np.sqrt((apart * apart).sum(axis=0) / len(below)), LEAST_SPREAD)
    found: Floats = np.minimum(np.maximum((own - mean) / spread, -FARTHEST), FARTHEST)
    return found


def _mean(values: list[float] | list[bool]) -> float:
    return sum(values) / len(values) if values else 0.0


def _share(part: float, whole: float) -> float:
    return part / whole if whole else 0.0


# Words that columns are often named with: weak evidence that a row is a heading.

# What columns are called on most pages, in the languages of the pages seen so far; for more languages, add more words.
# Written down from general knowledge, without a look at the tables that the weight of this evidence is fitted on.
WORDS_OF: dict[str, str] = {
    "en": (
        "id no nr # name names title type types kind category class group description details detail value "
        "values default year years date dates day month time start end duration period from to until status "
        "state note notes comment comments remarks remark price prices cost amount total sum quantity qty "
        "number count unit units size length width height weight rank position pos place points score result "
        "results team club player country city region location address company author artist role source "
        "reference references version release code key field parameter argument option options command method "
        "function property attribute example examples meaning usage purpose required optional min max minimum "
        "maximum average mean percent percentage share rate item items product model language format file "
        "filename path url link symbol term definition test tests"
    ),
    "de": (
        "bezeichnung beschreibung typ wert jahr datum tag monat zeit preis betrag menge anzahl nummer einheit "
        "größe länge breite höhe gewicht rang platz punkte ergebnis mannschaft verein spieler land stadt ort "
        "adresse firma quelle version bemerkung bemerkungen anmerkung titel"
    ),
    "fr": (
        "nom année mois jour heure prix montant quantité nombre unité taille longueur largeur poids rang "
        "résultat équipe joueur pays ville lieu adresse société valeur remarque remarques titre"
    ),
    "es": (
        "nombre año fecha día mes hora precio importe cantidad número unidad tamaño longitud peso puesto "
        "puntos resultado equipo jugador país ciudad lugar empresa tipo descripción notas título valor"
    ),
    "it": (
        "nome anno data giorno mese ora prezzo importo quantità numero unità dimensione lunghezza peso "
        "posizione punti risultato squadra giocatore paese città luogo azienda descrizione titolo valore"
    ),
    "nl": (
        "naam jaar maand tijd prijs bedrag aantal eenheid grootte lengte gewicht plaats uitslag ploeg speler "
        "waarde beschrijving"
    ),
    "pl": (
        "nazwa rok dzień miesiąc czas cena kwota ilość liczba jednostka rozmiar wynik drużyna kraj miasto "
        "opis wartość uwagi"
    ),
    "pt": "ano mês preço quantia quantidade tamanho equipe equipa jogador cidade descrição",
    "ru": (
        "имя название год дата день месяц время цена сумма количество число единица размер место очки "
        "результат команда страна город описание значение тип примечание примечания"
    ),
    "ja": "名前 名称 年 日付 価格 数量 種類 説明 値",
    "zh": "备注 日期 价格 类型 描述 值 数量 单位",
    "ko": "이름 날짜 가격 수량 설명 값",
    "ar": "الاسم السنة التاريخ السعر",
}
WORDS = frozenset(word for words in WORDS_OF.values() for word in words.split())
PIECE = re.compile(r"[^\W\d_]+|#")
MOST_WORDS = 5  # longer texts are sentences, in which such words come by chance


def has_heading_word(text: str) -> bool:
    """Whether a short text has a word that columns are often named with.

    >>> [has_heading_word(text) for text in ("Unit price", "Oslo", "The size of the file in bytes, or its name")]
    [True, False, False]
    """
    found = PIECE.findall(text.casefold())
    return len(found) <= MOST_WORDS and any(word in WORDS for word in found)
