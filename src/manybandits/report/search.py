"""The index of the search: algorithms and papers first, then pages, headlines, figures, tables and data sets."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from manybandits.claims.sentences import label_words, quantity
from manybandits.report.inputs import data_of
from manybandits.report.report import Report

Entry = dict[str, str]
"""An entry of the index: its kind, its title, its url from the root of the site, and other words that find it."""
ORDER = ("algorithm", "paper", "page", "headline", "figure", "table", "left out", "data", "open choice", "decision")
"""The order of kinds; claims, of which there are most, come last."""


def entry(kind: str, title: str, url: str, words: str = "") -> Entry:
    """Return an entry of the index."""
    return {"kind": kind, "title": title, "url": url, "words": words}


def index(pages: Mapping[str, str], report: Report, algorithms: Sequence[Mapping[str, Any]]) -> list[Entry]:
    """Return the index in the order of `ORDER`, without two entries of one kind and title.

    pages: url -> title; algorithms: see `algorithms.describe`. Claims of one sentence that differ by numbers alone are
    one entry.
    """
    found = [entry("page", title, url) for url, title in pages.items()]
    for played in algorithms:
        words = f"{played['name']} {played['reference']}"
        found.append(entry("algorithm", played["title"], f"algorithms/{played['name']}.html", words))
    for paper in report.papers:
        page = f"papers/{paper.key}.html"
        found.append(entry("paper", paper.short, page, f"{paper.content.title} {paper.content.reference}"))
        for experiment in paper.experiments:
            words = f"{experiment.omitted} {' '.join(note for figure in experiment.figures for note in figure.data)}"
            title = f"{paper.short}, {experiment.place}: {experiment.title}"
            kind = "figure" if experiment.figures else "table" if experiment.tables else "left out"
            if experiment.made or experiment.omitted:
                found.append(entry(kind, title, f"{page}#{experiment.key}", words))
        for key, words in paper.content.decisions.items():
            found.append(entry("decision", f"{paper.short}: {key.replace('_', ' ')}", f"{page}#decision-{key}", words))
        for key, opening in paper.content.openings.items():
            words = f"{key} {opening.place} {' '.join(opening.values)}"
            place = f"readings.html#open-{paper.key}-{key}"
            found.append(entry("open choice", f"{paper.short}: {opening.asks}", place, words))
        for one in data_of(paper.figures).values():
            found.append(entry("data", f"{one['title']} ({paper.short})", f"{page}#data", one["name"]))
        for headline in report.headlines[paper.key]:
            decisive = report.decisive(headline)
            words = f"{headline.id} {headline.word.value} {headline.headline.place} {quantity(decisive)}"
            words += f" {label_words(decisive.flags)}"
            title = f"{paper.short}: {headline.headline.says}"
            found.append(entry("headline", title, f"{page}#headline-{headline.key}", words))
        for name, (verdict, *_) in report.claims[paper.key].items():
            claim = verdict.claim
            words = f"{name} {claim.place} {verdict.answer.value} {claim.kind} {quantity(verdict)}"
            words += f" {'; '.join(verdict.data)} {label_words(verdict.flags)} {claim.stands}"
            found.append(entry("claim", f"{paper.short}, {claim.place}: {claim.says}", f"{page}#{name}", words))
    return _once(sorted(found, key=lambda one: ORDER.index(one["kind"]) if one["kind"] in ORDER else len(ORDER)))


def _once(entries: Sequence[Entry]) -> list[Entry]:
    """Return the first entry of each kind and title, found by the words of all entries with these."""
    found: dict[tuple[str, str], Entry] = {}
    words: dict[tuple[str, str], dict[str, None]] = {}
    for one in entries:
        name = one["kind"], one["title"]
        found.setdefault(name, one)
        words.setdefault(name, {}).update(dict.fromkeys(one["words"].split()))
    return [{**one, "words": " ".join(words[name])} for name, one in found.items()]
