"""What the notebooks of ``notebooks/`` share: they tell, and this package reads, draws and plays for them.

`Results` is what a run found about one paper; `play` is a game of a few hundred rounds, played when a notebook is.
"""

from manybandits.notebook.live_games import play, show_runs
from manybandits.notebook.results import Results

__all__ = ["Results", "play", "show_runs"]
