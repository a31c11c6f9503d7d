"""Lines of text that are searched all at once: joined to one text, with every letter as a number."""

import re
from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property, lru_cache
from typing import Any

import numpy as np

from sightline.arrays import AnyInts, BoolArray, FloatArray, IndexArray, LongArray, prefix_sum
from sightline.extract.content._date import MONTH, WRITTEN, has_year

# What a character is, as bits.
DIGIT, CAPITAL, ENDING, CLOSER, COMMA, BAR, CLOSING, IN_WORD, BLANK, STOP, EAST, SOUTH = (1 << bit for bit in range(12))
# What ends a sentence wherever it stands, in scripts without blanks; and what does before a blank, in all others.
STOPS = "。！？｡．"
ENDINGS = ".!?…:;؟۔।॥։።។။" + STOPS
# What may follow an end, what parts clauses, what parts the links of a row, and what closes the last line of a text.
CLOSERS, COMMAS, BARS = "\"'”’»)]」』）】", ",،、，", "|•·›»｜・"
LAST = '.!?…"”)。:؟۔।॥።។။！？」』）'
# Scripts that are written without blanks between words, and how many of their letters are as much as a word: Japanese
# and Chinese; Thai, Lao, Burmese and Khmer.
EASTERN = ((0x3040, 0x30FF), (0x3400, 0x9FFF), (0xF900, 0xFAFF), (0xFF66, 0xFF9D), (0x20000, 0x323AF))
SOUTHERN = ((0x0E00, 0x0EFF), (0x1000, 0x109F), (0x1780, 0x17FF))
LETTERS_A_WORD = {EAST: 2.0, SOUTH: 5.0}
REMEMBERED = 20_000  # characters; some MB at most
AHEAD = 4  # characters by which words are looked for, at most; so many line breaks are behind the last line
SLOTS = 1 << 13  # of a filter, a hundred or so of them taken; a power of two


@lru_cache(REMEMBERED)
def _nature(code: int) -> int:
    """What a character is."""
    sign = chr(code)
    tests = (
        *(sign.isdigit(), sign.isupper(), sign in ENDINGS, sign in CLOSERS, sign in COMMAS, sign in BARS),
        *(sign in LAST, sign.isalnum() or sign == "_", sign in " \n\u3000", sign in STOPS),
        *(any(low <= code <= high for low, high in script) for script in (EASTERN, SOUTHERN)),
    )
    return sum(1 << bit for bit, passed in enumerate(tests) if passed)


