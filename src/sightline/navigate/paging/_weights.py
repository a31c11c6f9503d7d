"""The weights of the clues for next pages, fitted by `bench/navigate/fit_paging.py`."""

import re
from functools import lru_cache
from typing import NamedTuple

NEXT_WEIGHTS: dict[str, float] = {
    "alone": -0.337,
    "around next": 2.317,
    "around previous": -1.181,
    "arrow back": -2.058,
    "arrow on": 1.413,
    "arrow on alone": 2.217,
    "arrows on": 0.873,
    "arrows on alone": 1.245,
    "called next": 1.498,
    "called page": -0.313,
    "called previous": -0.885,
    "counts on a page": -4.000,
    "counts pages": 1.938,
    "declared next": 0.959,
    "declared only": -3.092,
    "follows in a series": 2.261,
    "in a calendar or slider": -3.010,
    "in a pager": 1.952,
    "in a series": 0.763,
    "in a story": -1.160,
    "is a number": -0.694,
    "label first": -0.000,
    "label last": -0.011,
    "label next": 2.059,
    "label previous": -1.503,
    "letter with letters": 0.000,
    "long": -3.028,
    "many beside": -0.072,
    "middle": -0.490,
    "more of the same list": 2.947,
    "nearest on": 0.484,
    "next beside": -0.300,
    "next in a pager": 0.328,
    "next in the same list": -0.218,
    "next of one step": 0.630,
    "next on the same path": 4.577,
    "number after the current": 2.010,
    "number and same list": -1.367,
    "number before the current": -2.058,
    "number of one step": -1.059,
    "number two": 0.675,
    "number with numbers": -0.686,
    "numbers beside": 0.334,
    "one number beside": 0.478,
    "one step on": 0.587,
    "previous beside": -0.250,
    "rel next": 3.079,
    "said all": -2.001,
    "said first": -2.000,
    "said last": -2.000,
    "said more": -0.064,
    "said newer": 1.745,
    "said next": 2.345,
    "said older": 0.181,
    "said previous": -3.000,
    "same list": 1.940,
    "same path": -0.013,
    "same site": 1.041,
    "steps back": 0.234,
    "steps on": -0.395,
    "of every link": -8.736,
}
PAGE_WEIGHTS: dict[str, float] = {
    "alone": -0.705,
    "around next": 0.296,
    "around previous": 0.422,
    "arrow back": 1.231,
    "arrow on": -0.313,
    "arrow on alone": 1.003,
    "arrows on": 0.318,
    "arrows on alone": 1.074,
    "called next": 0.971,
    "called page": -0.973,
    "called previous": 0.981,
    "counts on a page": -5.017,
    "counts pages": 1.225,
    "declared next": -0.691,
    "declared only": -0.042,
    "follows in a series": -0.273,
    "in a calendar or slider": -3.883,
    "in a pager": 4.378,
    "in a series": 2.158,
    "in a story": 0.421,
    "is a number": 1.480,
    "label first": 0.327,
    "label last": -0.168,
    "label next": 1.685,
    "label previous": 1.976,
    "letter with letters": 6.000,
    "long": -1.983,
    "many beside": -0.164,
    "middle": -0.654,
    "more of the same list": 3.875,
    "nearest on": 0.415,
    "next beside": -0.796,
    "next in a pager": -0.338,
    "next in the same list": 0.217,
    "next of one step": -0.205,
    "next on the same path": 0.237,
    "number after the current": -0.147,
    "number and same list": -1.471,
    "number before the current": 0.296,
    "number of one step": -0.742,
    "number two": 0.388,
    "number with numbers": 2.203,
    "numbers beside": 1.758,
    "one number beside": 1.505,
    "one step on": 0.139,
    "previous beside": -0.800,
    "rel next": -0.240,
    "said all": -2.038,
    "said first": 2.225,
    "said last": 3.293,
    "said more": -0.156,
    "said newer": 4.602,
    "said next": 2.860,
    "said older": 4.718,
    "said previous": 2.747,
    "same list": 1.332,
    "same path": -0.271,
    "same site": 1.097,
    "steps back": -0.235,
    "steps on": -0.800,
    "of every link": -8.062,
}


# -- what people write on links that page a list --------------------------------------------------------------------
# Words are compared in lower case and without marks; of languages without blanks, how the text begins.

