"""The words that classes, ids and texts use for what is content and what is not."""

import re
from collections.abc import Sequence
from functools import lru_cache

__all__ = ["MARKS", "MARK_TAGS", "NOTICES", "TURNS", "marks_in", "turn_of"]

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
# Short lines behind which the content has ended, or another part begins (the idea of Boilerpipe's terminating blocks).
TURNS: dict[str, str] = {
    "related": r"(?:related|recommended|popular|trending|latest|recent|similar|more|most|other|further)\b.*"
    r"|(?:you|readers?|customers?|people|people who) (?:may|might|also|will|who)\b.*|read (?:next|more|also).*"
    r"|(?:up )?next.*|don['’]?t miss.*|what to read.*|keep reading.*|see also.*|das könnte.*|mehr zum.*|lire aussi.*",
    "comments": r"(?:\d+ )?(?:comments?|replies|responses|answers|discussion|kommentare?|commentaires?|comentarios)\b.*"
    r"|(?:leave|post|add|write|join|submit|view|show)\b.{0,20}(?:repl|comment|response|discussion|conversation).*",
    "author": r"(?:about|written by|author|posted by|meet)\b.*|share (?:this|on|your|the)\b.*|share|tags?:?.*"
    r"|filed under.*|categor.*|topics:?.*|follow\b.*|connect\b.*",
    "reviews": r"(?:customer |user |product )?(?:reviews?|ratings?|testimonials?)\b.*|what (?:our|people|customers).*"
    r"|questions.*|frequently asked.*|faqs?.*|q&a.*",
    "offers": r"(?:subscribe|newsletter|sign up|get (?:the|our|started|updates|in touch)|join|stay|contact|book"
    r"|ready to|start|try|download|enter your|email).*",
    "references": r"(?:references?|sources?|footnotes?|notes?|bibliography|citations?|external links|credits?"
    r"|disclaimer|disclosure|copyright|legal)\b.*",
}
# What is said around content, in some languages; a hint and no more, since articles say these words too.
_NOTICES = (
    *("all rights reserved", "copyright", "privacy", "cookies?", "terms (?:of|and|&)", "subscribe", "newsletter"),
    *("sign (?:in|up)", "log ?in", "register", "share", "follow us", "read more", "learn more", "view (?:all|more)"),
    *("show more", "load more", "see (?:all|more)", "related", "you (?:may|might) also", "recommended"),
    *("advertisement", "sponsored", "comments?", "reply", "leave a", "add to", "shop now", "buy now", "contact us"),
    *("get started", "free (?:trial|shipping)", "download", "click here", "skip to", "back to", "next", "previous"),
    *("tags?", "datenschutz", "impressum", "anmelden", "weiterlesen", "mentions l[eé]gales", "connexion"),
    *("lire la suite", r"inscri\w+", r"suscr\w+", "pol[ií]tica", "leer m[aá]s", "todos los derechos", "alle rechte"),
)


def _any_of(patterns: Sequence[str]) -> str:
    """Any of some patterns, by their first letter: most places are done with by one look at each letter."""
    rests: dict[str, list[str]] = {}
    for pattern in patterns:
        rests.setdefault(pattern[0], []).append(pattern[1:])
    return "|".join(f"{letter}(?:{'|'.join(rest)})" for letter, rest in rests.items())


# Looked for in small letters, several times as fast as in letters of any case.
NOTICES = re.compile(rf"\b(?:{_any_of(_NOTICES)})\b|©")
_MARK = re.compile("|".join(f"(?P<m{number}>{words})" for number, words in enumerate(MARKS.values())))
_TURN = re.compile("|".join(f"(?P<t{number}>{words})" for number, words in enumerate(TURNS.values())))
_HUMPS = re.compile(r"(?<=[a-z])(?=[A-Z])|[\s_\-:/.]+")
REMEMBERED = 20_000  # names, and as many parts of them: many pages share theirs, as they share a kit; some MB at most


@lru_cache(REMEMBERED)
def marks_in(name: str) -> int:
    """The marks that a class or id carries, as bits.

    >>> marks_in("post-body") == marks_in("articleText") != 0, marks_in("x7f")
    (True, 0)
    """
    bits = 0
    for part in _HUMPS.split(name):
        bits |= _mark(part)
    return bits


@lru_cache(REMEMBERED)
def _mark(part: str) -> int:
    """The mark of one word of a name, as a bit; 0 for none."""
    found = _MARK.match(part.lower())
    return 1 << int(found.lastgroup[1:]) if found and found.lastgroup else 0


def turn_of(line: str) -> int:
    """Which part of a page a short line begins, as a place in `TURNS`; -1 for none.

    >>> list(TURNS)[turn_of("12 comments")], turn_of("The sea")
    ('comments', -1)
    """
    found = _TURN.match(line.lower())
    return int(found.lastgroup[1:]) if found and found.lastgroup else -1
