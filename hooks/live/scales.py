"""Scales: every place on an axis with a scale is a quantity, so that no line, label or limit of a chart is typed.

An axis of categories and an invisible one have no scale: they hold rows and labels, and places on them are layout,
as paper coordinates and pixels are. Zero and one are free: where a scale starts, and where two quantities are equal.
"""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from hooks.live.errors import LiveError

FREE = (0, 1)
# What may stand along an axis with a scale, by where plotly's JSON holds it.
PLACES = {"shapes": ("{}0", "{}1"), "annotations": ("{}",), "images": ("{}", "size{}")}
TICKS = ("tick0", "dtick", "minallowed", "maxallowed")


def check_scales(chart: Mapping[str, Any], quantities: tuple[type, ...], where: str) -> None:
    """Refuse a typed place on an axis with a scale, and a drawn axis of that kind whose limits are left to plotly.

    Raises: LiveError that names the place.
    """
    layout = chart.get("layout", {})

    def typed(value: object) -> bool:
        return not (value is None or isinstance(value, quantities) or (type(value) in (int, float) and value in FREE))

    for place, value in _places(layout):
        if typed(value):
            raise LiveError(f"a bare number at {place}; draw a quantity: {value!r:.80}", where)
    for trace in chart.get("data", ()):
        for letter in "xy":
            name = str(trace.get(f"{letter}axis", letter))
            if has_scale(layout, name) and len(_axis(layout, name).get("range", ())) != 2:
                raise LiveError(f"the {_key(name)} has no range; its limits are quantities", where)


def has_scale(layout: Mapping[str, Any], name: str) -> bool:
    """Tell whether places on the axis that plotly calls ``name`` (x, y2) are values."""
    axis = _axis(layout, name)
    return axis.get("type") != "category" and axis.get("visible") is not False


def _places(layout: Mapping[str, Any]) -> Iterator[tuple[str, object]]:
    for kind, keys in PLACES.items():
        for at, item in enumerate(layout.get(kind, ())):
            for letter in "xy":
                reference = str(item.get(f"{letter}ref", letter))
                if reference == "paper" or reference.endswith(" domain") or not has_scale(layout, reference):
                    continue
                for key in (*(key.format(letter) for key in keys), "path"):
                    yield f"{kind}[{at}].{key}", item.get(key)
    for name in layout:
        if name[1:].startswith("axis") and has_scale(layout, name.replace("axis", "")):
            axis = layout[name]
            for key in ("range", "tickvals"):
                yield from ((f"{name}.{key}", value) for value in _listed(axis.get(key)))
            yield from ((f"{name}.{key}", axis.get(key)) for key in TICKS)


def _listed(values: Iterable[object] | None) -> Iterable[object]:
    return () if values is None else values


def _key(name: str) -> str:
    return f"{name[0]}axis{name[1:]}"


def _axis(layout: Mapping[str, Any], name: str) -> Mapping[str, Any]:
    axis = layout.get(_key(name), {})
    return axis if isinstance(axis, Mapping) else {}
