"""The extractor of the fault campaign: finds tables, and does to its process what a page says.

It is a plugin as others install them, so nothing of the product is changed for it. It keeps a log of the pages that it
was given, which tells how many were read again.
"""

import ctypes
import os
import re
import time
from typing import Any

from sightline.data import Extraction
from sightline.jobs import Extractor, extractor
from sightline.page import Page

LOG = "SIGHTLINE_BENCH_LOG"
SECONDS = 0.003  # in addition, so that a kill meets a process at work as often as elsewhere
_NUMBER = re.compile(r"Page (\d+)\.")


def _extract(page: Page, **options: Any) -> Extraction:
    text = page.text_of(0)
    _log(_NUMBER.search(text))
    if "Poison: crash" in text:
        ctypes.string_at(0)
    if "Poison: hang" in text:
        while True:
            pass
    if "Poison: memory" in text:
        kept = []
        while True:
            kept.append(bytearray(20_000_000))
    time.sleep(SECONDS)
    return extractor("tables")(page, **options)


def _log(number: re.Match[str] | None) -> None:
    assert number is not None
    log = os.open(os.environ[LOG], os.O_WRONLY | os.O_APPEND | os.O_CREAT)
    os.write(log, f"{number[1]}\n".encode())  # one write: whole lines, whoever else writes
    os.close(log)


POISONED = Extractor("poisoned", "tables", "tables, of pages that may be poisoned", _extract)
PLUGIN = "poisoned = bench.scale.poisoned:POISONED"
