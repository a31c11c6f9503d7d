"""What holds for every test: nothing is judged by the clock, and the terminal of whoever runs them changes nothing."""

import os

from hypothesis import settings

# How long an example takes says how busy the machine is; `bench` measures time.
settings.register_profile("sightline", deadline=None)
settings.load_profile("sightline")

# A console that is made while these are set keeps to them, whatever the environment of a single command says.
for _name in ("COLUMNS", "LINES", "FORCE_COLOR", "TTY_COMPATIBLE", "TTY_INTERACTIVE"):
    os.environ.pop(_name, None)
