"""The script ``python -m manybandits.claims``: see `manybandits.claims.script`."""

from manybandits.base.exceptions import run_script
from manybandits.claims.script import main

run_script(main)
