"""Why jobs failed: the sentences that they left in their logs, each once, for the end of what a run prints."""

from __future__ import annotations

import re
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from manybandits.base.exceptions import InputError
from manybandits.planning.repair import is_of_the_future

ERROR = "error: "
"""How the line with the sentence of an error begins, see `manybandits.base.exceptions.run_script`."""


def why(failed: Iterable[tuple[str, str, list[str]]]) -> str:
    """Return why jobs failed, one line per reason. failed: the rule, the log and the inputs of each."""
    reasons: dict[str, list[str]] = {}
    for rule, log, inputs in sorted(failed):
        reasons.setdefault(_dated(inputs) or _sentence(Path(log)), []).append(rule)
    lines = [f"  {', '.join(dict.fromkeys(rules))}: {reason}" for reason, rules in reasons.items()]
    count = sum(map(len, reasons.values()))
    return "\n".join([f"{count} {'job' if count == 1 else 'jobs'} failed:", *lines])


def reasons_in(printed: str) -> str:
    """Return the reasons that `why` gave within what a run printed, on one line; "" if there are none."""
    found = re.search(r"^\d+ jobs? failed:\n((?:  .+\n?)+)", printed, re.MULTILINE)
    return "; ".join(line.strip() for line in found[1].splitlines()) if found else ""


def check_all_done(dag: Any) -> None:
    """Raise InputError if a run that ended without a failure left jobs undone. dag: Snakemake's graph of jobs.

    Snakemake stops like that, with exit status 0, if groups of jobs wait for each other.
    """
    left = {job.rule.name for job in dag.needrun_jobs() if not dag.finished(job)}
    if left:
        raise InputError(
            f"the run stopped before {', '.join(sorted(left))}: groups of jobs wait for each other; put rules of which "
            "each may come before the other into one group, as profiles/slurm does."
        )


def _dated(inputs: Iterable[str]) -> str:
    """Return which file that a job reads is dated in the future, for which Snakemake fails the job; "" if none is."""
    for path in inputs:
        if is_of_the_future(Path(path)):
            return f"{path} is dated in the future, so the clock went back: `manybandits repair` dates it to now."
    return ""


def _sentence(log: Path) -> str:
    """Return the sentence with which a job ended; of one that was killed or crashed, where its last words are."""
    try:
        lines = [line for line in log.read_text(encoding="utf-8", errors="replace").splitlines() if line.strip()]
    except OSError:
        lines = []
    said = [line.removeprefix(ERROR) for line in lines if line.startswith(ERROR)]
    if said:
        return said[-1]
    if lines:
        return f"{lines[-1].strip()} (all of it is in {log})"
    return f"it was killed, perhaps because memory ran out: run again, with fewer --cores ({log} is empty)."
