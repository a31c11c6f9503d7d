"""Who gets in, from where, and with what: token, cookie, password, Host, Origin, sizes, addresses and hostile names."""

import asyncio
import http.client
import socket
import threading
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import httpx2
import pytest
from fastapi.routing import APIRoute

from sightline.server import Access
from sightline.server._access import FIRST_PAUSE, MOST_WAITING, SAFE_HEADERS
from sightline.server._serve import RESOURCES, listening

from .._server import reply, serve_from_thread
from .._wait import BOUND, wait_until
from ._running import Running, new_client, running

FORM = "application/x-www-form-urlencoded"


@pytest.fixture(scope="module")
def studio(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    """A server with a small front end, and small limits for uploads."""
    web = tmp_path_factory.mktemp("web")
    (web / "assets").mkdir()
    (web / "index.html").write_text("<!doctype html><title>Studio</title>")
    (web / "assets" / "index-1a2b.js").write_text("export {}")
    (web.parent / "secret.txt").write_text("secret")
    (web / "link.txt").symlink_to(web.parent / "secret.txt")
    limits = {"upload_bytes": 100_000, "upload_files": 3, "request_bytes": 250_000}
    with running(tmp_path_factory.mktemp("project"), web=web, **limits) as found:
        yield found


def _plain(studio: Running, method: str, path: str, headers: dict[str, str] | None = None) -> httpx2.Response:
    """A request that only has the headers named."""
    with new_client() as client:
        return client.request(method, f"{studio.url}{path}", headers=headers or {})


def _cookie(studio: Running) -> str:
    return f"{studio.access.cookie}={studio.access.session}"


# ---------------------------------------------------------------------- keys


@pytest.mark.parametrize(
    "headers",
    [
        {},
        {"Authorization": "Bearer wrong"},
        {"Authorization": "Basic c2lnaHRsaW5l"},
        {"Cookie": "sightline_1=x"},
        {"Cookie": "sightline_{port}=wrong"},
        {"Cookie": '"\\;;=,sightline_{port}'},
    ],
)
def test_without_its_key_the_api_says_nothing(studio: Running, headers: dict[str, str]) -> None:
    """Neither what exists nor what does not."""
    headers = {name: value.replace("{port}", str(studio.port)) for name, value in headers.items()}
    for path in ("/api/about", "/api/pages", "/api/nothing", "/api/openapi.json"):
        answer = _plain(studio, "GET", path, headers)
        assert (answer.status_code, answer.json()["code"]) == (401, "unauthorised")
        assert answer.headers["content-type"] == "application/problem+json"


def test_the_token_in_the_address_becomes_a_cookie(studio: Running) -> None:
    """The first visit is sent on to the same place without the token; the cookie is for this server alone."""
    answer = _plain(studio, "GET", f"/pages/3f2a?token={studio.access.token}&cell=3%2C4")
    assert (answer.status_code, answer.headers["location"]) == (303, "/pages/3f2a?cell=3%2C4")
    cookie = answer.headers["set-cookie"]
    assert cookie.startswith(f"sightline_{studio.port}=")
    assert "HttpOnly" in cookie
    assert "samesite=strict" in cookie.lower()
    assert studio.access.token not in cookie
    page = _plain(studio, "GET", "/pages/3f2a?cell=3%2C4", {"Cookie": cookie.split(";")[0]})
    assert (page.status_code, page.headers["cache-control"]) == (200, "no-cache")
    assert _plain(studio, "GET", "/api/about", {"Cookie": cookie.split(";")[0]}).status_code == 200


def test_a_visit_from_another_site_enters_by_a_page_of_our_own(studio: Running) -> None:
    """A browser sends no strict cookie along a redirect that another site began."""
    answer = _plain(studio, "GET", f"/?token={studio.access.token}", {"Sec-Fetch-Site": "cross-site"})
    assert answer.status_code == 200
    assert '<meta http-equiv="refresh" content="0; url=/">' in answer.text
    assert "set-cookie" in answer.headers


def test_a_wrong_token_in_the_address_gets_the_page_that_says_what_to_do(studio: Running) -> None:
    """It is a page for people, and holds no script."""
    answer = _plain(studio, "GET", "/?token=wrong")
    assert answer.status_code == 401
    assert "sightline studio" in answer.text
    assert "<script" not in answer.text
    assert "set-cookie" not in answer.headers


def test_the_redirect_stays_on_this_server(studio: Running) -> None:
    """A path like //host would be another server."""
    answer = _plain(studio, "GET", f"//evil.example/x?token={studio.access.token}")
    assert answer.headers["location"] == "/evil.example/x"


# ---------------------------------------------------------------------- hosts and origins


@pytest.mark.parametrize(
    "host",
    [
        "evil.example",
        "evil.example:80",
        "127.0.0.1.evil.example",
        "10.0.0.1",
        "[::1].evil",
        "[::1]evil:80",
        "[127.0.0.1]",
        "::1",
        "[::1]:80:80",
        "",
    ],
)
def test_another_host_name_is_refused(studio: Running, host: str) -> None:
    """A name that somebody else owns may lead here by their DNS."""
    connection = http.client.HTTPConnection("127.0.0.1", studio.port, timeout=BOUND)
    connection.putrequest("GET", "/api/about", skip_host=True)
    connection.putheader("Host", host)
    connection.putheader("Authorization", f"Bearer {studio.access.token}")
    connection.endheaders()
    answer = connection.getresponse()
    assert answer.status in (400, 403)
    connection.close()


@pytest.mark.parametrize("host", ["localhost", "127.0.0.1:9", "[::1]:8765"])
def test_the_own_names_are_known(studio: Running, host: str) -> None:
    """Under any port, as with a tunnel."""
    answer = _plain(studio, "GET", "/api/about", {"Host": host, "Authorization": f"Bearer {studio.access.token}"})
    assert answer.status_code == 200


def test_a_server_for_others_knows_addresses_and_its_own_name() -> None:
    """An address as name cannot be led elsewhere by anybody's DNS."""
    access = Access("0.0.0.0", "correct horse")
    assert access.knows_host("192.168.1.7:8765")
    assert access.knows_host(socket.gethostname())
    assert not access.knows_host("evil.example")
    assert not Access().knows_host("192.168.1.7")


@pytest.mark.parametrize(
    "headers",
    [
        {"Origin": "https://evil.example"},
        {"Origin": "null"},
        {"Origin": "http://127.0.0.1:1"},
        {"Sec-Fetch-Site": "cross-site"},
        {"Sec-Fetch-Site": "same-site"},
        {"Origin": "http://{host}", "Sec-Fetch-Site": "cross-site"},
    ],
)
def test_other_sites_can_make_no_request(studio: Running, headers: dict[str, str]) -> None:
    """Neither by the cookie nor with the token; nor can they listen to events."""
    host = f"127.0.0.1:{studio.port}"
    headers = {name: value.replace("{host}", host) for name, value in headers.items()}
    for key in ({"Cookie": _cookie(studio)}, {"Authorization": f"Bearer {studio.access.token}"}):
        for method, path in (("POST", "/api/pages"), ("DELETE", "/api/pages/3f2a3f2a"), ("GET", "/api/jobs/x/events")):
            answer = _plain(studio, method, path, headers | key)
            assert (answer.status_code, answer.json()["code"]) == (403, "forbidden")


def test_a_change_by_cookie_says_where_it_comes_from(studio: Running) -> None:
    """Browsers say so with every change; what does not say so is no page of ours."""
    cookie = {"Cookie": _cookie(studio)}
    assert _plain(studio, "DELETE", "/api/pages/3f2a3f2a", cookie).status_code == 403
    own = cookie | {"Origin": f"http://127.0.0.1:{studio.port}"}
    assert _plain(studio, "DELETE", "/api/pages/3f2a3f2a", own).status_code == 404
    assert (
        _plain(studio, "DELETE", "/api/pages/3f2a3f2a", cookie | {"Sec-Fetch-Site": "same-origin"}).status_code == 404
    )


def test_every_answer_has_the_headers_of_safety(studio: Running) -> None:
    """Pages, files, problems and refusals alike."""
    token = {"Authorization": f"Bearer {studio.access.token}"}
    for path, headers in (("/", token), ("/assets/index-1a2b.js", token), ("/api/nothing", token), ("/", {})):
        answer = _plain(studio, "GET", path, headers)
        assert {name: answer.headers.get(name) for name in SAFE_HEADERS} == SAFE_HEADERS
        assert "server" not in answer.headers


# ---------------------------------------------------------------------- password


def test_a_password_opens_the_studio_and_wrong_ones_take_longer(tmp_path: Path) -> None:
    """The form needs no script, the answer is the cookie, and it leads back to where one wanted to go."""
    with running(tmp_path, password="correct horse") as studio, new_client() as client:
        away = client.get(f"{studio.url}/pages/3f2a")
        assert (away.status_code, away.headers["location"]) == (303, "/login?to=%2Fpages%2F3f2a")
        form = client.get(f"{studio.url}/login?to=%2Fpages%2F3f2a")
        assert 'action="/login?to=%2Fpages%2F3f2a"' in form.text
        wrong = client.post(f"{studio.url}/login", data={"password": "battery"})
        assert wrong.status_code == 401
        assert "not the password" in wrong.text
        assert wrong.elapsed.total_seconds() > 0.4
        entered = client.post(f"{studio.url}/login?to=//evil.example", data={"password": "correct horse"})
        assert (entered.status_code, entered.headers["location"]) == (303, "/evil.example")
        assert client.get(f"{studio.url}/api/about").status_code == 200
        foreign = client.post(f"{studio.url}/login", data={"password": "x"}, headers={"Origin": "https://evil.example"})
        assert foreign.status_code == 403


def _posting_wrong_passwords(port: int, until: threading.Event, source: str) -> None:
    while not until.is_set():
        connection = http.client.HTTPConnection("127.0.0.1", port, timeout=BOUND, source_address=(source, 0))
        with suppress(OSError, http.client.HTTPException):  # the server ends while the last ones wait for their answer
            connection.request("POST", "/login", "password=battery", {"Content-Type": FORM})
            connection.getresponse().read()
        connection.close()


@pytest.mark.slow
@pytest.mark.parametrize("attacker", ["127.0.0.2", "127.0.0.1"])
def test_wrong_passwords_of_others_do_not_lock_the_owner_out(tmp_path: Path, attacker: str) -> None:
    """Twelve connections post wrong ones all the time; the right one gets in at once, also from their own address."""
    until = threading.Event()
    with running(tmp_path, password="correct horse") as studio, new_client() as client:
        posting = [
            threading.Thread(target=_posting_wrong_passwords, args=(studio.port, until, attacker), daemon=True)
            for _ in range(12)
        ]
        for one in posting:
            one.start()
        wait_until(lambda: studio.access._waiting.get(attacker) == len(posting))
        entered = client.post(f"{studio.url}/login", data={"password": "correct horse"})
        until.set()
        assert entered.status_code == 303
        assert entered.elapsed.total_seconds() < FIRST_PAUSE * 4


def test_one_client_tries_few_passwords_and_others_are_not_held_up() -> None:
    """More attempts than fingers make are refused unread; the neighbours of an IPv6 address are one client."""

    async def tried() -> tuple[int, bool | None]:
        access = Access("0.0.0.0", "correct horse")
        wrong = [asyncio.ensure_future(access.is_password("no", f"2001:db8::{n:x}")) for n in range(MOST_WAITING + 8)]
        await asyncio.sleep(0)
        refused = sum(one.done() and one.result() is None for one in wrong)
        owner = await access.is_password("correct horse", "2001:db8:0:1::1")
        for one in wrong:
            one.cancel()
        await asyncio.gather(*wrong, return_exceptions=True)
        return refused, owner

    assert asyncio.run(tried()) == (8, True)


def test_clients_cannot_call_themselves_others(tmp_path: Path) -> None:
    """The address of a client is that of its connection, whatever it says of itself."""
    with running(tmp_path, password="correct horse") as studio, new_client() as client:
        told = {"X-Forwarded-For": "203.0.113.9"}
        assert client.post(f"{studio.url}/login", data={"password": "no"}, headers=told).status_code == 401
        assert list(studio.access._failed) == ["127.0.0.1"]


def test_problems_do_not_tell_where_files_are(studio: Running, tmp_path: Path) -> None:
    """A preview that fails names the file, and none of the server's folders."""
    studio.client.post("/api/files?name=broken.parquet", content=b"PAR1 no")
    told = studio.client.get("/api/files/broken.parquet/preview")
    assert told.status_code == 422
    assert "broken.parquet" in told.json()["detail"]
    assert str(tmp_path) not in told.text
    assert str(studio.studio.folder) not in told.text


def test_the_form_escapes_where_it_leads(tmp_path: Path) -> None:
    """Nothing of an address becomes markup."""
    with running(tmp_path, password="correct horse") as studio, new_client() as client:
        text = client.get(f"{studio.url}/login?to=/%22%3E%3Cscript%3Ealert(1)%3C/script%3E").text
        assert "<script" not in text


# ---------------------------------------------------------------------- files and names


@pytest.mark.parametrize(
    "path",
    [
        "/../secret.txt",
        "/assets/../../secret.txt",
        "/assets/..%2f..%2fsecret.txt",
        "/%2e%2e/secret.txt",
        "/link.txt",
        "/assets/%00",
        "//etc/passwd",
        "/assets/none.js",
    ],
)
def test_no_path_leads_out_of_the_front_end(studio: Running, path: str) -> None:
    """Whatever is not a file of it gets its first page, or a problem."""
    connection = http.client.HTTPConnection("127.0.0.1", studio.port, timeout=BOUND)
    connection.request("GET", path, headers={"Authorization": f"Bearer {studio.access.token}"})
    body = connection.getresponse().read()
    connection.close()
    assert b"secret" not in body
    assert b"root:" not in body
    assert body.startswith((b"<!doctype html><title>Studio", b'{"type"'))


def test_hashed_files_are_kept_for_ever_and_the_first_page_is_not(studio: Running) -> None:
    """Their names change with their content."""
    file = studio.client.get("/assets/index-1a2b.js")
    assert file.headers["content-type"].startswith("text/javascript")
    assert "immutable" in file.headers["cache-control"]
    assert studio.client.get("/lessons/cameras?page=3").text == "<!doctype html><title>Studio</title>"


def test_without_the_built_front_end_a_page_says_so(tmp_path: Path) -> None:
    """The API works all the same."""
    with running(tmp_path / "project", web=tmp_path / "none") as studio:
        answer = studio.client.get("/")
        assert answer.status_code == 503
        assert "npm run build" in answer.text
        assert studio.get("/about")["version"]


@pytest.mark.parametrize("name", ["..", "%2e%2e%2fproject.json", "3f2a", "A" * 5_000, "%00", "'; drop table--"])
def test_hostile_ids_are_not_found(studio: Running, name: str) -> None:
    """No id becomes a path before it is checked."""
    for path in (f"/api/pages/{name}", f"/api/pages/{name}/results", f"/api/jobs/{name}", f"/api/examples/{name}/x"):
        answer = studio.client.get(path)
        assert answer.status_code in (404, 405), (path, answer.text)
        assert answer.headers["content-type"] == "application/problem+json"


# ---------------------------------------------------------------------- problems


@pytest.mark.parametrize(
    ("method", "path", "body", "status", "code"),
    [
        ("GET", "/api/nothing", None, 404, "not-found"),
        ("GET", "/api", None, 404, "not-found"),
        ("PATCH", "/api/pages", None, 405, "method"),
        ("POST", "/", None, 405, "method"),
        ("POST", "/api/pages", b"{", 400, "bad-request"),
        ("POST", "/api/pages", b"[]", 422, "usage"),
        ("POST", "/api/pages", b'{"source": 5}', 422, "usage"),
        ("POST", "/api/pages", b'{"source": "  "}', 422, "usage"),
        ("POST", "/api/uploads", b"{}", 400, "bad-request"),
        ("GET", "/api/pages/3f2a3f2a/pictures/x", None, 422, "usage"),
    ],
)
def test_errors_have_one_shape(
    studio: Running, method: str, path: str, body: bytes | None, status: int, code: str
) -> None:
    """Also those of the framework."""
    answer = studio.client.request(method, path, content=body, headers={"Content-Type": "application/json"})
    found: dict[str, Any] = answer.json()
    assert (answer.status_code, found["status"], found["code"]) == (status, status, code)
    assert answer.headers["content-type"] == "application/problem+json"
    assert found["type"] == f"urn:sightline:{code}"
    assert found["title"]
    assert found["detail"].endswith(".")


def test_an_error_that_nobody_expected_is_a_problem_with_an_id(
    studio: Running, caplog: pytest.LogCaptureFixture
) -> None:
    """The id is in the log as well, where the whole story is; the answer tells nothing of it."""

    def broken() -> None:
        raise RuntimeError("the secret inside")

    studio.app.add_api_route("/api/broken", broken)
    studio.app.router.routes.insert(0, studio.app.router.routes.pop())
    found = studio.get("/broken", 500)
    studio.app.router.routes.pop(0)
    assert found["code"] == "internal"
    assert found["id"] in found["detail"]
    assert "secret" not in str(found)
    assert found["id"] in caplog.text


def test_the_api_describes_itself(studio: Running) -> None:
    """Every route is in it, with a summary."""
    document = studio.client.get("/api/openapi.json").json()
    assert document["openapi"].startswith("3.")
    routes = [route for router in RESOURCES for route in router.routes if isinstance(route, APIRoute)]
    told = {(path, method.upper()) for path, item in document["paths"].items() for method in item}
    assert told == {(f"/api{route.path}", method) for route in routes for method in route.methods}
    assert all(
        entry["summary"] and entry["description"] for item in document["paths"].values() for entry in item.values()
    )


# ---------------------------------------------------------------------- sizes


@pytest.mark.parametrize("path", ["/api/uploads", "/api/pages"])
def test_a_large_body_is_refused_before_it_is_read(studio: Running, path: str) -> None:
    """Its announced length is enough: 500 MB are refused although none of them was sent."""
    request = (
        f"POST {path} HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer {studio.access.token}\r\n"
        "Content-Type: multipart/form-data; boundary=x\r\nContent-Length: 500000000\r\n\r\n"
    )
    with socket.create_connection(("127.0.0.1", studio.port), BOUND) as connection:
        connection.sendall(request.encode())
        answer = b"".join(iter(lambda: connection.recv(65536), b""))  # until the server closes
    assert answer.startswith(b"HTTP/1.1 413")
    assert b"too-large" in answer


def test_a_large_upload_of_unknown_length_is_refused_on_the_way(studio: Running) -> None:
    """What is sent in chunks is counted."""

    def chunks() -> Iterator[bytes]:
        yield b'--x\r\nContent-Disposition: form-data; name="files"; filename="a.html"\r\n\r\n'
        for _ in range(100):
            yield b"x" * 10_000

    headers = {"Content-Type": "multipart/form-data; boundary=x"}
    try:
        answer = studio.client.post("/api/uploads", content=chunks(), headers=headers)
    except (httpx2.WriteError, httpx2.RemoteProtocolError):
        return  # refused while it was still sending
    assert (answer.status_code, answer.json()["code"]) == (413, "too-large")


@pytest.mark.parametrize(
    ("files", "told"),
    [
        ([("a.html", b"x" * 100_001)], "a.html is larger than 100,000 bytes"),
        ([("a.html", b"<p>x")] * 4, "at most 3 files"),
        ([("a.html", b"x" * 90_000)] * 3, "at most 250,000 bytes"),
    ],
)
def test_uploads_have_limits(studio: Running, files: list[tuple[str, bytes]], told: str) -> None:
    """Of one file, of how many, and of all together; nothing is left of them."""
    answer = studio.client.post("/api/uploads", files=[("files", file) for file in files])
    assert (answer.status_code, answer.json()["code"]) == (413, "too-large")
    assert told in answer.json()["detail"]
    folder = studio.studio.folder / ".uploads"
    assert not folder.exists() or not list(folder.iterdir())


# ---------------------------------------------------------------------- what is opened


@pytest.mark.parametrize(
    "source",
    [
        "file:///etc/passwd",
        "/etc/passwd",
        "../project.json",
        "ftp://example.org/x",
        "javascript:alert(1)",
        "data:text/html,x",
        "-",
        "@/etc/passwd",
        "http://user:pass@example.org/",
        "http://",
        "*.html",
    ],
)
def test_only_web_addresses_are_opened_by_the_api(studio: Running, source: str) -> None:
    """No file, no list of sources, no other scheme; and nobody learns what exists."""
    found = studio.post("/pages", {"source": source}, 422)
    assert found["code"] in ("unreadable", "usage")
    assert studio.get("/jobs")["jobs"] == [] or "/etc" not in str(studio.get("/jobs"))


def test_private_addresses_are_not_visited(studio: Running, tmp_path: Path) -> None:
    """Neither by number nor by name, nor without a browser; unless the owner allows it."""
    with serve_from_thread(
        {"/": reply(b"<title>Inside</title><p>A private page.", headers={"Content-Type": "text/html"})}
    ) as inside:
        for address in (inside.url("/"), inside.url("/").replace("127.0.0.1", "localhost"), "http://169.254.169.254/"):
            for static in (False, True):
                job = studio.finished(studio.post("/pages", {"source": address, "static": static}, 202))
                assert job["state"] == "failed", job
                assert job["problem"]["reason"] in ("refused", "unreachable"), job
        assert inside.requests == []
        with running(tmp_path, allow_private=True) as other:
            job = other.finished(other.post("/pages", {"source": inside.url("/"), "static": True}, 202))
            assert job["result"]["pages"][0]["title"] == "Inside"


def test_the_next_free_port_is_taken() -> None:
    """Two servers on one machine."""
    with listening("127.0.0.1", 0) as first:
        port = first.getsockname()[1]
        with listening("127.0.0.1", port) as second:
            assert second.getsockname()[1] > port
