"""Words that columns are often named with: weak evidence that a row is a heading."""

import re

__all__ = ["has_heading_word"]

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
