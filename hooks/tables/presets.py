"""The catalogue's published runs: what they train on what, how long they wait, and where that was read."""

from html import escape
from typing import cast

from commcost import Model
from commcost.records import Preset
from hooks.live.tables import Fragment
from hooks.live.values import Values
from hooks.tables import _parts as parts

# What a run is, and its answer; each an expression at the run's own example.
LINES = (
    "{params}, {tokens} per step",
    "{gpus} of type {accelerator}, {link}, {mfu} utilisation",
    "computing {compute_seconds}, all-reduce as quoted {quoted_all_reduce_seconds}: {communication_to_compute}",
)
FORMS = {"mfu": " | percent", "communication_to_compute": " | percent"}


def make(values: Values) -> Fragment:
    """Return a card for each published run."""
    model = cast(Model, values.model)
    return Fragment(f'<div class="entries">{" ".join(_card(model, preset) for preset in model.presets.values())}</div>')


def _card(model: Model, preset: Preset) -> str:
    def shown(line: str) -> str:
        names = [*model.names]
        return line.format_map({name: f'{{{{ {name}(example="{preset.name}"){FORMS.get(name, "")} }}}}' for name in names})

    said = (
        f'<p class="entry-title"><b><dfn>{escape(preset.label, quote=False)}</dfn></b></p>',
        *(f"<p>{shown(line)}</p>" for line in LINES),
        f'<p class="entry-what">{parts.name(preset.what)}</p>',
        f'<p class="entry-source">{parts.source(preset)}</p>',
    )
    return f'<section class="entry" id="run-{preset.name}">{" ".join(said)}</section>'
