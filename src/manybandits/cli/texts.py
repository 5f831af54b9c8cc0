"""What the help of each command says below its options: examples, and the keys of its JSON document."""

from __future__ import annotations

SUMMARY = "Rerun papers on learning across many bandits, and see which of their claims hold."
START = """\
a first look:
  manybandits list algorithms
  manybandits show club
  manybandits play club --game synthetic --horizon 2000 --out club.parquet
  manybandits play linucb_one --game synthetic --horizon 2000 --out one.parquet
  manybandits compare club.parquet one.parquet

your own algorithm, and where it stands:
  manybandits new algorithm mine.py
  manybandits check mine.py
  manybandits league --add mine.py

figures and tables of papers, made in the folder where you are:
  manybandits reproduce rmbandit_fig1 --config smoke    # short games, a minute
  manybandits reproduce m_cnb_fig2 --cores 8            # paper scale

Papers, experiments and claims are those of the installed package, or of the checkout in this folder.

exit status:
  0  all is fine
  1  something was found wrong: a check, a job or a comparison failed
  2  a wrong argument, file or value, which one sentence names
"""

BELOW = {
    "play": """
The same settings of a game give the same game, so that run tables can be compared. --set gives the values of options
that are tried; the best on the tuning seeds is reported.

  manybandits play club --help                          # the options of CLUB
  manybandits play club --environment game.npz --seeds 0-9 \\
      --set alpha=0.01,0.1 lambda=1 --out club.parquet
  manybandits play cmlb --game agents --set-game agents=20 clusters=2 \\
      --horizon 1000 --out cmlb.parquet
""",
    "game": """
  manybandits game ratings my.parquet --users 50 --out game.npz
  manybandits game classification my.csv --label species --out game.npz
  manybandits game log my.csv --propensity uniform --out game.npz
  manybandits play club --environment game.npz --out club.parquet

CSV (UTF-8, with a header) or Parquet. `manybandits game log --help` lists the options of a log.
""",
    "data": """
  manybandits data list
  manybandits data show movielens-1m
  manybandits data fetch movielens-1m

Raw files are in a cache, where Python's mb.data and mb.games look for them; --raw names another folder. The folder or
address in MANYBANDITS_MIRROR is tried before the official address. `list` says of the raw files that they are here, in
the mirror, to download, or to be asked for by hand. `tidy` makes tables of them, in artifacts/data/tidy.
""",
    "evaluate": """
The policy passes through the log in its order, chooses for every event, and learns from those that showed its choice.
Values are mean rewards: of the log itself, by inverse propensity (ips), self-normalised (snips), doubly robust (dr),
and doubly robust without weights above --largest-weight (switch).

  manybandits evaluate log.csv --policy club --user member --set alpha=0.5
  manybandits evaluate log.csv --policy mine.py --propensity uniform
""",
    "new": """
  manybandits new algorithm mine.py      # then: manybandits check mine.py
  manybandits new dataset my_ratings.py
  manybandits new game my_game.py
  manybandits new paper my_paper         # a folder
""",
    "check": """
A short game is played with replicas alone and together, on one core and two, and at the bounds of all options. If the
file names a TWIN, a plain class with the same choose and learn, it must play the same arms. The exit status is 1 if a
check failed.
""",
    "league": """
Your algorithm plays every game of an arena, tuned and on the same seeds as all others, whose runs are kept: a second
time, only what you have edited is played. The picture has average ranks over the games; bars join algorithms that do
not differ significantly. Without --config, the data are generated (configs/embedded.yaml); --config paper-scale plays
the papers' data.

  manybandits league --add mine.py --arena recommendation
  manybandits league --add mine.py --config paper-scale
""",
    "compare": """
Algorithms on one game play the same rounds and are compared in pairs. The mark = means: not significantly different
from the best one (Wilcoxon test, Holm's correction, 5 %). With too few common seeds for a test nothing is marked.

  manybandits compare club.parquet one.parquet --out club_or_one
""",
    "claims": """
  manybandits claims --paper m_cnb                # the claims of a paper
  manybandits claims --run paper-scale --headlines      # with verdicts
  manybandits claims --run paper-scale --paper rmbandit # and tables' scores
  manybandits claims --run paper-scale --answer fails --json
  manybandits claims --run paper-scale --word "only as released"
""",
    "readings": """
A paper leaves some choices open, and its code may differ from its text. A reading, or set-up, answers all of them; the
run `readings` judges every headline in up to 64. The file open.yaml of a paper has the choices and admissible values.

  manybandits readings                    # in how many set-ups each holds
  manybandits readings m_cnb --set learners=served --set first=own
  manybandits readings m_cnb --set learners=served --set first=own --play

The second line prints the answer on each headline in one set-up; the third plays that set-up first if necessary.
""",
    "reproduce": """
Snakemake makes what is missing: data, games, plays, figures and tables, in ./artifacts and ./reports.

  manybandits reproduce rmbandit_fig1 --config smoke    # short games
  manybandits reproduce sclb_pmlb_fig1 --set settings.seeds=0-2 --set name=mine
  manybandits reproduce all --cores 8 --dry-run         # what it would take
  manybandits reproduce all --config my_paper/config.yaml   # of your own

Targets are the names of `manybandits list experiments`, and of a whole run `league`, `verdicts`, `notebooks` and `all`:
the run with its site. Raw data are downloaded, or copied from the folder or address in the environment variable
MANYBANDITS_MIRROR. Whatever Snakemake reads from its environment holds, too, such as SNAKEMAKE_PROFILE of a cluster.
The exit status is 1 if a job failed.
""",
    "repair": """
All files in ./artifacts and ./reports are read, but for raw data, whose
checksums are verified whenever they are read. What is damaged, empty or left by
a job that was killed is deleted; the next run makes it again. What is dated in
the future, because the clock went back, is dated to now.

  manybandits repair --dry-run    # only say what no run can use
  manybandits repair              # mend it; then start the run again
""",
    "verify": """
No data are needed, and nothing is played. What differs is named, with the first difference; the exit status is then 1.

  manybandits verify paper-scale --paper m_cnb
""",
    "estimate": """
  manybandits estimate --config paper-scale --cores 8
  manybandits estimate --config paper-scale --check    # after the run
""",
    "site": """
  manybandits site                              # of the only run in ./reports
  manybandits site --run smoke --make --open    # make it first, and open it
""",
}
"""Command -> what its help says."""