NEXT = """
    next forward continue continued onward
    nächste nächster nächstes weiter weitere vor vorwärts
    suivant suivante suivants suivantes siguiente siguientes próximo próxima proximo proxima próximos seguinte seguintes
    següent següents avançar adelante
    successiva successivo successive avanti prossima prossimo seguente
    volgende verder vooruit
    następna następne następny dalej další následující ďalší ďalšia ďalej nasledujúca
    következő tovább următoarea următorul următor înainte
    nästa framåt næste neste seuraava järgmine nākamā kitas toliau
    следующая следующие следующий след далее вперёд вперед дальше наступна наступний далі следваща напред
    sledeća sledeće sljedeća sljedeće iduća naslednja naprej
    επόμενη επόμενο επόμενα
    sonraki ileri selanjutnya berikutnya seterusnya tiếp sau
    التالي التالية بعدی بعد הבא הבאה अगला अगले পরবর্তী
"""
PREVIOUS = """
    previous prev back backward
    zurück vorherige vorheriger vorherigen vorige rückwärts
    précédent précédente précédents précédentes précedent anterior anteriors previo previa atrás voltar
    precedente precedenti indietro vorige terug
    poprzednia poprzednie poprzedni wstecz předchozí predchádzajúca předešlá
    előző vissza anterioara anterioară precedenta înapoi
    föregående förra bakåt forrige edellinen eelmine iepriekšējā ankstesnis atgal
    предыдущая предыдущие предыдущий пред назад попередня попередній предишна
    prethodna prethodno prejšnja nazaj
    προηγούμενη προηγούμενο
    önceki geri sebelumnya trước
    السابق السابقة قبلی הקודם הקודמת पिछला পূর্ববর্তী
"""
FIRST = """
    first erste erster anfang premier première premières primera primero primeira primeiro início prima primo inizio
    eerste pierwsza první első prima första første ensimmäinen первая первый начало перша начало πρώτη ilk pertama đầu
"""
LAST = """
    last letzte letzter ende dernier dernière última último ultima ultimo fine laatste ostatnia poslední utolsó
    ultima sista siste sidste viimeinen последняя последний конец остання последна τελευταία son terakhir cuối end
"""
OLDER = "older earlier ältere anciens anciennes antiguas antiguos antigas antigos vecchi starsze starší régebbi старые"
NEWER = "newer neuere récents récentes nuevas nuevos novas recentes nuovi nowsze novější újabb новые"
MORE = "more load mehr plus más mais altro meer więcej více több fler mere lisää ещё еще більше daha lagi thêm"
ALL = "all alle alles tout toutes todos todas tutti tutte wszystkie vše összes все всі όλα tümü hepsi semua"

# Of languages that put no blanks between words, and of phrases: how a text begins.
NEXT_STARTS = (
    *("次", "下一", "下页", "下頁", "后页", "後頁", "后一", "다음", "ถัดไป", "หน้าถัดไป", "trang sau", "go to next"),
    *("show next", "see next", "to the next", "pagina successiva"),
)
PREVIOUS_STARTS = ("前の", "前へ", "前ペ", "上一", "上页", "上頁", "前一", "이전", "ก่อนหน้า", "หน้าก่อน", "trang trước")
FIRST_STARTS = ("最初", "首页", "首頁", "第一页", "第一頁", "처음", "先頭")
LAST_STARTS = ("最後", "末页", "末頁", "尾页", "最后", "마지막")
MORE_STARTS = (
    "load more",
    "show more",
    "view more",
    "see more",
    "もっと",
    "さらに",
    "加载更多",
    "載入更多",
    "更多",
    "더보기",
)
ALL_STARTS = ("view all", "show all", "see all", "alle anzeigen", "ver todo", "tout afficher", "すべて", "全部")

ONE_ON = frozenset(">›→▶►❯⟩➔➜➡⮞⇒")
FAR_ON = frozenset("»⏭⇥")
ONE_BACK = frozenset("<‹←◀◄❮⟨⬅⇐")
FAR_BACK = frozenset("«⏮⇤")
ARROWS = ONE_ON | FAR_ON | ONE_BACK | FAR_BACK
_WORD = re.compile(r"[^\W\d_]+")
_MARKS = re.compile(r"[^\w\s]")


class LinkWords(NamedTuple):
    """What a short text on a link says about where it leads."""

    next: bool = False
    previous: bool = False
    first: bool = False
    last: bool = False
    more: bool = False
    all: bool = False
    older: bool = False
    newer: bool = False
    one_on: bool = False
    far_on: bool = False
    one_back: bool = False
    far_back: bool = False


def _set(words: str) -> frozenset[str]:
    return frozenset(words.split())


_BY_WORD = {
    "next": (_set(NEXT), NEXT_STARTS),
    "previous": (_set(PREVIOUS), PREVIOUS_STARTS),
    "first": (_set(FIRST), FIRST_STARTS),
    "last": (_set(LAST), LAST_STARTS),
    "more": (_set(MORE), MORE_STARTS),
    "all": (_set(ALL), ALL_STARTS),
    "older": (_set(OLDER), ("過去の", "以前の", "古い")),
    "newer": (_set(NEWER), ("新しい",)),
}
_KINDS_OF: dict[str, list[str]] = {}
for _kind, (_words, _) in _BY_WORD.items():
    for _one in _words:
        _KINDS_OF.setdefault(_one, []).append(_kind)
_EVERY_START = tuple(start for _, starts in _BY_WORD.values() for start in starts)


@lru_cache(maxsize=16_384)
def link_words(text: str) -> LinkWords:
    """What a text says.

    >>> link_words("Next »").next, link_words("Nächste Seite").next, link_words("次のページ").next
    (True, True, True)
    >>> link_words("›").one_on, link_words(">>").far_on, link_words("« zurück").previous
    (True, True, True)
    """
    plain = " ".join(text.casefold().split())
    said = {kind: True for word in set(_WORD.findall(plain)) for kind in _KINDS_OF.get(word, ())}
    bare = _MARKS.sub("", plain).strip()
    if bare.startswith(_EVERY_START) or plain.startswith(_EVERY_START):
        for name, (_, starts) in _BY_WORD.items():
            if bare.startswith(starts) or plain.startswith(starts):
                said[name] = True
    if ARROWS.isdisjoint(plain):
        return LinkWords(**said)
    marks = "".join(plain.split())
    to_end = marks.endswith("|") or marks.startswith("|")  # ">|" leads to the last page
    on = sum(mark in ONE_ON for mark in marks) * (1 + to_end)
    back = sum(mark in ONE_BACK for mark in marks) * (1 + to_end)
    return LinkWords(
        **said,
        one_on=on == 1,
        far_on=on > 1 or not FAR_ON.isdisjoint(marks),
        one_back=back == 1,
        far_back=back > 1 or not FAR_BACK.isdisjoint(marks),
    )
