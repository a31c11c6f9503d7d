"""Random conjunctions of phrases."""

from collections import Counter

from sightline.crawler.discover import SearchResult
from sightline.crawler.discover._sample import DomainPhrases, QuerySampler

PHRASES = DomainPhrases.of(["zoom", "ISO", "lens", "sensor", "flash", "tripod", "strap", "filter"])


def _asked(seed: int, count: int) -> list[tuple[int, ...] | None]:
    sampler = QuerySampler(PHRASES, seed)
    return [sampler.next() for _ in range(count)]


def test_same_seed_asks_the_same_queries() -> None:
    """And another seed other ones."""
    assert _asked(3, 30) == _asked(3, 30)
    assert _asked(3, 30) != _asked(4, 30)


def test_queries_join_two_to_four_phrases_and_never_repeat() -> None:
    """Until every conjunction was asked; then there is none."""
    asked = _asked(1, 28 + 56 + 70)
    assert {len(query) for query in asked if query} == {2, 3, 4}
    assert len(set(asked)) == len(asked)
    sampler = QuerySampler(PHRASES, 1)
    for _ in asked:
        sampler.next()
    assert sampler.next() is None


def test_common_phrases_are_asked_less_often() -> None:
    """Commonness is learned from the results of queries that do not have the phrase."""
    sampler = QuerySampler(PHRASES, 0)
    common = SearchResult("https://a.example/", "About zoom", "everything has zoom in it")
    counts: Counter[int] = Counter()
    for _ in range(40):
        query = sampler.next()
        assert query
        counts.update(query)
        sampler.learn(query, [common] * 10)
    others = sum(counts[number] for number in range(1, 8)) / 7
    assert sampler.commonness[0] > 0.8
    assert max(sampler.commonness[1:]) < 0.02
    assert counts[0] < others / 2


def test_sizes_that_find_nothing_become_rare() -> None:
    """Conjunctions of four are asked no more where they never find anything."""
    sampler = QuerySampler(DomainPhrases.of([f"word{number}" for number in range(30)]), 0)
    sizes = []
    for _ in range(60):
        query = sampler.next()
        assert query
        sizes.append(len(query))
        sampler.learn(query, [SearchResult("https://a.example/")] if len(query) == 2 else [])
    assert sizes[30:].count(2) > 2 * sizes[30:].count(4)
