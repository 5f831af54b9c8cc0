"""The code that the notebooks of ``notebooks/`` share: it reads, draws and plays what they show.

`Results` shows what a run found about one paper; `play` plays a game of a few hundred rounds while a notebook runs.
"""

from manybandits.notebook.live_games import play, show_runs
from manybandits.notebook.results import Results

__all__ = ["Results", "play", "show_runs"]
