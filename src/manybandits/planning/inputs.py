"""The tidy data and the games of a run, as the rules of the workflow ask for them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property
from pathlib import Path
from typing import Any

from manybandits import datasets
from manybandits.base.plugins import is_path
from manybandits.base.sources import digest
from manybandits.datasets.base import Dataset
from manybandits.environments.catalogue import module_of
from manybandits.planning.jobs import Environment


class Inputs:
    """The data sets and games of a run. data: the folder of data, which all runs share."""

    def __init__(self, environments: Mapping[str, Environment], data: str) -> None:
        self.environments, self.data = environments, data

    @cached_property
    def data_sets(self) -> dict[str, str]:
        """The data sets: short name, which is that of the folder -> how the data set is named."""
        used = {name for environment in self.environments.values() for name in environment.datasets}
        return {datasets.short_name(name): name for name in sorted(used)}

    @cached_property
    def kinds(self) -> dict[str, list[Dataset]]:
        """The data sets, grouped by their tidy files."""
        kinds: dict[str, list[Dataset]] = {}
        for name in self.data_sets.values():
            dataset: Dataset = datasets.load(name).DATASET
            kinds.setdefault(dataset.kind + ("_with_features" if dataset.features else ""), []).append(dataset)
        return kinds

    def data_sources(self, wildcards: Any) -> str:
        """Return the digest of the declaration and the code of a data set."""
        return datasets.digest_of(self.data_sets[wildcards.dataset])

    def tidy_tables(self, wildcards: Any) -> list[str]:
        """Return the tidy files that a game is made from."""
        used = [datasets.load(name).DATASET for name in self._game(wildcards).datasets]
        return [f"{self.data}/tidy/{one.name}/{file}" for one in used for file in one.tidy_files]

    @staticmethod
    def tidy_folders(tables: Sequence[str]) -> list[str]:
        """Return the folders of these files as arguments; empty if a game needs no data."""
        folders = dict.fromkeys(str(Path(table).parent) for table in tables)
        return ["--tidy", *folders] if folders else []

    def game_command(self, wildcards: Any) -> list[str]:
        """Return the module that freezes a game, and its arguments; a plug-in has no script of its own."""
        game = self._game(wildcards)
        return [*(["manybandits.environments.plugin"] if is_path(game.module) else []), game.module, *game.arguments]

    def game_sources(self, wildcards: Any) -> str:
        """Return the digest of the sources of a game."""
        return digest(module_of(self._game(wildcards).module))

    def _game(self, wildcards: Any) -> Environment:
        return self.environments[wildcards.environment]
