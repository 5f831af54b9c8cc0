"""``python -m manybandits``: see `manybandits.cli`."""

from manybandits.cli import main

main()
