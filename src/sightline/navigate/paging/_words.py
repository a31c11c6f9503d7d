"""What people write on links that page a list, in about forty languages."""

import re
from functools import lru_cache
from typing import NamedTuple

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
