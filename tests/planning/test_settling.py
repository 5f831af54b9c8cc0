"""Of data sets that a configuration lists, the first that can be had is played. The server is one of this process."""

from __future__ import annotations

import json
import time

import pytest

from manybandits.base.configuration import overlay, read_yaml
from manybandits.base.exceptions import InputError
from manybandits.datasets import fetch as fetching
from manybandits.planning.configuration import checked
from manybandits.planning.preferences import FAILED, RAW, chosen
from manybandits.planning.settling import settle
from tests.planted.server import Handler, serving

SMALL = "ml-latest-small.zip"


class Faulty(Handler):
    """A mirror that refuses files, cuts them short, sends others, or sends what a test gives it, slowly."""

    def do_GET(self) -> None:
        self.server.asked.append(self.path.rpartition("/")[2])
        body, length = self.server.files.get(self.server.asked[-1], (b"", None))
        if length is None:
            self.send_error(403)
            return
        self.send_response(200)
        self.send_header("Content-Length", str(length))
        self.end_headers()
        for start in range(0, len(body), 1 + len(body) // 5):
            time.sleep(self.server.pause)
            self.wfile.write(body[start : start + 1 + len(body) // 5])


@pytest.fixture
def server(monkeypatch):
    monkeypatch.setattr(fetching, "PAUSES", (0.0, 0.0))
    for name in ("http_proxy", "https_proxy"):
        monkeypatch.setenv(name, "http://127.0.0.1:9")  # official addresses cannot be reached
    monkeypatch.setenv("no_proxy", "127.0.0.1")
    with serving(Faulty) as running:
        running.files, running.asked, running.pause = {}, [], 0.0
        monkeypatch.setenv("MANYBANDITS_MIRROR", running.address)
        yield running


@pytest.fixture
def smoke(root):
    content = overlay(read_yaml(root / "config.yaml"), read_yaml(root / "configs/smoke.yaml"))
    return {**content, "papers": ["meta_ban", "rmbandit"]}


def listing(content, **use):
    return overlay(content, {"data": {"use": {family.replace("_", "-"): named for family, named in use.items()}}})


def played(plan) -> set[str]:
    return {name for game in plan.environments.values() for name in game.datasets}


def test_refused_cut_and_other_files_are_passed_over_and_said(root, smoke, server, tmp_path, capsys):
    server.files = {"u.data": (b"1\t2\t3\t4\n", 1_979_173), "ratings.dat.xz": (b"a page", 6)}
    named = ["movielens-latest-small", "movielens-100k", "movielens-1m", "embedded-ratings"]
    content = listing(smoke, movielens=named)
    plan = settle(content, root, tmp_path, [])
    assert played(plan) == {"embedded-ratings"}
    assert plan.name == "smoke-embedded-ratings"
    assert "movielens: embedded-ratings in place of movielens-latest-small" in plan.changes["meta_ban"]
    reasons = json.loads((tmp_path / FAILED).read_text())
    assert list(reasons) == named[:3]
    assert "could not be downloaded" in reasons["movielens-latest-small"]
    assert "could not be downloaded (IncompleteRead" in reasons["movielens-100k"]
    assert "has 6 bytes, but 3,391,684 were expected" in reasons["movielens-1m"]
    said = capsys.readouterr().err
    assert "data.use.movielens: embedded-ratings is played. movielens-latest-small: " in said
    assert str(tmp_path / FAILED) in said
    asked = len(server.asked)
    assert settle(content, root, tmp_path, []).name == plan.name
    assert len(server.asked) == asked  # a run that goes on plays what it began with


@pytest.mark.data
def test_a_slow_file_is_waited_for_and_a_page_without_a_checksum_is_not_taken_for_data(
    root, smoke, server, tmp_path, mirror
):
    good = (mirror / "movielens-latest-small" / SMALL).read_bytes()
    server.files, server.pause = {SMALL: (good, len(good)), "facebook_combined.txt.gz": (b"<html>", 6)}, 0.1
    plan = settle(listing(smoke, movielens=["facebook-ego", "movielens-latest-small", "none"]), root, tmp_path, [])
    assert played(plan) == {"movielens-latest-small"}
    assert plan.name == "smoke-movielens-latest-small"
    assert (tmp_path / RAW / "movielens-latest-small" / SMALL).read_bytes() == good
    assert [path.name for path in (tmp_path / RAW / "facebook-ego").iterdir()] == ["facebook_combined.txt.gz.bad"]


def test_a_list_of_which_nothing_can_be_had_is_one_sentence_and_is_tried_again(root, smoke, server, tmp_path):
    content = listing(smoke, movielens=["movielens-latest-small", "yelp-academic"])
    for _ in range(2):
        with pytest.raises(InputError) as error:
            settle(content, root, tmp_path, [])
        sentence = str(error.value)
        assert sentence.startswith("data.use.movielens: none of its data sets can be had. movielens-latest-small: http")
        assert "yelp-academic: yelp-academic is not downloaded automatically: accept its terms" in sentence
    assert server.asked.count(SMALL) == 2
    assert not (tmp_path / "reports").exists()


def test_what_other_targets_need_is_not_fetched(root, smoke, server, tmp_path):
    content = listing(smoke, movielens=["movielens-latest-small", "embedded-ratings"])
    settle(content, root, tmp_path, ["rmbandit_fig1"])
    assert server.asked == []


def test_data_that_cannot_be_had_leave_out_their_experiments_with_the_reason(root, smoke, server, tmp_path):
    content = listing({**smoke, "experiments": "all", "papers": ["lnucb_ta"]}, news=["news-bandit-10k", "none"])
    plan = settle(content, root, tmp_path, [])
    assert plan.name.startswith("smoke-on-other-data-")  # all of its data are lost
    assert any("data.use.news is none, because news-bandit-10k cannot be had" in one.reason for one in plan.omissions)


def test_a_preferred_data_set_that_is_placed_by_hand_is_played_under_the_first_name(root, smoke, tmp_path):
    content = listing(smoke, yelp=["yelp-academic", "embedded-ratings"])
    path = tmp_path / FAILED
    path.parent.mkdir(parents=True)
    path.write_text('{"yelp-academic": "it is not downloaded"}')
    assert chosen(content, tmp_path)["name"] == "smoke-embedded-ratings"
    reviews = tmp_path / RAW / "yelp-academic" / "yelp_academic_dataset_review.json"
    reviews.parent.mkdir()
    reviews.touch()
    assert (chosen(content, tmp_path)["name"], chosen(content, tmp_path)["data"]["use"]["yelp"]) == (
        "smoke",
        "yelp-academic",
    )


def test_a_long_name_of_a_run_on_other_data_is_a_digest(tmp_path):
    path = tmp_path / FAILED
    path.parent.mkdir(parents=True)
    path.write_text('{"mnist": "no"}')
    use = {f"family-of-{letter}": ["mnist", "fashion-mnist"] for letter in "abcdefgh"}
    name = chosen({"name": "paper", "data": {"use": use}}, tmp_path)["name"]
    assert name.startswith("paper-on-other-data-")
    assert len(name) <= 64


@pytest.mark.parametrize(("name", "kept"), [("paper-scale", "runs"), ("readings", "readings")])
def test_a_run_on_other_data_never_takes_the_place_of_committed_results(root, tmp_path, name, kept):
    content = overlay(read_yaml(root / "config.yaml"), read_yaml(root / f"configs/{name}.yaml"))
    content |= {"papers": ["rmbandit"], "league": False, "experiments": ["rmbandit_fig1"]}
    content.pop("readings", None)
    committed = tmp_path / "reports" / name / kept
    committed.mkdir(parents=True)
    other = listing(content, yelp="embedded-ratings")
    with pytest.raises(InputError, match=rf"reports/{name} holds results on yelp-2000x10000, and data\.use\.yelp is"):
        settle(other, root, tmp_path, [])
    assert list(committed.iterdir()) == []
    assert settle({**other, "name": "mine"}, root, tmp_path, ["rmbandit_fig1"]).name == "mine"


@pytest.mark.parametrize(
    ("named", "words"),
    [
        ([], r"data\.use\.yelp is \[\]: name at least one data set"),
        (["yelp-academic", 3], r"data\.use\.yelp is \['yelp-academic', 3\]: name at least one data set"),
        (["yelp-academik"], r"unknown data set \(data\.use\.yelp\) 'yelp-academik': did you mean 'yelp-academic'\?"),
        (["mnist", "none"], r"data\.use\.yelp is mnist, which are images, not ratings"),
    ],
)
def test_a_list_that_is_wrong_is_named(smoke, named, words):
    with pytest.raises(InputError, match=words):
        checked(listing(smoke, yelp=named), smoke["papers"])


def test_reasons_that_cannot_be_read_name_their_file(smoke, tmp_path):
    path = tmp_path / FAILED
    path.parent.mkdir(parents=True)
    path.write_text("[")
    with pytest.raises(InputError, match=r"unavailable\.json cannot be read: delete it"):
        chosen(smoke, tmp_path)
