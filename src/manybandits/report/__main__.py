"""``python -m manybandits.report``: see `manybandits.report.page`."""

from manybandits.core.errors import run_script
from manybandits.report.page import main

run_script(main)
