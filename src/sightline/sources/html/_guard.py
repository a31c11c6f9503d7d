"""Guards the parser against input of quadratic cost: deep nesting, many attributes of a tag, many options.

The guards tokenise tags as the HTML standard does, but know little about tree construction; when in doubt, they count
too much rather than too little. A text that passes them is parsed in seconds.
"""

import re
from dataclasses import dataclass, field

# As many take the parser a quarter of a second, a million would take minutes; real tags have some dozens.
MOST_ATTRIBUTES = 10_000
# As many in one `<select>` take the parser 0.7 seconds, ten times as many more than a minute.
MOST_OPTIONS = 10_000
# An attribute is at least a letter and a blank, so a shorter tag cannot have too many.
LONG_TAG = 2 * MOST_ATTRIBUTES
# In texts up to this length, 60,000 attributes that each hide a `>` in their value take the parser two seconds.
SHORT_TEXT = 500_000

ATTRIBUTE = r"""[\s/]*+[^\s/>][^\s/>=]*+(?:\s*+=\s*+(?:"[^"]*+(?:"|\Z)|'[^']*+(?:'|\Z)|[^\s>"'][^\s>]*+)?)?"""
ONE_ATTRIBUTE = re.compile(ATTRIBUTE)
TAG_NAME = re.compile(r"<[a-zA-Z][^\s/>]*")
LONG_START_TAG = re.compile(r"""<[a-zA-Z](?:[^>"']++|"[^"]*+"|'[^']*+')*+""")
# Nearly all tags of a large page have no attributes, so their end is tried first.
TOKEN = re.compile(rf"<(?:(/?[a-zA-Z][^\s/>]*+)(?:>|(?:{ATTRIBUTE})*+[\s/]*+>?)|!--(?:-?>|.*?--!?>|.*))", re.DOTALL)
# Text and tags that are surely short: nine stretches without quotes and eight quoted ones are less than `LONG_TAG`.
SHORT_TAGS = re.compile(
    r"""(?:[^<]*+<(?:(?![a-zA-Z])|[a-zA-Z][^>"'<]{0,999}+(?:"[^"]{0,999}+"[^>"'<]{0,999}+){0,8}+>))*+"""
)

