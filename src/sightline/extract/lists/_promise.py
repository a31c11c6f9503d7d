"""How many items a page promises: which number in its titles counts what the page is about."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from sightline.extract.lists._page_signals import PageSignals
from sightline.page import ABSENT

# -- word lists for reading titles, one row per language; to add a language, add a row ------------------------------


@dataclass(frozen=True)
class PromiseLanguage:
    """The words of a language, all in lower case and separated by commas.

    `units` are the number words from two, `tens` those from twenty, `others` single ones with their value, and `one`
    joins the tens. `best` are words beside a count that mark it as one, `ahead` others that may precede it, and
    `articles` those that begin a title. `measures` after a number make it a measurement, `labels` before it make it a
    name or an ordinal. `frame` is how headings of an article begin that introduce, close or sell, and are not items.
    `awards` are words of labels such as "Best overall", which say what an item is chosen for.
    """

    code: str
    units: str
    tens: str = ""
    others: tuple[tuple[str, int], ...] = ()
    one: str = ""
    best: str = ""
    ahead: str = ""
    articles: str = ""
    measures: str = ""
    labels: str = ""
    frame: str = ""
    awards: str = ""

    @cached_property
    def numbers(self) -> dict[str, int]:
        """Every number word with its value."""
        single = {word: value for value, word in enumerate(words(self.units), start=2)}
        tens = {word: 10 * value for value, word in enumerate(words(self.tens), start=2)}
        digits = {word: value for word, value in single.items() if value < 10} | ({self.one: 1} if self.one else {})
        joined = {f"{ten}-{one}": tens[ten] + digits[one] for ten in tens for one in digits}
        return single | tens | joined | dict(self.others)


def words(text: str) -> tuple[str, ...]:
    """The words of a row.

    >>> words("two, three")
    ('two', 'three')
    """
    return tuple(" ".join(word.split()) for word in text.split(",") if word.strip())


LANGUAGES: tuple[PromiseLanguage, ...] = (
    PromiseLanguage(
        "en",
        units="""
            two, three, four, five, six, seven, eight, nine, ten, eleven, twelve, thirteen, fourteen, fifteen,
            sixteen, seventeen, eighteen, nineteen
        """,
        tens="twenty, thirty, forty, fifty, sixty, seventy, eighty, ninety",
        others=(
            ("dozen", 12),
            ("hundred", 100),
        ),
        one="one",
        best="top, best, picks, favorites, favourites",
        ahead="""
            the, these, our, my, here, are, with, of, all, greatest, in, from, tested, tried, reviewed, compared,
            comparing, reveal, reveals, share, shares, and
        """,
        articles="the, these, a, our, my",
        measures="""
            second, seconds, minute, minutes, min, mins, hour, hours, day, days, week, weeks, weekend, month,
            months, year, years, decade, decades, century, centuries, yr, yrs, inch, inches, foot, feet, ft, cm, mm,
            km, mile, miles, meter, meters, metres, kg, lb, lbs, pound, pounds, oz, ounce, ounces, gallon, gallons,
            liter, liters, litre, litres, gb, tb, mb, mph, hp, watt, watts, volt, volts, degrees, percent, dollars,
            dollar, cents, usd, euros, million, billion, trillion, thousand, k, m, x, am, pm, person, pack, piece,
            pin, bit, core, comment, comments, reply, replies, edition, star, th, st, nd, rd, bedroom,
            bathroom, door, seat, seater
        """,
        labels="""
            no, nr, number, part, pt, chapter, ch, episode, ep, season, vol, volume, week, day, level, version, v,
            windows, ios, android, python, issue, round, phase, grade, step, act, book, page, figure, table, lesson,
            unit, module, section, rule, gen, january, february, march, april, may, june, july, august, september,
            october, november, december, jan, feb, mar, apr, jun, jul, aug, sep, sept, oct, nov, dec, under, over,
            above, below, age, aged, ages, fall, spring, summer, winter, world, war, formula, channel, route,
            highway, type, covid, web, until, since, by
        """,
        frame="""
            conclusion, final, faq, faqs, frequently, summary, introduction, overview, wrapping, wrap, bottom line,
            key takeaway, how we, how to, how do, why, what, which, when, who, methodology, related, about,
            comments, references, sources, further, honorable, leave, share, subscribe, newsletter, table of
            contents, contents, in this, read, you may, recommended, recent, popular, categories, tags, next, get
            started, ready, contact, quick, at a glance, comparison, criteria, closing, more, latest, trending,
            disclosure, disclaimer, bonus, choosing, testing, our, the bottom, the verdict, tips for, buying
        """,
        awards="""
            best, overall, runner-up, runner-ups, runners-up, pick, picks, choice, favorite, favourite, winner, budget,
            value, splurge, upgrade, most, bestseller, best-selling, cheapest, also great, honorable mention, editor's,
            editors, premium, top-rated
        """,
    ),
    PromiseLanguage(
        "de",
        units="zwei, drei, vier, fünf, sechs, sieben, acht, neun, zehn, elf, zwölf, dreizehn",
        tens="zwanzig, dreißig, vierzig, fünfzig",
        others=(
            ("dutzend", 12),
            ("hundert", 100),
        ),
        best="top, besten, beste",
        ahead="die, unsere, diese",
        articles="die, diese, unsere",
        measures="""
            sekunden, minute, minuten, stunde, stunden, tag, tage, tagen, woche, wochen, monat, monate, monaten,
            jahr, jahre, jahren, prozent, euro, millionen, milliarden, uhr, meter, kilometer, personen, portionen,
            kommentar, kommentare
        """,
        labels="nr, teil, folge, staffel, kapitel, band, woche, tag, unter, über, ab, seite",
        frame="fazit, einleitung, zusammenfassung, häufige, was, wie, warum, mehr, kommentare, über",
        awards="beste, bester, bestes, testsieger, preistipp, preis-leistungs-sieger, empfehlung, favorit, sieger",
    ),
    PromiseLanguage(
        "fr",
        units="deux, trois, quatre, cinq, six, sept, huit, neuf, dix, onze, douze, treize",
        tens="vingt, trente, quarante, cinquante",
        others=(
            ("quinze", 15),
            ("cent", 100),
        ),
        best="top, meilleurs, meilleures",
        ahead="les, nos, ces",
        articles="les, ces, nos",
        measures="""
            secondes, minute, minutes, heure, heures, jour, jours, semaine, semaines, mois, ans, année, années,
            euros, millions, milliards, personnes, mètres, commentaires
        """,
        labels="no, n°, partie, épisode, saison, chapitre, tome, semaine, moins, plus",
        frame="conclusion, introduction, en résumé, pourquoi, comment, quel, questions, à propos",
        awards="meilleur, meilleure, coup de cœur, choix, favori, gagnant",
    ),
    PromiseLanguage(
        "es",
        units="dos, tres, cuatro, cinco, seis, siete, ocho, nueve, diez, once, doce, trece",
        tens="veinte, treinta, cuarenta, cincuenta",
        others=(
            ("quince", 15),
            ("cien", 100),
        ),
        best="top, mejores",
        ahead="los, las, estos, estas",
        articles="los, las, estos, estas",
        measures="""
            segundos, minuto, minutos, hora, horas, día, días, semana, semanas, mes, meses, año, años, euros,
            millones, personas, metros, comentarios
        """,
        labels="núm, parte, episodio, temporada, capítulo, semana",
        frame="conclusión, introducción, resumen, por qué, cómo, qué, preguntas, sobre",
        awards="mejor, favorito, ganador, elección",
    ),
    PromiseLanguage(
        "it",
        units="due, tre, quattro, cinque, sei, sette, otto, nove, dieci, undici, dodici, tredici",
        tens="venti, trenta, quaranta, cinquanta",
        others=(
            ("quindici", 15),
            ("cento", 100),
        ),
        best="top, migliori",
        ahead="i, le, gli",
        articles="i, le, gli",
        measures="minuti, ore, giorni, settimane, mesi, anni, euro, milioni, persone, metri, commenti",
        labels="parte, episodio, stagione, capitolo, settimana",
        frame="conclusione, conclusioni, introduzione, perché, come, cosa, domande",
        awards="migliore, miglior, scelta, vincitore",
    ),
    PromiseLanguage(
        "nl",
        units="twee, drie, vier, vijf, zes, zeven, acht, negen, tien, elf, twaalf, dertien",
        tens="twintig, dertig, veertig, vijftig",
        others=(
            ("vijftien", 15),
            ("honderd", 100),
        ),
        best="top, beste",
        ahead="de, deze",
        articles="de, deze",
        measures="minuten, uur, dagen, weken, maanden, jaar, euro, procent, miljoen, personen, reacties",
        labels="deel, aflevering, seizoen, hoofdstuk, week",
        frame="conclusie, inleiding, samenvatting, waarom, hoe, wat, veelgestelde, over",
        awards="beste, favoriet, winnaar, keuze",
    ),
)


# -- how many items a page promises: which number in its titles counts what the page is about -----------------------

# Two items make a list; a list longer than this is not written out on one page under such a title.
LEAST, MOST = 2, 1000
YEARS = range(1900, 2100)
# Words after the number within which what it counts is named.
REACH = 7
SEVERAL = 2  # commas before a number; one may end "In 2019,"
MOST_HEADINGS = 2  # of the first level; pages with more use them for everything
# Characters of a title in which a promise is looked for; the longest of 5,200 pages of the sets has 258.
LONGEST_TITLE = 1000

_TOKEN = re.compile(r"\d+(?:[.,:/]\d+)*|[^\W\d_]+(?:['’][^\W\d_]+)?(?:-[^\W\d_]+)*|[^\w\s]|_")
# Blanks are taken from the first of a run, so that a long run is tried once and not from each of its blanks.
_SEPARATOR = re.compile(r"(?<!\s)\s++[|–—•·»«:~]+\s+|(?<!\s)\s++-\s+|(?:(?<!\s)\s++)?[|»•]\s*")
_THOUSANDS = re.compile(r"\d{1,3}(?:,\d{3})+")
NUMBERS = {word: number for language in reversed(LANGUAGES) for word, number in language.numbers.items()}
# Number words of other languages that are also English words.
ENGLISH_TOO = frozenset(("once", "due", "elf", "cent", "sei"))
BEST = frozenset(word for language in LANGUAGES for word in words(language.best))
AHEAD = BEST | frozenset(word for language in LANGUAGES for word in words(language.ahead))
LABELS = frozenset(word for language in LANGUAGES for word in words(language.labels))
MEASURES = frozenset(word for language in LANGUAGES for word in words(language.measures))
ENGLISH = frozenset((*words(LANGUAGES[0].ahead), *words(LANGUAGES[0].best)))
# Words that may precede a count at the start of a title.
SMALL = frozenset(word for language in LANGUAGES for word in words(language.articles))
_CURRENCY = frozenset("$€£¥₹₩")
_FRACTION = frozenset("½¼¾⅓⅔⅛")


@dataclass(frozen=True)
class Promise:
    """A number of items, the title that promises it, and how clearly: 3 states it, 2 may, 1 hardly does."""

    k: int
    title: str
    strength: int


def promises_of(signals: PageSignals) -> list[Promise]:
    """What the titles of a page promise, the clearest first; the site's own title promises nothing."""
    found: dict[int, Promise] = {}
    for title in titles_of(signals):
        for promise in promises_in(title, signals.page.language):
            earlier = found.get(promise.k)
            if earlier is None or earlier.strength < promise.strength:
                found[promise.k] = promise
    return sorted(found.values(), key=lambda promise: -promise.strength)


