"""The words that a person would name an attribute by. Written before any result was seen, and not to be tuned."""

import re
from collections.abc import Iterable

# What the thing is that a page is about: its noun is a name for its title.
NOUNS: dict[str, tuple[str, ...]] = {
    "auto": ("car", "auto", "vehicle", "model"),
    "book": ("book",),
    "job": ("job", "position"),
    "movie": ("movie", "film"),
    "nbaplayer": ("player",),
    "university": ("university", "school", "college", "institution"),
    "shop": ("product", "item"),
    "software": ("topic", "page", "function"),
}
HEADINGS = ("title", "name", "heading", "headline")
NAMED_BY_NOUN = ("title", "name", "model")
WORDS: dict[str, tuple[str, ...]] = {
    "author": ("author", "writer", "by", "contributor"),
    "author_date": ("date", "author", "authored"),
    "availability": ("availability", "available", "stock"),
    "category": ("category", "department", "genre"),
    "commit": ("commit", "revision", "hash", "sha"),
    "commit_date": ("date", "committer", "commit", "committed"),
    "committer": ("committer", "commit"),
    "company": ("company", "employer", "organization", "firm"),
    "date_posted": ("date", "posted", "post", "posting"),
    "description": ("description", "summary", "about", "overview"),
    "diffstat": ("diffstat", "stat", "diff"),
    "director": ("director", "directed", "direction"),
    "engine": ("engine", "motor"),
    "fuel_economy": ("fuel", "mpg", "economy", "mileage"),
    "genre": ("genre", "category"),
    "height": ("height", "ht", "tall"),
    "isbn_13": ("isbn", "isbn13", "ean"),
    "location": ("location", "city", "place", "address", "region", "where"),
    "message": ("message", "body", "msg", "text"),
    "model": (),
    "mpaa_rating": ("rating", "rated", "mpaa"),
    "name": (),
    "number_of_reviews": ("reviews", "review", "number"),
    "parent": ("parent",),
    "phone": ("phone", "tel", "telephone", "call"),
    "price": ("price", "msrp", "cost"),
    "price_excl_tax": ("price", "cost", "excl"),
    "price_incl_tax": ("price", "cost", "incl"),
    "product_type": ("type", "product", "kind"),
    "publication_date": ("date", "published", "publication", "pub", "publish"),
    "publisher": ("publisher", "published", "imprint"),
    "seealso": ("see", "also", "related"),
    "subject": ("subject", "title", "message"),
    "tax": ("tax", "vat"),
    "team": ("team", "club"),
    "title": (),
    "tree": ("tree",),
    "type": ("type", "kind", "control", "public", "private"),
    "upc": ("upc", "code", "sku"),
    "website": ("website", "web", "site", "url", "homepage"),
    "weight": ("weight", "wt"),
}
LONG = 4  # words of so many letters are also found at the ends of words run together, as in `booktitle`
CAMEL = re.compile(r"(?<=[a-z])(?=[A-Z])")
LETTERS = re.compile(r"[^\W\d_]+")


def words_for(attribute: str, vertical: str) -> tuple[str, ...]:
    """The words that name an attribute; of one that is not listed, those of its own name.

    >>> words_for("title", "book")
    ('title', 'name', 'heading', 'headline', 'book')
    """
    listed = WORDS.get(attribute, tuple(attribute.split("_")))
    return (*listed, *HEADINGS, *NOUNS.get(vertical, ())) if attribute in NAMED_BY_NOUN else listed


def has_word(text: str, words: Iterable[str]) -> bool:
    """Whether one of the words stands in a text or in a name such as `bookTitle`, `book-title` or `booktitle`.

    >>> [has_word(text, ["title", "pub"]) for text in ("bookTitle", "Titles:", "Public", "pub_date")]
    [True, True, False, True]
    """
    tokens = [token.lower() for token in LETTERS.findall(CAMEL.sub(" ", text))]
    return any(_is_of(token, word) for token in tokens for word in words)


def _is_of(token: str, word: str) -> bool:
    return token in (word, f"{word}s") or (len(word) >= LONG and (token.startswith(word) or token.endswith(word)))
