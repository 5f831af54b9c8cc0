from manybandits.core import sources
from manybandits.core.lockstep import replica_bytes


def test_the_digest_of_an_algorithm_covers_what_it_imports_and_nothing_else():
    club = sources._imports("manybandits.algorithms.linear.club")
    assert "manybandits.core.graphs" in club
    assert "manybandits.algorithms.linear.locb" not in club
    assert sources.digest("manybandits.algorithms.linear.club") != sources.digest("manybandits.algorithms.linear.locb")


def test_an_edit_of_an_imported_module_changes_the_digest(monkeypatch, tmp_path):
    before = sources.digest("manybandits.algorithms.linear.club")
    edited = tmp_path / "graphs.py"
    original = sources._path
    edited.write_text(original("manybandits.core.graphs").read_text() + "\n# edited\n")
    monkeypatch.setattr(sources, "_path", lambda name: edited if name == "manybandits.core.graphs" else original(name))
    fresh_imports = sources._imports
    fresh_imports.cache_clear()
    assert sources.digest("manybandits.algorithms.linear.club") != before
    assert sources.digest("manybandits.algorithms.linear.linucb_ind") != before
    fresh_imports.cache_clear()


def test_replica_bytes_leaves_out_what_replicas_share():
    import numpy as np

    from manybandits.core.long_log import new_log

    one, two = (replica_bytes(new_log(np.arange(2), np.zeros((items, 8), np.float32), 3, 50)) for items in (10, 10_000))
    assert one == two > 0


def test_replica_bytes_counts_nested_arrays():
    import numpy as np

    from manybandits.core.ridge import new_ridge

    ridge = new_ridge(np.ones(3), 2, 4)
    assert replica_bytes(ridge) == sum(field[0].nbytes for field in ridge)
