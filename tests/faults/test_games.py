"""Games whose facts and arrays disagree: refused when they are loaded, or played within the bounds of their arrays."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from manybandits.algorithms import catalogue
from manybandits.base.artifacts import load_arrays, load_facts, save_arrays
from manybandits.base.exceptions import InputError
from manybandits.environments.game_file import load_game
from manybandits.environments.layout import check_indices
from manybandits.harness.replicas import play_replicas
from tests.faults.planted_games import GAMES

STATED = ("users", "arms", "dimension", "items", "rounds", "blocks")


@pytest.fixture(scope="session")
def planted(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    folder = tmp_path_factory.mktemp("games")
    for name, freeze in GAMES.items():
        freeze(folder / f"{name}.npz")
    return {name: folder / f"{name}.npz" for name in GAMES}


def damaged_arrays(array: np.ndarray) -> Iterator[tuple[str, np.ndarray]]:
    """Yield an array in forms that it must not have, or need not have, with a word for each."""
    yield "a dimension more", array[None]
    yield "as text", array.astype(str)
    if array.ndim:
        yield "empty", array[:0]
        yield "a row less", array[:-1]
        yield "a row more", np.concatenate([array, array[-1:]])
        yield "backwards", array[::-1]
        yield "a dimension less", array.reshape(-1) if array.ndim > 1 else array[0]
    if array.ndim > 1:
        yield "a column less", array[..., :-1]
        yield "a column more", np.concatenate([array, array[..., -1:]], axis=-1)
    if array.dtype.kind in "iu" and array.size:
        for word, value in (("far", 2**31 - 1), ("negative", -5), ("one more", int(array.max()) + 1)):
            wrong = array.astype(np.int64).copy()
            wrong.reshape(-1)[-1] = value
            yield word, wrong
    if array.dtype.kind == "f" and array.size:
        for value in (np.nan, np.inf):
            wrong = array.copy()
            wrong.reshape(-1)[-1] = value
            yield str(value), wrong


def damaged_facts(facts: dict) -> Iterator[tuple[str, dict]]:
    """Yield the facts of a game with one wrong or missing length, with a word for each."""
    for name in STATED:
        if name in facts:
            yield f"no {name}", {key: value for key, value in facts.items() if key != name}
            for value in (0, -1, facts[name] + 1, max(facts[name] - 1, 0), 2**40, 1.5, "3", True, None, []):
                yield f"{name} {value!r}", {**facts, name: value}


def refused_or_played(path: Path, algorithm: str) -> bool:
    """Return whether a game is refused, in a sentence that names its file; play it if it is not."""
    try:
        game = load_game(path)
    except InputError as error:
        return str(path) in str(error)
    module = catalogue.load(algorithm)
    setting = {option.name: option.default for option in module.OPTIONS}
    table = play_replicas(game, module, [setting], [0], horizon=20, progress=False)
    assert table["round"].max() == 20
    return False


@pytest.mark.parametrize("kind", GAMES)
def test_facts_and_arrays_that_disagree_are_refused_or_do_no_harm(kind, planted, tmp_path):
    arrays, facts = load_arrays(planted[kind]), load_facts(planted[kind])
    refused = {}
    for name, array in arrays.items():
        for word, wrong in damaged_arrays(array):
            path = tmp_path / "damaged.npz"
            save_arrays(path, {**arrays, name: wrong}, facts)
            refused[f"{name} {word}"] = refused_or_played(path, "linucb")
        save_arrays(path, {key: array for key, array in arrays.items() if key != name}, facts)
        refused[f"no {name}"] = refused_or_played(path, "linucb")
    for word, wrong in damaged_facts(facts):
        save_arrays(path, arrays, wrong)
        refused[word] = refused_or_played(path, "linucb")
    assert np.mean(list(refused.values())) > 0.7, refused


def test_fewer_users_than_arrays_have_are_refused(planted, tmp_path):
    arrays, facts = load_arrays(planted["synthetic"]), load_facts(planted["synthetic"])
    save_arrays(tmp_path / "game.npz", arrays, {**facts, "users": 3})
    with pytest.raises(InputError, match=r"game.npz: the array 'theta' has shape \(6, 3\), not \(users = 3,"):
        load_game(tmp_path / "game.npz")


def test_an_edge_that_one_of_its_ends_does_not_list_is_refused(planted, tmp_path):
    arrays, facts = load_arrays(planted["exploration"]), load_facts(planted["exploration"])
    node = int(np.argmax(np.diff(arrays["first"])))
    lists = arrays["neighbour"][arrays["first"][node] : arrays["first"][node + 1]]
    strangers = np.setdiff1d(np.arange(60), [*lists, node])
    arrays["neighbour"][arrays["first"][node]] = strangers[0]
    save_arrays(tmp_path / "game.npz", arrays, facts)
    with pytest.raises(InputError, match="undirected network"):
        load_game(tmp_path / "game.npz")


@pytest.mark.parametrize("kind", ["no_such_game", "own", "../own", "", 7, None])
def test_a_kind_that_is_no_game_is_refused(kind, planted, tmp_path):
    arrays, facts = load_arrays(planted["synthetic"]), load_facts(planted["synthetic"])
    save_arrays(tmp_path / "game.npz", arrays, {**facts, "kind": kind})
    with pytest.raises(InputError, match=r"(unknown kind of|not a frozen) game|own"):
        load_game(tmp_path / "game.npz")


@pytest.mark.parametrize("drawn", [[[0, 6]], [[-1, 0]]])
def test_a_game_of_ones_own_that_draws_a_user_who_is_not_there_is_stopped(drawn):
    with pytest.raises(InputError, match="which are 0 to 5"):
        check_indices("users", np.array(drawn), 6)
