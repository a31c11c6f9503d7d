"""Build both images of the Dockerfile and use them, where no Docker is: python -m bench.flow.images.

Needs root, and `buildah` and `debootstrap` from Debian's packages. The images of Python that the Dockerfile names come
from a registry; here a Debian with its own Python stands in for them, everything else is done as the file says. Each
image is then used as a container would be: by its entry point, as its user, in its folder. Containers made this way
share the kernel's view of the machine (`buildah` calls that isolation by chroot), so limits and networks aren't tried.
"""

import json
import os
import shlex
import subprocess
import sys
import tempfile
from pathlib import Path

from bench.frame import Figure, tell

ROOT = Path(__file__).resolve().parents[2]
RELEASE = "bookworm"
# With the headers of Python, as the images of its makers have them.
PACKAGES = ("ca-certificates", "python3", "python3-venv", "python3-dev")
CERTIFICATES = Path("/etc/ssl/certs/ca-certificates.crt")  # as this machine trusts them
PYTHON = "localhost/sightline-python"
# Nothing is mounted, and a layer is a copy: slow, and works anywhere.
ENVIRONMENT = {**os.environ, "STORAGE_DRIVER": "vfs", "BUILDAH_ISOLATION": "chroot"}
WITHOUT_SANDBOX = "SIGHTLINE_BROWSER=/usr/local/bin/chromium-without-sandbox"
PAGE = "<table><tr><th>name<th>price<tr><td>Lamp<td>£12.50<tr><td>Desk<td>£80.00<tr><td>Chair<td>£45.00</table>"
FLOW = """\
flow: 1
steps:
  offers:
    extract: page.html
    take: tables
    static: true
  shop:
    deliver: offers
    to: shop.duckdb#offers
"""
QUERY = "import duckdb; print(duckdb.connect('shop.duckdb').sql('FROM offers').fetchall())"


def image_figures() -> list[Figure]:
    """What each image has to be able to do: 1 if it can."""
    with tempfile.TemporaryDirectory() as folder:
        _make_python(Path(folder) / "root")
    figures = []
    for target in ("base", "browser"):
        name = f"localhost/sightline-{target}"
        arguments = ("--layers", "--format", "docker", "--target", target, "--build-arg", f"PYTHON={PYTHON}")
        _buildah("bud", *arguments, "--tag", name, str(ROOT))
        figures += _tried(target, name)
    return figures


def _make_python(root: Path) -> None:
    """An image with Python, for the Dockerfile to begin with."""
    subprocess.run(
        ["debootstrap", "--variant=minbase", f"--include={','.join(PACKAGES)}", RELEASE, str(root)],
        check=True,
        stdout=sys.stderr,
    )
    (root / CERTIFICATES.relative_to("/")).write_bytes(CERTIFICATES.read_bytes())
    # The lists of packages that the machine itself gets its Chromium from.
    sources = Path("/etc/apt/sources.list.d/debian.sources")
    if sources.exists():
        (root / "etc/apt/sources.list").unlink(missing_ok=True)
        (root / sources.relative_to("/")).write_bytes(sources.read_bytes())
    made = _buildah("from", "scratch")
    _buildah("add", "--quiet", made, str(root), "/")
    path = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"
    _buildah("config", "--env", f"PATH={path}", "--env", f"PIP_CERT={CERTIFICATES}", made)
    _buildah("commit", "--quiet", made, PYTHON)
    _buildah("rm", made)


def _tried(target: str, image: str) -> list[Figure]:
    """Use an image as its users would."""
    made = _buildah("from", image)
    try:
        config = json.loads(_buildah("inspect", "--type", "container", made))["Docker"]["config"]
        entry, health = config["Entrypoint"], config["Healthcheck"]["Test"][1:]
        whole = (WITHOUT_SANDBOX,) if target == "browser" else ()
        work = Path(_buildah("mount", made)) / config["WorkingDir"].lstrip("/")
        owner = work.stat()
        for name, content in (("page.html", PAGE), ("prices.flow.yaml", FLOW)):
            (work / name).write_text(content, "utf-8")
            os.chown(work / name, owner.st_uid, owner.st_gid)
        version = _run(made, *entry, "--version")
        doctor = _run(made, *entry, "doctor", "--static")
        flow = _run(made, *entry, "run", "prices.flow.yaml")
        query = _run(made, "python", "-c", QUERY)
        checks = {
            "who runs it is not root": config["User"] not in ("", "0", "root") and _run(made, "id", "-u")[0] == 0,
            "the entry point answers": version[0] == 0 and version[1].startswith("sightline "),
            "the kernels are compiled in": "compiled kernels" in doctor[1],
            "the health check passes": _run(made, *health, environment=whole)[0] == 0,
            "a flow delivers to DuckDB": flow[0] == 0 and "Chair" in query[1],
        }
        if target == "browser":
            drawn = _run(made, *entry, "tables", "page.html", environment=whole)
            refused = _run(made, *entry, "tables", "page.html")
            checks["a page is rendered"] = drawn[0] == 0 and "Chair" in drawn[1]
            checks["or the error says what helps"] = refused[0] == 0 or "--no-sandbox" in refused[1]
        size = sum(path.stat(follow_symlinks=False).st_size for path in work.parent.rglob("*") if not path.is_dir())
    finally:
        _buildah("rm", made)
    figures = [Figure.of(f"{target}: {what}", float(holds), 1, "higher", "") for what, holds in checks.items()]
    return [*figures, Figure.of(f"{target}: size", size / 1e6, None, "lower", "MB")]


def _run(made: str, *command: str, environment: tuple[str, ...] = ()) -> tuple[int, str]:
    """The status of a command in a container, and all that it said."""
    given = [part for one in environment for part in ("--env", one)]
    done = subprocess.run(
        ["buildah", "run", *given, made, "--", *command],
        env=ENVIRONMENT,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
    )
    print(f"$ {shlex.join(command)}  # status {done.returncode}\n{done.stdout}", file=sys.stderr)
    return done.returncode, done.stdout


def _buildah(*arguments: str) -> str:
    done = subprocess.run(["buildah", *arguments], env=ENVIRONMENT, stdout=subprocess.PIPE, text=True, check=True)
    return done.stdout.strip()


if __name__ == "__main__":
    tell(image_figures())
