"""Word lists for reading titles, one row per language; to add a language, add a row."""

from dataclasses import dataclass
from functools import cached_property

__all__ = ["LANGUAGES", "PromiseLanguage"]


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