class JoinedLines:
    """Some lines without line breaks, as one text: what is counted is counted for each line."""

    def __init__(self, lines: Sequence[str], lengths: LongArray | None = None) -> None:
        self.lines = lines
        self.text = "\n".join(lines) + "\n" * AHEAD
        self.lengths = np.array(list(map(len, lines)), dtype=np.int64) if lengths is None else lengths
        self.starts: LongArray = prefix_sum(self.lengths + 1)
        self.ends: LongArray = self.starts[1:] - 1

    def small(self, most: int) -> "JoinedLines":
        """The first characters of each line, at most so many, in small letters; what stands behind is not looked at."""
        small = JoinedLines([line.lower() for line in self.lines], self.lengths)
        if len(small.text) != len(self.text):  # a few capitals become two letters
            return JoinedLines([line[:most].lower() for line in self.lines])
        small.ends = self.starts[:-1] + np.minimum(self.lengths, most)
        small.nature = self.nature & ~CAPITAL
        return small

    @cached_property
    def codes(self) -> IndexArray:
        """Every character as a number."""
        return np.frombuffer(self.text.encode("utf-32-le", "surrogatepass"), dtype=np.uint32).astype(np.intp)

    @cached_property
    def nature(self) -> AnyInts:
        """What every character is; each that occurs is asked once."""
        occurs = np.zeros(int(self.codes.max()) + 1, dtype=bool)
        occurs[self.codes] = True
        used = np.flatnonzero(occurs)
        natures = np.zeros(len(occurs), dtype=np.int16)
        natures[used] = [_nature(code) for code in used.tolist()]
        return natures.take(self.codes)

    def places(self, nature: int) -> IndexArray:
        """Where characters of some nature stand."""
        return np.flatnonzero((self.nature & nature) != 0)

    def count(self, places: AnyInts | Sequence[int]) -> FloatArray:
        """How many of some places are in each line."""
        return np.bincount(self.rows(places), minlength=len(self.lengths)).astype(np.float64)

    def unspaced_words(self) -> FloatArray:
        """How many words each line may have in scripts that put no blanks between them.

        >>> JoinedLines(["日本経済新聞", "the news"]).unspaced_words().tolist()
        [3.0, 0.0]
        """
        if self.text.isascii():
            return np.zeros(len(self.lengths))
        counts = [self.count(self.places(script)) / size for script, size in LETTERS_A_WORD.items()]
        found: FloatArray = np.ceil(np.add(*counts))
        return found

    def rows(self, places: AnyInts | Sequence[int]) -> IndexArray:
        """In which line each of some places is."""
        return self.starts[1:].searchsorted(places, side="right")

    def shares(self, nature: int, most: int) -> FloatArray:
        """The share of the first characters of each line, at most so many, that are of some nature."""
        begins, sizes = self.starts[:-1], np.minimum(self.lengths, most)
        low, high = self.places(nature).searchsorted(np.stack([begins, begins + sizes]))
        found: FloatArray = (high - low) / np.maximum(sizes, 1)
        return found

    @cached_property
    def _is_in_word(self) -> BoolArray:
        inside: BoolArray = (self.nature & IN_WORD) != 0
        return inside

    @cached_property
    def words(self) -> IndexArray:
        """Where words begin."""
        inside = self._is_in_word
        begins = inside.copy()
        begins[1:] &= ~inside[:-1]
        return np.flatnonzero(begins)

    @cached_property
    def _word_sizes(self) -> LongArray:
        ends = np.flatnonzero(self._is_in_word[:-1] & ~self._is_in_word[1:]) + 1
        return ends - self.words

    @cached_property
    def slots(self) -> tuple[LongArray, LongArray]:
        """The slots of every word in a filter, by its first three characters and by four."""
        first, second, third, fourth = (self.codes.take(self.words + step) for step in range(AHEAD))
        three: LongArray = _slot(first, second, third)
        return three, _slot(three, fourth, 0)

    def with_words(self, wanted: frozenset[str]) -> FloatArray:
        """How many of some distinct words each line has.

        >>> JoinedLines(["the bees dance", "a beehive", "bees"]).with_words(frozenset(["bees", "the"])).tolist()
        [2.0, 0.0, 1.0]
        """
        taken = np.zeros(SLOTS, dtype=bool)
        taken[[_sized_slot(word) for word in wanted]] = True
        places, sizes = self.words, self._word_sizes
        first, second, third = (self.codes.take(places + step) * (sizes > step) for step in range(3))
        like = np.flatnonzero(taken.take(_slot(first + sizes, second, third)))
        places, sizes = places[like], sizes[like]
        columns = zip(self.rows(places).tolist(), places.tolist(), (places + sizes).tolist(), strict=True)
        said = {(row, word) for row, place, end in columns if (word := self.text[place:end]) in wanted}
        rows = np.array([row for row, _ in said], dtype=np.intp)
        return np.bincount(rows, minlength=len(self.lengths)).astype(np.float64)


