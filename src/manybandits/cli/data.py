"""The command ``manybandits data``: public data sets, where their files are, and what is missing."""

from manybandits.datasets.command_line import run as run
