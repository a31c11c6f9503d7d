"""Secrets are found however they are spelled, and nothing else is taken out."""

import json
import pickle
from html import escape
from urllib.parse import quote, quote_plus

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from sightline.errors import SightlineError, UnreachableError
from sightline.redaction import HIDDEN, Redaction, hide_passwords, redacted, redacted_in, remember, remember_passwords

SECRETS = st.text(st.characters(codec="utf-8", exclude_categories=["Cs"]), min_size=4).filter(lambda text: text.strip())
SPELLINGS = {
    "as it is": str,
    "in an address": quote,
    "in a part of an address": lambda secret: quote(secret, safe=""),
    "by a form": quote_plus,
    "twice": lambda secret: quote(quote(secret, safe=""), safe=""),
    "all encoded": lambda secret: "".join(f"%{byte:02x}" for byte in secret.encode()),
    "in HTML": escape,
    "in JSON": lambda secret: json.dumps(secret)[1:-1],
    "in an address in HTML": lambda secret: escape(quote(secret)),
}


@pytest.mark.parametrize("spelling", SPELLINGS)
@given(secret=SECRETS, before=st.text(max_size=5), after=st.text(max_size=5))
@example(secret="\\'0+", before="", after="")
def test_a_secret_is_found_in_every_spelling(spelling: str, secret: str, before: str, after: str) -> None:
    """What is around it stays, unless it could belong to it."""
    written = SPELLINGS[spelling](secret)
    found = Redaction([secret])(f"{before} {written} {after}")
    assert HIDDEN in found
    assert written not in found or written in HIDDEN


@given(secret=SECRETS, text=st.text())
def test_a_struck_text_has_the_same_length(secret: str, text: str) -> None:
    """Words of a page are counted by their characters."""
    assert len(Redaction([secret]).struck(text + quote(secret) + text)) == len(text + quote(secret) + text)


@given(st.text())
def test_a_text_without_the_secret_stays(text: str) -> None:
    """Nothing but a secret is taken out."""
    assert Redaction(["Kanarienvogel\0"])(text) == text


@pytest.mark.parametrize(
    ("encoding", "secret"),
    [
        ("latin-1", "naïve~*"),
        ("cp1252", "na€ve~*"),
        ("cp1250", "něco~*"),
        ("shift_jis", "あいう~*"),
        ("gb18030", "密码密~*"),
    ],
)
def test_a_page_that_is_not_utf_8_is_no_hiding_place(encoding: str, secret: str) -> None:
    """A browser encodes what a form sends as its page is encoded."""
    written = quote(secret.encode(encoding), safe="").replace("~", "%7E")
    assert Redaction([secret])(f"/?p={written}&q=1") == f"/?p={HIDDEN}&q=1"


def test_parts_of_an_address_are_secrets_too() -> None:
    """A driver may complain about the password alone, as it is meant or as it is written."""
    known = Redaction(["postgresql://anna:p%40ss-word@db.example/shop?sslkey=k3y-k3y"])
    assert known("no: p@ss-word, p%40ss-word or k3y-k3y at db.example") == "no: •••, ••• or ••• at db.example"


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("http://anna:pw@h/x", "http://•••@h/x"),
        ("https://token@h", "https://•••@h"),
        ("see postgresql+psycopg://anna:p@w@h/db, then", "see postgresql+psycopg://anna:•••@h/db, then"),
        ("sqlite:///x@y", "sqlite:///x@y"),
        ("https://h/@anna", "https://h/@anna"),
        ("mailto:anna@h", "mailto:anna@h"),
    ],
)
def test_passwords_of_addresses_are_hidden(text: str, shown: str) -> None:
    """Users of databases stay, since they are no secret, and say which address is meant."""
    assert hide_passwords(text) == shown
    assert hide_passwords(shown) == shown


def test_every_error_is_redacted() -> None:
    """From the moment at which a secret is read, also in another process and with its parts."""
    remember("Kanarienvogel")
    error = UnreachableError("http://anna:pw@h/x", "the server says kanarienvogel, Kanarienvogel and Kanarien%76ogel.")
    for one in (error, pickle.loads(pickle.dumps(error))):
        assert str(one) == "http://•••@h/x: the server says kanarienvogel, ••• and •••."
        assert one.source == "http://•••@h/x"
    assert "Kanarienvogel" not in repr(str(SightlineError("Kanarienvogel")))


def test_documents_are_redacted_value_by_value() -> None:
    """Keys stay, and so do numbers."""
    remember_passwords("smtp://anna:hunter22@mail")
    assert redacted_in({"hunter22": ["hunter22", 3, None]}) == {"hunter22": [HIDDEN, 3, None]}
    assert redacted("hunter22") == HIDDEN


def test_short_secrets_are_not_taken_out_of_words() -> None:
    """A password of three letters would make every message unreadable."""
    remember("the")
    assert redacted("the weather") == "the weather"