class StartFilter:
    """Finds where a pattern may begin: at a word with certain first letters, or at a sign.

    Of other words a few pass, which the pattern then rejects; most are never looked at. That takes a fifth of the time
    of a search letter by letter.
    """

    def __init__(self, pattern: re.Pattern[str], starts: Iterable[str], signs: Sequence[str]) -> None:
        self.pattern, self.signs = pattern, signs
        self._three, self._four = np.zeros(SLOTS, dtype=bool), np.zeros(SLOTS, dtype=bool)
        for start in starts:
            three = _slot(*map(ord, start[:3]))
            if len(start) == AHEAD:
                self._four[_slot(three, ord(start[3]), 0)] = True
            else:
                self._three[three] = True

    def count(self, lines: JoinedLines) -> FloatArray:
        """How often the pattern, which never crosses lines, is found in each line."""
        three, four = lines.slots
        places: list[int] = lines.words[self._three.take(three) | self._four.take(four)].tolist()
        if signs := [place for sign in self.signs if sign in lines.text for place in _places(sign, lines.text)]:
            places = sorted([*places, *signs])
        rows = lines.rows(places)
        found, done = [], 0
        for place, row, end in zip(places, rows.tolist(), lines.ends[rows].tolist(), strict=True):
            if place >= done and (match := self.pattern.match(lines.text, place, end)):
                found.append(row)
                done = match.end()
        return np.bincount(np.array(found, dtype=np.intp), minlength=len(lines.lengths)).astype(np.float64)


def _slot(first: Any, second: Any, third: Any) -> Any:
    """The slot of a word in a filter, by the codes of its first letters."""
    return (first * 961 + second * 31 + third) & (SLOTS - 1)


def _sized_slot(word: str) -> int:
    """The slot of a word by its length and its first letters."""
    first, second, third = (ord(letter) if letter != "\n" else 0 for letter in f"{word[:3]:\n<3}")
    slot: int = _slot(first + len(word), second, third)
    return slot


def _places(sign: str, text: str) -> Iterator[int]:
    """Where a sign occurs in a text."""
    place = text.find(sign)
    while place >= 0:
        yield place
        place = text.find(sign, place + 1)


# -- the words that classes, ids and texts use for what is content and what is not ----------------------------------

