"""Navigation scripts as code for other frameworks."""

from sightline.navigate.code._playwright import playwright_code

__all__ = ["playwright_code"]
