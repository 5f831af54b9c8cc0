"""``python -m manybandits.notebook``: see `manybandits.notebook.render`."""

from manybandits.base.exceptions import run_script
from manybandits.notebook.render import main

run_script(main)
