"""Downloads from a server that does everything wrong: a sentence, and the next run recovers. The server is local."""

from __future__ import annotations

import hashlib
import time

import pytest
from msgspec.structs import replace

from manybandits import datasets
from manybandits.base.exceptions import InputError
from manybandits.datasets import base, build
from manybandits.datasets import fetch as fetching
from manybandits.datasets.base import Dataset, File
from manybandits.datasets.fetch import fetch
from tests.planted.server import Handler, serving

CONTENT = b"source target\n" * 5000
CHECKSUM = "sha256:" + hashlib.sha256(CONTENT).hexdigest()
PAGE = b"<!doctype html><title>Please log in</title>"


class Wrong(Handler):
    """Answers each request with the next of the answers that a test asks for: status, headers, body and a pause."""

    def do_GET(self) -> None:
        status, headers, body, pause = self.server.answers.pop(0) if self.server.answers else answer()
        self.send_response(status)
        for name, value in headers.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(body[: len(body) // 2])
        self.wfile.flush()
        self.server.released.wait(pause)
        self.wfile.write(body[len(body) // 2 :])


def answer(status: int = 200, body: bytes = CONTENT, pause: float = 0.0, **headers: str):
    return status, {name.replace("_", "-"): value for name, value in headers.items()}, body, pause


@pytest.fixture
def server(monkeypatch):
    monkeypatch.setattr(fetching, "PAUSES", (0.01, 0.01))
    monkeypatch.delenv("MANYBANDITS_MIRROR", raising=False)
    with serving(Wrong) as running:
        running.answers = []
        yield running


def a_dataset(server, checksum: str = CHECKSUM) -> Dataset:
    kinds = dict.fromkeys(("family", "title", "kind", "completeness", "licence", "citation", "home"), "x")
    return Dataset(name="set", counts={}, files=(File("file", f"{server.address}/file", checksum),), **kinds)


WORKS_IN_THE_END = {
    "ends early, then ignores ranges": [answer(body=CONTENT[:100], Content_Length=str(len(CONTENT)))],
    "a length that is no number": [answer(Content_Length="abc")],
    "a length below zero": [answer(Content_Length="-7")],
    "a length in other digits": [answer(Content_Length="٣")],
    "another range than was asked for": [
        answer(body=CONTENT[:100], Content_Length=str(len(CONTENT))),
        answer(206, CONTENT[50:], Content_Range=f"bytes 50-{len(CONTENT) - 1}/{len(CONTENT)}"),
    ],
    "says that a file is packed, as it is": [answer(Content_Encoding="gzip", Content_Length=str(len(CONTENT)))],
}


@pytest.mark.parametrize("case", WORKS_IN_THE_END)
def test_a_server_that_works_in_the_end_gives_the_file(case, server, tmp_path):
    server.answers = list(WORKS_IN_THE_END[case])
    assert fetch(a_dataset(server), tmp_path)["file"].read_bytes() == CONTENT
    assert [path.name for path in (tmp_path / "set").iterdir()] == ["file"]


def test_a_server_that_stalls_is_given_up_and_what_came_is_kept(server, tmp_path, monkeypatch):
    monkeypatch.setattr(fetching, "TIMEOUT", 0.1)
    server.answers = [answer(pause=30.0, Content_Length=str(len(CONTENT)))] * 3
    began = time.monotonic()
    with pytest.raises(InputError, match=r"could not be downloaded \(timed out\): run again to go on"):
        fetch(a_dataset(server), tmp_path)
    assert time.monotonic() - began < 10
    server.released.set()
    assert fetch(a_dataset(server), tmp_path)["file"].read_bytes() == CONTENT


@pytest.mark.parametrize("place", ["file:///etc/hostname", "ftp://127.0.0.1:9/file"])
def test_a_redirect_to_a_file_reads_no_file(place, server, tmp_path):
    server.answers = [answer(302, b"", Location=place)] * 3
    with pytest.raises(InputError, match="could not be downloaded"):
        fetch(a_dataset(server), tmp_path)
    assert not (tmp_path / "set" / "file").exists()


@pytest.mark.parametrize("stated", [True, False])
def test_a_download_has_a_limit_whether_its_length_is_stated_or_not(stated, server, tmp_path, monkeypatch):
    monkeypatch.setattr(fetching, "MOST_DOWNLOADED", 1000)
    server.answers = [answer(Content_Length=str(len(CONTENT))) if stated else answer()]
    with pytest.raises(InputError, match=r"sends more than .* GiB, more than any file of a data set here"):
        fetch(a_dataset(server), tmp_path)
    assert not server.answers


def test_the_card_of_a_data_set_states_its_limits(capsys):
    from manybandits.datasets.__main__ import main

    main(["show", "movielens-25m"])
    assert base.LIMITS in " ".join(capsys.readouterr().out.split())


@pytest.mark.parametrize("page", [PAGE, b"", b"\x1f\x8b\x08 cut"])
def test_a_page_without_a_published_checksum_is_moved_aside_and_the_next_run_fetches_anew(
    page, server, tmp_path, monkeypatch
):
    name = "facebook_combined.txt.gz"
    file = File(name, f"{server.address}/file")
    source = datasets.load("facebook-ego")
    monkeypatch.setattr(source, "DATASET", replace(source.DATASET, files=(file,)))
    server.answers = [answer(body=page)]
    with pytest.raises(InputError, match=rf"moved to {name}\.bad: run again to fetch it anew"):
        build.build(source, tmp_path / "raw", tmp_path / "tidy")
    folder = tmp_path / "raw" / "facebook-ego"
    assert (folder / f"{name}.bad").read_bytes() == page
    with pytest.raises(InputError):
        build.build(source, tmp_path / "raw", tmp_path / "tidy")
    assert (folder / f"{name}.bad").read_bytes() == CONTENT  # it was fetched again
