"""The marks of list items and the numbers of equations, for all steps that know them by these."""

import re

__all__ = ["BULLETS", "EQUATION_NUMBER", "ITEM", "MARK"]

BULLETS = "•·●○◦▪■□▫‣➢➤✓✔*–—-"
"""The signs that items begin with; the last four have other uses as well."""

_NUMBERS = r"\(?\d{1,3}[.)]|\(?[a-zA-Z][.)]|\(?[ivxIVX]{1,5}[.)]|\[\d{1,3}\]"

ITEM = re.compile(rf"(?:[{BULLETS}]|{_NUMBERS})(?=\s|$)")
"""How an item begins."""

MARK = re.compile(rf"[{BULLETS}]|{_NUMBERS}|\d+(?:\.\d+)+\.?")
"""A mark alone, or the number of a heading."""

EQUATION_NUMBER = re.compile(r"\(\s?[A-Z]?\.?\d{1,3}(?:\.\d{1,3})*[a-z]?\s?\)")
"""The number of an equation, such as (3.24)."""