# What designers call the parts of a page, by class, id, role or property. Each is one bit of an element's marks.
MARKS: dict[str, str] = {
    "navigation": r"nav|menu|breadcrumb|crumb|pagination|pager|toc$|tabs?$|toolbar",
    "footer": r"foot|copyright|colophon|legal",
    "header": r"header|masthead|topbar|banner|hero",
    "sidebar": r"side|aside|rail|widget|secondary|complementary",
    "advert": r"ads?$|advert|sponsor|promo|affiliate|outbrain|taboola",
    "share": r"share|sharing|social|follow|sns",
    "related": r"related|recommend|recirc|also$|trending|popular|latest|recent|similar|suggest|next$|previous|upsell",
    "teaser": r"teaser|preview|readmore|more$",
    "embed": r"embed|external|extern$|oembed|twitter|tweet|instagram|facebook|youtube|iframe|player|optin",
    "box": r"box|infobox|fact|callout|panel|inset|block$|element|kasten|fakta|encart",
    "paywall": r"paywall|premium|paid|piano|plus$|subscriber|abo$|meter|barrier|restricted|locked|login",
    "body": r"body|text|prose|rich|markdown|rte$|wysiwyg|copy|paragraph",
    "comment": r"comment|respond|reply|replies|disqus|discussion",
    "subscribe": r"newsletter|subscribe|subscription|signup|sign|login|register|cta$|forms?$|optin|search|contact",
    "overlay": r"cookie|consent|gdpr|modal|popup|overlay|dialog|notice|alert|toast|tooltip|drawer|offcanvas",
    "review": r"review|rating|testimonial|stars?$|feedback",
    "signature": r"signature|sig$|userextras|postprofile|edited|reaction|likes?$|vote|karma",
    "policy": r"policy|policies|warranty|shipping|returns?$|disclaimer|disclosure|faq",
    "byline": r"byline|author|meta|date|time$|posted|published|credit|avatar|bio|profile|user",
    "tags": r"tags?$|categor|topic|label|badge|chip",
    "main": r"main|content|primary|contentinfo",
    "article": r"article|post|entry|story|blog",
    "product": r"product|description|desc|detail|spec|feature|price|sku|variant|buy|cart",
    "message": r"message|thread|answer|question|topic|forum",
    "list": r"list|grid|cards?$|items?$|tile|carousel|slider|swiper|collection|gallery",
    "title": r"title|headline|heading|subtitle|excerpt|summary|lead|intro|dek|standfirst",
    "hidden": r"hidden|sr$|visually|screen|offscreen|collapsed?|accordion|toggle",
    "figure": r"caption|figure|image|img$|media|photo|video|thumb|icon|logo",
}
# The same said by tags, and a few more.
MARK_TAGS: dict[str, tuple[str, ...]] = {
    "in nav": ("nav",),
    "in footer": ("footer",),
    "in header": ("header",),
    "in aside": ("aside",),
    "in form": ("form", "fieldset", "label", "button", "input"),
    "in main": ("main",),
    "in article": ("article",),
    "in section": ("section",),
    "in list": ("ul", "ol", "dl"),
    "in table": ("table",),
    "in figure": ("figure", "figcaption"),
    "in dialog": ("dialog",),
    "in quote": ("blockquote",),
    "in code": ("pre", "code"),
    "in link": ("a",),
    "in details": ("details",),
    "in noscript": ("noscript",),
}
# Short lines behind which the content has ended, or another part begins (the idea of Boilerpipe's terminating blocks),
# as English, German, French, Spanish, Portuguese, Italian, Dutch and Polish pages say it.
TURNS: dict[str, str] = {
    "related": r"(?:related|recommended|popular|trending|latest|recent|similar|more|most|other|further)\b.*"
    r"|(?:you|readers?|customers?|people|people who) (?:may|might|also|will|who)\b.*|read (?:next|more|also).*"
    r"|(?:up )?next.*|don['’]?t miss.*|what to read.*|keep reading.*|see also.*"
    r"|(?:das|dies) könnte.*|auch interessant.*|lesen sie.*|mehr (?:zum|zu|aus|von|artikel|lesen)\b.*|zum thema.*"
    r"|(?:weitere|ähnliche|verwandte|meistgelesen|beliebt|neueste|aktuelle|passende|empfohlene|nächste|vorherige)\w*\b.*"
    r"|(?:à )?lire (?:aussi|la suite).*|sur le même.*|articles? (?:similaires|liés|récents|associés).*|voir aussi.*"
    r"|(?:les )?plus (?:lus|de)\b.*|dans la même.*|vous aimerez.*"
    r"|te puede.*|lo más.*|más (?:leído|noticias|sobre|de)\b.*|ver (?:más|también)\b.*|(?:\w+ )?relacionad[ao]s?\b.*"
    r"|(?:leia|veja) (?:também|mais).*|mais (?:lidas|notícias|sobre)\b.*|saiba mais.*"
    r"|leggi anche.*|(?:ti )?potrebbe.*|(?:altri )?articoli\b.*|lees (?:ook|meer).*|meer over.*|gerelateerd.*"
    r"|(?:zobacz|czytaj|przeczytaj|powiązane|podobne|polecane|najnowsze)\b.*",
    "comments": r"(?:\d+ )?(?:comments?|replies|responses|answers|discussion|kommentare?|antworten|commentaires?"
    r"|réponses|comentarios?|comentários?|commenti|reacties|komentarze)\b.*"
    r"|(?:leave|post|add|write|join|submit|view|show)\b.{0,20}(?:repl|comment|response|discussion|conversation).*"
    r"|(?:keine|alle|schreibe|hinterlasse|laisser|ajouter|deja|deixe|lascia|dodaj)\b.{0,12}"
    r"(?:komment|comment|coment|antwort|respuesta|réponse).*|réagir.*|reageer.*",
    "author": r"(?:about|written by|author|posted by|meet)\b.*|share (?:this|on|your|the)\b.*|share|tags?:?.*"
    r"|filed under.*|categor.*|topics:?.*|follow\b.*|connect\b.*"
    r"|(?:über (?:den|die|uns)|autor(?:in|en)?|teilen|schlagw[oö]rt\w*|stichw[oö]rt\w*|kategorien?|themen|folgen?)\b.*"
    r"|(?:à propos|auteurs?|partager|mots-clés|étiquettes|suivez)\b.*|(?:compartir|etiquetas|síguenos|sobre el)\b.*"
    r"|(?:compartilh\w+|partilhar|siga|sobre o)\b.*|(?:condividi|autore|seguici)\b.*|(?:delen|deel|over de)\b.*"
    r"|(?:udostępnij|tagi)\b.*",
    "reviews": r"(?:customer |user |product )?(?:reviews?|ratings?|testimonials?)\b.*|what (?:our|people|customers).*"
    r"|questions.*|frequently asked.*|faqs?.*|q&a.*|(?:kunden)?bewertungen.*|häufige fragen.*|avis\b.*|opiniones.*"
    r"|preguntas.*|recensioni.*",
    "offers": r"(?:subscribe|newsletter|sign up|get (?:the|our|started|updates|in touch)|join|stay|contact|book"
    r"|ready to|start|try|download|enter your|email).*"
    r"|(?:abonnieren|anmeld\w*|jetzt|kontakt|registrieren|abonnez|inscri\w+|recevez|suscr\w+|recibe|contacto|únete"
    r"|assine|cadastre|iscriviti|contatti|abbonati|abonneer|meld|schrijf|zapisz)\b.*",
    "references": r"(?:references?|sources?|footnotes?|notes?|bibliography|citations?|external links|credits?"
    r"|disclaimer|disclosure|copyright|legal)\b.*"
    r"|(?:quellen?|literatur|einzelnachweise|fußnoten?|anmerkungen|weblinks|impressum|bildnachweis|références|crédits"
    r"|referencias|fuentes?|notas?|fonti?|riferimenti|bronnen|źródł[oa]|przypisy)\b.*",
}
# What is said around content, in the same languages; a hint and no more, since articles say these words too.
NOTICE_WORDS = (
    *("all rights reserved", "copyright", "privacy", "cookies?", "terms (?:of|and|&)", "subscribe", "newsletter"),
    *("sign (?:in|up)", "log ?in", "register", "share", "follow us", "read more", "learn more", "view (?:all|more)"),
    *("show more", "load more", "see (?:all|more)", "related", "you (?:may|might) also", "recommended"),
    *("advertisement", "sponsored", "comments?", "reply", "leave a", "add to", "shop now", "buy now", "contact us"),
    *("get started", "free (?:trial|shipping)", "download", "click here", "skip to", "back to", "next", "previous"),
    *("tags?", "datenschutz", "impressum", "anmelden", "weiterlesen", "alle rechte", "teilen", "gefällt mir"),
    *("wird geladen", "abonnieren", "mehr (?:lesen|erfahren|infos?)", "kommentare?", "kommentieren", "werbung"),
    *("anzeige", "e-mail-adresse", "nutzungsbedingungen", "agb", "warenkorb", "registrieren", "passwort", "zurück"),
    *("nach oben", "startseite", "lesen sie", "zum thema", "weitere (?:artikel|infos?|informationen|beiträge)"),
    *("mentions l[eé]gales", "connexion", "lire (?:la suite|aussi)", r"inscri\w+", "abonnez", "partager", "publicité"),
    *("commentaires?", "tous droits", "en savoir plus", "voir plus", "panier", r"suscr\w+", "pol[ií]tica"),
    *("leer m[aá]s", "todos los derechos", "compartir", "comentarios?", "publicidade?", "iniciar sesión", "ver más"),
    *("leia (?:mais|também)", "saiba mais", r"compartilh\w+", "direitos reservados", "assine", "comentários?"),
    *("condividi", "commenti", "pubblicità", "accedi", "iscriviti", "leggi (?:anche|tutto)", "tutti i diritti"),
    *("delen", "reacties", "advertentie", "inloggen", "lees (?:meer|verder|ook)", "udostępnij", "komentarze"),
    *("reklama", "zaloguj", "czytaj (?:więcej|dalej|też)", "wszelkie prawa"),
)
# What is said below pictures: who took them, and which agency sells them.
CREDIT_WORDS = (
    *("photos? (?:by|credits?|courtesy|via)", "photos?:", "images?:", "image (?:by|credits?|via)", "picture:"),
    *("credits?:", "illustration (?:by|:)", "graphic:", "video:", "courtesy of", "foto ?[:©|/]", "fotos:"),
    *("bild ?[:©|/]", "bilder:", "titelbild:", "beitragsbild:", "symbol(?:bild|foto)", "archiv(?:bild|foto|o)"),
    *("grafik:", "quelle:", r"abb(?:ildung\b|\.)", "crédits?", "imagen ?[:©]", "reprodução", "divulgação", "fuente:"),
    *("fonte:", "bron:", r"fot\.", "getty images", "shutterstock", "istock", "unsplash", "picture[ -]alliance"),
    *(r"imago\b", r"dpa\b", r"afp\b", r"epa\b", "reuters", "ap photo", "pixabay", "adobe ?stock", "wikimedia"),
    *("depositphotos", "pexels"),
)


