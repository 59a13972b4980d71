"""site-build.sh where a machine lacks something: each way ends in one clear line or goes on.

The script runs for real, in a copy, on a PATH that holds only the tools it may use.
Stand-ins for python3, npm and chromium note how they are called, so no test needs a network.
"""

import fcntl
import shutil
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
FILES = ("site-build.sh", "requirements.txt", "requirements-test.txt", "package.json", "package-lock.json")
TOOLS = ("bash", "cat", "cksum", "cp", "dirname", "env", "flock", "grep", "ls", "mkdir", "rm")

PYTHON = """#!/bin/sh
echo "python $*" >>"$CALLS"
case $* in
    *sys.version_info*) echo "${VERSION:-3.12}" ;;
    *--without-pip*) mkdir -p .venv/bin && cp "$0" .venv/bin/python && cp "$0" .venv/bin/mkdocs && >.venv/no-pip ;;
    "-m venv "*) [ ! "$NO_VENV" ] && mkdir -p .venv/bin && cp "$0" .venv/bin/python && cp "$0" .venv/bin/mkdocs ;;
    "-m pip --version") case $0 in .venv/*) [ ! -e .venv/no-pip ] ;; *) [ ! "$NO_PIP" ] ;; esac ;;
    "-m pip install "*) [ ! "$OFFLINE" ] || { echo "NewConnectionError: long story"; exit 1; } ;;
    "-m playwright "*) [ ! "$OFFLINE" ] ;;
    *) echo "site_url: $SITE_URL, path: $PYTHONPATH, run: $RUN_FILE."; exit "${STATUS:-0}" ;;
esac
"""
NPM = """#!/bin/sh
echo "npm $*" >>"$CALLS"
[ ! "$OFFLINE" ] && mkdir -p node_modules
"""
PROGRAM = """#!/bin/sh
echo "version 156"
"""


class Project:
    """A copy of what site-build.sh needs, and a PATH of its own."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder / "a project"
        self.bin = folder / "bin"
        self.calls_file = folder / "calls"
        self.folder.mkdir()
        self.bin.mkdir()
        for name in FILES:
            shutil.copy(ROOT / name, self.folder)
        for name in TOOLS:
            (self.bin / name).symlink_to(shutil.which(name) or pytest.skip(f"needs {name}"))
        for name, text in {"python3": PYTHON, "npm": NPM, "chromium": PROGRAM, "w3m": PROGRAM}.items():
            (self.bin / name).write_text(text)
            (self.bin / name).chmod(0o755)

    def command(self, *arguments: str, **environment: str) -> dict:
        self.calls_file.write_text("")
        return {
            "args": [self.bin / "bash", self.folder / "site-build.sh", *arguments],
            "env": {"PATH": str(self.bin), "CALLS": str(self.calls_file), **environment},
            "cwd": self.folder.parent,
            "text": True,
        }

    def run(self, *arguments: str, **environment: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(**self.command(*arguments, **environment), capture_output=True)

    def set_up(self) -> None:
        assert self.run().returncode == 0

    def lack(self, name: str) -> None:
        (self.bin / name).unlink()

    @property
    def calls(self) -> list[str]:
        return self.calls_file.read_text().splitlines()

    @property
    def installs(self) -> list[str]:
        return [call for call in self.calls if call.startswith("npm") or " install " in call]


@pytest.fixture
def project(tmp_path):
    return Project(tmp_path)


def one_line(text: str) -> str:
    """Return the only line of ``text``, less the script's name."""
    (line,) = text.splitlines()
    return line.removeprefix("site-build.sh: ")


# --- Set-up, once ---


def test_first_build_installs_pinned_packages_by_hash_and_the_bundle(project):
    project.set_up()
    pip, npm = project.installs
    assert pip.endswith("--require-hashes -r requirements.txt")
    assert npm.startswith("npm ci")


def test_second_build_runs_neither_pip_nor_npm(project):
    project.set_up()
    assert project.run().returncode == 0
    assert project.installs == []
    assert project.calls[-1] == "python build"


def test_tests_add_their_packages_to_the_site_s(project):
    project.set_up()
    assert project.run("test").returncode == 0
    assert [call.split()[-1] for call in project.installs] == ["requirements-test.txt"]
    assert project.run("test").returncode == project.run().returncode == 0
    assert project.installs == []


def test_set_up_for_the_tests_serves_the_site_too(project):
    assert project.run("test").returncode == 0
    assert project.run().returncode == 0
    assert project.installs == []


@pytest.mark.parametrize("lock", ["requirements.txt", "package-lock.json"])
def test_changed_lock_is_installed_again(project, lock):
    project.set_up()
    (project.folder / lock).write_text("# other pins\n")
    project.run()
    assert len(project.installs) == 1


def test_moved_project_is_set_up_again(project):
    project.set_up()
    project.folder = project.folder.rename(project.folder.with_name("elsewhere"))
    project.run()
    assert "python -m venv .venv" in project.calls


