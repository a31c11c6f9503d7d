"""One session that goes on and on: `python -m bench.navigate.walk ADDRESS STEPS` prints its memory after every step.

The steps are of every kind: clicks, typing, keys, other pages and back, frames, dialogs, tabs that open and close.
"""

import json
import os
import sys

import sightline as sl
from bench.processes import resident
from sightline.net import CrawlPolicy

KINDS = 10
CAPTURE_EVERY = 10


def step(session: sl.Session, number: int) -> None:
    """One step; each kind leaves the session on the page where it began, after at most two."""
    kind = number % KINDS
    if kind in (0, 5):
        session.click("//*[@id='count']")
    elif kind in (1, 6):
        session.fill("//*[@id='field']", f"text {number}")
    elif kind == 2:
        session.click("//*[@id='second']")
    elif kind == 3:
        session.back()
    elif kind == 4:
        session.frame("//*[@id='frame']").click("//*[@id='inside']")
    elif kind == 7:
        session.dialog(accept=bool(number % 2)).click("//*[@id='ask']")
    elif kind == 8:
        session.click("//*[@id='open']")
    else:
        session.tab(-1).click("//*[@id='close']")


def main() -> None:
    """Walk, and say what it takes."""
    address, steps = sys.argv[1], int(sys.argv[2])
    own, browser = [], []
    with sl.session(policy=CrawlPolicy(delay=0)) as session:
        session.goto(f"{address}walk.html")
        (process,) = session._opened()._browser.processes
        for number in range(steps):
            step(session, number)
            if number % CAPTURE_EVERY == 0:
                session.capture()
            own.append(resident(os.getpid()))
            browser.append(process.memory())
        if len(session.dialogs) != sum(number % KINDS == 7 for number in range(steps)) or len(session.tabs) != 1:
            raise SystemExit(f"bench: {len(session.dialogs)} dialogs and {len(session.tabs)} tabs after {steps} steps.")
    print(json.dumps({"own": own, "browser": browser, "group": process.pid}))


if __name__ == "__main__":
    main()