# Elements without content.
VOID = frozenset(
    (
        *("area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "param", "source"),
        *("track", "wbr"),
    )
)
# Start tags that close an open one of their kind unless something else lies between.
CLOSES_ITS_KIND = frozenset(
    (*("p", "li", "td", "th", "tr", "dt", "dd", "option", "optgroup", "tbody", "thead", "tfoot"),)
)
# Elements whose content is text, whatever it looks like; in SVG and MathML it may yet be elements.
RAW = frozenset((*("script", "style", "textarea", "title", "xmp", "iframe", "noembed", "noframes", "noscript"),))
FOREIGN = frozenset(("svg", "math"))
# Start tags that lead from SVG or MathML back to HTML, for good or for their content (HTML standard, foreign content).
BACK_TO_HTML = frozenset(
    (
        *("b", "big", "blockquote", "body", "br", "center", "code", "dd", "div", "dl", "dt", "em", "embed"),
        *("h1", "h2", "h3", "h4", "h5", "h6", "head", "hr", "i", "img", "li", "listing", "menu", "meta"),
        *("nobr", "ol", "p", "pre", "ruby", "s", "small", "span", "strong", "strike", "sub", "sup", "table"),
        *("tt", "u", "ul", "var", "font", "foreignobject", "desc", "title", "mi", "mo", "mn", "ms", "mtext"),
        *("annotation-xml",),
    )
)
# How many open elements are looked through for the one that an end tag closes; real pages need a handful.
NEAR = 100
# How many places, each a list of open elements, are remembered. Real pages have hundreds; a page with more has too
# little regularity to make use of, and the limit keeps what is remembered below ten megabytes.
MOST_PLACES = 10_000
# Tags that are counted, so that no two of them do the same.
COUNTED = frozenset(("select", "option"))


def fewer_attributes(text: str) -> str:
    """The text with at most `MOST_ATTRIBUTES` per tag; the rest are left out."""
    if len(text) < LONG_TAG or not _may_have_long_tag(text):
        return text
    kept: list[str] = []
    position = copied = 0
    while tag := LONG_START_TAG.search(text, _behind_short_tags(text, position)):
        position = tag.end()
        if tag.end() - tag.start() >= LONG_TAG:
            stay, position = _attributes_end(text, tag.start())
            if stay < position:
                kept.append(text[copied:stay])
                copied = position
    return "".join([*kept, text[copied:]])


def _may_have_long_tag(text: str) -> bool:
    """Whether a long stretch has no `>`; long texts are always examined closely."""
    position = 0
    while len(text) - position >= LONG_TAG:
        position = text.rfind(">", position, position + LONG_TAG) + 1
        if not position:
            return True
    return len(text) > SHORT_TEXT


def _behind_short_tags(text: str, position: int) -> int:
    """Where to go on looking for a long tag; millions of short ones are passed in one call."""
    short = SHORT_TAGS.match(text, position)
    return short.end() if short else position


def _attributes_end(text: str, start: int) -> tuple[int, int]:
    """Where the last attribute that may stay ends, and where the last one of the tag does."""
    name = TAG_NAME.match(text, start)
    end = name.end() if name else start + 1
    count, stay = 0, end
    while attribute := ONE_ATTRIBUTE.match(text, end):
        end = attribute.end()
        count += 1
        stay = end if count <= MOST_ATTRIBUTES else stay
    return stay, end


@dataclass(frozen=True, eq=False, slots=True)
class _Place:
    """Which elements may be open, in which text we are, and where the tags lead that were met here before."""

    open: tuple[str, ...]
    raw: str
    behind: "dict[str | None, _Place]" = field(default_factory=dict)


class Flattener:
    """Leaves out the tags that would open deeper than a limit, with their end tags, and those of too many options.

    It walks through the tags with a list of those that may be open. Large pages repeat themselves: a row of a table
    opens and closes what the row before did. So what a tag does at a place is looked up once it is known.
    """

    def __init__(self, limit: int) -> None:
        self._limit = limit
        self._open: list[str] = []
        self._foreign = self._options = 0
        self._surely_foreign = False  # where `/>` closes an element
        self.too_deep = self.too_many_options = False
        self._raw = ""  # the element whose text we are in
        self._places: dict[tuple[tuple[str, ...], str], _Place] = {}

    def read(self, text: str) -> str:
        """The text without the tags that are too deep."""
        kept: list[str] = []
        position = 0
        place = self._place()
        for token in TOKEN.finditer(text):
            tag = token[1]
            if place is not None:
                if (known := place.behind.get(tag)) is not None:
                    place = known
                    continue
                self._open, self._raw = list(place.open), place.raw
            before, leaves_out = place, self._leaves_out(tag or "", token)
            place = self._place()
            if leaves_out:
                kept.append(text[position : token.start()])
                position = token.end()
            elif before is not None and place is not None and (tag or "").lower() not in COUNTED:
                before.behind[tag] = place
        kept.append(text[position:])
        return "".join(kept)

    def _place(self) -> _Place | None:
        """The place that we are at, unless it is too unusual to be remembered."""
        if self._foreign or self._surely_foreign or len(self._open) > NEAR or len(self._places) > MOST_PLACES:
            return None
        key = tuple(self._open), self._raw
        if key not in self._places:
            self._places[key] = _Place(*key)
        return self._places[key]

    def _leaves_out(self, tag: str, token: re.Match[str]) -> bool:
        """Note a tag, of which an end tag begins with a slash; whether it is to be left out."""
        name = tag.lstrip("/").lower()
        if not name or name in VOID or self._closes_itself(name, token[0]):
            return False
        return self._ends(name) if tag.startswith("/") else self._begins(name)

    def _closes_itself(self, name: str, tag: str) -> bool:
        return self._surely_foreign and tag.endswith("/>") and name not in BACK_TO_HTML

    def _begins(self, name: str) -> bool:
        """Note a start tag; whether it is to be left out."""
        if self._raw and not self._foreign:
            return False
        if name in CLOSES_ITS_KIND:
            self._close_its_kind(name)
        self._foreign += name in FOREIGN
        self._surely_foreign = name in FOREIGN or (self._surely_foreign and name not in BACK_TO_HTML)
        self._options = 0 if name == "select" else self._options + (name == "option")
        self._raw = self._raw or (name if name in RAW else "")
        self._open.append(name)
        if len(self._open) > self._limit:
            self.too_deep = True
            return True
        if name == "option" and self._options > MOST_OPTIONS:
            self.too_many_options = True
            return True
        return False

    def _ends(self, name: str) -> bool:
        """Note an end tag; whether it is to be left out.

        Its element is closed with what needs no end tag of its own directly in it; the rest may stay open elsewhere.
        """
        if self._raw and name != self._raw:
            return False
        self._raw = ""
        for place in range(len(self._open) - 1, max(-1, len(self._open) - 1 - NEAR), -1):
            if self._open[place] == name:
                self._foreign -= name in FOREIGN
                self._surely_foreign &= name not in FOREIGN
                implied = place + 1
                while implied < len(self._open) and self._open[implied] in CLOSES_ITS_KIND:
                    implied += 1
                del self._open[place:implied]
                return place >= self._limit
        return False

    def _close_its_kind(self, name: str) -> None:
        place = len(self._open) - 1
        while place >= 0 and self._open[place] in CLOSES_ITS_KIND:
            if self._open[place] == name:
                del self._open[place:]
                return
            place -= 1