def titles_of(signals: PageSignals) -> list[str]:
    """The titles of a page without the site's name: its first headings, its `og:title` and its `<title>`."""
    page = signals.page
    first = page.with_tag("h1")
    texts = page.texts_of(first[page.visible[first]][:MOST_HEADINGS])
    headings = [text[:LONGEST_TITLE].replace("\n", " ") for text in texts]
    titles = [*headings, _shared_title(signals), page.title]
    return list(dict.fromkeys(part for title in titles if (part := _without_site(title[:LONGEST_TITLE], headings))))


def _shared_title(signals: PageSignals) -> str:
    """The title the page gives itself for sharing (`og:title`)."""
    page = signals.page
    named = page.value_id("property", "og:title")
    if named == ABSENT:
        return ""
    first = int(np.flatnonzero(page.attribute("property") == named)[0])
    content = page.attribute_of(first, "content")
    return page.strings[content] if content != ABSENT else ""


def _without_site(title: str, headings: list[str]) -> str:
    """A title without the name of the site: the part that a heading repeats, or the longest part."""
    parts = [part.strip() for part in _SEPARATOR.split(title) if part.strip()]
    if len(parts) < 2:
        return title.strip()
    heading_text = " ".join(headings).casefold()
    repeated = [part for part in parts if part.casefold() in heading_text]
    if len(repeated) == len(parts):
        return title.strip()
    # A site's name stands at the end or at the start; the longest part is the title.
    return " ".join(repeated) if repeated else max(parts, key=len)


