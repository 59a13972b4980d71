"""How much the hook adds to a build: ``python tests/bench/build.py [--ledger] [PAGES…]`` prints ratios of one run.

Three sites with the same pages, fifty numbers on each: with this hook, as the rendered pages in plain mkdocs,
and through mkdocs-macros-plugin, whose macro evaluates the same quantities of the same model and writes bare numbers.
Neither of the others has a ledger, so it is off; ``--ledger`` turns it on, and the plain pages then hold it too.
The builds take turns, so that a slow moment hits all of them.
"""

import os
import shutil
import statistics
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path

import yaml

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from commcost import load
from tests.support import ROOT

NUMBERS = 50
ROUNDS = 5
LEDGER = "--ledger"
QUANTITIES = (
    "quoted_all_reduce_bytes", "quoted_all_reduce_seconds", "ring_factor", "compute_seconds", "communication_to_compute",
    "gradient_bytes", "hop_seconds", "chunk_bytes", "gpus", "params",
)  # fmt: skip
OVERRIDES = ("", '(accelerator="b200")', '(link="nvlink")', '(example="node")', '(accelerator="b200", link="nvlink")')
SETTINGS = {
    "site_name": "Bench",
    "theme": {"name": "material", "font": False},
    "plugins": ["search"],
    "markdown_extensions": ["attr_list", "md_in_html", "tables", "pymdownx.blocks.html", "pymdownx.superfences"],
    "nav": [{"Home": "index.md"}],
    "validation": {"nav": {"omitted_files": "ignore"}},
}


MACRO = """
from commcost import load

run = load().run()

def define_env(env):
    @env.macro
    def show(name, **overrides):
        return f"{run.with_(**overrides).value(name):,.2f}"
"""


@dataclass
class Cost:
    """What one build took: seconds of wall and processor time, and its largest resident size in megabytes."""

    wall: float
    cpu: float
    memory: float


def page(number: int, expressions: list[str]) -> str:
    """Return a page of fifty numbers in ordinary sentences."""
    lines = [f"# Page {chr(97 + number % 26)}", ""]
    for at, expression in enumerate(expressions):
        lines.append(f"A sentence of the usual length says that the wire carries {{{{ {expression} }}}} on every step of a run.")
        if at % 5 == 4:
            lines.append("")
    return "\n".join(lines) + "\n"


def write(folder: Path, pages: int, settings: dict[str, object], expressions: list[str]) -> None:
    """Write one generated site."""
    (folder / "docs").mkdir(parents=True)
    (folder / "mkdocs.yml").write_text(yaml.safe_dump({**SETTINGS, **settings}))
    for number in range(pages):
        name = "index.md" if number == 0 else f"page-{number}.md"
        (folder / "docs" / name).write_text(page(number, expressions))


def build(folder: Path) -> Cost:
    """Build one site in a process of its own and return what it took."""
    shutil.rmtree(folder / "site", ignore_errors=True)
    command = [sys.executable, "-m", "mkdocs", "build"]
    before = os.times()
    with open(folder / "log", "w") as log:
        child = subprocess.Popen(
            command, cwd=folder, stdout=log, stderr=log, env={**os.environ, "PYTHONPATH": str(ROOT), "NO_MKDOCS_2_WARNING": "1"}
        )
        _, status, usage = os.wait4(child.pid, 0)
    if status:
        sys.exit(f"the build in {folder} failed:\n{(folder / 'log').read_text()}")
    return Cost(os.times().elapsed - before.elapsed, usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024)


def measure(pages: int, room: Path) -> dict[str, Cost]:
    """Return the median cost of each kind of site."""
    expressions = [QUANTITIES[at % 10] + OVERRIDES[at // 10] for at in range(NUMBERS)]
    spoken = "\n".join(load().prose.values())
    terms = {term: why for term, why in yaml.safe_load((ROOT / "mkdocs.yml").read_text())["extra"]["terms"].items() if term in spoken}
    hook = {"hooks": [str(ROOT / "hooks" / "pages.py")], "extra": {"model": "commcost", "terms": terms, "ledger": LEDGER in sys.argv}}
    write(room / "hook", pages, hook, expressions)
    subprocess.run(
        [sys.executable, "-m", "hooks", "render", str(room / "plain")],
        cwd=room / "hook", env={**os.environ, "PYTHONPATH": str(ROOT)}, check=True,
    )  # fmt: skip
    calls = [f'show("{QUANTITIES[at % 10]}"{OVERRIDES[at // 10].replace("(", ", ") or ")"}' for at in range(NUMBERS)]
    write(room / "macros", pages, {"plugins": ["search", "macros"]}, calls)
    (room / "macros" / "main.py").write_text(MACRO)
    taken: dict[str, list[Cost]] = {kind: [] for kind in ("hook", "plain", "macros")}
    for _ in range(ROUNDS):
        for kind, costs in taken.items():
            costs.append(build(room / kind))
    return {
        kind: Cost(*(statistics.median(getattr(cost, name) for cost in costs) for name in ("wall", "cpu", "memory")))
        for kind, costs in taken.items()
    }


def main(sizes: list[int]) -> None:
    """Print the ratios."""
    costs = {}
    for pages in sizes:
        with tempfile.TemporaryDirectory() as room:
            costs[pages] = measure(pages, Path(room))
        for kind, cost in costs[pages].items():
            print(f"{pages:5} pages {kind:7} wall {cost.wall:6.2f} s  cpu {cost.cpu:6.2f} s  memory {cost.memory:5.0f} MB")
        hook, plain, macros = (costs[pages][kind] for kind in ("hook", "plain", "macros"))
        print(
            f"{pages:5} pages hook/plain  wall {hook.wall / plain.wall:.2f}  cpu {hook.cpu / plain.cpu:.2f}  "
            f"memory {hook.memory / plain.memory:.2f}; hook/macros  wall {hook.wall / macros.wall:.2f}  cpu {hook.cpu / macros.cpu:.2f}"
        )
    if len(sizes) > 1:
        first, last = costs[sizes[0]], costs[sizes[-1]]
        growth = {kind: last[kind].cpu / first[kind].cpu for kind in first}
        print(f"growth {sizes[0]} → {sizes[-1]} pages: " + ", ".join(f"{kind} {ratio:.2f} ×" for kind, ratio in growth.items())
              + f"; hook/plain {growth['hook'] / growth['plain']:.2f}")  # fmt: skip


if __name__ == "__main__":
    main([int(size) for size in sys.argv[1:] if size != LEDGER] or [200, 1000])
