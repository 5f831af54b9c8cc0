"""The command ``manybandits estimate``: what a configuration costs before it runs."""

from manybandits.planning.estimate import run as run
