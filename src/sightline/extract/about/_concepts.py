"""What words for the parts of a thing mean in the languages of most of the web: `Preis`, `prix` and `価格` are a price.

Few pages teach how the values of a field are labelled, and in a few languages only. As a concept, a word that no page
taught counts like those that some did.
"""

import re
from functools import cache, lru_cache
from importlib import resources

import orjson

SIGN = "#"  # before the name of a concept, which no word begins with
SHORTEST_PART = 5  # letters of a word that is looked for in compounds, such as `Verkaufspreis`
LONGEST_COMPOUND = 24
UNPARTED = re.compile(r"[\u0e00-\u0e7f\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]")  # Thai, Japanese, Chinese, Korean


@lru_cache(maxsize=50_000)
def concepts_of(word: str) -> tuple[str, ...]:
    """The concepts that a word means, if any; in scripts without blanks, those of the words in it.

    >>> concepts_of("preis"), concepts_of("verkaufspreis"), concepts_of("價格"), concepts_of("spruce")
    (('#price',), ('#price',), ('#price',), ())
    """
    exact, parts, unparted = _lexicon()
    if found := exact.get(word):
        return found
    if UNPARTED.search(word):
        return tuple(dict.fromkeys(concept for own, concept in unparted if own in word))
    if SHORTEST_PART < len(word) <= LONGEST_COMPOUND:
        lengths = range(SHORTEST_PART, len(word))
        ends = (part for size in lengths for part in (word[-size:], word[:size]))
        return tuple(dict.fromkeys(concept for part in ends for concept in parts.get(part, ())))
    return ()


def with_concepts(words: tuple[str, ...]) -> tuple[str, ...]:
    """Some words and the concepts that they mean."""
    meant = meant_by(words)
    return (*words, *meant) if meant else words


def meant_by(words: tuple[str, ...]) -> tuple[str, ...]:
    """The concepts that some words mean, each once."""
    return tuple(dict.fromkeys(concept for word in words for concept in concepts_of(word)))


@cache
def letters_of(concept: str) -> re.Pattern[str]:
    """What finds the words of a concept within others, to see quickly that a text has none of them."""
    exact, _, _ = _lexicon()
    words = sorted((word for word, meant in exact.items() if concept in meant), key=len, reverse=True)
    return re.compile("|".join(map(re.escape, words)), re.IGNORECASE)


@cache
def _lexicon() -> tuple[dict[str, tuple[str, ...]], dict[str, tuple[str, ...]], tuple[tuple[str, str], ...]]:
    """The concepts of words, of words that also stand in compounds, and those of scripts without blanks."""
    document = orjson.loads(resources.files("sightline.extract.about").joinpath("concepts.json").read_bytes())
    exact: dict[str, tuple[str, ...]] = {}
    for concept, words in document.items():
        for word in words:
            exact[word] = (*exact.get(word, ()), SIGN + concept)
    parts = {word: meant for word, meant in exact.items() if len(word) >= SHORTEST_PART}
    unparted = tuple((word, one) for word, meant in exact.items() if UNPARTED.search(word) for one in meant)
    return exact, parts, unparted
