"""Names of things: from a label in their texts, from a word of their class, or from what they are."""

import re
from collections import Counter
from collections.abc import Sequence
from functools import lru_cache


def word_set(words: str) -> frozenset[str]:
    """The words of a text, to look others up in.

    >>> sorted(word_set("price title"))
    ['price', 'title']
    """
    return frozenset(words.split())


# Class words that say what a text is: those that published vocabularies of things and their properties use, too.
# Any other word is the designer's own ("calc", "guts", "oddrow"), and names of things are not made of those.
TELLING = word_set("""
    title name headline subtitle caption nickname username surname
    price cost amount total subtotal discount savings salary pay wage fee tax rent deposit budget revenue msrp currency
    date time year month day duration runtime deadline age born died birthdate birthday birthplace published updated
    posted modified created released expires season episode era
    author byline creator editor publisher writer translator illustrator narrator contributor director actor actors cast
    artist composer producer performer speaker speakers organizer sponsor coach teacher instructor reviewer owner
    manufacturer maker brand vendor seller merchant dealer supplier employer company organization institution university
    college school department team club league agency studio distributor
    description summary snippet excerpt abstract synopsis overview biography bio intro introduction teaser
    rating ratings score stars votes rank ranking grade points likes views downloads comments reviews review comment
    answers followers popularity metascore
    location address street city town state country province county zip postcode neighborhood venue place
    birthplace latitude longitude distance
    phone telephone mobile fax email website homepage url contact
    category categories genre genres type subject subjects topic topics tag tags keyword keywords department
    series collection format edition language languages isbn issn doi sku upc gtin mpn asin model modelnumber
    version license
    size weight height pixels resolution dimensions volume color colour material fabric quantity stock
    availability condition status shipping delivery warranty returns count pages
    engine transmission drivetrain horsepower torque mileage mpg fuel doors seats trim vin
    ingredient ingredients instruction instructions step steps servings yield calories cuisine course difficulty
    nutrition recipe
    experience education qualification qualifications requirements responsibilities skills benefits industry
    tuition enrollment population gender nationality hometown religion occupation
    source question answer quote lyrics album track plot tagline certificate bedrooms bathrooms rooms
    """)
# Words before one of those that belong to it.
MODIFIERS = word_set("""
    list sale sales retail regular old original current final unit market invoice base special shipping street
    postal birth death release publication pub start end expiry due first last
    review rating vote comment order stock part model catalog phone fax email critic average min
    max total mpaa cover
    """)
# Words that tell only as a whole class: "now" is a price, "buy-now" a button.
ALONE = word_set("who was now money spec specs sale regular code note kind crumbs breadcrumb breadcrumbs wifi gps nfc")
# What sets are sets of.
THINGS = word_set("""
    product offer deal job vacancy movie film book paper article post event course player person people member user game
    album song episode recipe property listing hotel restaurant image photo picture video link file document message
    commit issue package release customer order feature specification spec award
    """)
SHORT_FORMS = {
    "desc": "description",
    "descr": "description",
    "ttl": "title",
    "heading": "title",
    "cat": "category",
    "img": "image",
}
SHORT_FORMS |= {"addr": "address", "tel": "phone", "loc": "location", "qty": "quantity", "pub": "publication"}
# Class words that say how something is laid out, or that it is something at all.
LAYOUT = word_set("""
    sm md lg xl xs row col column container wrapper wrap inner outer block flex grid left right center clearfix clear
    fix bold text txt link btn button item content body box main section list li div span first last odd even active
    hidden visible small large medium top bottom inline gap font mt mb ml mr mx my px py pt pb pl pr w h p m full auto
    line height clamp upper lower hover focus underline absolute relative fixed none events select align justify start
    end wide narrow dark light white black grey gray red green blue primary secondary border rounded shadow normal
    semibold uppercase truncate result results field value label element info data details detail holder area panel
    wrapper group set part cell td tr th dd dt
    """)
# What a text must have for a class to be believed, and how much of a column must have it.
DIGITS_IN = word_set("""
    price cost amount total subtotal discount savings salary pay wage fee tax rent deposit budget revenue msrp date year
    birthdate birthday phone telephone mobile fax zip postcode isbn issn upc gtin asin latitude longitude distance pages
    weight height width length mileage mpg horsepower calories
    """)
MONEY_IN = word_set("price cost salary wage fee msrp")
SENTENCES_IN = word_set("description summary snippet excerpt abstract synopsis biography bio plot instructions")
# What may hold sentences; anything else is a value of a few words.
LONG_IN = SENTENCES_IN | word_set("""
    review comment title name headline subtitle caption teaser overview intro introduction quote question answer note
    lyrics ingredient instruction step requirements responsibilities qualification skills benefits education experience
    recipe shipping delivery warranty returns specs spec
    """)
FEWEST_WORDS, MOST_IN_A_VALUE = 4, 8  # words of a description, and of a value, on average
LONGEST_TOKEN = 40  # characters of a class; longer ones are made by programs
SUFFIX = 5  # letters of a telling word at the end of another, as in "itemprice"; shorter ones end words like "update"
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
_EMAIL = re.compile(r"[\w.+-]+@[\w-]+(?:\.[\w-]+)+")
_PHONE = re.compile(r"(?:\+\d{1,3}[\s.-]?)?(?:\(\d{2,5}\)|\d{3,5})[\s.-]\d{3,4}[\s.-]?\d{2,4}\Z")
_NUMBER = re.compile(r"(?=\D*+\d)[\d.,\s%+\-–]*+[kKmM]?")  # a digit among them is looked for first, and once
_LABEL = re.compile(r"([^\W\d_][^:\n]{1,30}?)\s?:(?:\s|\Z)")
_FORMS = (("price", _MONEY), ("date", _DATE), ("url", _URL), ("email", _EMAIL), ("phone", _PHONE))
MOST = 0.6  # of the texts of a column; a few are always something else
LONGEST_VALUE = 60  # characters of a price, a date, an address
MOST_WORDS = 5  # of a price or a date; a sentence with a price in it is a sentence


