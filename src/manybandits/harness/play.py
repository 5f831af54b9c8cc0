"""Play one game with one algorithm, all grid points and all seeds at once, into one run table.

The run table is described in `manybandits.results.run_table`. It stores the settings of the play and the facts about
it. Seconds, rounds per second and memory are stored in its provenance, because they differ from run to run.
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any, NamedTuple

import pandas as pd
from msgspec.structs import replace

from manybandits.algorithms import catalogue
from manybandits.base.artifacts import Provenance, check_writable, sha256
from manybandits.base.exceptions import InputError
from manybandits.base.protocols import PAPER
from manybandits.base.sources import digest
from manybandits.compiling.interpreting import interpreting
from manybandits.environments.catalogue import load_kind
from manybandits.environments.game_file import load_game
from manybandits.environments.kinds.game import Game
from manybandits.harness.arguments import Setting, code_of, expand_grid
from manybandits.harness.interpretation import check_interpreted
from manybandits.harness.replicas import MEMORY, play_replicas
from manybandits.harness.shares import Shares, shares_of
from manybandits.harness.snapshots import ENDING, Snapshots
from manybandits.harness.spec import PlaySpec
from manybandits.harness.summary import effective_words, summary_line
from manybandits.harness.tuning import report_divergence, tune_and_play
from manybandits.results.run_table import describe, save_run

SCRIPT = "manybandits.harness.command_line"
"""The script of all algorithms, which this module does not import."""


class Played(NamedTuple):
    """The result of a play."""

    table: pd.DataFrame  # the run table
    settings: dict[str, Any]  # of the play, without the facts of the game
    facts: dict[str, Any]
    costs: dict[str, Any]  # seconds and rounds per second, which differ from run to run
    points: list[Setting]  # the grid
    chosen: Setting


def play(
    environment: Path,
    spec: PlaySpec,
    out: Path,
    *,
    threads: int = 1,
    memory: int = MEMORY,
    device: str = "cpu",
    shards: int = 1,
    share: str = "",
) -> str:
    """Play the frozen game in the file `environment` as `spec` says and write the run table to `out`.

    A play of more than some minutes stores snapshots in a folder beside `out`; started again after it was stopped, it
    goes on from them, and gives the same bytes. shards: into how many batches a play of networks is split at least, so
    that as many processes as there are `threads` play them; share: which of these this one is, "" for the first.

    Returns a summary of the play in one line, and a second one where few events of a log bear an estimate.
    """
    check_writable(out)
    algorithm, game = catalogue.load(spec.algorithm), load_game(environment)
    name = game.facts["name"]
    if spec.game not in ("", name):
        raise InputError(f"{environment} holds the game {name!r}, but {spec.game!r} is to be played: name its file.")
    provenance = Provenance({}, (environment,))
    batched = hasattr(algorithm, "Policy")
    code = digest(*code_of(algorithm.__name__, load_kind(game.facts["kind"]).__name__, batched))
    identity = " ".join((spec.to_json(), code, sha256(environment)))
    snapshots = Snapshots(out.with_name(out.name + ENDING), identity, share=share)
    shares = None
    if batched and shards > 1 and device == "cpu":
        command = [sys.executable, "-m", SCRIPT, spec.algorithm, "--environment", str(environment)]
        command += ["--spec", spec.to_json(), "--out", str(out), "--memory", str(memory), "--shards", str(shards)]
        shares = shares_of(share, threads, shards, command)
    played = play_game(
        game,
        algorithm,
        spec,
        f"{spec.algorithm} on {environment.name}",
        sources=digest(algorithm.__name__),
        threads=threads,
        memory=memory,
        device=device,
        snapshots=snapshots if device == "cpu" else None,
        shares=shares,
    )
    provenance.settings = played.settings
    save_run(out, played.table, {**played.settings, "environment": game.facts}, played.facts)
    provenance.save(out, costs=played.costs, digest=code)
    snapshots.remove()
    title = played.settings["title"]
    line = summary_line(title, played.table, played.points, played.chosen, game.nan_reason, out)
    return "\n".join([line, *effective_words(title, played.facts.get("effective", []), spec.horizon)])


def play_game(
    game: Game,
    algorithm: Any,
    spec: PlaySpec,
    where: str,
    *,
    sources: str,
    threads: int = 1,
    memory: int = MEMORY,
    device: str = "cpu",
    snapshots: Snapshots | None = None,
    shares: Shares | None = None,
) -> Played:
    """Play a game with an algorithm as `spec` says.

    algorithm: a module, or an object with the attributes of one; where: what is played, for error messages; sources:
    digest of the code of the algorithm; snapshots: with which the play goes on after it was stopped; shares: which of
    several processes this is.
    """
    points = expand_grid(algorithm, spec.grid, where)
    spec = replace(spec, game=game.facts["name"], title=spec.title or algorithm.TITLE)
    protocol = game.facts.get("protocol", PAPER)
    settings = {**spec.stored(), "variant": protocol, "reference": algorithm.REFERENCE}
    how: dict[str, Any] = {"horizon": spec.horizon, "device": device}

    def try_out(rounds: int) -> None:
        play_replicas(game, algorithm, points[:1], spec.seeds[:1], **how, rounds=rounds, progress=False)

    # Play a few rounds, including the first training, so that everything is compiled before time is measured.
    try_out(min(10, spec.horizon))
    if interpreting():
        check_interpreted(algorithm, spec, len(points), device, try_out)
    table, chosen, seconds = tune_and_play(
        game,
        algorithm,
        points,
        seeds=spec.seeds,
        tuning_seeds=spec.tuning_seeds,
        tuning=spec.tuning,
        tuning_rounds=spec.tuning_rounds,
        threads=threads,
        memory=memory,
        snapshots=snapshots,
        shares=shares,
        **how,
    )
    diverged = report_divergence(table, algorithm.TITLE, game.nan_reason)
    last = table.groupby(["stage", "options", "seed"])["round"].max()
    table.insert(0, "algorithm", catalogue.short_name(spec.algorithm))
    table.insert(1, "variant", protocol)
    facts: dict[str, Any] = {
        "chosen": describe(chosen),
        "replicas": len(last),
        "diverged": diverged,
        "sources": sources,
    }
    if game.fit_columns and set(game.fit_columns) <= set(table):
        reported = table[(table["stage"] == "evaluation") & table["chosen"] & (table["round"] == spec.horizon)]
        facts["fits"] = {name: int(reported[name].sum()) for name in game.fit_columns}
    if "effective" in table:
        ended = table[(table["stage"] == "evaluation") & table["chosen"] & (table["round"] == spec.horizon)]
        facts["effective"] = ended["effective"].dropna().tolist()
    costs = {
        "device": device if hasattr(algorithm, "Policy") else "cpu",
        "threads": threads,
        **({"interpreted": True} if interpreting() else {}),
        "play_seconds": round(sum(seconds.values()), 3),
        "rounds_per_second": round(int(last.sum()) / sum(seconds.values())),
        "stages": {
            stage: {"replicas": len(last[stage]), "rounds": int(last[stage].max()), "seconds": round(spent, 3)}
            for stage, spent in seconds.items()
        },
    }
    return Played(table, settings, facts, costs, points, chosen)
