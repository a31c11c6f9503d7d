"""Words that the reading of titles knows, a row for each language; another language is another row."""

from dataclasses import dataclass, field
from functools import cached_property

__all__ = ["LANGUAGES", "Language"]


@dataclass(frozen=True)
class Language:
    """The words of a language.

    Number words from two on; words before a count (the first two say that it is one); words that make a number a
    measure; words before a number that is a name or an ordinal; and how headings of an article begin that introduce,
    close or sell and are no item.
    """

    code: str
    units: tuple[str, ...]
    tens: tuple[str, ...] = ()
    others: dict[str, int] = field(default_factory=dict)
    best: tuple[str, ...] = ()
    measures: tuple[str, ...] = ()
    labels: tuple[str, ...] = ()
    frame: tuple[str, ...] = ()

    @cached_property
    def numbers(self) -> dict[str, int]:
        """Every number word with its value; `units` count from 2, `tens` from 20."""
        single = {word: value for value, word in enumerate(self.units, start=2)}
        tens = {word: 10 * value for value, word in enumerate(self.tens, start=2)}
        joined = {f"{ten}-{one}": tens[ten] + single[one] for ten in tens for one in self.units[:8]}
        joined |= {f"{ten}-{self.others_one}": tens[ten] + 1 for ten in tens if self.others_one}
        return single | tens | joined | self.others

    @property
    def others_one(self) -> str:
        """The word for one, which alone is an article more often than a number."""
        return {"en": "one"}.get(self.code, "")


