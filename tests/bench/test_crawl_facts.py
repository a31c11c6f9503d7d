"""The planted cameras: mistakes are mistakes, the score sees what is wrong, and a small domain is settled rightly."""

import random
from dataclasses import replace

import numpy as np
import pytest
from bench.crawl.facts import cameras_of, mistaken, planted, score_facts
from bench.crawl.fit_facts import domains, share_right

from sightline.crawler.facts import FactSettings, facts_of_pages, weigh


def test_planted_mistakes_are_no_truth() -> None:
    """Every near miss is another value, beyond what any template rounds."""
    rng = random.Random(5)
    cameras = cameras_of(rng, 12)
    for number, camera in enumerate(cameras):
        for attribute, true in camera.facts.items():
            wrong = mistaken(rng, cameras, number, attribute)
            assert wrong != true
            assert type(wrong) is type(true)


@pytest.mark.slow
def test_planted_domain_is_settled() -> None:
    """Twelve sites, ten cameras, one in ten values wrong: everything is found, nothing is merged wrongly."""
    domain = planted(11, sites=12, models=10)
    found = facts_of_pages(domain.opened())
    score = score_facts(domain, found)
    assert score.wrong_merges == 0
    assert score.covered == 1
    assert score.right >= 0.97
    assert score.merged >= 0.9


def test_score_sees_what_is_wrong() -> None:
    """A consensus that is another value, and facts that were never found, cost."""
    domain = planted(11, sites=6, models=6)
    found = facts_of_pages(domain.opened(), FactSettings(weighing="majority"))
    whole = score_facts(domain, found)
    turned = [replace(fact, stated=fact.stated[::-1], tied=False) for fact in found]
    assert score_facts(domain, replace(found, facts=tuple(turned))).right < whole.right
    assert score_facts(domain, found[: len(found) // 2]).covered < whole.covered


def test_generated_votes_are_weighed_better_than_a_majority() -> None:
    """On domains of another seed than the fitted ones, weighing sites is right more often."""
    several = domains(12, seed=99)
    ours = [share_right(domain, weigh(domain.votes, domain.sites).probability) for domain in several]
    plain = [share_right(domain, weigh(domain.votes, domain.sites, by_sources=False).probability) for domain in several]
    assert np.mean(ours) > np.mean(plain)