def _any_of(patterns: Sequence[str]) -> str:
    """Any of some patterns, by their first letter: most places are done with by one look at each letter."""
    rests: dict[str, list[str]] = {}
    for pattern in patterns:
        rests.setdefault(pattern[0], []).append(pattern[1:])
    return "|".join(f"{letter}(?:{'|'.join(rest)})" for letter, rest in rests.items())


# Looked for in small letters, several times as fast as in letters of any case.
NOTICES = re.compile(rf"\b(?:{_any_of(NOTICE_WORDS)})\b|©")
CREDITS = re.compile(rf"\b(?:{_any_of(CREDIT_WORDS)})|\(c\)|©")
# The first three or four letters of both, as far as none is left out or varies: by these most words are passed over.
_START = re.compile(r"[^\\()\[\]?*+|.]{3}(?:[^\\()\[\]?*+|.](?![?*+{]))?")
NOTICE_STARTS, CREDIT_STARTS = (
    frozenset(start[0] for phrase in phrases if (start := _START.match(phrase)))
    for phrases in (NOTICE_WORDS, CREDIT_WORDS)
)
_MARK = re.compile("|".join(f"(?P<m{number}>{words})" for number, words in enumerate(MARKS.values())))
# The letters with which marks begin: up to three, as far as none of them may be left out.
_MARK_STARTS = frozenset(re.findall(r"(?:^|\|)([a-z]{2}(?:[a-z](?!\?))?)", "|".join(MARKS.values())))
_TURN = re.compile("|".join(f"(?P<t{number}>{words})" for number, words in enumerate(TURNS.values())))
_BREAKS, APART = "_-:/.", "\0"
_HUMPS = re.compile(r"(?<=[a-z])(?=[A-Z])")


