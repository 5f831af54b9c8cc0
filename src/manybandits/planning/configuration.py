"""The content of ``config.yaml`` with its overlays in ``configs/``, and its checks."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from pathlib import Path
from typing import Annotated, Any, Literal

from msgspec import UNSET, Meta, Struct, UnsetType, field
from msgspec.structs import asdict, replace

from manybandits import datasets
from manybandits.algorithms import catalogue
from manybandits.base.configuration import overlay, read_yaml
from manybandits.base.exceptions import InputError, pick
from manybandits.base.plugins import is_path
from manybandits.base.typed import typed
from manybandits.papers.openings import MOST
from manybandits.papers.settings import Changes, Value
from manybandits.planning.preferences import NONE, chosen
from manybandits.planning.settings import in_words, merge

RESERVED = ("data", "league", "plans", "verify")
"""Names that no run may have: their folders in ``artifacts`` are those of all runs."""
ALIKE = {"ratings": 0, "graph": 0, "images": 1, "rows": 1, "log": 2, "tags": 3}
"""Kinds of data that stand in for each other have the same number: games of ratings are made of links, too."""
MOST_THREADS = 1024
LEAST_MEMORY, MOST_MEMORY = 1_000_000, 2**44

Some = Annotated[tuple[str, ...], Meta(min_length=1)]
Families = Annotated[
    Literal["all"] | Some, Meta(description="'all' or a list of families of algorithms, such as [linear]")
]
Algorithms = Annotated[Literal["all"] | Some, Meta(description="'all' or a list of algorithms, such as [club, random]")]
Experiments = Annotated[Literal["all"] | tuple[str, ...], Meta(description="'all' or a list of paper_experiment names")]
PerFamily = Annotated[
    dict[str, Changes], Meta(description="for a family of algorithms, the settings that differ for it")
]
PerData = Annotated[
    dict[str, Changes],
    Meta(
        description="for data as experiments name them, such as mnist+notmnist, or their games with one setting, "
        "as in 'mnist+notmnist arms=blocks', the settings that differ for them"
    ),
]


class Data(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The data sets to use and where to get them."""

    use: Annotated[
        dict[str, str],
        Meta(
            description="for each family of data that a paper names, the data set to use, or none, or a list of these"
        ),
    ]
    in_place_of: Annotated[
        dict[str, str],
        Meta(description="for each family whose preferred data set cannot be had, this data set"),
    ] = {}
    mirror: Annotated[str | None, Meta(description="a folder or address with copies of the raw data, or null")] = None


