"""Experiments of a paper, with their figures and tables: the content of ``experiments.yaml``."""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import Meta, Struct, field

from manybandits.papers.settings import Changes, Rounds, Settings, Value

ExperimentKey = Annotated[str, Meta(pattern=r"^[a-z0-9]{1,100}\Z", description="lower-case letters and digits")]
"""The name of an experiment, which is part of names of files."""
Data = Annotated[tuple[str, ...], Meta(min_length=1, description="a list of families of data, one panel each")]
With = Annotated[
    dict[str, Value | Annotated[list[Value], Meta(min_length=1)]],
    Meta(description="for each setting of the game, its value or the list of its values"),
]
Entry = str | Annotated[dict[str, dict[str, Value | list[Value]]], Meta(min_length=1, max_length=1)]
"""The name of an algorithm, or a mapping from it to options: a value, or a list to tune."""
Algorithms = Annotated[
    tuple[Entry, ...],
    Meta(
        min_length=1,
        description="a list of algorithms, each a name or a name with options, a value or a list of values to tune",
    ),
]
Horizons = Annotated[
    tuple[Rounds, ...],
    Meta(min_length=2, description="a list of two numbers of rounds or more; each is the horizon of a play of its own"),
]
Sweeps = dict[str, Annotated[list[int | float], Meta(min_length=2, description="a list of two numbers or more")]]


class Drawing(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The figure of an experiment. kind: the module of `manybandits.figures` that draws it; the rest: its options."""

    kind: Literal[
        "regret",
        "runtime",
        "sweep",
        "option_sweep",
        "clusters",
        "grid",
        "dots",
        "estimation_errors",
        "alignment",
        "ladder",
    ]
    measure: str = ""
    relative: str = ""
    scale: str = ""
    x: str = ""
    y: str = ""
    each: str = ""
    stated: str = ""

    def arguments(self) -> list[str]:
        """Return the options that are set as command-line arguments."""
        given = {name: getattr(self, name) for name in self.__struct_fields__ if name != "kind"}
        return [text for name, value in given.items() if value for text in (f"--{name}", value)]


class Games(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Games of one kind: one per data set and combination of the settings under ``with``."""

    game: str = ""
    data: Data = ()
    with_: With = field(name="with", default_factory=dict)


class PanelSpec(Games, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Games and the algorithms that play them. Whatever a panel leaves out is taken from its experiment.

    With ``horizons: [1000, 2000, 4000]`` every algorithm plays every game once per horizon, tuned for it and told it,
    on the same rounds as far as they go. The figure is then a sweep over the horizon, and the table ``horizons`` has
    the slope of the regret against it. The first half of one long run is not the same: what a policy derives from its
    horizon remains that of the long run. A configuration that changes the horizon of the settings changes all in
    proportion.
    """

    algorithms: Algorithms = ()
    horizons: Horizons = ()
    settings: Changes = Changes()


class Experiment(PanelSpec, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """An experiment: a play of algorithms on games, a regression, or a measurement of seconds."""

    place: Annotated[str, Meta(description="the place in the paper, such as 'Figure 1'")]
    title: Annotated[str, Meta(description="what is shown")]
    measurement: Annotated[str, Meta(description="the module of manybandits.measurements that measures it")] = ""
    regression: Sweeps | None = None
    band: Literal["std", "interval"] | None = None
    panels: Annotated[tuple[PanelSpec, ...], Meta(min_length=1, description="a list of panels")] = ()
    figure: Drawing | None = None
    table: (
        Literal[
            "regret",
            "convergence",
            "grid",
            "estimates",
            "slopes",
            "horizons",
            "estimation_errors",
            "alignment",
            "pairs",
        ]
        | None
    ) = None

    def __post_init__(self) -> None:
        """Raise ValueError unless the experiment is of exactly one kind."""
        kinds = bool(self.band and self.algorithms), bool(self.measurement), self.regression is not None
        if sum(kinds) != 1:
            raise ValueError(
                f"is of {sum(kinds)} kinds instead of one: "
                "give either `band` and `algorithms`, or `measurement`, or `regression`."
            )
        if self.sweeps_horizon and (self.drawing.kind, self.drawing.x) != ("sweep", "horizon"):
            raise ValueError("has `horizons`, so its figure is {kind: sweep, x: horizon}: leave out any other.")

    @property
    def drawing(self) -> Drawing:
        """The figure of the experiment; a default if none is given."""
        if self.figure is None and self.sweeps_horizon:
            return Drawing(kind="sweep", x="horizon")
        return self.figure or Drawing(kind="regret" if self.regression is None else "estimation_errors")

    @property
    def sweeps_horizon(self) -> bool:
        """Whether algorithms play once per horizon."""
        return bool(self.horizons or any(panel.horizons for panel in self.panels))

    @property
    def families(self) -> set[str]:
        """The families of data that its games are made of."""
        return {family for part in self.parts for role in part.data for family in role.split("+")}

    @property
    def parts(self) -> list[PanelSpec]:
        """The panels, filled in from the experiment except for the settings; a single one if none is given."""
        return [
            PanelSpec(
                game=panel.game or self.game,
                data=panel.data or self.data,
                with_={**self.with_, **panel.with_},
                algorithms=panel.algorithms or self.algorithms,
                horizons=panel.horizons or self.horizons,
                settings=panel.settings,
            )
            for panel in self.panels or (PanelSpec(),)
        ]


class Setup(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One number or rule of the paper's experiments, with its place, or one of ours where the paper states none."""

    what: Annotated[str, Meta(description="what the number is")]
    value: Value | list[Value]
    place: Annotated[str, Meta(description="the place in the paper")] = ""
    ours: Annotated[str, Meta(description="why we chose this, where the paper states nothing")] = ""
    played: Annotated[str, Meta(description="what is played in its place, where that differs")] = ""

    def __post_init__(self) -> None:
        """Raise ValueError unless it is either the paper's or ours."""
        if bool(self.place) == bool(self.ours):
            raise ValueError("needs either `place` or `ours`: is it the paper's number or our choice?")


class ExperimentsFile(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The content of ``experiments.yaml``."""

    title: Annotated[str, Meta(description="the title of the paper")]
    short: Annotated[str, Meta(description="the name used in figure titles")]
    reference: Annotated[str, Meta(description="the full reference")]
    method: Annotated[str, Meta(description="what the paper proposes, and why, in two or three plain sentences")] = ""
    proposes: Annotated[
        tuple[str, ...], Meta(description="a list of the algorithms that the paper proposes, such as [m_cnb]")
    ] = ()
    theory: Annotated[
        bool, Meta(description="true if the paper has no experiments, so that all rounds, runs and data are ours")
    ] = False
    links: Annotated[
        dict[
            str,
            Annotated[str, Meta(pattern=r"^https://[^\s\"<>]+\Z", description="an address that begins with https://")],
        ],
        Meta(description="where the paper and its code are, by name: DOI, arXiv, code"),
    ] = {}
    settings: Settings
    decisions: Annotated[dict[str, str], Meta(description="what the paper leaves open, with our choice")]
    experiments: Annotated[dict[ExperimentKey, Experiment], Meta(min_length=1, description="the experiments, by key")]
    setup: Annotated[
        tuple[Setup, ...], Meta(description="a list of the numbers and rules of the paper's experiments")
    ] = ()
    game: Annotated[str, Meta(description="the game that experiments play unless they name another")] = ""
    originals: Annotated[
        dict[str, str], Meta(description="for each family of data, the data set that the paper itself used")
    ] = {}
