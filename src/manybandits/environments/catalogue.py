"""Which games there are, by the names that paper files and the command line call them."""

from __future__ import annotations

GAMES = {
    "m-cnb": "manybandits.environments.recommendation",
    "meta-ban": "manybandits.environments.recommendation",
    "classification": "manybandits.environments.classification",
    "instances": "manybandits.environments.instances",
    "adult-instances": "manybandits.environments.adult_instances",
    "agents": "manybandits.environments.agents",
    "lastfm-agents": "manybandits.environments.lastfm_agents",
    "replay": "manybandits.environments.replay",
    "exploration": "manybandits.environments.exploration",
    "synthetic": "manybandits.environments.synthetic",
}
"""Which module freezes a game; its `SETTINGS` are what it can be made with, its `check` says what these may be."""

MADE = ("synthetic", "agents", "instances")
"""Games that are made from settings alone, without data."""
