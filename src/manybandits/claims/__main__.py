"""``python -m manybandits.claims``: see `manybandits.claims.verdicts`."""

from manybandits.claims.verdicts import main
from manybandits.core.errors import run_script

run_script(main)
