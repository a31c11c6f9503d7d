"""Recognising a block page, a captcha, a log-in wall or a rate limit, so that it is reported and never extracted.

A false alarm throws away a good page, so one sign is seldom enough. A status that says so (401, 407, 429) is; else
a vendor's mark in the headers needs an error status with it, and a phrase needs both the title or the very beginning
of the text and a page with little else on it. Articles about captchas and pages with a log-in link aren't walls.
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass

from sightline.page import Page

BLOCK = "block page"
CAPTCHA = "captcha"
LOGIN = "log-in wall"
RATE = "rate limit"


@dataclass(frozen=True)
class Wall:
    """What blocks the way to the content, and the sign by which it was recognised, as a part of a sentence."""

    kind: str
    evidence: str


# A challenge or block page says a few sentences and shows an incident number. With these two bounds none of the 2,188
# real pages of the benchmarks gives a false alarm; run them again after any change here.
_SHORT_TEXT = 1_500
_OPENING = 300  # where such a page has its heading
LONGEST_WALL = 20 * _SHORT_TEXT  # characters of all texts of a page with scripts; a longer page need not be examined

_VENDOR_HEADERS: tuple[tuple[str, str, str, str], ...] = (
    ("cf-mitigated", r"challenge", CAPTCHA, "Cloudflare"),
    ("x-datadome", r"protected", BLOCK, "DataDome"),
    ("x-dd-b", r"", BLOCK, "DataDome"),
    ("x-amzn-waf-action", r"captcha|challenge", CAPTCHA, "AWS WAF"),
    ("x-px-block", r"", BLOCK, "PerimeterX"),
    ("x-sucuri-block", r"", BLOCK, "Sucuri"),
    ("x-iinfo", r"", BLOCK, "Imperva"),
    ("server", r"akamaighost|cloudfront-waf|ddos-guard|sucuri", BLOCK, "the site's firewall"),
)
"""Header, pattern of its value, kind and vendor; each counts only together with a status that refuses."""

_ALWAYS_HEADERS = frozenset({"cf-mitigated", "x-amzn-waf-action", "x-px-block", "x-sucuri-block"})
"""Headers that are only sent with a challenge or a block, whatever the status."""

_REFUSING = frozenset({401, 403, 405, 406, 407, 429, 503})

_TITLES: tuple[tuple[str, str], ...] = (
    (CAPTCHA, r"just a moment\.*|attention required! \| cloudflare|one more step|please wait\.* \| cloudflare"),
    (
        CAPTCHA,
        r"(?:captcha|security check|human verification|robot check|bot verification|are you a (?:robot|human)\??)",
    ),
    (CAPTCHA, r"(?:verify(?:ing)? (?:that )?you are (?:a )?human|verification required|checking your browser.*)"),
    (CAPTCHA, r"(?:ddos-guard|ddos protection by .+|pardon our interruption\W*|client challenge)"),
    (
        BLOCK,
        r"(?:access (?:to this (?:page|site|website) (?:has been )?)?(?:is )?denied|access denied\W.*)",
    ),
    (BLOCK, r"(?:403 forbidden|forbidden|error 403.*|403 error|request (?:blocked|rejected)|blocked|not acceptable!?)"),
    (
        BLOCK,
        r"(?:(?:sorry, )?you have been blocked|web page blocked!?|your access .{0,20}has been (?:limited|blocked))",
    ),
    (RATE, r"(?:429 too many requests|too many requests|error 429.*|rate limit(?:ed| exceeded)?)"),
)
"""Kind and pattern of a whole title, with the site's name cut off."""

_PHRASES: tuple[tuple[str, str], ...] = (
    (CAPTCHA, r"checking (?:if the site connection is secure|your browser before accessing)"),
    (CAPTCHA, r"(?:verify|confirm|prove) (?:that )?you(?:'re| are) (?:a |not a )?(?:human|robot|bot)"),
    (CAPTCHA, r"(?:enable|turn on) javascript and cookies to continue"),
    (CAPTCHA, r"press (?:&|and) hold to confirm you are"),
    (CAPTCHA, r"(?:complete|solve) the (?:captcha|security check|challenge) (?:below )?to (?:continue|access|proceed)"),
    (CAPTCHA, r"something about your browser made us think you (?:were|are|might be) a bot"),
    (CAPTCHA, r"our systems have detected unusual traffic from your computer network"),
    (CAPTCHA, r"to discuss automated access to amazon data please contact"),
    (BLOCK, r"you don'?t have permission to access .{1,200} on this server"),
    (BLOCK, r"(?:sorry, )?you have been blocked|this request was blocked by our security service"),
    (BLOCK, r"access (?:to this (?:page|site|website|resource) )?(?:has been |is )denied"),
    (BLOCK, r"request unsuccessful\. incapsula incident id|the requested url was rejected\. please consult"),
    (BLOCK, r"this website is using a security service to protect itself from online attacks"),
    (
        BLOCK,
        r"(?:automated|bot) (?:access|traffic|activity|queries) (?:is|has been|was) (?:detected|not allowed|blocked)",
    ),
    (RATE, r"too many requests|rate limit exceeded|you have (?:made|sent) too many requests"),
    (
        LOGIN,
        r"(?:please |you (?:must|need to|have to) )(?:log|sign) ?-?in (?:to (?:continue|view|access|see)|first|before)",
    ),
)
"""Kind and phrase at the start of a page that has little else."""

