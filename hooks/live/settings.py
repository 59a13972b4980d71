"""The settings of a site: its mkdocs configuration as plain data, checked where it holds texts of its own."""

import tomllib
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Any

import yaml
from markdown import Markdown

from hooks.live.errors import LiveError
from hooks.live.prose import Vocabulary, check

Settings = Mapping[str, Any]


def read(config: Path, run_file: Path | None = None) -> Settings:
    """Return the mkdocs configuration at ``config``, with the site's name from ``run_file`` where that gives one.

    Raises: LiveError
    """
    try:
        settings = yaml.safe_load(config.read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError, yaml.YAMLError) as error:
        raise LiveError(f"not readable as YAML: {' '.join(str(error).split())}", config.name) from None
    if not isinstance(settings, dict):
        raise LiveError("must be names with values", config.name)
    return {**settings, "site_name": _named_in(run_file) or settings.get("site_name") or ""}


def model_name(settings: Settings, file: str) -> str:
    """Return the package of the model that the settings in ``file`` name.

    Raises: LiveError
    """
    name = (settings.get("extra") or {}).get("model")
    if not isinstance(name, str):
        raise LiveError(f"extra.model must name the model's package: {name!r}", file)
    return name


def has_ledger(settings: Settings, file: str) -> bool:
    """Return whether pages end with their ledger: ``extra.ledger``, true unless it says otherwise.

    Raises: LiveError
    """
    answer = (settings.get("extra") or {}).get("ledger", True)
    if not isinstance(answer, bool):
        raise LiveError(f"extra.ledger must be true or false: {answer!r}", file)
    return answer


def terms(settings: Settings, file: str) -> Mapping[str, str]:
    """Return the declared terms, each with its reason.

    Raises: LiveError
    """
    declared = (settings.get("extra") or {}).get("terms") or {}
    if not isinstance(declared, dict):
        raise LiveError(f"extra.terms must give each term its reason: {declared!r}", file)
    for term, reason in declared.items():
        if not isinstance(term, str) or not term.strip() or not isinstance(reason, str) or not reason.strip():
            raise LiveError(f"extra.terms: a term is a text with a reason: {term!r}: {reason!r}", file)
    return declared


def check_labels(settings: Settings, vocabulary: Vocabulary, file: str, run_file: Path | None = None) -> Counter[str]:
    """Refuse numbers in the site's name, its description and the navigation, which are copied where nothing updates them.

    Return how often each term is used there.

    Raises: LiveError
    """
    name, named = str(settings.get("site_name") or ""), f"{run_file.name}: site.name" if run_file and _named_in(run_file) else file
    if any(character in name for character in '<>{}"'):
        raise LiveError(f"the site's name must be plain text, without < > {{ }} and \": {name!r}", named)
    texts = [str(settings.get(key) or "") for key in ("site_description", "copyright")]
    terms = Counter[str]()
    for text, where in [(name, named), *((text, file) for text in (*texts, *_labels(settings.get("nav") or [])))]:
        findings, used = check(text, vocabulary)
        terms += used
        if findings:
            raise LiveError(findings[0].outright, where)
    return terms


def titles(settings: Settings) -> Mapping[str, str]:
    """Return the titles of the pages in the navigation by their paths, in its order; a page without a label is called by its path."""
    found: dict[str, str] = {}
    pending = list(settings.get("nav") or [])
    while pending:
        entry = pending.pop(0)
        if isinstance(entry, str):
            found[entry] = entry
            continue
        for label, target in entry.items():
            if isinstance(target, str):
                found[target] = str(label)
            else:
                pending = [*(target or []), *pending]
    return found


def converter(settings: Settings) -> Callable[[str], str]:
    """Return Markdown's conversion with the site's own extensions, for what travels as HTML (captions, unsaid sentences)."""
    extensions, configs = [], {}
    for extension in settings.get("markdown_extensions") or []:
        name, options = next(iter(extension.items())) if isinstance(extension, dict) else (extension, None)
        if name != "toc":  # headings stay with the page
            extensions.append(name)
            configs[name] = options or {}
    markdown = Markdown(extensions=extensions, extension_configs=configs)
    return lambda text: markdown.reset().convert(text)


def _named_in(run_file: Path | None) -> str | None:
    """Return the site's name that a run file gives (``[site] name``); whatever else is wrong in it, the model tells."""
    try:
        site = tomllib.loads(run_file.read_text(encoding="utf-8-sig")).get("site") if run_file else None
    except (OSError, ValueError, RecursionError):
        return None
    name = site.get("name") if isinstance(site, dict) else None
    return name.strip() if isinstance(name, str) else None


def _labels(nav: Iterable[Any]) -> Iterable[str]:
    """Yield the labels of a navigation, at any depth."""
    for entry in nav:
        for label, target in entry.items() if isinstance(entry, dict) else ():
            yield str(label)
            if not isinstance(target, str):
                yield from _labels(target or [])
