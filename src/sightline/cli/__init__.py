"""The command line: translates words into calls and results into text; it decides nothing."""

from sightline.cli._app import main, program

__all__ = ["main", "program"]
