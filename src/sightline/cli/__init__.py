"""The command line: translates words into calls and results into text; it decides nothing."""

from sightline.cli._app import app, main

__all__ = ["app", "main"]