def marks_of(names: Iterable[str]) -> dict[str, int]:
    """The marks that each class or id carries, as bits; those that are not known yet are split all at once.

    >>> marks = marks_of(["post-body", "articleText", "x7f"])
    >>> marks["post-body"] == marks["articleText"] != 0, marks["x7f"]
    (True, 0)
    """
    found = {name: _marks_of_names.get(name, -1) for name in names}
    unknown = [name for name, bits in found.items() if bits < 0]
    joined = APART.join([name.replace(APART, " ") for name in unknown])
    for sign in _BREAKS:
        joined = joined.replace(sign, " ")
    for name, parts in zip(unknown, joined.split(APART), strict=False):  # of nothing, splitting makes one part
        found[name] = _remember(_marks_of_names, name, _marks_in_parts(parts.split()))
    return found


def _marks_in_parts(words: Sequence[str]) -> int:
    bits = 0
    for word in words:
        known = _marks_of_words.get(word, -1)
        bits |= known if known >= 0 else _remember(_marks_of_words, word, _marks_in_word(word))
    return bits


def _marks_in_word(word: str) -> int:
    """The marks of one word of a name, which may consist of several as in `postBody`."""
    bits, whole = 0, word.lower()
    for small in (whole,) if whole == word else map(str.lower, _HUMPS.split(word)):
        # Five in six words of real pages begin like none of the marks, and are done with here.
        if (small[:3] in _MARK_STARTS or small[:2] in _MARK_STARTS) and (found := _MARK.match(small)):
            bits |= 1 << int(str(found.lastgroup)[1:])
    return bits


