"""Where the files of the project are: papers, rules of the workflow, configurations and notebooks.

In a checkout they are in its top folder, where Snakemake looks for them. The wheel holds copies in the folder
``project`` of the package, which ``setup.py`` puts there. What a run makes, in ``artifacts`` and ``reports``, is in the
working folder in either case.
"""

from __future__ import annotations

from pathlib import Path

from manybandits.base.exceptions import InputError, nearest

INSIDE = Path(__file__).parents[1] / "project"
"""The copies in the wheel."""
CHECKOUT = Path(__file__).parents[3]
"""The top folder of the checkout that an editable installation uses."""
MARKS = "Snakefile", "workflow/papers"


def find_root() -> Path:
    """Return the folder with the files of the project: the working folder if it is a checkout, else the installed one.

    Raises InputError if the package was installed without them.
    """
    for folder in (Path(), INSIDE, CHECKOUT):
        if all((folder / mark).exists() for mark in MARKS):
            return folder
    raise InputError(
        f"{INSIDE} is missing, so there are no papers: install the package again, or go to the folder of the Snakefile."
    )


def overlay_file(given: Path, root: Path) -> Path:
    """Return an overlay of ``config.yaml``: a file of the user, or one in ``configs``, such as ``smoke``.

    Raises InputError if there is neither.
    """
    if given.is_file():
        return given
    known = {path.stem: path for path in (root / "configs").glob("*.yaml")}
    if given.stem not in known:
        raise InputError(f"{given} is neither a file nor a configuration of the project: {nearest(given.stem, known)}")
    return known[given.stem]
