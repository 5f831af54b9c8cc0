"""The record of a job: what is run, from which files, to which files, and what makes them others.

Snakemake, estimates and verification read the same list of records (`manybandits.planning.job_list`).
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from typing import NamedTuple

from manybandits.base.sources import digest, digest_of_texts
from manybandits.base.steps import BETWEEN
from manybandits.planning.batches import PlayBatch
from manybandits.planning.figures import Figure, Measurement, Regression
from manybandits.planning.jobs import Play
from manybandits.planning.readings import Curve

SHARED = "all papers"
DESCRIBED = (".npz", ".parquet", ".csv", ".jsonl")
"""The endings of files beside which their provenance is stored."""
STORED = ("artifacts/", "reports/")
"""How the paths of files begin that jobs make, and that are on a bucket, if there is one."""
Made = Figure | Measurement | Curve | Play | PlayBatch | Regression | str | None


class Job(NamedTuple):
    """A job: it runs steps, one after the other, each a module with its arguments.

    inputs: files that other jobs make; files: those of the project. identity: a digest of the code, and of all else
    that determines what is made and is neither an input nor an argument. of: what is made, or the name of its paper.
    """

    rule: Rule
    name: str
    steps: tuple[tuple[str, ...], ...]
    inputs: tuple[str, ...]
    files: tuple[str, ...]
    identity: str
    of: Made

    @property
    def outputs(self) -> list[str]:
        return [output.replace("{name}", self.name) for output in self.rule.outputs]

    @property
    def log(self) -> str:
        return self.rule.log.replace("{name}", self.name)

    @property
    def paper(self) -> str:
        """The paper for which it is run."""
        return self.of if isinstance(self.of, str) else getattr(self.of, "paper", SHARED)

    @property
    def plays(self) -> tuple[Play, ...]:
        """What it plays."""
        return self.of.plays if isinstance(self.of, PlayBatch) else (self.of,) if isinstance(self.of, Play) else ()

    def words(self, first: str = "") -> list[str]:
        """Return the arguments of `manybandits.base.steps`. first: where the job writes its first output.

        A job that reads a bucket finds all of its files below one folder, which is then put before their paths.
        """
        folder = first.removesuffix(self.outputs[0])
        words = [word for step in self.steps for word in (BETWEEN, *step)][1:]
        return [folder + word if word.startswith(STORED) else word for word in words] if folder else words


class Rule:
    """What jobs of one kind have in common, and the function that makes them.

    outputs: what they make, as paths with ``{name}`` where jobs have names; the provenance of each that has one is
    added. out: what their steps get as ``--out``, the first output if none is given. step: their row in ``steps.csv``.
    """

    def __init__(self, name: str, logs: str, outputs: Collection[str], *out: str, step: str = "") -> None:
        self.name, self.step, self.out = name, step or name, out or tuple(outputs)[:1]
        self.outputs = (*outputs, *(f"{one}.json" for one in outputs if one.endswith(DESCRIBED)))
        self.is_named = "{name}" in self.outputs[0]
        self.log = f"{logs}/{name}/{{name}}.log" if self.is_named else f"{logs}/{name}.log"

    def __call__(
        self,
        name: str,
        *steps: Sequence[str],
        inputs: Iterable[str] = (),
        files: Iterable[str] = (),
        code: str = "",
        more: str = "",
        of: Made = None,
    ) -> Job:
        """Return a job. code: the digest of its code, that of its steps if none is given; more: of its identity."""
        identity = code or digest(*(step[0] for step in steps))
        outs = [("--out", out.replace("{name}", name)) if out else () for out in self.out]
        made = tuple((*step, *out) for step, out in zip(steps, outs, strict=True))
        identity = digest_of_texts(more, identity) if more else identity
        return Job(self, name, made, tuple(inputs), tuple(files), identity, of)


def option(name: str, values: Collection[str]) -> list[str]:
    """Return the option of a step with its values, or nothing if there are none."""
    return [f"--{name}", *values] if values else []