def test_other_python_gets_another_environment(project):
    project.set_up()
    project.run(VERSION="3.13")
    assert "python -m venv .venv" in project.calls


@pytest.mark.parametrize("broken", ["python", "requirements.txt.stamp"])
def test_broken_environment_is_made_anew(project, broken):
    project.set_up()
    (rest,) = (project.folder / ".venv").rglob(broken)
    rest.unlink()
    assert project.run().returncode == 0
    assert "python -m venv .venv" in project.calls


def test_interrupted_set_up_is_made_anew(project):
    project.set_up()
    (project.folder / ".venv/requirements-test.txt.stamp").write_text("unfinished\n")
    assert project.run("test").returncode == 0
    assert "python -m venv .venv" in project.calls


def test_two_set_ups_at_once_take_turns(project):
    with (project.folder / "requirements.txt").open() as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        with subprocess.Popen(**project.command(), stdout=subprocess.PIPE, stderr=subprocess.PIPE) as second:
            assert second.stderr.readline() == "site-build.sh: waiting for another set-up\n"
            with pytest.raises(subprocess.TimeoutExpired):
                second.wait(timeout=0.3)
            assert project.installs == []
            fcntl.flock(lock, fcntl.LOCK_UN)
            second.communicate()
    assert second.returncode == 0
    assert len(project.installs) == 2


# --- What a machine may lack ---


def test_old_python_is_refused_with_its_version(project):
    result = project.run(VERSION="3.9")
    assert result.returncode == 1
    assert one_line(result.stderr) == "Python 3.11 or newer is needed; python3 is Python 3.9"


def test_missing_python_is_refused_with_what_is_needed(project):
    project.lack("python3")
    result = project.run()
    assert result.returncode == 1
    assert one_line(result.stderr) == "Python 3.11 or newer is needed; python3 is not there or does not run"


def test_newer_python_beside_an_old_one_is_taken(project):
    (project.bin / "python3").rename(project.bin / "python3.13")
    (project.bin / "python3").write_text("#!/bin/sh\necho 3.9\n")
    (project.bin / "python3").chmod(0o755)
    project.set_up()


def test_python_asked_for_by_name_is_never_passed_over(project):
    result = project.run(PYTHON="python3.99")
    assert result.returncode == 1
    assert one_line(result.stderr).endswith("python3.99 is not there or does not run")


def test_without_a_network_pip_s_noise_stays_in_the_log(project):
    result = project.run(OFFLINE="yes")
    assert result.returncode == 1
    _, line = result.stderr.splitlines()
    assert line == "site-build.sh: no network: could not install requirements.txt (details: .site-build.log)"
    assert "long story" in (project.folder / ".site-build.log").read_text()


def test_set_up_that_failed_is_done_when_the_network_is_back(project):
    assert project.run(OFFLINE="yes").returncode == 1
    project.set_up()
    assert len(project.installs) == 2


def test_failed_set_up_of_the_tests_leaves_the_site_buildable(project):
    project.set_up()
    assert project.run("test", OFFLINE="yes").returncode == 1
    assert project.run("test", OFFLINE="yes").returncode == 1
    assert project.run(OFFLINE="yes").returncode == 0


def test_without_npm_the_build_goes_on(project):
    project.lack("npm")
    result = project.run()
    assert result.returncode == 0
    assert "npm not found; going on without the small plotly bundle" in result.stderr
    assert project.calls[-1] == "python build"


def test_npm_offline_does_not_stop_the_build(project):
    project.set_up()
    shutil.rmtree(project.folder / "node_modules")
    result = project.run(OFFLINE="yes")
    assert result.returncode == 0
    assert one_line(result.stderr).startswith("npm failed; going on without the small plotly bundle")


def test_python_without_ensurepip_uses_the_pip_beside_it(project):
    result = project.run(NO_VENV="yes")
    assert result.returncode == 0
    pip, _ = project.installs
    assert pip.startswith("python -m pip --python .venv/bin/python install")


def test_python_without_ensurepip_and_pip_names_the_missing_package(project):
    result = project.run(NO_VENV="yes", NO_PIP="yes")
    assert result.returncode == 1
    assert "cannot make a virtual environment; install python3.12-venv" in result.stderr


def test_without_chromium_the_tests_say_so(project):
    project.set_up()
    project.run("test")
    project.lack("chromium")
    result = project.run("test", OFFLINE="yes")
    assert result.returncode == 1
    assert "the tests need Chromium; install it or name one in CHROMIUM" in result.stderr


def test_chromium_asked_for_by_name_is_never_passed_over(project):
    result = project.run("test", CHROMIUM="/no/browser")
    assert result.returncode == 1
    assert result.stderr.endswith("CHROMIUM names no program: /no/browser\n")


