"""What several test rooms share: copies of the project, builds, runs drawn at random."""

import math
import os
import random
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path

from commcost import Model

ROOT = Path(__file__).resolve().parents[1]
PARTS = ("mkdocs.yml", "docs", "hooks", "commcost", "package.json")
CLUSTER = ROOT / "commcost" / "example-cluster.toml"
# The pages of which a light copy keeps the headings, to which others link, and the terms, which must stand on some page.
BARED = (
    "cost-of-communication.md", "ring-walkthrough.md", "where-2p-comes-from.md", "walkthrough-to-bill.md", "work-it-out.md",
    "reference/formulas.md",
)  # fmt: skip
KEPT = re.compile(r"^#.*|\b(?:3P|fp32|ZeRO-\d)\b", re.MULTILINE)
# The sites that must pass the same checks, each with its run file.
SITES = {"default": None, "cluster": CLUSTER}


def copy_project(folder: Path, *, light: bool = False) -> Path:
    """Copy what a build needs to ``folder`` and return it; plotly's bundle is linked, not copied.

    A ``light`` copy is built in half the time, with bare pages: for tests in which they play no part.
    """
    folder.mkdir(parents=True)
    for part in PARTS:
        source = ROOT / part
        if source.is_dir():
            shutil.copytree(source, folder / part)  # with its bytecode, which holds for what its source holds
        else:
            shutil.copy2(source, folder / part)
    if (ROOT / "node_modules").exists():
        (folder / "node_modules").symlink_to(ROOT / "node_modules")
    for path in BARED if light else ():
        page = folder / "docs" / path
        kept = KEPT.findall(page.read_text(encoding="utf-8"))
        assert kept, path
        page.write_text("\n\n".join(kept), encoding="utf-8")
    return folder


def mkdocs(folder: Path, *arguments: str, **environment: str) -> subprocess.CompletedProcess[str]:
    """Run ``mkdocs`` in ``folder`` and return what it said."""
    return subprocess.run(
        [sys.executable, "-m", "mkdocs", *arguments],
        cwd=folder,
        env={**os.environ, "NO_MKDOCS_2_WARNING": "1", **environment},
        capture_output=True,
        text=True,
    )


def build(folder: Path, **environment: str) -> Path:
    """Build the site of ``folder`` and return its folder."""
    done = mkdocs(folder, "build", **environment)
    assert done.returncode == 0, done.stderr
    return folder / "site"


def pages() -> list[str]:
    """Return the paths of all pages below docs/."""
    return sorted(path.relative_to(ROOT / "docs").as_posix() for path in (ROOT / "docs").rglob("*.md"))


def corner_runs() -> list[dict[str, float | str]]:
    """Return runs at the corners: one GPU, very many, full and hardly any utilisation, own links, tiny and huge models."""
    return [
        {},
        {"gpus": 1},
        {"gpus": 1, "link": "nvlink"},
        {"gpus": 2},
        {"gpus": 8, "link": "nvlink"},
        {"gpus": 64, "link": "nvlink"},
        {"gpus": 1e9},
        {"mfu": 1},
        {"mfu": 1e-6},
        {"accelerator": "b200"},
        {"accelerator": "mi300x", "link": "nvlink"},
        {"accelerator": "gb200", "link": "nvlink", "gpus": 72},
        {"params": 1},
        {"params": 1e15, "tokens": 1},
        {"tokens": 1e12, "params": 1, "gpus": 1e9},
        {"bytes_per_param": 8},
        {"bytes_per_param": 0.5, "link": "pcie_gen4"},
    ]


def random_runs(model: Model, count: int, seed: int = 1) -> Iterator[Mapping[str, float | str]]:
    """Yield runs drawn log-uniformly over the bounds, choices uniformly; an open bound at zero begins at a millionth."""
    dice = random.Random(seed)
    for _ in range(count):
        run: dict[str, float | str] = {}
        for name, entry in model.inputs.items():
            if entry.unit is None:
                run[name] = dice.choice(sorted(model.choices[name]))
                continue
            value = math.exp(dice.uniform(math.log(entry.low or 1e-6), math.log(entry.high)))
            run[name] = min(max(round(value) if entry.whole else value, entry.low), entry.high)
        yield run
