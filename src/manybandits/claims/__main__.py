"""The script ``python -m manybandits.claims``: see `manybandits.claims.verdicts`."""

from manybandits.base.exceptions import run_script
from manybandits.claims.verdicts import main

run_script(main)
