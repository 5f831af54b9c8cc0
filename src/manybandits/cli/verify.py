"""The command ``manybandits verify``: committed results are made again and compared."""

from manybandits.planning.verify import run as run
