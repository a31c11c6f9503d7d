"""Two hands for one desk, ours and Playwright's, each in a process of its own: `python hands.py ours ADDRESS BROWSER`.

For each line of input, a hand does one round of clicks and fills and answers with a line of JSON: the seconds that it
took, and what the page has counted. Playwright lives in an environment of its own, where nothing of ours is installed.

Both wait for the effect of each action before the next. Playwright's own actions end when the page has seen the event;
where a click loads something, its script has to say what to wait for. Ours wait by themselves.
"""

import json
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

ACTIONS = 200
PLACES = 20  # buttons, and fields
LOADING = 10  # the last of so many buttons loads something
READY = "ready"
COUNTERS = ("clicks", "typed", "loaded")

Round = Callable[[int], list[int]]


@contextmanager
def ours(address: str, browser: str) -> Iterator[Round]:
    """Our session."""
    import os

    os.environ["SIGHTLINE_BROWSER"] = browser
    import sightline as sl
    from sightline.net import CrawlPolicy

    with sl.session(policy=CrawlPolicy(delay=0)) as session:
        session.goto(address)

        def one_round(turn: int) -> list[int]:
            for number in range(ACTIONS // 2):
                session.click(f"//*[@id='button-{number % PLACES}']")
                session.fill(f"//*[@id='field-{number % PLACES}']", f"text {turn} {number}")
            found = [session.element(f"//*[@id='{name}']") for name in COUNTERS]
            return [int(one.text) for one in found if one]

        yield one_round


@contextmanager
def playwright(address: str, browser: str) -> Iterator[Round]:
    """Playwright's page."""
    from playwright.sync_api import expect, sync_playwright

    with sync_playwright() as driver:
        started = driver.chromium.launch(executable_path=browser)
        page = started.new_page(viewport={"width": 1280, "height": 1024})
        page.goto(address)
        loaded = page.locator("xpath=//*[@id='loaded']")

        def one_round(turn: int) -> list[int]:
            for number in range(ACTIONS // 2):
                place = number % PLACES
                before = int(loaded.inner_text()) if place % LOADING == LOADING - 1 else 0
                page.click(f"xpath=//*[@id='button-{place}']")
                if place % LOADING == LOADING - 1:
                    expect(loaded).to_have_text(str(before + 1))
                page.fill(f"xpath=//*[@id='field-{place}']", f"text {turn} {number}")
            return [int(page.locator(f"xpath=//*[@id='{name}']").inner_text()) for name in COUNTERS]

        yield one_round
        started.close()


def main() -> None:
    """One round for each line of input."""
    name, address, browser = sys.argv[1:]
    with {"ours": ours, "playwright": playwright}[name](address, browser) as one_round:
        print(READY, flush=True)
        for turn, _ in enumerate(sys.stdin):
            began = time.perf_counter()
            counted = one_round(turn)
            print(json.dumps({"seconds": time.perf_counter() - began, "counted": counted}), flush=True)


if __name__ == "__main__":
    main()
