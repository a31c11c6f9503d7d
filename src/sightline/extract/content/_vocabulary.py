"""The words that classes, ids and texts use for what is content and what is not."""

import re
from collections.abc import Iterable, Sequence
from functools import lru_cache

__all__ = ["CREDITS", "CREDIT_STARTS", "CREDIT_WORDS", "MARKS", "MARK_TAGS"]
__all__ += ["NOTICES", "NOTICE_STARTS", "NOTICE_WORDS", "TURNS", "marks_of", "turn_of"]

# What designers call the parts of a page, by class, id, role or property. Each is one bit of an element's marks.
MARKS: dict[str, str] = {
    "navigation": r"nav|menu|breadcrumb|crumb|pagination|pager|toc$|tabs?$|toolbar",
    "footer": r"foot|copyright|colophon|legal",
    "header": r"header|masthead|topbar|banner|hero",
    "sidebar": r"side|aside|rail|widget|secondary|complementary",
    "advert": r"ads?$|advert|sponsor|promo|affiliate|outbrain|taboola",
    "share": r"share|sharing|social|follow|sns",
    "related": r"related|recommend|recirc|also$|trending|popular|latest|recent|similar|suggest|next$|previous|upsell",
    "comment": r"comment|respond|reply|replies|disqus|discussion",
    "subscribe": r"newsletter|subscribe|subscription|signup|sign|login|register|cta$|forms?$|optin|search|contact",
    "overlay": r"cookie|consent|gdpr|modal|popup|overlay|dialog|notice|alert|toast|tooltip|drawer|offcanvas",
    "review": r"review|rating|testimonial|stars?$|feedback",
    "signature": r"signature|sig$|userextras|postprofile|edited|reaction|likes?$|vote|karma",
    "policy": r"policy|policies|warranty|shipping|returns?$|disclaimer|disclosure|faq",
    "byline": r"byline|author|meta|date|time$|posted|published|credit|avatar|bio|profile|user",
    "tags": r"tags?$|categor|topic|label|badge|chip",
    "main": r"main|content|primary|contentinfo",
    "article": r"article|post|entry|story|body|text|prose|rich|markdown|rte$|wysiwyg|copy|paragraph|blog",
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
REMEMBERED = 20_000  # names, and as many parts of them: many pages share theirs, as they share a kit; some MB at most


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
