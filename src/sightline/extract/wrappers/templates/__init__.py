"""Rules learned from pages alone: templates, and reading, editing, explaining and storing by them."""

from sightline.extract.wrappers.templates._codec import pretty
from sightline.extract.wrappers.templates._read import TemplateReading, read_page
from sightline.extract.wrappers.templates._references import add_references
from sightline.extract.wrappers.templates._set_aside import set_aside
from sightline.extract.wrappers.templates._templates import FROM_PAGES, Templates

__all__ = ["FROM_PAGES", "TemplateReading", "Templates", "add_references", "pretty", "read_page", "set_aside"]
