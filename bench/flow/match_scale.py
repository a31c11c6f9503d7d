"""Matches 100,000 records to a catalogue of 10,000: `python -m bench.flow.match_scale` prints seconds and megabytes.

Both are made from the names of a published catalogue, by dropping, adding and changing words and model numbers.
"""

import json
import resource
from random import Random
from time import perf_counter

from bench.flow.catalogues import load
from bench.frame import Options
from bench.processes import told_by
from sightline.flow.match import MatchSettings, match

RECORDS, CATALOGUE = 100_000, 10_000


def measure() -> tuple[float, float]:
    """Seconds and megabytes, in a process of its own."""
    seconds, megabytes = told_by("bench.flow.match_scale")
    return seconds, megabytes


def _varied(name: str, words: list[str], random: Random) -> str:
    own = name.split()
    if len(own) > 3 and random.random() < 0.5:
        own.pop(random.randrange(len(own)))
    if random.random() < 0.5:
        own.insert(random.randrange(len(own) + 1), random.choice(words))
    return " ".join(own)


def main() -> None:
    """Print the figures as JSON."""
    random = Random(1)
    names = [name or "" for name in load("walmart-amazon", Options()).right["title"]]
    words = [name.split()[0] for name in names]
    catalogue = [
        {
            "id": f"r{number}",
            "title": f"{_varied(names[number % len(names)], words, random)} x{random.randrange(99999)}",
            "price": str(random.randrange(10, 900)),
        }
        for number in range(CATALOGUE)
    ]
    records = [
        {"id": f"l{number}", "title": _varied(one["title"], words, random), "price": one["price"]}
        for number, one in enumerate(random.choices(catalogue, k=RECORDS))
    ]
    began = perf_counter()
    match(records, catalogue, settings=MatchSettings(assignment="many-to-one"))
    print(json.dumps([perf_counter() - began, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1000]))


if __name__ == "__main__":
    main()