# What is known of names and words; a plain table is a third of the time of `lru_cache`.
_marks_of_names: dict[str, int] = {}
_marks_of_words: dict[str, int] = {}


def _remember(known: dict[str, int], text: str, bits: int) -> int:
    """Remember what was found in a text; when there is too much of it, begin anew."""
    if len(known) >= REMEMBERED:
        known.clear()
    known[text] = bits
    return bits


@lru_cache(REMEMBERED)
def turn_of(line: str) -> int:
    """Which part of a page a short line begins, as a place in `TURNS`; -1 for none.

    >>> list(TURNS)[turn_of("12 comments")], turn_of("The sea")
    ('comments', -1)
    """
    found = _TURN.match(line.lower())
    return int(found.lastgroup[1:]) if found and found.lastgroup else -1


# -- what the lines of authors look like, and the names in them -----------------------------------------------------

LONGEST_NAME, NAME_SIZE = 8, (3, 70)  # words; letters
_DONE = (
    "written|posted|words|reported|story|published|reviewed|updated|authored|created|started|submitted|post|asked"
    "|article|edited|shared|contributed|text|compiled|produced"
)
BY = re.compile(
    r"(?-i:By(?=[A-Z][a-z]))"  # the name follows in an element of its own
    r"|(?:(?:all |more )?(?:articles|posts|stories|more) (?=by|from))?"
    r"(?:(?:article|blog|guest|text|photos?|last|medically|fact[- ]checked|originally)\s+)?"
    rf"(?:(?:{_DONE})\s*)?\b(?:by|von|par|por|di|door|av)\b\s*:?\s*"
    r"|(?:author|writer|autor|auteur|topic (?:author|starter)|contributor|insights from|from)s?\s*:\s*",
    re.IGNORECASE,
)
INNER_BY = re.compile(r"\b(?:[Bb]y|BY)\b:?\s+(?=[A-Z\d])")
AT_END = re.compile(
    r"(?:this (?:post|article|blog|guide|piece) (?:was|is) )?(?:originally )?"
    r"(?:written|posted|authored|post|article|words|blog post|story|guest post|contributed|published)\s+by:?\s+",
    re.IGNORECASE,
)
# The first two letters of all that says "by", and of all labels, the longest of which has 28 letters.
BY_STARTS = frozenset(
    (
        *("by", "al", "mo", "ar", "po", "st", "bl", "gu", "te", "ph", "la", "me", "fa", "or", "wr", "wo", "re", "pu"),
        *("up", "au", "cr", "su", "as", "ed", "sh", "co", "pr", "vo", "pa", "di", "do", "av", "to", "in", "fr"),
    )
)
LABEL_STARTS = frozenset(
    ("ar", "bl", "wr", "po", "wo", "st", "pu", "au", "cr", "su", "co", "in", "by", "fr", "ab", "th", "to", "or")
)
LONGEST_LABEL = 30
LABEL = re.compile(
    r"(?:(?:article|blog|written|posted|words|story|published|authored|created|started|submitted|post|contributed"
    r"|insights)\s+)?(?:by|from)\s*:?"
    r"|(?:about )?(?:the )?(?:author|writer|contributor|topic (?:author|starter)|original poster)s?\s*:?",
    re.IGNORECASE,
)
BEHIND = re.compile(
    r"\s[|•·–—-]\s|[|•·»]|,\s*(?=\d|[A-Z][a-z]{2,8}\.? \d)|\s\(|\b(?:on|in|last|published|updated|posted)\b"
    r"|\d+ (?:min|day|year|month|week|hour)|,? (?:is|was) an?\b",
    re.IGNORECASE,
)
_DAYS = r"(?:mon|tue|wed|thu|fri|sat|sun)[a-z]*\.?"
# Whole lines that are something else wherever authors are named: jobs, buttons, networks, states of users.
_OTHERS = (
    r"by|author|staff|(?:contributing |staff |senior )?(?:writer|editor|contributor)|topic author|article by|written by"
    "|original poster|unknown|guest|online|offline|member|verified|administrator|moderator|join.*"
    "|follow|share|share this.*|save|reply|subscribe|read more|next|previous|search|menu|all|more|skip to .*"
    "|home|blog|news|comments?|log ?in|sign (?:in|up)|contact|about|about us|last modified|table of contents"
    "|facebook|twitter|instagram|youtube|linkedin|pinterest"
)
NO_NAME = re.compile(
    rf"https?:|www\.|\badmin\b|^(?:{_OTHERS})$|^(?:{_DAYS},?\s*)?{MONTH}\s*\d|^{_DAYS}$"
    r"|\b(?:author|posts|comments|minutes?|min read|cookies?|privacy|policy|read more)\b|[?!{}<>]|…|\d{4}",
    re.IGNORECASE,
)
ROLE = re.compile(
    r"\b(?:team|staff|editors?|editorial|writer|founder|director|manager|ceo|expert|inc|llc|ltd|group|company|blog"
    r"|university|magazine|news|media|senior|head|president|contributor|marketing|health|services?)\b",
    re.IGNORECASE,
)
_BIG = r"[^\W\d_a-z][\w'’.-]*"
PERSON = re.compile(rf"^(?:(?:Dr|Prof|Mr|Mrs|Ms)\.? )?{_BIG}(?:,? (?:{_BIG}|de|van|von|der|la|del|bin|da|le)){{0,4}}$")