def test_without_a_text_browser_the_tests_say_so_and_run(project):
    project.set_up()
    project.run("test")
    project.lack("w3m")
    result = project.run("test")
    assert result.returncode == 0
    assert one_line(result.stderr) == "no w3m found; the tests that read pages as text are skipped"
    assert project.calls[-1] == "python -m pytest"


# --- Arguments ---


@pytest.mark.parametrize(
    ("arguments", "line"),
    [
        (["biuld"], "unknown command: biuld; see --help"),
        (["--outt", "x"], "unknown argument: --outt; see --help"),
        (["--out", "x", "test"], "unknown argument: test; see --help"),
        (["--out"], "--out needs a folder"),
        (["--site-url"], "invalid --site-url; must start with http:// or https://: "),
        (["--run", "nowhere.toml"], "invalid --run; must be a TOML file that exists: nowhere.toml"),
        (["--run=."], "invalid --run; must be a TOML file that exists: ."),
        (["--run"], "invalid --run; must be a TOML file that exists: "),
        (["--site-url=example.org"], "invalid --site-url; must start with http:// or https://: example.org"),
        (["names", "x"], "names takes no argument: x"),
        (["render"], "render needs one folder"),
    ],
)
def test_misuse_is_one_line_and_exit_2_before_any_set_up(project, arguments, line):
    result = project.run(*arguments)
    assert result.returncode == 2
    assert one_line(result.stderr) == line
    assert project.calls == []


def test_help_needs_no_set_up(project):
    result = project.run("--help")
    assert result.returncode == 0
    assert "--site-url URL" in result.stdout
    assert project.calls == []


def test_sources_need_python_only(project):
    project.lack("npm")
    assert project.run("sources", "--today", "2027-01-01").returncode == 0
    assert project.calls[-1] == "python -m commcost sources --today 2027-01-01"
    assert not (project.folder / ".venv").exists()
    assert project.run("sources", VERSION="3.9").returncode == 1


def test_out_and_site_url_reach_mkdocs(project):
    result = project.run("--out", "new site", "--site-url=https://example.org/x/")
    assert "site_url: https://example.org/x/" in result.stdout
    # A relative folder is the caller's, not the project's.
    assert project.calls[-1] == f"python build --site-dir {project.folder.parent}/new site"


@pytest.mark.parametrize("arguments", [("--run", "our run.toml"), ("--run=our run.toml",)])
def test_a_run_file_is_the_caller_s_and_reaches_the_build(project, arguments):
    file = project.folder.parent / "our run.toml"
    file.touch()
    assert f"run: {file}." in project.run(*arguments).stdout
    assert "run: ." in project.run().stdout
    assert f"run: {file}." in project.run("serve", *arguments, "--open").stdout
    assert project.calls[-1] == "python serve --open"
    assert project.run("serve", "--run").returncode == 2


@pytest.mark.parametrize("arguments", [("--run", "our run.toml"), ("--run=our run.toml",)])
def test_a_run_file_is_the_caller_s_for_sources_too(project, arguments):
    project.run("sources", *arguments, "--today", "2027-01-01")
    assert project.calls[-1] == f"python -m commcost sources --run={project.folder.parent}/our run.toml --today 2027-01-01"
    assert project.run("sources", "--run").returncode == 2


def test_out_refuses_a_folder_that_holds_anything_but_a_site(project):
    out = project.folder.parent / "out"
    out.mkdir()
    assert project.run("--out", "out").returncode == 0
    (out / ".git").touch()
    (out / ".nojekyll").touch()
    assert project.run("--out", "out").returncode == 0
    (out / "thesis.txt").touch()
    result = project.run("--out", "out")
    assert result.returncode == 2
    assert one_line(result.stderr) == f"invalid --out; must be new, empty or a site built before: {out}"
    (out / "numbers.json").touch()
    assert project.run("--out", "out").returncode == 0


def test_out_refuses_a_file(project):
    (project.folder.parent / "out").touch()
    result = project.run("--out", "out")
    assert result.returncode == 2
    assert one_line(result.stderr).startswith("invalid --out; must be new, empty or a site built before: ")


def test_packages_of_the_caller_s_own_path_are_left_out(project):
    assert "path: ," in project.run(PYTHONPATH="/elsewhere").stdout


@pytest.mark.parametrize("command", [[], ["serve"], ["names"], ["render", "x"], ["sources"], ["test"]])
def test_exit_status_is_passed_on(project, command):
    assert project.run(*command, STATUS="5").returncode == 5


def test_ci_fails_when_pytest_finds_no_test(project):
    ci = project.folder / ".ci/run"
    ci.parent.mkdir()
    shutil.copy(ROOT / ".ci/run", ci)
    command = project.command(STATUS="5")  # what pytest says then
    command["args"] = [project.bin / "bash", ci]
    assert subprocess.run(**command, capture_output=True).returncode == 5