KEYS = {
    "list": "algorithms, datasets, games, papers, experiments, claims: those that are listed, each a list of objects",
    "show": "one object for each thing of that name, by its kind",
    "play": "algorithm, run_table, rounds, seeds, regret (of each seed, in their order), options, summary",
    "game": "game, remarks, and all facts of the game",
    "data": "datasets; with show, dataset; with fetch and tidy, written",
    "evaluate": "policy, rows (estimator, value, low, high), events, matched, effective, level, note",
    "new": "kind, written, next",
    "check": "algorithm, failed, checks (check, held, says; held is null where there was nothing to check)",
    "league": "arena, run, standings, written",
    "compare": "rows, note, effective, written",
    "claims": "claims, counts; with --run, headlines, verdicts, counts, scores",
    "readings": "readings",
    "reproduce": "run, made",
    "site": "run, page",
    "verify": "runs (of each, what differs)",
    "estimate": "run, jobs (paper, rule, hours, memory, disk, level), speed",
    "repair": "found (file: what is wrong with it), mended (whether it was, or only said)",
}
"""Command -> the keys of its JSON document."""


def below(command: str) -> str:
    """Return what the help of a command says below its options."""
    return f"{BELOW.get(command, '')}\nJSON has {KEYS[command]}. Values that are not finite are null."