LANGUAGES: tuple[Language, ...] = (
    Language(
        "en",
        units=(
            *("two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve", "thirteen"),
            *("fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen"),
        ),
        tens=("twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety"),
        others={"dozen": 12, "hundred": 100},
        best=(
            *("top", "best", "the", "these", "our", "my", "here", "are", "with", "of", "all", "greatest", "in", "from"),
            *("tested", "tried", "reviewed", "compared", "comparing", "reveal", "reveals", "share", "shares", "and"),
        ),
        measures=(
            *("second", "seconds", "minute", "minutes", "min", "mins", "hour", "hours", "day", "days", "week", "weeks"),
            *("weekend", "month", "months", "year", "years", "decade", "decades", "century", "centuries", "yr", "yrs"),
            *("inch", "inches", "foot", "feet", "ft", "cm", "mm", "km", "mile", "miles", "meter", "meters", "metres"),
            *("kg", "lb", "lbs", "pound", "pounds", "oz", "ounce", "ounces", "gallon", "gallons", "liter", "liters"),
            *("litre", "litres", "gb", "tb", "mb", "mph", "hp", "watt", "watts", "volt", "volts", "degrees", "percent"),
            *("dollars", "dollar", "cents", "usd", "euros", "million", "billion", "trillion", "thousand", "k", "m"),
            *(
                "x",
                "times",
                "am",
                "pm",
                "players",
                "people",
                "person",
                "pack",
                "piece",
                "pin",
                "bit",
                "core",
                "edition",
            ),
            *("stars", "star", "points", "th", "st", "nd", "rd", "bedroom", "bathroom", "door", "seat", "seater"),
        ),
        labels=(
            *("no", "nr", "number", "part", "pt", "chapter", "ch", "episode", "ep", "season", "vol", "volume", "week"),
            *(
                "day",
                "level",
                "version",
                "v",
                "windows",
                "ios",
                "android",
                "python",
                "issue",
                "round",
                "phase",
                "grade",
            ),
            *("step", "act", "book", "page", "figure", "table", "lesson", "unit", "module", "section", "rule", "gen"),
            *("january", "february", "march", "april", "may", "june", "july", "august", "september", "october"),
            *("november", "december", "jan", "feb", "mar", "apr", "jun", "jul", "aug", "sep", "sept", "oct", "nov"),
            *("dec", "under", "over", "above", "below", "age", "aged", "ages", "fall", "spring", "summer", "winter"),
            *("world", "war", "formula", "channel", "route", "highway", "type", "covid", "web", "until", "since", "by"),
        ),
        frame=(
            *("conclusion", "final", "faq", "faqs", "frequently", "summary", "introduction", "overview", "wrapping"),
            *(
                "wrap",
                "bottom line",
                "key takeaway",
                "how we",
                "how to",
                "how do",
                "why",
                "what",
                "which",
                "when",
                "who",
            ),
            *("methodology", "related", "about", "comments", "references", "sources", "further", "honorable", "leave"),
            *("share", "subscribe", "newsletter", "table of contents", "contents", "in this", "read", "you may"),
            *("recommended", "recent", "popular", "categories", "tags", "next", "get started", "ready", "contact"),
            *("quick", "at a glance", "comparison", "criteria", "closing", "more", "latest", "trending", "disclosure"),
            *("disclaimer", "bonus", "choosing", "testing", "our", "the bottom", "the verdict", "tips for", "buying"),
        ),
    ),
    Language(
        "de",
        units=("zwei", "drei", "vier", "fünf", "sechs", "sieben", "acht", "neun", "zehn", "elf", "zwölf", "dreizehn"),
        tens=("zwanzig", "dreißig", "vierzig", "fünfzig"),
        others={"dutzend": 12, "hundert": 100},
        best=("top", "die", "besten", "unsere", "diese"),
        measures=(
            *("sekunden", "minute", "minuten", "stunde", "stunden", "tag", "tage", "tagen", "woche", "wochen", "monat"),
            *("monate", "monaten", "jahr", "jahre", "jahren", "prozent", "euro", "millionen", "milliarden", "uhr"),
            *("meter", "kilometer", "personen", "portionen"),
        ),
        labels=("nr", "teil", "folge", "staffel", "kapitel", "band", "woche", "tag", "unter", "über", "ab", "seite"),
        frame=(
            "fazit",
            "einleitung",
            "zusammenfassung",
            "häufige",
            "was",
            "wie",
            "warum",
            "mehr",
            "kommentare",
            "über",
        ),
    ),
    Language(
        "fr",
        units=("deux", "trois", "quatre", "cinq", "six", "sept", "huit", "neuf", "dix", "onze", "douze", "treize"),
        tens=("vingt", "trente", "quarante", "cinquante"),
        others={"quinze": 15, "cent": 100},
        best=("top", "les", "meilleurs", "meilleures", "nos", "ces"),
        measures=(
            *("secondes", "minute", "minutes", "heure", "heures", "jour", "jours", "semaine", "semaines", "mois", "an"),
            *("ans", "année", "années", "euros", "pour", "millions", "milliards", "personnes", "mètres"),
        ),
        labels=("no", "n°", "partie", "épisode", "saison", "chapitre", "tome", "semaine", "moins", "plus"),
        frame=("conclusion", "introduction", "en résumé", "pourquoi", "comment", "quel", "questions", "à propos"),
    ),
    Language(
        "es",
        units=("dos", "tres", "cuatro", "cinco", "seis", "siete", "ocho", "nueve", "diez", "once", "doce", "trece"),
        tens=("veinte", "treinta", "cuarenta", "cincuenta"),
        others={"quince": 15, "cien": 100},
        best=("top", "los", "las", "mejores", "estos", "estas"),
        measures=(
            *("segundos", "minuto", "minutos", "hora", "horas", "día", "días", "semana", "semanas", "mes", "meses"),
            *("año", "años", "euros", "por", "millones", "personas", "metros"),
        ),
        labels=("núm", "parte", "episodio", "temporada", "capítulo", "semana"),
        frame=("conclusión", "introducción", "resumen", "por qué", "cómo", "qué", "preguntas", "sobre"),
    ),
    Language(
        "it",
        units=(
            "due",
            "tre",
            "quattro",
            "cinque",
            "sei",
            "sette",
            "otto",
            "nove",
            "dieci",
            "undici",
            "dodici",
            "tredici",
        ),
        tens=("venti", "trenta", "quaranta", "cinquanta"),
        others={"quindici": 15, "cento": 100},
        best=("top", "i", "le", "gli", "migliori"),
        measures=("minuti", "ore", "giorni", "settimane", "mesi", "anni", "euro", "milioni", "persone", "metri"),
        labels=("parte", "episodio", "stagione", "capitolo", "settimana"),
        frame=("conclusione", "conclusioni", "introduzione", "perché", "come", "cosa", "domande"),
    ),
    Language(
        "nl",
        units=("twee", "drie", "vier", "vijf", "zes", "zeven", "acht", "negen", "tien", "elf", "twaalf", "dertien"),
        tens=("twintig", "dertig", "veertig", "vijftig"),
        others={"vijftien": 15, "honderd": 100},
        best=("top", "de", "beste", "deze"),
        measures=("minuten", "uur", "dagen", "weken", "maanden", "jaar", "euro", "procent", "miljoen", "personen"),
        labels=("deel", "aflevering", "seizoen", "hoofdstuk", "week"),
        frame=("conclusie", "inleiding", "samenvatting", "waarom", "hoe", "wat", "veelgestelde", "over"),
    ),
)
