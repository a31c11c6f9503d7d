"""The clues of a site, its score, and why in words."""

from sightline.crawler.discover._sample import DomainPhrases
from sightline.crawler.discover._score import (
    CLUES,
    WEIGHTS,
    DataRegion,
    OpenedPage,
    PageData,
    SiteEvidence,
    clues_of,
    reasons_for,
    score_of,
)

DOMAIN = DomainPhrases.of(["zoom", "ISO", "sensor", "flash"])
EVEN = [0.25] * 4


def _page(number: int, *, keys: frozenset[int] = frozenset({0, 1, 2}), long: bool = False, **more: float) -> OpenedPage:
    text = "a text of quite a few words, and more {}" if long else "{} mm"
    values = tuple(text.format(100 * number + place) for place in range(12))
    region = DataRegion(tuple(DOMAIN.texts[one] for one in keys) or ("Topic",), values, 4, 3)
    return OpenedPage(f"https://a/{number}", PageData(region, keys, keys, 0.0 if long else 1.0, 1.0), **more)


def _site(*pages: OpenedPage, support: float = 0.5) -> SiteEvidence:
    return SiteEvidence(support, 10, pages)


def test_every_clue_has_a_weight_and_a_share() -> None:
    """No clue without a weight, and all between 0 and 1, even if no page could be opened."""
    assert set(CLUES) == set(WEIGHTS)
    for site in (_site(), _site(_page(1)), _site(_page(1), _page(2)), _site(OpenedPage("x", failed=True))):
        clues = clues_of(site, EVEN)
        assert set(clues) == set(CLUES)
        assert all(0 <= value <= 1 for value in clues.values())
        assert 0 < score_of(clues) < 1


def test_data_of_the_domain_beats_its_prose() -> None:
    """Names of values are worth more than support, long texts and stuffed phrases are not data."""
    good = score_of(clues_of(_site(*map(_page, range(4)), support=0.2), EVEN))
    none = frozenset[int]()
    forum = score_of(clues_of(_site(*(_page(n, keys=none, long=True) for n in range(4)), support=0.9), EVEN))
    stuffed = score_of(
        clues_of(_site(*(_page(n, keys=frozenset({0}), density=1.0) for n in range(4)), support=1.0), EVEN)
    )
    nothing = score_of(clues_of(_site(OpenedPage("x"), support=1.0), EVEN))
    assert good > 0.5 > max(forum, stuffed, nothing)


def test_values_on_several_pages_are_not_different() -> None:
    """The same offers everywhere are what spam has."""
    same = clues_of(_site(_page(1), _page(1)), EVEN)
    other = clues_of(_site(_page(1), _page(2)), EVEN)
    assert (same["different"], other["different"]) == (0.0, 1.0)


def test_reasons_are_said_in_words() -> None:
    """Support, pages, phrases, and failures with their cause."""
    site = _site(_page(1), OpenedPage("y", why_not="no tables"), OpenedPage("z", why_not="z: hangs.", failed=True))
    said = list(reasons_for(site, clues_of(site, EVEN), 5, 10, DOMAIN))
    assert said == [
        "found by 5 of 10 queries, on 10 pages",
        "1 of 2 opened pages with usable data",
        "1 page could not be opened: z: hangs.",
        "the data name zoom, ISO, sensor of 4 phrases",
    ]
    empty = _site(OpenedPage("y", why_not="no tables"))
    assert list(reasons_for(empty, clues_of(empty, EVEN), 5, 10, DOMAIN))[-1] == "no tables"
