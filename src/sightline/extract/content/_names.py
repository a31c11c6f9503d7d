"""What the lines of authors look like, and the names in them."""

import re

from sightline.extract.content._date import MONTH, WRITTEN, has_year

__all__ = ["AT_END", "BY", "INNER_BY", "LABEL", "PERSON", "ROLE"]
__all__ += ["is_label", "is_name", "may_say_by", "name_in", "without_dates"]

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
