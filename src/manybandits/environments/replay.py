"""Replay of a log of past recommendations: only events in which a policy chooses the arm that was shown count.

Source: Li, Chu, Langford and Wang 2011, *Unbiased offline evaluation of contextual-bandit-based news article
recommendation algorithms*, Algorithm 2; LNUCB-TA section 5.2 plays 800 counted events of a log of 10,000.

The arms in the log were drawn uniformly at random, whatever the contexts, unless the log has propensities. A policy
chooses an arm for one event after another. If it chooses the arm that was shown, it receives the click, and the event
counts as a round; it learns nothing from all other events. So t counts rounds, not events, and a run of T rounds needs
about T K events. The clicks of arms that were not shown are unknown, so "regret" is the number of rounds minus the
reward: under plain replay, the number of rounds without a click.

The log is passed over once. A replica that reaches its end before the horizon has totals of NaN from then on. It is
reported, and its options are never chosen.

order = shuffled    a seed draws the order of the events, so runs differ
order = logged      the order of the log; runs differ only in the random draws of policies
learn = matched     a policy learns from rounds only, as above
learn = every       it learns from every event, including arms that it did not choose, which is more than a bandit
                    observes: a test of which results depend on this
estimate = replay   the reward of t rounds is the number of their clicks, t times the replay estimate of the value
estimate = inverse  the reward is t times the estimate by inverse propensity; with `doubly-robust`, t times the doubly
                    robust one. Both also use events that do not count, see `manybandits.environments.offpolicy`
estimate = self-normalised    t times the estimate by inverse propensity divided by the sum of weights: replay, if the
                    log was uniform

Rounds are the same under all estimates, and the order of a seed is the same for all settings. Only if the log was not
uniform, replay thins it first: a seed keeps event i with probability min p / p_i, p_i being its propensity, so that the
kept events show every arm equally often, whatever the contexts. A policy then also learns from what a uniform log would
have shown, which it does not under the other estimates; but few events are kept if one propensity is small.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from manybandits.base.artifacts import Provenance, load_arrays, save_arrays
from manybandits.base.exceptions import InputError, pick, run_script
from manybandits.environments.command_line import read_settings
from manybandits.environments.kinds.replay import LAYOUT as PLAYED
from manybandits.environments.kinds.replay import ReplayGame
from manybandits.environments.layout import FLAG
from manybandits.environments.offpolicy import effective_size, fit_clicks

if TYPE_CHECKING:
    from manybandits.datasets.base import Dataset

LAYOUT = {**PLAYED, "shuffled": FLAG}
SETTINGS: dict[str, Any] = {"order": "shuffled", "learn": "matched", "estimate": "replay"}
"""The settings of the game, with their defaults."""
MEANINGS = {
    "order": "order of events: shuffled or logged",
    "learn": "events to learn from: matched or every",
    "estimate": "estimate of rewards: replay, inverse, self-normalised or doubly-robust",
}
WORDS = {
    "order": ("shuffled", "logged"),
    "learn": ("matched", "every"),
    "estimate": ("replay", "inverse", "self-normalised", "doubly-robust"),
}
NOTES = {
    "shuffled": "orders drawn",
    "logged": "its own order",
    "every": "learning from every event",
    "inverse": "estimated by inverse propensity",
    "self-normalised": "self-normalised inverse propensity",
    "doubly-robust": "doubly robust estimate",
}


def check(settings: dict[str, Any]) -> None:
    """Raise InputError if no game can be made with these settings."""
    for name, words in WORDS.items():
        pick(settings[name], words, name)


def build(
    log: dict[str, np.ndarray],
    order: str,
    learn: str,
    estimate: str = "replay",
    columns: Mapping[str, int] | None = None,
) -> dict[str, np.ndarray]:
    """Return the arrays of a game.

    log: arm, (n,) from 0; click, (n,) from 0 to 1; contexts, (n, K, d); propensity, (n,), unless the log was uniform.
    columns: column of numbers of a table -> its place in a context, for messages.

    Raises InputError if shapes or values are wrong, or if an arm was never shown.
    """
    arm, click, contexts = log["arm"], log["click"], log["contexts"]
    if not (arm.shape == click.shape == contexts.shape[:1]) or contexts.ndim != 3 or not len(arm):
        shapes = f"arm {arm.shape}, click {click.shape}, contexts {contexts.shape}"
        raise InputError(f"{shapes}: a log has shapes (n,), (n,) and (n, K, d), with n of at least 1.")
    arms = contexts.shape[1]
    for name, values, most in (("arm", arm, arms - 1), ("click", click, 1)):
        wrong = np.flatnonzero(~((values >= 0) & (values <= most)) | ((name == "arm") & (values != np.floor(values))))
        if wrong.size:
            raise InputError(f"event {wrong[0]}: {name} {values[wrong[0]]} is not from 0 to {most}.")
    if not np.isfinite(contexts).all():
        raise InputError(f"event {np.argwhere(~np.isfinite(contexts))[0][0]} has a context with NaN or infinity.")
    empty = np.flatnonzero(np.bincount(arm.astype(np.int64), minlength=arms) == 0)
    if empty.size:
        raise InputError(f"arm {empty[0]} is never shown: a policy that picks it would learn nothing; leave it out.")
    arrays: dict[str, np.ndarray] = {
        "shown": arm.astype(np.int32),
        "click": click.astype(np.float64),
        "contexts": contexts.astype(np.float64),
        "shuffled": np.array(order == "shuffled"),
        "learn_every": np.array(learn == "every"),
    }
    if "propensity" in log:
        propensity = log["propensity"].astype(np.float64)
        arrays |= {"keep": propensity.min() / propensity} if estimate == "replay" else {"propensity": propensity}
    if estimate == "inverse":
        arrays["guess"] = np.zeros(contexts.shape[:2])
    elif estimate == "doubly-robust":
        arrays["guess"] = fit_clicks(arrays["shown"], arrays["click"], arrays["contexts"], columns)
    return arrays


def logged(log: dict[str, np.ndarray]) -> dict[str, float]:
    """Return counts on a tidy log that was not uniform, {} for another.

    least_propensity; least_effective_events: the effective sample size of always picking one arm, for the arm where it
    is smallest; kept_by_replay: the expected number of events that replay keeps.
    """
    if "propensity" not in log:
        return {}
    arms = range(log["contexts"].shape[1])
    effective = min(effective_size(log["propensity"][log["arm"] == arm])[-1] for arm in arms)
    least = float(log["propensity"].min())
    return {
        "least_propensity": least,
        "least_effective_events": round(float(effective), 1),
        "kept_by_replay": round(float((least / log["propensity"]).sum()), 1),
    }


def digest(arrays: dict[str, np.ndarray]) -> str:
    """Return the SHA-256 of the log in the arrays of a game, as 64 hexadecimal digits."""
    content = hashlib.sha256()
    for name in ("shown", "click", "contexts"):
        content.update(arrays[name].data)
    return content.hexdigest()


def draw_order(arrays: dict[str, np.ndarray], random: np.random.Generator) -> np.ndarray:
    """Return the events of the log in the order of one seed, (n,) int32; fewer if the log is thinned."""
    events = np.arange(len(arrays["shown"]), dtype=np.int32)
    ordered = random.permutation(events) if arrays["shuffled"] else events
    return ordered[random.random(len(events)) < arrays["keep"][ordered]] if "keep" in arrays else ordered


def game(name: str, facts: dict[str, Any], arrays: dict[str, np.ndarray]) -> ReplayGame:
    """Return a frozen game. facts, arrays: content of its file.

    Its name is the digest of the log alone, so that its random streams are the same for all settings.
    """
    return ReplayGame(digest(arrays), facts, arrays, facts["arms"], facts["dimension"], draw_order)


def freeze(
    path: Path,
    tidy: Path,
    role: str,
    dataset: Dataset | None = None,
    places: Mapping[str, int] | None = None,
    **settings: str,
) -> None:
    """Build a game from a folder of tidy data and write it to `path`.

    role: the family of data that the paper names; dataset: what the data are, by default the data set that the folder
    is named after; places: columns of numbers of a table -> their places in a context; settings: as in `SETTINGS`.
    """
    from manybandits import datasets  # games use data sets only here, for names in their facts
    from manybandits.datasets.base import OWN

    check(settings)
    dataset = dataset or datasets.of_folder(tidy)
    source = tidy / "log.npz"
    provenance = Provenance({"game": "replay", **settings, "role": role, "datasets": [dataset.name]}, (source,))
    try:
        log = load_arrays(source)
        arrays = build(log, **settings, columns=places)
    except InputError as error:
        raise InputError(f"{dataset.name if dataset.completeness == OWN else source}: {error}") from error
    events, arms, dimension = arrays["contexts"].shape
    stand_in = dataset.family != role
    note = f"{dataset.title}, standing in for {role}" if stand_in else dataset.title
    if "propensity" in log and settings["estimate"] == "replay":
        note += "; thinned to a uniform log"
    facts = {
        "kind": "replay",
        "users": 1,
        "items": arms,
        "arms": arms,
        "dimension": dimension,
        "protocol": "paper",
        "role": role,
        "dataset": dataset.facts,
        "stand_in": stand_in,
        "data_note": "; ".join([note, *(NOTES[word] for word in settings.values() if word in NOTES)]),
        "settings": settings,
        "counts": {"events": events, "clicks": int(arrays["click"].sum()), **logged(log)},
        **({"columns": dict(places)} if places else {}),
    }
    save_arrays(path, arrays, facts)
    provenance.save(path)


def main(argv: list[str] | None = None) -> None:
    freeze(**read_settings(argv, "Freeze a replay game from a tidy log.", SETTINGS, MEANINGS, "folder"))


if __name__ == "__main__":
    run_script(main)
