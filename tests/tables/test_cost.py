"""The table of what plays cost."""

from __future__ import annotations

from manybandits.tables import cost
from tests.planted.runs import plant_agents


def test_the_cost_of_a_decision_counts_every_agent(tmp_path):
    costs = cost.tabulate([plant_agents(tmp_path, "CMLB", 10, 5.0)])
    assert costs["ns_per_decision"].tolist() == [200_000]  # 2 threads, 1,000 rounds a second, N = 10