def promises_in(title: str, language: str | None = None) -> Iterator[Promise]:
    """Every number of a title that may count items; the page's language helps if it is not English.

    >>> [(promise.k, promise.strength) for promise in promises_in("20 Most Influential Scientists Alive Today")]
    [(20, 3)]
    >>> [promise.k for promise in promises_in("Ten Hollywood Classics of the 1950's, under $25")]
    [10]
    >>> list(promises_in("How we paid off $113k in 28 months"))
    []
    """
    tokens = [(match[0], match.start(), match.end()) for match in _TOKEN.finditer(title)]
    first = next((place for place, token in enumerate(tokens) if not _may_precede(token[0])), len(tokens))
    for place in range(len(tokens)):
        number = _number(tokens[place][0], language)
        if number is not None and LEAST <= number <= MOST:
            found = _Number(title, tokens, place, language, starts=place <= first)
            if not found.is_other:
                yield Promise(number, title, found.strength)


def _may_precede(token: str) -> bool:
    """Whether a number behind such a word, or mark, still starts the title."""
    word = token.casefold()
    return word in SMALL or not word[0].isalnum()


def _number(token: str, language: str | None) -> int | None:
    digits = token.replace(",", "") if _THOUSANDS.fullmatch(token) else token
    if digits.isdecimal() and len(digits) <= 4:
        number = int(digits)
        is_year = number in YEARS and digits == token
        return None if is_year or digits.startswith("0") else number
    word = token.casefold()
    of_page = (spoken for spoken in LANGUAGES if language and language.lower().startswith(spoken.code))
    return next(of_page, LANGUAGES[0]).numbers.get(word) or (None if word in ENGLISH_TOO else NUMBERS.get(word))


