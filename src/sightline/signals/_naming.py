"""Names of things: from a label in their texts, from a word of their class, or from what they are."""

import re
from collections import Counter
from collections.abc import Sequence

__all__ = ["class_name", "kind_name", "label_of", "without_label"]

# Class words that say what a text is; if there is one, the rest of the class only says where.
TELLING = frozenset(
    (
        *(
            "title",
            "name",
            "headline",
            "price",
            "date",
            "time",
            "author",
            "byline",
            "description",
            "summary",
            "snippet",
        ),
        *("rating", "score", "url", "location", "category", "comments", "views", "company", "address", "phone", "year"),
        *("artist", "brand", "sku", "size", "color", "colour", "caption", "subtitle", "excerpt", "count", "duration"),
        *("source", "publisher", "genre", "votes", "salary", "distance", "status", "type", "tags", "amount", "unit"),
        *("ingredient", "instruction", "step", "points", "reviews", "discount", "stock", "shipping", "seller", "city"),
    )
)
SHORT_FORMS = {"desc": "description", "ttl": "title", "heading": "title", "cat": "category", "img": "image"}
# Class words that say how something is laid out.
LAYOUT = frozenset(
    (
        *(
            "sm",
            "md",
            "lg",
            "xl",
            "xs",
            "row",
            "col",
            "column",
            "container",
            "wrapper",
            "wrap",
            "inner",
            "outer",
            "block",
        ),
        *(
            "flex",
            "grid",
            "left",
            "right",
            "center",
            "clearfix",
            "clear",
            "fix",
            "bold",
            "text",
            "link",
            "btn",
            "button",
        ),
        *("item", "content", "body", "box", "main", "section", "list", "li", "div", "span", "first", "last", "odd"),
        *("even", "active", "hidden", "visible", "small", "large", "medium", "top", "bottom", "inline", "gap", "font"),
        *("mt", "mb", "ml", "mr", "mx", "my", "px", "py", "pt", "pb", "pl", "pr", "w", "h", "p", "m", "full", "auto"),
        *("line", "height", "clamp", "upper", "lower", "hover", "focus", "underline", "absolute", "relative", "fixed"),
        *("none", "events", "select", "align", "justify", "start", "end", "wide", "narrow", "dark", "light", "white"),
        *("black", "grey", "gray", "red", "green", "blue", "primary", "secondary", "border", "rounded", "shadow"),
        *("normal", "semibold", "uppercase", "truncate", "result", "results", "field", "value", "label", "element"),
    )
)
_WORD = re.compile(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])")
_MONEY = re.compile(r"(?:[$€£¥₹]|\b(?:USD|EUR|GBP|CHF|kr|zł)\b)\s?\d|\d\s?(?:[$€£¥₹]|(?:USD|EUR|GBP|CHF|kr|zł)\b)")
_MONTH = r"(?:jan|feb|m[aä]r|apr|ma[iy]|jun|jul|aug|sep|o[ck]t|nov|de[cz])"
_DATE = re.compile(
    r"\b\d{4}-\d\d-\d\d\b|\b\d{1,2}[./]\d{1,2}[./]\d{2,4}\b"
    r"|\b(?:\d+|an?) (?:second|minute|hour|day|week|month|year)s? ago\b"
    rf"|\b{_MONTH}[a-z]*\.? \d|\b\d{{1,2}}\.? {_MONTH}",
    re.IGNORECASE,
)
_URL = re.compile(r"(?:https?://|www\.)\S+|\S+\.(?:com|org|net|edu|gov|de|uk|fr|io)/\S*")
_NUMBER = re.compile(r"(?=\D*+\d)[\d.,\s%+\-–]*+[kKmM]?")  # a digit among them is looked for first, and once
_LABEL = re.compile(r"([^\W\d_][^:\n]{1,30}?)\s?:(?:\s|\Z)")
MOST = 0.6  # of the texts of a column; a few are always something else


def label_of(texts: Sequence[str]) -> str:
    """The label that most texts begin with, such as "Price" in "Price: 5 €".

    >>> label_of(["Price: 5 €", "Price: 7 €", "Price: free"])
    'Price'
    """
    found = [match[1].strip() for text in texts if (match := _LABEL.match(text))]
    commonest, count = next(iter(Counter(found).most_common(1)), ("", 0))
    return commonest if len(texts) > 1 and count >= MOST * len(texts) else ""


def without_label(text: str, name: str) -> str:
    """A text without the label that names its column.

    >>> without_label("Price: 5 €", "Price"), without_label("free", "Price")
    ('5 €', 'free')
    """
    found = _LABEL.match(text)
    return text[found.end() :].strip() or text if found and found[1].strip() == name else text


def class_name(token: str) -> str:
    """What a word of a class attribute says about the text in it, if anything.

    >>> class_name("search-result__title"), class_name("productPrice"), class_name("mb-4"), class_name("x9f2Qz")
    ('title', 'price', '', '')
    """
    if len(token) > 40 or re.search(r"\d[A-Za-z]|[A-Za-z]\d[A-Za-z]", token):
        return ""
    words: list[str] = [SHORT_FORMS.get(word.lower(), word.lower()) for word in _WORD.findall(token)]
    telling = [word for word in words if word in TELLING]
    if telling:
        return telling[-1]
    if not words or words[-1] in LAYOUT or words[0] in LAYOUT or any(len(word) < 3 for word in words):
        return ""
    return " ".join(words[-2:])


def kind_name(texts: Sequence[str]) -> str:
    """What most of the texts are, if that can be a name.

    >>> kind_name(["5 €", "7 €"]), kind_name(["one", "two"])
    ('price', '')
    """
    for name, form in (("price", _MONEY), ("date", _DATE), ("url", _URL)):
        if sum(len(text) < 60 and bool(form.search(text)) for text in texts) >= MOST * len(texts):
            return name
    return "number" if sum(bool(_NUMBER.fullmatch(text)) for text in texts) >= MOST * len(texts) else ""
