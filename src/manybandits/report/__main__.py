"""``python -m manybandits.report``: see `manybandits.report.site`."""

from manybandits.base.exceptions import run_script
from manybandits.report.site import main

run_script(main)
