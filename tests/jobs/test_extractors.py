"""The extractors by their names, and the verdict that each gives on what it found."""

import re
from dataclasses import replace

from sightline.jobs import extractor
from sightline.sources import Loader


def test_a_document_of_which_much_is_left_out_is_suspicious() -> None:
    """A PDF has no menus: where a fifth of its words is missing, that is said with the share, and what to try."""
    story = "<article><h1>Bees</h1>" + "".join(
        f"<p>Bees dance {number} times to tell the others where flowers are, and how far it is to them.</p>"
        for number in range(12)
    )
    links = "".join(f"<li><a href='/{number}'>Item {number} of the menu</a></li>" for number in range(120))
    whole = Loader().load(f"<title>Bees</title><nav><ul>{links}</ul></nav>{story}</article>".encode())
    printed = replace(whole, kind="pdf")
    assert extractor("content")(whole).verdict == "ok"
    found = extractor("content")(printed)
    assert found.verdict == "suspicious"
    assert re.search(r"only \d+% of the words of the document are in this text; try --favor recall", found.reasons[0])
    assert found.to_json()["doubts"] == list(found.reasons)
