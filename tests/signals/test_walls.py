"""Walls are recognised, and pages that only speak of walls are not."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sightline.signals import recognise_wall

ARTICLE = "The history of the product begins in the last century, when engineers in several countries met. " * 30
Headers = list[tuple[str, str]]


@pytest.mark.parametrize(
    ("status", "headers", "url", "title", "text", "kind"),
    [
        (401, [], "/", "Members", ARTICLE, "log-in wall"),
        (407, [], "/", "", "", "log-in wall"),
        (429, [], "/", "Shop", ARTICLE, "rate limit"),
        (451, [], "/", "", "", "block page"),
        (403, [("CF-Mitigated", "challenge")], "/", "Just a moment...", "Verifying you are human.", "captcha"),
        (200, [("x-amzn-waf-action", "captcha")], "/", "", "", "captcha"),
        (405, [("x-amzn-waf-action", "challenge")], "/", "Human Verification", "", "captcha"),
        (
            403,
            [("X-DataDome", "protected")],
            "/",
            "shop.example",
            "Please enable JS and disable any ad blocker",
            "block page",
        ),
        (403, [("Server", "AkamaiGHost")], "/", "Access Denied", "You don't have permission.", "block page"),
        (503, [], "/", "Just a moment...", "Checking your browser before accessing shop.example.", "captcha"),
        (200, [], "/", "Just a moment...", "Enable JavaScript and cookies to continue", "captcha"),
        (403, [], "/", "Attention Required! | Cloudflare", "Sorry, you have been blocked " + ARTICLE, "captcha"),
        (
            200,
            [],
            "/",
            "Access Denied",
            'You don\'t have permission to access "http://x/" on this server.',
            "block page",
        ),
        (
            200,
            [],
            "/",
            "Robot Check",
            "Enter the characters you see below. Sorry, we just need to make sure.",
            "captcha",
        ),
        (200, [], "/", "Pardon Our Interruption...", "As you were browsing something made us think", "captcha"),
        (200, [], "/", "shop.example", "Press & Hold to confirm you are a human (and not a bot).", "captcha"),
        (200, [], "/", "", "Request unsuccessful. Incapsula incident ID: 123-456", "block page"),
        (
            200,
            [],
            "/",
            "Request Rejected",
            "The requested URL was rejected. Please consult with your administrator.",
            "block page",
        ),
        (200, [], "/", "Shop | Security check", "Please confirm you’re not a robot", "captcha"),
        (403, [], "/", "403 Forbidden", "nginx", "block page"),
        (403, [], "/", "", "", "block page"),
        (200, [], "/", "Error", "Too many requests. Slow down.", "rate limit"),
        (200, [], "/", "Network", "Please log in to continue. User name Password", "log-in wall"),
        (200, [], "/login?next=%2Freport", "Sign in", "Sign in to Example. Email Password Forgot?", "log-in wall"),
        (200, [], "/users/sign_in", "Example", "Log in E-mail Password Remember me", "log-in wall"),
    ],
)
def test_recognise_names_walls(status: int, headers: Headers, url: str, title: str, text: str, kind: str) -> None:
    """Each kind of wall is known by its status, its vendor's header, its title or its few words."""
    wall = recognise_wall(status, headers, "https://shop.example" + url, title, text)
    assert wall is not None
    assert wall.kind == kind
    assert wall.evidence[-1] not in ".;:"  # it is put into sentences


@pytest.mark.parametrize(
    ("status", "headers", "url", "title", "text"),
    [
        (200, [], "/", "Products", ARTICLE),
        (None, [], "file.html", "A short page", "One line."),
        (200, [], "/captcha", "Captcha - an encyclopedia", "A captcha asks to prove you are human. " + ARTICLE),
        (200, [], "/", "Access denied: a film of 1990", ARTICLE),
        (200, [], "/", "Shop", "Log in | Sign up | Password forgotten? " + ARTICLE),
        (200, [], "/", "Shop", "Welcome! Log in. Today's offers: camera 5 EUR, lamp 7 EUR."),
        (200, [], "/login-guide", "How to log in to your router", "Open the page, enter the password. " + ARTICLE),
        (200, [("Server", "cloudflare"), ("X-DataDome", "protected"), ("x-iinfo", "1")], "/", "Shop", "Camera 5 EUR"),
        (200, [("Server", "AkamaiGHost")], "/", "Shop", "Camera 5 EUR"),
        (404, [], "/", "Not found", "There is no such page."),
        (500, [], "/", "Error", "Something broke."),
        (503, [], "/", "Maintenance", "We are back at noon."),
        (403, [], "/", "Library", ARTICLE),
    ],
)
def test_recognise_lets_pages_through(status: int | None, headers: Headers, url: str, title: str, text: str) -> None:
    """Articles about walls, log-in links, vendors' headers on good pages and plain errors are no walls."""
    assert recognise_wall(status, headers, "https://shop.example" + url, title, text) is None


@given(st.none() | st.integers(100, 599), st.text(max_size=80), st.text(max_size=80), st.text(max_size=300))
def test_recognise_takes_anything(status: int | None, url: str, title: str, text: str) -> None:
    """No answer makes the recogniser fail, and whatever it finds has a kind and its evidence."""
    wall = recognise_wall(status, [(title, text)], url, title, text)
    assert wall is None or (wall.kind and wall.evidence)
