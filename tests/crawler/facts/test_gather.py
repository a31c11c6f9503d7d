"""What is kept grows with the facts, not with the pages."""

from sightline.crawler.facts import PageStatements, Statement
from sightline.crawler.facts._statements import GatheredClaims
from sightline.data import Value


def _page(number: int, *, content: str = "", site: str = "a.example", weight: str = "675 g") -> PageStatements:
    statements = (Statement("EOS 5D", "Weight", Value(weight)), Statement("EOS 5D", "Weight", Value(weight)))
    address = f"https://{site}/{number}"
    return PageStatements(address, site, f"page {number}", content or f"{site} {number}", "en", statements)


def test_gathered_keeps_a_few_places_and_counts_the_pages() -> None:
    """A thousand pages that say the same are one claim; a page that says it twice counts once."""
    gathered = GatheredClaims(places=3)
    for number in range(1000):
        gathered.add(_page(number))
    (claim,) = gathered.claims()
    assert (claim.support.pages, gathered.pages) == (1000, 1000)
    assert [place.page for place in claim.support.places] == ["page 0", "page 1", "page 2"]


def test_gathered_credits_a_mirror_to_the_site_that_was_first() -> None:
    """Its address is kept as a place."""
    gathered = GatheredClaims()
    gathered.add(_page(1, content="same"))
    gathered.add(_page(2, content="same", site="b.example"))
    (claim,) = gathered.claims()
    assert (claim.site, claim.support.pages, gathered.mirrors) == (gathered.sites["a.example"], 2, 1)
    assert claim.support.places[1].address == "https://b.example/2"


def test_gathered_reads_a_text_by_the_other_values_of_its_site() -> None:
    """One page writes 0,5 kg, so that 1,234 kg on another one is a decimal comma, too."""
    gathered = GatheredClaims()
    gathered.add(_page(1, weight="1,234 kg"))
    gathered.add(_page(2, weight="0,5 kg"))
    written = {claim.value.text: str(claim.value.amounts[0].written) for claim in gathered.claims()}
    assert written == {"1,234 kg": "1.234", "0,5 kg": "0.5"}
