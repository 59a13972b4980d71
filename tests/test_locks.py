"""The locked packages are the declared ones, and no file says where packages come from."""

import json
import re
import subprocess
import tomllib
from pathlib import Path

import pytest
from plotly.offline import get_plotlyjs_version

ROOT = Path(__file__).parents[1]
# In parts, since this file is checked as well.
REGISTRY_HOSTS = [".".join(parts) for parts in (("pypi", "org"), ("pythonhosted", "org"), ("npmjs", "org"))]


def locked(name: str) -> dict[str, str]:
    """Return each package and version of a requirements file, and see that it has hashes."""
    packages = {}
    for block in re.split(r"^(?=\w)", (ROOT / name).read_text(), flags=re.MULTILINE)[1:]:
        package, version = re.match(r"([\w.-]+)==(\S+)", block).groups()
        assert "--hash=sha256:" in block, f"{package} has no hash"
        packages[package] = version
    return packages


def declared() -> dict[str, dict[str, str]]:
    """Return each requirements file with the packages and versions that pyproject.toml declares for it."""
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text())
    site, test = settings["project"]["dependencies"], settings["project"]["optional-dependencies"]["test"]
    groups = {f"tests/generators/{name}.txt": pins for name, pins in settings["dependency-groups"].items()}
    pins = {
        name: dict(re.match(r"([\w.-]+)==([^,; ]+)", pin).groups() for pin in of)
        for name, of in {"requirements.txt": site, "requirements-test.txt": site + test, **groups}.items()
    }
    return {name: {package.lower(): version for package, version in of.items()} for name, of in pins.items()}


@pytest.mark.parametrize("name", declared())
def test_lock_holds_what_is_declared(name):
    assert declared()[name].items() <= locked(name).items()


def test_tests_run_on_the_site_s_own_versions():
    assert locked("requirements.txt").items() <= locked("requirements-test.txt").items()


def test_plotly_bundle_is_the_version_that_plotly_writes_for():
    assert json.loads((ROOT / "package.json").read_text())["dependencies"] == {"plotly.js-basic-dist-min": get_plotlyjs_version()}


def test_npm_lock_has_hashes_and_no_addresses():
    _, *packages = json.loads((ROOT / "package-lock.json").read_text())["packages"].values()
    assert packages
    for package in packages:
        assert package["integrity"].startswith("sha512-")
        assert "resolved" not in package


def test_no_tracked_file_names_a_package_registry():
    names = subprocess.run(
        ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
        cwd=ROOT, capture_output=True, check=True, text=True,
    ).stdout.split("\0")  # fmt: skip
    files = [ROOT / name for name in names if (ROOT / name).is_file()]
    assert files
    texts = {file.relative_to(ROOT): file.read_bytes().lower() for file in files}
    assert [(file, host) for file, text in texts.items() for host in REGISTRY_HOSTS if host.encode() in text] == []
