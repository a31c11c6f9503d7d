"""Kills at random instants while several people edit: every save that was acknowledged has to be there afterwards."""

import asyncio
import contextlib
import json
import random
import tempfile
from dataclasses import dataclass
from pathlib import Path

from bench.frame import Figure, tell
from bench.studio.pages import TABLE_KEY, shop_page
from bench.studio.served import Client, ServedStudio, served
from sightline.project import Project
from sightline.sources import Loader

KILLS = 50
SECONDS = (0.05, 1.0)  # after the first edit
EDITORS = 4
SEED = 23
NODES = 950  # of each page: a table and a few cards


@dataclass
class Edited:
    """What all editors together were told, and what was there after the kills."""

    kills: int = 0
    acknowledged: int = 0
    lost: int = 0
    damaged: int = 0


@dataclass
class _Editor:
    """Renames one column again and again, counting upwards; a name that was acknowledged may only be followed."""

    page: str
    sent: int = 0
    acknowledged: int = 0
    version: str = ""
    name: str = "Model"

    async def edit(self, studio: ServedStudio) -> None:
        """Edit until the server is gone."""
        client = Client(studio)
        path = f"/pages/{self.page}/results/{TABLE_KEY}/edits?limit=1"
        while True:
            self.sent += 1
            name = f"Model {self.sent}"
            body = json.dumps({"action": "rename", "column": self.name, "to": name}).encode()
            status, content = await client.ask("POST", path, body, f'If-Match: "{self.version}"\r\n')
            if status != 200:
                raise SystemExit(f"bench: an edit was refused: {status} {content[:300]!r}")
            self.acknowledged, self.version, self.name = self.sent, json.loads(content)["version"], name

    def look(self, studio: ServedStudio) -> tuple[int, bool]:
        """How many acknowledged edits are gone, and whether the result can be read at all; edits go on from there."""
        status, state = studio.ask("GET", f"/pages/{self.page}/results/{TABLE_KEY}?limit=1")
        if status != 200:
            return self.acknowledged, False
        self.version, self.name = state["version"], state["rows"]["columns"][0]["name"]
        there = int(self.name.removeprefix("Model") or 0)
        lost = max(self.acknowledged - there, 0)
        sound = there <= self.sent and len(state["history"]["steps"]) == there
        self.acknowledged = self.sent = there
        return lost, sound


async def _edit_until_killed(studio: ServedStudio, editors: list[_Editor], seconds: float) -> None:
    tasks = [asyncio.create_task(editor.edit(studio)) for editor in editors]
    await asyncio.sleep(seconds)
    studio.kill()
    for task in tasks:
        with contextlib.suppress(OSError, asyncio.IncompleteReadError):
            await task


def kill_and_look(kills: int = KILLS, seed: int = SEED) -> Edited:
    """Kill a server so often while it saves, and look after each start what is there."""
    loader = Loader(static=True)  # where things are on a page does not matter here
    pages = [loader.load(shop_page(NODES, number)) for number in range(EDITORS)]
    chance = random.Random(seed)
    found = Edited()
    with tempfile.TemporaryDirectory() as folder:
        project = Path(folder)
        store = Project(project)
        editors = [_Editor(store.keep_page(page)) for page in pages]
        for _ in range(kills + 1):
            with served(project) as studio:
                for editor in editors:
                    lost, sound = editor.look(studio)
                    found.lost += lost
                    found.damaged += not sound
                if found.kills == kills:
                    break
                before = sum(editor.acknowledged for editor in editors)
                asyncio.run(_edit_until_killed(studio, editors, chance.uniform(*SECONDS)))
                found.acknowledged += sum(editor.acknowledged for editor in editors) - before
                found.kills += 1
    return found


def kill_figures(kills: int = KILLS) -> list[Figure]:
    """The figures of kills."""
    found = kill_and_look(kills)
    what = f"{found.acknowledged:,} saves of {EDITORS} editors, {found.kills} kills"
    return [
        Figure.of(f"{what}: acknowledged saves lost", found.lost, 0, "lower"),
        Figure.of("results that cannot be read afterwards", found.damaged, 0, "lower"),
    ]


if __name__ == "__main__":
    tell(kill_figures())
