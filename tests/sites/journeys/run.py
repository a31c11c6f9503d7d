"""Recording and replaying journeys: what a person did, what the script does, and whether that is the same."""

from dataclasses import dataclass
from pathlib import Path

from sightline.navigate.play import Played, Playing
from sightline.navigate.record import Recorder
from sightline.navigate.script import Script
from sightline.sources import Session

from ..._wait import wait_until
from ._person import Person
from .journeys import Journey, JourneySite, LookName

__all__ = ["Outcome", "RecordedJourney", "record", "replay"]

SECRET = {"PASSWORD": "open sesame"}
FILES = {"receipt.txt": "one lens, 250 euros"}


@dataclass(frozen=True)
class RecordedJourney:
    """A journey with what it caused, and the file of its script."""

    journey: Journey
    file: Path
    effects: tuple[str, ...]
    hits: frozenset[str]


@dataclass(frozen=True)
class Outcome:
    """What a replay came to: as the person did (`right`), a report and no wrong click (`stopped`), or `wrong`."""

    kind: str
    why: str
    played: Played


def record(journey: Journey, site: JourneySite, session: Session, folder: Path) -> RecordedJourney:
    """Have the person do a journey once, and record it."""
    for name, content in FILES.items():
        (folder / name).write_text(content)
    file = folder / f"{journey.name}.nav.yaml"
    site.forget()
    with Recorder(session, file) as recorder:
        recorder.start(site.url(journey))
        journey.act(Person(session, recorder, folder))
        recorder.rest()
        wait_until(lambda: site.effects)
    return RecordedJourney(journey, file, tuple(site.effects), frozenset(site.hits))


def replay(recorded: RecordedJourney, site: JourneySite, session: Session, look: LookName = "original") -> Outcome:
    """Play the script of a journey, on the look that it was recorded on or on the redesign, and judge it."""
    text = recorded.file.read_text().replace(f"/{recorded.journey.name}/original/", f"/{recorded.journey.name}/{look}/")
    site.forget()
    played = Playing(Script.loads(text, str(recorded.file)), session).run()
    strange = set(site.hits) - recorded.hits
    if strange:
        return Outcome("wrong", f"clicked {', '.join(sorted(strange))}", played)
    if played.ended == "failed":
        early = tuple(site.effects) != recorded.effects[: len(site.effects)]
        return Outcome("wrong" if early else "stopped", played.why, played)
    same = tuple(site.effects) == recorded.effects
    return Outcome("right" if same else "wrong", "" if same else f"{recorded.effects} became {site.effects}", played)
