"""Secrets come from where they are kept, and are found nowhere else."""

from collections.abc import Iterator

import keyring
import pytest
from hypothesis import given
from hypothesis import strategies as st
from keyring.backend import KeyringBackend
from keyring.errors import KeyringLocked

from sightline.errors import UsageError
from sightline.navigate.play import Secrets
from sightline.navigate.script import SecretPlace
from sightline.page import dumps as page_bytes
from sightline.page import loads
from sightline.testing import list_page

PLACE = {"token": SecretPlace(keyring="shop.example", user="anna")}


class Kept(KeyringBackend):
    """A keyring in memory, which may be locked."""

    priority = 1.0
    locked = False

    def get_password(self, service: str, username: str) -> str | None:
        """The one password."""
        if self.locked:
            raise KeyringLocked("locked")
        return "geheim" if (service, username) == ("shop.example", "anna") else None

    def set_password(self, service: str, username: str, password: str) -> None:
        """Keep nothing more."""

    def delete_password(self, service: str, username: str) -> None:
        """Forget nothing."""


@pytest.fixture
def kept() -> Iterator[Kept]:
    """The system's keyring, for a while."""
    before = keyring.get_keyring()
    backend = Kept()
    keyring.set_keyring(backend)
    yield backend
    keyring.set_keyring(before)


def test_a_secret_comes_from_the_keyring(kept: Kept) -> None:
    """By service and user; one that is not there is asked for, and a locked keyring is told."""
    assert Secrets(PLACE).get("token") == "geheim"
    with pytest.raises(UsageError, match=r"keyring set shop\.example otto"):
        Secrets({"token": SecretPlace(keyring="shop.example", user="otto")}).get("token")
    kept.locked = True
    with pytest.raises(UsageError, match="unlock it"):
        Secrets(PLACE).get("token")


@given(st.text(min_size=4), st.text(), st.text())
def test_a_secret_is_taken_out_of_every_text(secret: str, before: str, after: str) -> None:
    """Wherever it is; and its name is all that one sees of it."""
    secrets = Secrets(PLACE, {"token": secret})
    assert secret not in secrets.redact(before + secret + after) or secret in "•••"
    assert secret not in repr(secrets)


@given(st.sampled_from(["s", "div", "li", "block", "geheim", "a b"]) | st.text(min_size=1).filter(str.strip))
def test_a_page_without_its_secret_can_be_stored(secret: str) -> None:
    """Its tree stays as it is, whatever the secret says, and texts keep their length, by which words are counted."""
    secrets = Secrets(PLACE, {"token": secret})
    before = list_page(["one", secret, "three"])
    after = loads(page_bytes(secrets.blacken_page(before)))
    node = int(before.with_tag("li")[1]) + 1
    assert after.with_tag("li").tolist() == before.with_tag("li").tolist()
    assert after.node(node).raw_text == "•" * len(secret) or secret.strip() != secret
    assert len(after.node(node).raw_text) == len(secret)
