"""A whole run on what a mirror of all kinds of faults leaves: it ends, says what stands in, and loses nothing."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
import yaml

from manybandits.base.configuration import overlay, read_yaml
from manybandits.planning.preferences import FAILED, RAW
from tests.chain import CONFIGURATION, checkout, run
from tests.planning.test_settling import SMALL, Faulty
from tests.planted.server import serving

USE = {
    "movielens": ["movielens-1m", "movielens-100k", "movielens-latest-small"],  # cut short, of another size, slow
    "yelp": ["yelp-2000x10000", "none"],  # refused
}
NAME = "tiny-movielens-latest-small-without-yelp"


@pytest.mark.data
def test_a_run_ends_with_what_a_bad_mirror_gives_and_goes_on_with_it(root: Path, tmp_path: Path, mirror: Path) -> None:
    use = {**dict.fromkeys(("mnist", "notmnist"), "none"), **USE}
    changes = {"papers": ["meta_ban"], "experiments": "all", "algorithms": ["random"], "data": {"use": use}}
    content = overlay(read_yaml(CONFIGURATION), changes)
    (tmp_path / "chain.yaml").write_text(yaml.safe_dump(content))
    folder = checkout(root, tmp_path / "run", tmp_path / "chain.yaml")
    good = (mirror / "movielens-latest-small" / SMALL).read_bytes()
    with serving(Faulty) as server:
        server.files = {"ratings.dat.xz": (b"cut", 3_391_684), "u.data": (b"a page", 6), SMALL: (good, len(good))}
        server.asked, server.pause = [], 0.2
        offline = {"http_proxy": "http://127.0.0.1:9", "https_proxy": "http://127.0.0.1:9", "no_proxy": "127.0.0.1"}
        told = {"MANYBANDITS_MIRROR": server.address, **offline}
        done = run(folder, **told)
        assert done.returncode == 0, done.stderr
        assert "data.use.movielens: movielens-latest-small is played. movielens-1m: " in done.stderr
        assert "data.use.yelp: its experiments are left out. yelp-2000x10000: " in done.stderr
        asked = len(server.asked)
        again = run(folder, **told)
        assert again.returncode == 0, again.stderr
        assert len(server.asked) == asked, "data that could not be had were asked for again"
    assert "Nothing to be done" in again.stdout + again.stderr
    assert {*json.loads((folder / FAILED).read_text())} == {"movielens-1m", "movielens-100k", "yelp-2000x10000"}
    assert (folder / RAW / "movielens-latest-small" / SMALL).read_bytes() == good
    assert [path.name for path in (folder / "reports").iterdir()] == [NAME]
    page = (folder / "reports" / NAME / "papers/meta_ban.html").read_text()
    assert "MovieLens latest-small" in page
    assert "data.use.yelp is none, because yelp-2000x10000 cannot be had" in page
