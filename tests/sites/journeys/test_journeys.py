"""Journeys are recorded and replayed: the site sees the same, and after a redesign the same or nothing.

The bench does all of them, five times each; here is one of every kind.
"""

from collections.abc import Iterator
from pathlib import Path

import pytest

import sightline as sl
from sightline.navigate.record import rehearse
from sightline.navigate.script import Script

from .journeys import JOURNEYS, JourneySite, serve_journeys
from .run import SECRET, record, replay

HERE = (
    *("suggestions", "date-drawn", "upload", "frame-of-another-site", "shadow-root", "new-tab"),
    *("prompt", "download", "back", "infinite-list", "hover-menu", "drag-and-drop"),
)
REDESIGNED = ("terms", "radio", "rows-of-buttons")
BY_NAME = {journey.name: journey for journey in JOURNEYS}


@pytest.fixture(scope="module")
def here() -> Iterator[JourneySite]:
    """All journeys, served."""
    with serve_journeys(JOURNEYS) as site, pytest.MonkeyPatch.context() as patch:
        for name, value in SECRET.items():
            patch.setenv(name, value)
        yield site


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where scripts and files are."""
    return tmp_path_factory.mktemp("journeys")


@pytest.fixture(scope="module")
def person(folder: Path) -> Iterator[sl.Session]:
    """The session that a person works in."""
    with sl.session(downloads=folder / "downloads") as one:
        yield one


@pytest.fixture(scope="module")
def fresh(folder: Path) -> Iterator[sl.Session]:
    """The session that scripts are played in."""
    with sl.session(downloads=folder / "more downloads") as one:
        yield one


def test_journeys_are_many_and_differ() -> None:
    """At least forty, each with a name of its own."""
    assert len({journey.name for journey in JOURNEYS}) == len(JOURNEYS) >= 40


@pytest.mark.slow
@pytest.mark.parametrize("name", HERE)
def test_journey_is_recorded_and_replayed(
    name: str, here: JourneySite, person: sl.Session, fresh: sl.Session, folder: Path
) -> None:
    """The site sees from the script what it saw from the person, and no other click."""
    recorded = record(BY_NAME[name], here, person, folder)
    outcome = replay(recorded, here, fresh)
    assert (outcome.kind, outcome.why) == ("right", "")


@pytest.mark.slow
@pytest.mark.parametrize("name", REDESIGNED)
def test_journey_survives_a_redesign(
    name: str, here: JourneySite, person: sl.Session, fresh: sl.Session, folder: Path
) -> None:
    """Classes, places and one label are others, but what is remembered of the element finds it."""
    recorded = record(BY_NAME[name], here, person, folder)
    outcome = replay(recorded, here, fresh, "redesign")
    assert (outcome.kind, outcome.why) == ("right", "")


@pytest.mark.slow
def test_journey_that_cannot_go_on_clicks_nothing_else(
    here: JourneySite, person: sl.Session, fresh: sl.Session, folder: Path
) -> None:
    """The report says what is there instead."""
    recorded = record(BY_NAME["drag-and-drop"], here, person, folder)
    outcome = replay(recorded, here, fresh, "redesign")
    assert outcome.kind == "stopped"
    assert "“Clean sensor” is not on the page" in outcome.why
    assert not here.hits
    assert not here.effects


@pytest.mark.slow
def test_recorded_script_is_what_a_person_would_write(here: JourneySite, person: sl.Session, folder: Path) -> None:
    """Names as people see them, one line for each act, and memories out of the way."""
    recorded = record(BY_NAME["log-in"], here, person, folder)
    text, _, memories = recorded.file.read_text().partition("\n# How the recorder saw")
    assert text.replace(here.url(BY_NAME["log-in"]), "URL") == (
        "navigation: 1\nabout: Recorded on 127.0.0.1.\nsecrets:\n  password: {environment: PASSWORD}\nsteps:\n"
        "  - open: URL\n  - fill: {textbox: User name, memory: 1}\n    with: anna\n"
        "  - fill: {textbox: Password, memory: 2}\n    with: {secret: password}\n"
        "  - check: {checkbox: Keep me signed in, memory: 3}\n  - click: {button: Sign in, memory: 4}\n"
    )
    assert memories
    assert not any(secret in recorded.file.read_text() for secret in SECRET.values())


@pytest.mark.slow
def test_rehearsal_says_what_is_doubtful(
    here: JourneySite, person: sl.Session, fresh: sl.Session, folder: Path
) -> None:
    """A redesigned page is found by memory, a click without effect is told, and a missing step stops it."""
    recorded = record(BY_NAME["picture-button"], here, person, folder)
    text = recorded.file.read_text().replace("/original/", "/redesign/")
    text = text.replace("  - fill:", "  - click: Autumn week\n  - fill:", 1)
    rehearsal = rehearse(Script.loads(text), fresh)
    doubts = {one.number: one.doubts[0] for one in rehearsal.doubtful}
    assert doubts[2] == "the click changed nothing on the page"
    assert doubts[4].startswith("it was found by memory")
    assert (rehearsal.verdict, rehearsal.played.steps) == ("suspicious", 4)
    failed = rehearse(Script.loads(text.replace("button: Search flights", "button: Search trains here")), fresh)
    assert failed.verdict in ("failed", "suspicious")
