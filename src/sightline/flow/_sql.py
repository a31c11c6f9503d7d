"""Names and texts as SQL writes them."""

__all__ = ["literal", "quoted"]


def quoted(*names: str) -> str:
    """Names of a table or column as SQL writes them, whatever is in them; empty ones are left out.

    >>> quoted("sales", 'a "b" c')
    '"sales"."a ""b"" c"'
    """
    return ".".join('"' + name.replace('"', '""') + '"' for name in names if name)


def literal(text: str) -> str:
    """A text in SQL."""
    return "'" + text.replace("'", "''") + "'"