_LOGIN_PATH = re.compile(
    r"/(?:log-?in|sign-?in|signon|auth|sso|account/login|users/sign_in|accounts?/log-?in|oauth2?|wp-login\.php)(?:[/.?]|$)"
)
_LOGIN_TITLE = re.compile(
    r"(?:please )?(?:log|sign)[ -]?(?:in|on)\b|\b(?:log|sign)[ -]?in$|anmelden|connexion|iniciar sesi[oó]n"
)
_PASSWORD = re.compile(r"\bpassword\b|\bpasswort\b|\bmot de passe\b|\bcontrase[nñ]a\b|\bpassphrase\b")
_SEPARATOR = re.compile(r"\s+[|·–—:»-]\s+")
_COMPILED_TITLES = tuple((kind, re.compile(pattern)) for kind, pattern in _TITLES)
_COMPILED_PHRASES = tuple((kind, re.compile(pattern)) for kind, pattern in _PHRASES)


def recognise_wall(
    status: int | None, headers: Iterable[tuple[str, str]], url: str, title: str, text: str
) -> Wall | None:
    """The wall that a response is, or None; `text` is the visible text of the page."""
    sent = {name.lower(): value.lower() for name, value in headers}
    heading = " ".join(title.split()).lower().replace("’", "'")
    words = " ".join(text[: 4 * _SHORT_TEXT].split()).lower().replace("’", "'")
    return (
        _by_status(status)
        or _by_vendor(status, sent)
        or _by_title(status, heading, words)
        or _by_phrase(status, words)
        or _by_login(url, heading, words)
    )


def wall_on(page: Page) -> Wall | None:
    """The wall that a page is, judged by its address, title and text; a page with much text is never one."""
    leaves = page.text[page.is_text & ~page.is_blank].tolist()
    if sum(len(page.strings[leaf]) for leaf in leaves) > LONGEST_WALL:
        return None
    return recognise_wall(None, (), page.url, page.title, page.text_of())


def _by_status(status: int | None) -> Wall | None:
    if status == 401 or status == 407:
        return Wall(LOGIN, f"the server answered {status}, which asks for a log-in")
    if status == 429:
        return Wall(RATE, "the server answered 429: too many requests")
    return Wall(BLOCK, "the server answered 451: blocked for legal reasons") if status == 451 else None


def _by_vendor(status: int | None, sent: dict[str, str]) -> Wall | None:
    for name, pattern, kind, vendor in _VENDOR_HEADERS:
        counts = name in _ALWAYS_HEADERS or status in _REFUSING
        if counts and name in sent and re.search(pattern, sent[name]):
            return Wall(kind, f"{vendor} refuses the visit (header {name})")
    return None


def _by_title(status: int | None, heading: str, words: str) -> Wall | None:
    if len(words) > _SHORT_TEXT and status not in _REFUSING:
        return None
    for part in (heading, _SEPARATOR.split(heading, maxsplit=1)[0]):
        for kind, pattern in _COMPILED_TITLES:
            if pattern.fullmatch(part.strip()):
                return Wall(kind, f"the page is titled “{part.strip()}”")
    return None


def _by_phrase(status: int | None, words: str) -> Wall | None:
    if len(words) > _SHORT_TEXT:
        return None
    place = words if status in _REFUSING else words[:_OPENING]
    for kind, pattern in _COMPILED_PHRASES:
        found = pattern.search(place)
        if found:
            return Wall(kind, f"the page says “{found[0]}”")
    if status == 403:
        return Wall(BLOCK, "the server answered 403 with a page that has almost no text")
    return None


def _by_login(url: str, heading: str, words: str) -> Wall | None:
    """Recognise a log-in page: its address and title both say so, it asks for a password, and has little else."""
    if len(words) > _SHORT_TEXT or not _PASSWORD.search(words):
        return None
    path = re.sub(r"^[a-z]+://[^/?#]*|[?#].*", "", url.lower())
    if _LOGIN_PATH.search(path) and _LOGIN_TITLE.search(f"{heading} {words[:_OPENING]}"):
        return Wall(LOGIN, f"the address leads to {path}, a page that asks for a password")
    return None
