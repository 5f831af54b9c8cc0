"""Conformance vectors: what algorithms choose and know in 200 rounds of a small game, in JSON for any language.

``python -m manybandits.harness.vectors FOLDER`` writes ``game.json``, and a file for each algorithm that draws nothing,
played by its plain twin. `docs/reference/vectors.md` says what is in them.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np

from manybandits.algorithms import catalogue, plain
from manybandits.algorithms.contract import Problem, complete
from manybandits.algorithms.plain._draws import Random
from manybandits.algorithms.plain._graph import component
from manybandits.base.artifacts import save_text
from manybandits.base.exceptions import InputError

USERS, ARMS, DIMENSION, ROUNDS, EVERY = 8, 5, 4, 200, 50
NEAR = 1e-6
"""Indices that are closer than this are decided by rounding errors, so that no vector may have them."""
PLAYED: dict[str, dict[str, float]] = {
    "linucb": {"alpha": 0.5},
    "linucb_one": {"alpha": 0.3},
    "linucb_ind": {"alpha": 0.3},
    "club": {"alpha": 0.3, "alpha_2": 0.9},
    "sclub": {"alpha": 0.3, "alpha_theta": 0.7, "alpha_p": 1.0},
    "locb": {"alpha": 0.3, "seeds": USERS},  # every user is a seed, so that none is drawn
}


def make_game() -> dict[str, Any]:
    """Return rounds with contexts and rewards of three decimals, of users in two clusters."""
    random = Random(np.array([59], np.uint64))
    theta = [[random.normal() for _ in range(DIMENSION)] for _ in range(2)]
    rounds = []
    for _ in range(ROUNDS):
        user = random.below(USERS)
        contexts = [[round(random.normal(), 3) for _ in range(DIMENSION)] for _ in range(ARMS)]
        rewards = [round(float(np.dot(theta[user % 2], x)) + 0.3 * random.normal(), 3) for x in contexts]
        rounds.append({"user": user, "contexts": contexts, "rewards": rewards})
    return {"users": USERS, "arms": ARMS, "dimension": DIMENSION, "rounds": rounds}


def play(game: Mapping[str, Any], name: str) -> dict[str, Any]:
    """Return the arms that a twin chooses in all rounds of a game, and its state after every `EVERY` of them.

    Raises InputError if rounding errors decide a choice.
    """
    users, arms, rounds = game["users"], game["arms"], game["rounds"]
    problem, options = Problem(users, arms, arms, game["dimension"], len(rounds)), _options(name)
    twin = plain.load(plain.PREFIX + name)(problem, options, np.zeros(1, np.uint64))
    chosen, states, items = [], {}, np.arange(arms)
    for t, one in enumerate(rounds, 1):
        contexts = np.array(one["contexts"])
        *_, second, first = sorted(twin.values(t, one["user"], items, contexts))
        if first - second < NEAR:
            raise InputError(f"{name}, round {t}: two indices are {first - second:.1e} apart; make another game.")
        arm = twin.choose(t, one["user"], items, contexts)
        twin.learn(t, one["user"], arm, contexts[arm], one["rewards"][arm])
        chosen.append(arm)
        if t % EVERY == 0:
            states[str(t)] = state_of(name, twin)
    return {"algorithm": name, "options": options, "arms": chosen, "states": states}


def state_of(name: str, twin: Any) -> dict[str, Any]:
    """Return how often each model has learned and its estimate, and who is in which cluster."""
    models = twin.arms if name == "linucb" else [twin.one] if name == "linucb_one" else twin.user
    state = {
        "T": [one.T for one in models],
        "theta": [[round(x, 6) + 0.0 for x in one.theta.tolist()] for one in models],
    }
    return state if (clusters := _clusters(name, twin)) is None else {**state, "clusters": clusters}


def _clusters(name: str, twin: Any) -> list[list[int]] | None:
    """Return the clusters of users, each sorted, in the order of their first users, or of their seeds."""
    if name == "club":
        return sorted(map(list, {tuple(sorted(component(twin.G, i))) for i in twin.G}))
    if name == "sclub":
        return sorted(sorted(cluster.users) for cluster in twin.J.values())
    return [sorted(N) for N in twin.N.values()] if name == "locb" else None


def _options(name: str) -> dict[str, Any]:
    return complete(catalogue.load(name), PLAYED[name], "vectors")


def text_of(content: Mapping[str, Any]) -> str:
    """Return JSON with a line for each entry, and for each of its own if these are rounds or states."""
    lines = []
    for key, value in content.items():
        parts = [json.dumps(one) for one in value] if key == "rounds" else []
        parts = [f"{json.dumps(k)}: {json.dumps(one)}" for k, one in value.items()] if key == "states" else parts
        first, last = ("[", "]") if key == "rounds" else ("{", "}")
        inside = first + "\n" + ",\n".join(parts) + "\n" + last if parts else json.dumps(value)
        lines.append(f"{json.dumps(key)}: {inside}")
    return "{\n" + ",\n".join(lines) + "\n}\n"


def main(arguments: list[str]) -> None:
    """Write the vectors to the folder that is the only argument."""
    folder, game = Path(*arguments), make_game()
    save_text(folder / "game.json", text_of(game))
    for name in PLAYED:
        save_text(folder / f"{name}.json", text_of(play(game, name)))


if __name__ == "__main__":
    main(sys.argv[1:])