class PerPaper(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Keys that replace those of the configuration for one paper."""

    families: Families | UnsetType = UNSET
    algorithms: Algorithms | UnsetType = UNSET
    experiments: Experiments | UnsetType = UNSET
    settings: Changes = Changes()
    per_data: PerData | UnsetType = UNSET
    per_family: PerFamily | UnsetType = UNSET


class Scope(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What is played for the readings of a headline, where all of its experiments would take too long.

    data: the roles whose data are played, all if none is named; with_: for settings that are swept, the values that are
    played; most: the number of readings, of which all single changes are played in any case; only: the answers of
    readings that are played beside the default, instead of all of these.
    """

    settings: Changes = Changes()
    data: tuple[str, ...] = ()
    with_: Annotated[
        dict[str, list[Value]], Meta(description="for each setting that is swept, the list of values that are played")
    ] = field(name="with", default_factory=dict)
    most: Annotated[int, Meta(ge=1, description="a whole number of readings")] = MOST
    only: Annotated[tuple[dict[str, str], ...], Meta(description="a list of answers: question to value")] = ()


class Configuration(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A configuration."""

    name: Annotated[
        str,
        Meta(
            pattern=r"^[a-z0-9][a-z0-9-]*\Z",
            max_length=64,
            description="a short name of lower-case letters, digits and hyphens, up to 64 of them",
        ),
    ]
    papers: Annotated[
        tuple[str, ...],
        Meta(min_length=1, description="a list with at least one paper of workflow/papers, or the path of a folder"),
    ]
    data: Data
    league: Annotated[bool | Some, Meta(description="true, false or a list of arenas, such as [recommendation]")]
    notebooks: Annotated[bool, Meta(description="true or false")]
    threads: Annotated[
        int, Meta(ge=1, le=MOST_THREADS, description=f"a whole number of threads for one play, up to {MOST_THREADS}")
    ]
    memory: Annotated[
        int,
        Meta(
            ge=LEAST_MEMORY,
            le=MOST_MEMORY,
            description=f"bytes for the replicas of one batch, {LEAST_MEMORY} to {MOST_MEMORY}",
        ),
    ]
    device: Literal["cpu", "cuda"]
    from_tables: Annotated[bool, Meta(description="true or false")] = False
    experiments: Experiments = "all"
    readings: Annotated[
        dict[str, Scope], Meta(description="for headlines such as m_cnb.recommendation, what is played of them")
    ] = {}
    readings_of: Annotated[
        str, Meta(pattern=r"^([a-z0-9][a-z0-9-]*)?\Z", description="the name of a run in reports/, or an empty text")
    ] = ""
    add: Annotated[
        tuple[str, ...], Meta(description="a list of algorithms of your own that join the league, such as [./mine.py]")
    ] = ()
    families: Families = "all"
    algorithms: Algorithms = "all"
    settings: Changes = Changes()
    per_data: PerData = {}  # in the experiments of papers
    per_family: PerFamily = {}  # in the experiments of papers
    per_paper: Annotated[dict[str, PerPaper], Meta(description="for each paper, the keys that differ for it")] = {}

    def for_paper(self, paper: str) -> Configuration:
        """Return the configuration that holds for one paper."""
        own = self.per_paper.get(paper, PerPaper())
        differing = {name: value for name, value in asdict(own).items() if value is not UNSET}
        return replace(self, **{**differing, "settings": merge(self.settings, own.settings)})

    def settings_of(self, algorithm: str, keys: Sequence[str]) -> Changes:
        """Return the changes of settings that hold for an algorithm in a game: of its family, its data, and for all.

        keys: what `per_data` may call the game, the most general first. The first of the three that has a key counts,
        and of the data the last.
        """
        of_family = self.per_family.get(catalogue.family_of(algorithm), Changes())
        return merge(self.settings, *(self.per_data[key] for key in keys if key in self.per_data), of_family)

    @property
    def changes(self) -> str:
        """All changes of settings in words."""
        parts = [f"{name}: {in_words(changes)}" for name, changes in (*self.per_data.items(), *self.per_family.items())]
        return "; ".join(words for words in (in_words(self.settings), *parts) if words)

    def plays(self, algorithm: str) -> bool:
        """Return whether an algorithm is played: both its name and its family must be wanted.

        Raises InputError naming the nearest name if there is no such algorithm.
        """
        family = catalogue.family_of(algorithm)
        return _among(self.families, family) and _among(self.algorithms, algorithm)

    def wants(self, experiment: str) -> bool:
        """Return whether an experiment, named paper_experiment, is wanted."""
        return _among(self.experiments, experiment)

    def lacking(self, role: str) -> list[str]:
        """Return the families of data in a role, which are joined by +, that have no available data set."""
        return [family for family in role.split("+") if self.data.use.get(family) == NONE]


def _among(names: Literal["all"] | tuple[str, ...], name: str) -> bool:
    return names == "all" or name in names


def load_configuration(root: Path, overlays: Sequence[Path]) -> dict[str, Any]:
    """Return ``config.yaml`` in `root` merged with overlays, the last one on top; nothing is checked."""
    content = read_yaml(root / "config.yaml")
    for path in overlays:
        content = overlay(content, read_yaml(path))
    return content


def configurations(root: Path) -> dict[str, list[Path]]:
    """Return the configurations of a checkout: name of a run -> the overlays of config.yaml that make it."""
    base = read_yaml(root / "config.yaml")
    found = {str(chosen(base, root).get("name")): list[Path]()}
    for path in sorted((root / "configs").glob("*.yaml")):
        found.setdefault(str(overlay(base, read_yaml(path)).get("name")), [path])
    return found


def rerun_command(name: str, root: Path) -> str:
    """Return the command that makes a run again; "" if no configuration of the project has its name."""
    if chosen(read_yaml(root / "config.yaml"), Path()).get("name") == name:
        return "snakemake --cores 8"
    file = Path("configs") / f"{name}.yaml"
    known = (root / file).is_file() and read_yaml(root / file).get("name") == name
    return f"snakemake --cores 8 --configfile {file.as_posix()}" if known else ""


def checked(content: Mapping[str, object], papers: Sequence[str]) -> Configuration:
    """Return a checked configuration; raise InputError naming the key of an unknown name, and the nearest known one.

    It has one data set per family of data, the first of those listed that can be had. papers: the names of all papers.
    """
    config = typed(Configuration, chosen(content, Path()), "the configuration")
    if config.name in RESERVED:
        raise InputError(f"the name of a run is {config.name!r}, a folder of all runs (name): give it another one.")
    _check_distinct(config, "")
    for paper, own in config.per_paper.items():
        _check_distinct(own, f"per_paper.{paper}.")
    use = {role: _data_set(name, f"data set (data.use.{role})") for role, name in config.data.use.items()}
    for role, name in use.items():
        _check_kind(role, name)
    for given in (config, *map(config.for_paper, config.per_paper)):
        for family in () if given.families == "all" else given.families:
            pick(family, catalogue.families(), "family of algorithms (families)")
        for family in given.per_family:
            pick(family, catalogue.families(), "family of algorithms (per_family)")
    outside = [paper for paper in config.papers if is_path(paper)]  # found, and checked, when they are read
    known = [*papers, *(Path(paper).name for paper in outside)]
    for key, named in (("per_paper", tuple(config.per_paper)), ("papers", config.papers)):
        for paper in named:
            if paper not in outside:
                pick(paper, known, f"paper ({key})")
    per_paper = {
        paper: own if own.algorithms is UNSET else replace(own, algorithms=_references(own.algorithms, "algorithms"))
        for paper, own in config.per_paper.items()
    }
    return replace(
        config,
        algorithms=_references(config.algorithms, "algorithms"),
        add=_references(config.add, "add"),
        data=replace(config.data, use=use),
        per_paper=per_paper,
    )


def _check_distinct(record: Struct, place: str) -> None:
    """Raise InputError if a list of names in a configuration has one of them twice. place: of the lists in it."""
    for key, names in asdict(record).items():
        if isinstance(names, tuple) and (twice := [name for name, times in Counter(names).items() if times > 1]):
            raise InputError(f"{place}{key} has {twice[0]!r} twice: name it once.")


def _data_set(name: str, kind: str) -> str:
    """Return the data set of a role as plays name it: of a file, its path from the current folder."""
    return datasets.checked_name(name, kind) if is_path(name) else pick(name, [*datasets.names(), NONE], kind)


def check_families(config: Configuration, named: Collection[str]) -> None:
    """Raise InputError if ``data.use`` has a family of data that no paper, of those `named`, and no data set has."""
    for family in config.data.use.keys() - set(named):
        known = {*named, *(datasets.load(name).DATASET.family for name in datasets.names())}
        pick(family, known, "family of data (data.use)")


def _check_kind(role: str, name: str) -> None:
    """Raise InputError if a data set is of another kind than those of its role, such as images for ratings."""
    if name == NONE or (chosen := datasets.load(name).DATASET).family == role:
        return
    usual = [one for one in (datasets.load(known).DATASET for known in datasets.names()) if one.family == role]
    if usual and ALIKE[chosen.kind] not in {ALIKE[one.kind] for one in usual}:
        would = " or ".join(one.name for one in usual)
        raise InputError(f"data.use.{role} is {name}, which are {chosen.kind}, not {usual[0].kind}: use {would}.")


def _references(named: Any, key: str) -> Any:
    """Return the algorithms of a key as plays name them: of files, their paths from the current folder."""
    return named if named == "all" else tuple(catalogue.checked_name(name, f"algorithm ({key})") for name in named)