@dataclass(frozen=True)
class _Number:
    """A number in a title, with the words around it."""

    title: str
    tokens: list[tuple[str, int, int]]
    place: int
    language: str | None
    starts: bool  # the title, or stands behind nothing but small words and marks

    def word(self, steps: int) -> str:
        """The word so many steps after the number, or before it if negative; empty if there is none."""
        place = self.place + steps
        return self.tokens[place][0].casefold() if 0 <= place < len(self.tokens) else ""

    @property
    def ahead(self) -> str:
        """The word before the number, ignoring a dash after "top" and a full stop after "no"."""
        ahead = self.word(-1)
        return self.word(-2) if ahead == "." or (ahead == "-" and self.word(-2) in BEST) else ahead

    @property
    def is_other(self) -> bool:
        """Whether it is a price, a measurement, part of a name, a version, an ordinal or an age."""
        return self._is_part or self._is_measured or self._is_name

    @property
    def _is_part(self) -> bool:
        """Whether it is joined to something else in writing."""
        token, start, stop = self.tokens[self.place]
        before, after = self.title[start - 1 : start] if start else "", self.title[stop : stop + 1]
        if before in _CURRENCY or after in _CURRENCY or after in _FRACTION or (after and after in "%+°'’/\"”″"):
            return True
        if before.isalnum() or (before and before in "./:'’_"):
            return True
        if before == "-" and self.word(-2) not in BEST:
            return True
        if before == "(" and after in (")", ""):
            return True
        joined = after == "-" and self.title[stop + 1 : stop + 2].isalnum()
        return token[0].isdecimal() and (after.isalnum() or after == "_" or joined)

    @property
    def _is_measured(self) -> bool:
        return self.word(1) in MEASURES or self.word(1) == "+"

    @property
    def _is_name(self) -> bool:
        """Whether it follows a word that numbers follow, or ends a phrase without "top" before it."""
        if self.ahead in LABELS or self.ahead in ("#", "№", "+", "&"):
            return True
        return self.word(1) in ("", *"|:,)-–]?!.") and self.ahead not in BEST

    @property
    def strength(self) -> int:
        """How clearly it counts something: it starts the title or stands by "top", and a plural is named."""
        led = self.ahead in BEST or self.word(1) in BEST
        named = any(_is_plural(self.word(steps)) for steps in range(1, REACH + 1)) or self._is_foreign
        introduced = self.ahead in AHEAD or not (self.ahead.isalnum() or self._is_listed)
        return 3 if (self.starts and named) or led else 2 if named and introduced else 1

    @property
    def _is_listed(self) -> bool:
        """Whether it begins one of several things behind commas, such as the features of a product."""
        return self.ahead == "," and sum(token == "," for token, _, _ in self.tokens[: self.place]) >= SEVERAL

    @property
    def _is_foreign(self) -> bool:
        """Whether the title is not in English; only English plurals are known."""
        if self.language and not self.language.lower().startswith("en"):
            return True
        return self.ahead in AHEAD and self.ahead not in ENGLISH


def _is_plural(word: str) -> bool:
    if word in ("people", "women", "men", "children", "software", "equipment", "media", "criteria", "phenomena"):
        return True
    return len(word) > 3 and word.endswith("s") and not word.endswith(("ss", "us", "is", "'s", "’s"))