def name_in(line: str) -> str:
    """The name in a byline.

    >>> name_in("By Ada Lovelace, 5 May 2020"), name_in("Topic Author")
    ('Ada Lovelace', '')
    """
    found = BY.match(line) if may_say_by(line) else None
    rest = line[found.end() :] if found else line
    rest = without_dates(BEHIND.split(rest, maxsplit=1)[0], "").strip(" ,:;|-–—•·@~\"'“”()")
    return rest if is_name(rest) else ""


def may_say_by(line: str) -> bool:
    """Whether a line begins like one that says "by": most need not be looked at any closer."""
    return _begins_with(line, BY_STARTS)


def is_label(line: str) -> bool:
    """Whether a line is a label such as "written by"; blanks in it are single.

    >>> is_label("Posted by:"), is_label("Posted by Ada")
    (True, False)
    """
    return len(line) <= LONGEST_LABEL and _begins_with(line, LABEL_STARTS) and bool(LABEL.fullmatch(line))


def _begins_with(line: str, starts: frozenset[str]) -> bool:
    """Whether a line may begin with such letters; in patterns some letters equal one of ASCII."""
    return line[:2].lower() in starts or not line[:2].isascii()


def without_dates(line: str, instead: str) -> str:
    """A line with something else in the place of each date."""
    return WRITTEN.sub(instead, line) if has_year(line) else line


def is_name(text: str) -> bool:
    """Whether a text may be the name of an author."""
    return (
        NAME_SIZE[0] <= len(text) <= NAME_SIZE[1]
        and len(text.split()) <= LONGEST_NAME
        and text[0].isalnum()
        and any(letter.isalpha() for letter in text)
        and not NO_NAME.search(text)
    )
