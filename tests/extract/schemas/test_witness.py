"""What pages say about themselves in JSON-LD, as a witness for names."""

import json
from collections import Counter

import pytest

from sightline.extract.schemas._evidence import Witness, witness_of

from .._templates import opened


def _witness(*documents: object) -> Witness:
    scripts = (
        f'<script type="application/ld+json">{own if isinstance(own, str) else json.dumps(own)}</script>'
        for own in documents
    )
    return witness_of(opened(*scripts))


def test_texts_are_called_what_the_page_calls_them() -> None:
    """Names, numbers and what stands deep in lists are known by their key."""
    witness = _witness([{"name": "EOS 5D", "offers": [{"price": 2499.5}], "sku": "A-17"}])
    assert witness.name(["EOS 5D"]) == "name"
    assert witness.name(["2499.5"]) == "price"
    assert witness.name(["A-17"]) == "sku"
    assert witness.name(["Canon"]) == ""


def test_a_thing_is_called_by_what_it_is_to_the_page() -> None:
    """The name of the brand is the brand."""
    assert _witness({"brand": {"@type": "Brand", "name": "Canon"}}).name(["Canon"]) == "brand"


def test_money_and_letters_do_not_matter() -> None:
    """A price is the same with its sign, and a name in capitals."""
    witness = _witness({"price": "249", "name": "Eos 5D"})
    assert (witness.name(["$249"]), witness.name(["249 €"]), witness.name(["EOS  5D"])) == ("price", "price", "name")


def test_most_of_the_texts_have_to_agree() -> None:
    """A name counts where it is right for most texts of a field."""
    witness = Witness({"red": Counter(color=1), "blue": Counter(color=1)})
    assert witness.name(["red", "blue", "other"]) == "color"
    assert witness.name(["red", "other", "another"]) == ""
    assert witness.name([]) == ""


def test_single_characters_say_nothing() -> None:
    """A digit is the value of many things."""
    assert _witness({"rating": "5"}).name(["5"]) == ""


@pytest.mark.parametrize("document", ["{broken", "", "[" * 100_000, '"text"', "null", '{"a": true}'])
def test_a_script_that_is_wrong_loses_only_its_say(document: str) -> None:
    """Scripts that are no JSON, or say nothing, are passed over."""
    assert _witness(document, {"name": "EOS 5D"}).name(["EOS 5D"]) == "name"


def test_other_scripts_are_not_read() -> None:
    """Only what is declared as JSON-LD is a witness."""
    (page,) = opened('<script type="application/json">{"name": "EOS 5D"}</script><script>{"name": "EOS 5D"}</script>')
    assert witness_of([page]).name(["EOS 5D"]) == ""


def test_a_graph_of_things_is_a_witness() -> None:
    """What stands in `@graph`, as on most sites, is known by its key as well."""
    witness = _witness({"@graph": [{"@type": "Product", "name": "EOS 5D", "sku": "A-17"}]})
    assert (witness.name(["EOS 5D"]), witness.name(["A-17"])) == ("name", "sku")
