"""The journeys of recording, done in the Studio: a real browser clicks on the canvas of the live view, and replays.

Two browsers run: the one that shows the Studio, driven by Playwright, and the one that the Studio shows. A journey
counts if the site saw the same from the replay as from the person, and no other click.
"""

import os
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

from playwright.sync_api import Error, Page, expect
from tests._wait import wait_until
from tests.server._running import Running, running
from tests.sites.journeys import journeys as sites
from tests.sites.journeys.run import FILES, SECRET
from tests.studio._canvas import CanvasPerson

from bench.frame import Figure, Options, tell, thinned
from bench.studio.tabs import opened_browser

WAIT_MS = 20_000


@dataclass(frozen=True)
class StudioJourney:
    """What came of one journey in the Studio; `why` is empty if it was right."""

    name: str
    why: str
    seconds: float


def walk_in_studio(options: Options) -> list[StudioJourney]:
    """Record every journey by clicks on the canvas, and replay it once."""
    for name in SECRET.values():
        os.environ.pop(name, None)
    chosen = thinned(sites.JOURNEYS, options.limit)
    with (
        TemporaryDirectory() as name,
        sites.serve_journeys(sites.JOURNEYS) as site,
        running(Path(name) / "project", allow_private=True) as studio,
        opened_browser() as opened,
    ):
        files = Path(name)
        for file, content in FILES.items():
            (files / file).write_text(content)
        page = opened.new_page(viewport={"width": 1280, "height": 800})
        page.set_default_timeout(WAIT_MS)
        expect.set_options(timeout=WAIT_MS)
        page.goto(f"{studio.url}/?token={studio.access.token}")
        return [_walk(journey, site, studio, page, files) for journey in chosen]


def _walk(journey: sites.Journey, site: sites.JourneySite, studio: Running, page: Page, files: Path) -> StudioJourney:
    began = time.perf_counter()
    try:
        why = _one(journey, site, studio, page, files)
    except (Error, AssertionError) as problem:
        why = f"{type(problem).__name__}: {str(problem).strip()[:200]}"
    for one in studio.get("/recordings"):
        studio.client.delete(f"/api/recordings/{one['id']}")
    return StudioJourney(journey.name, why, time.perf_counter() - began)


def _one(journey: sites.Journey, site: sites.JourneySite, studio: Running, page: Page, files: Path) -> str:
    site.forget()
    page.goto(f"{studio.url}/record")
    page.get_by_label("Address to begin with").fill(site.url(journey))
    page.get_by_role("button", name="Record", exact=True).click()
    expect(page.get_by_text("Recording", exact=True)).to_be_visible()
    page.wait_for_selector("canvas[data-picture]")
    person = CanvasPerson(page, studio, files)
    wait_until(lambda: not person.live.to_json()["busy"])
    journey.act(person)
    person.rest()
    wait_until(lambda: site.effects)
    effects, hits = tuple(site.effects), frozenset(site.hits)
    site.forget()
    page.get_by_role("button", name="Replay", exact=True).click()
    secrets = page.get_by_role("form", name="Secrets for the replay")
    if person.live.to_json()["mode"] != "replaying" and "password" in _text(studio, person.live.name):
        secrets.get_by_label("password").fill(SECRET["PASSWORD"])
        secrets.get_by_role("button", name="Replay with it").click()
    wait_until(lambda: _replay_state(person) in ("ended", "failed"))
    replay = person.live.to_json()["replay"]
    if replay["state"] != "ended" or replay["why"]:
        return str(replay["why"])
    strange = set(site.hits) - hits
    if strange:
        return f"clicked {', '.join(sorted(strange))}"
    return "" if tuple(site.effects) == effects else f"{effects} became {tuple(site.effects)}"


def _text(studio: Running, name: str) -> str:
    return str(studio.get(f"/scripts/{name}")["secrets"])


def _replay_state(person: CanvasPerson) -> str:
    replay = person.live.to_json()["replay"]
    return replay["state"] if replay else ""


def journey_figures(results: Sequence[StudioJourney]) -> tuple[Figure, ...]:
    """The share of journeys that the site saw the same way twice."""
    right = sum(not one.why for one in results) / len(results)
    return (Figure.of("journeys recorded in the Studio and replayed", right, 1.0, "higher", "share"),)


def journeys_told(results: Sequence[StudioJourney]) -> Iterator[str]:
    """How many journeys there are, and what is wrong with those that failed."""
    right = sum(not one.why for one in results)
    seconds = sum(one.seconds for one in results)
    yield f"{right} of {len(results)} journeys were recorded in the live view and replayed, in {seconds:.0f} s."
    for one in results:
        if one.why:
            yield f"Wrong: {one.name} ({one.why})."


if __name__ == "__main__":
    walked = walk_in_studio(Options())
    tell(journey_figures(walked), *journeys_told(walked))
