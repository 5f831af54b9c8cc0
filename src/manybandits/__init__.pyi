# Types of the Python interface, for editors and type checkers: what __init__.py imports when it is first used.
from manybandits.base.exceptions import InputError as InputError
from manybandits.interface import adapters as adapters
from manybandits.interface import data as data
from manybandits.interface import games as games
from manybandits.interface.bandit import Bandit as Bandit
from manybandits.interface.bandit import load as load
from manybandits.interface.bandit import restore as restore
from manybandits.interface.comparison import Comparison as Comparison
from manybandits.interface.comparison import compare as compare
from manybandits.interface.comparison import plot as plot
from manybandits.interface.evaluation import Evaluation as Evaluation
from manybandits.interface.evaluation import evaluate as evaluate
from manybandits.interface.plays import Policy as Policy
from manybandits.interface.plays import play as play
from manybandits.interface.runs import Runs as Runs
from manybandits.interface.runs import read_results as read_results
from manybandits.interface.runs import read_runs as read_runs

__version__: str