def label_of(texts: Sequence[str], *, anywhere: bool = False) -> str:
    """The label that most texts begin with, such as "Price" in "Price: 5 €"; or have `anywhere` in them.

    >>> label_of(["Price: 5 €", "Price: 7 €", "Price: free"]), label_of(["5 Fee: 2", "7 Fee: 1"], anywhere=True)
    ('Price', 'Fee')
    """
    look = _LABEL.search if anywhere else _LABEL.match
    found = [match[1].strip() for text in texts if (match := look(text))]
    commonest, count = next(iter(Counter(found).most_common(1)), ("", 0))
    return commonest if len(texts) > 1 and count >= MOST * len(texts) else ""


def has_label(text: str) -> bool:
    """Whether a text begins with a label.

    >>> has_label("Total: 226"), has_label("2011: $5")
    (True, False)
    """
    return bool(_LABEL.match(text))


def without_label(text: str, name: str) -> str:
    """A text without the label that names its column.

    >>> without_label("Price: 5 €", "Price"), without_label("free", "Price")
    ('5 €', 'free')
    """
    found = _LABEL.match(text)
    return text[found.end() :].strip() or text if found and found[1].strip() == name else text


def class_words(token: str) -> list[str]:
    """The words that a class or an id is made of, in lower case.

    >>> class_words("search-result__mainTitle")
    ['search', 'result', 'main', 'title']
    """
    return [word.lower() for word in _WORD.findall(token)]


@lru_cache(maxsize=4096)  # a site has few classes, and each of them on many elements of many pages
def class_name(token: str) -> str:
    """What a word of a class attribute says about the text in it; nothing if only its designer knows.

    >>> class_name("search-result__title"), class_name("productPrice"), class_name("list-price")
    ('title', 'price', 'list price')
    >>> class_name("itemprice"), class_name("mb-4"), class_name("x9f2Qz"), class_name("oddrow"), class_name("xg12")
    ('price', '', '', '', '')
    """
    if len(token) > LONGEST_TOKEN or re.search(r"\d[A-Za-z]", token):
        return ""
    if token.lower() in ALONE:
        return token.lower()
    words = [SHORT_FORMS.get(word, word) for word in class_words(token)]
    place = max((place for place, word in enumerate(words) if _telling(word)), default=-1)
    if place < 0:
        return ""
    before = words[place - 1] if place else ""
    name = _telling(words[place])
    return f"{before} {name}" if before in MODIFIERS and before != name else name


def _telling(word: str) -> str:
    """The telling word that this one is, several of, or ends with."""
    if word in TELLING or word.removesuffix("s") in TELLING:
        return word
    return next((word[cut:] for cut in range(3, len(word) - SUFFIX + 1) if word[cut:] in TELLING), "")


def fits_name(name: str, texts: Sequence[str]) -> bool:
    """Whether texts can be what a class calls them: prices have digits, and descriptions several words.

    >>> fits_name("price", ["5 €", "free", "7 €"]), fits_name("price", ["Compare", "Compare"])
    (True, False)
    """
    word = name.rpartition(" ")[2]
    if word in LONG_IN or word.removesuffix("s") in LONG_IN:
        return word not in SENTENCES_IN or sum(len(text.split()) for text in texts) >= FEWEST_WORDS * len(texts)
    if sum(len(text.split()) for text in texts) > MOST_IN_A_VALUE * len(texts):
        return False
    if word in MONEY_IN and sum("%" in text for text in texts) >= MOST * len(texts):
        return False
    if word in DIGITS_IN or word.removesuffix("s") in DIGITS_IN:
        return sum(any(map(str.isdigit, text)) for text in texts) >= MOST * len(texts)
    return True


def set_name(token: str) -> str:
    """What a word of a class attribute says about the things in it.

    >>> set_name("products"), set_name("search-results"), set_name("comment-list"), set_name("oddrow")
    ('products', '', 'comment', '')
    """
    words = class_words(token) if len(token) <= LONGEST_TOKEN else []
    while words and words[-1] in LAYOUT:
        words.pop()
    last = words[-1] if words else ""
    return last if last.removesuffix("s") in THINGS else class_name(token)


def _is_short(text: str) -> bool:
    return len(text) < LONGEST_VALUE and len(text.split()) <= MOST_WORDS


def kind_name(texts: Sequence[str]) -> str:
    """What most of the texts are, if that can be a name.

    >>> kind_name(["5 €", "7 €"]), kind_name(["one", "two"])
    ('price', '')
    >>> kind_name(["(870) 612-2000", "(206) 783-5542"]), kind_name(["9780446542180"]), kind_name(["me@example.org"])
    ('phone', 'number', 'email')
    """
    short = [text for text in texts if _is_short(text)]
    if len(short) >= MOST * len(texts):
        for name, form in _FORMS:
            if sum(map(bool, map(form.search, short))) >= MOST * len(texts):
                return name
    return "number" if sum(bool(_NUMBER.fullmatch(text)) for text in texts) >= MOST * len(texts) else ""
