"""Downloads: checked, resumed, tried again, and never half used. The server is one of this process."""

from __future__ import annotations

import hashlib

import pytest
from msgspec.structs import replace

from manybandits.base.exceptions import InputError, run_script
from manybandits.datasets import fetch as fetching
from manybandits.datasets.__main__ import main
from manybandits.datasets.base import Dataset, File
from manybandits.datasets.fetch import fetch
from tests.planted.server import Handler, serving

CONTENT = bytes(range(256)) * 2000
CHECKSUM = "sha256:" + hashlib.sha256(CONTENT).hexdigest()
KEPT = len(CONTENT) // 2 // fetching.CHUNK * fetching.CHUNK  # of a download that ends after half of its bytes


class Ranges(Handler):
    """Serves CONTENT at any path that ends with /file, with ranges; fails in the ways the test asks for, in turn."""

    def do_GET(self) -> None:
        self.server.requests.append(self.headers.get("Range"))
        if not self.path.endswith("/file"):
            self.send_error(404)
            return
        failure = self.server.failures.pop(0) if self.server.failures else None
        if failure == "error":
            self.send_error(500)
            return
        if failure == "nonsense":
            self.wfile.write(b"this is no answer\r\n\r\n")
            return
        first = int((self.headers.get("Range") or "bytes=0-").split("=")[1].split("-")[0])
        if failure == "no ranges":
            first = 0
        if first == len(CONTENT):
            self.send_error(416)
            return
        self.send_response(206 if first else 200)
        self.send_header("Content-Length", str(len(CONTENT) - first))
        self.end_headers()
        end = len(CONTENT) // 2 if failure == "cut" else None
        self.wfile.write(CONTENT[first:end])


@pytest.fixture
def server(monkeypatch):
    monkeypatch.setattr(fetching, "PAUSES", (0.01, 0.01))
    monkeypatch.delenv("MANYBANDITS_MIRROR", raising=False)
    with serving(Ranges) as running:
        running.failures, running.requests = [], []
        yield running


def test_a_git_blob_id_is_that_of_git(tmp_path):
    path = tmp_path / "file"
    path.write_bytes(b"hello\n")
    hello = File("file", checksum="git-blob:ce013625030ba8dba906f756967f9e9ca394464a")  # git hash-object
    assert fetching.checked(path, hello) == path
    path.write_bytes(b"hello")
    with pytest.raises(InputError, match=r"has the git-blob b6fc4c6.*, but ce01362.* was expected: it was moved to"):
        fetching.checked(path, hello)


def a_dataset(url: str = "", checksum: str = CHECKSUM, name: str = "file", **more) -> Dataset:
    kinds = dict.fromkeys(("family", "title", "kind", "completeness", "licence", "citation", "home"), "x")
    return Dataset(name="set", counts={}, files=(File(name, url, checksum),), **kinds, **more)


def test_a_file_is_downloaded_and_then_found(server, tmp_path):
    for _ in range(2):
        files = fetch(a_dataset(server.address + "/file"), tmp_path)
        assert files["file"].read_bytes() == CONTENT
    assert len(server.requests) == 1


def test_a_cut_connection_is_resumed_where_it_stopped(server, tmp_path):
    server.failures = ["cut"]
    files = fetch(a_dataset(server.address + "/file"), tmp_path)
    assert files["file"].read_bytes() == CONTENT
    assert server.requests == [None, f"bytes={KEPT}-"]


@pytest.mark.parametrize("have", [1000, len(CONTENT)])
def test_a_partial_file_of_an_earlier_run_is_resumed(server, tmp_path, have):
    (tmp_path / "set").mkdir()
    (tmp_path / "set" / "file.part").write_bytes(CONTENT[:have])
    fetch(a_dataset(server.address + "/file"), tmp_path)
    assert server.requests == [f"bytes={have}-"]
    assert (tmp_path / "set" / "file").read_bytes() == CONTENT


def test_a_server_without_ranges_starts_the_file_anew(server, tmp_path):
    (tmp_path / "set").mkdir()
    (tmp_path / "set" / "file.part").write_bytes(CONTENT[:1000])
    server.failures = ["no ranges"]
    files = fetch(a_dataset(server.address + "/file"), tmp_path)
    assert files["file"].read_bytes() == CONTENT


def test_what_was_downloaded_before_giving_up_is_kept_for_the_next_run(server, tmp_path):
    server.failures = ["cut", "error", "error"]
    with pytest.raises(InputError, match="run again to go on"):
        fetch(a_dataset(server.address + "/file"), tmp_path)
    assert (tmp_path / "set" / "file.part").read_bytes() == CONTENT[:KEPT]
    fetch(a_dataset(server.address + "/file"), tmp_path)
    assert server.requests[-1] == f"bytes={KEPT}-"


def test_a_failing_server_is_tried_again_and_then_given_up(server, tmp_path):
    server.failures = ["error", "nonsense"]
    fetch(a_dataset(server.address + "/file"), tmp_path / "patient")
    assert len(server.requests) == 3
    server.failures = ["error"] * 9
    with pytest.raises(InputError, match=r"could not be downloaded .*500.* name a mirror"):
        fetch(a_dataset(server.address + "/file"), tmp_path / "hopeless")
    assert not (tmp_path / "hopeless" / "set" / "file").exists()


def test_a_wrong_checksum_names_both_hashes_and_keeps_the_file_aside(server, tmp_path):
    wrong = "sha256:" + "0" * 64
    with pytest.raises(InputError) as error:
        fetch(a_dataset(server.address + "/file", wrong), tmp_path)
    message = str(error.value)
    assert "set/file has the sha256 " + CHECKSUM.split(":")[1] in message
    assert "0" * 64 + " was expected" in message
    assert (tmp_path / "set" / "file.bad").read_bytes() == CONTENT
    assert not (tmp_path / "set" / "file").exists()
    assert fetch(a_dataset(server.address + "/file"), tmp_path)["file"].read_bytes() == CONTENT  # the next run's


def test_a_wrong_size_names_both_sizes_and_keeps_the_file_aside(tmp_path):
    (tmp_path / "set").mkdir()
    (tmp_path / "set" / "file").write_bytes(CONTENT)
    dataset = a_dataset()
    dataset = replace(dataset, files=(replace(dataset.files[0], size=1234),))
    with pytest.raises(InputError, match=r"set/file has 512,000 bytes, but 1,234 were expected: it was moved to file"):
        fetch(dataset, tmp_path)
    assert (tmp_path / "set" / "file.bad").read_bytes() == CONTENT


def test_a_damaged_file_in_the_raw_folder_is_not_fed_on(tmp_path):
    (tmp_path / "set").mkdir()
    (tmp_path / "set" / "file").write_bytes(CONTENT[:-1])
    with pytest.raises(InputError, match=r"moved to file\.bad"):
        fetch(a_dataset(), tmp_path)


def test_a_mirror_may_be_a_folder_or_an_address_and_comes_first(server, tmp_path):
    (tmp_path / "mirror" / "set").mkdir(parents=True)
    (tmp_path / "mirror" / "set" / "file").write_bytes(CONTENT)
    nowhere = "http://127.0.0.1:9/file"
    for place, mirror in (("a", str(tmp_path / "mirror")), ("b", server.address)):
        files = fetch(a_dataset(nowhere), tmp_path / place, mirror)
        assert files["file"].read_bytes() == CONTENT


@pytest.mark.parametrize("kind", ["folder", "address"])
def test_a_mirror_may_hold_a_copy_in_another_form(server, tmp_path, kind):
    (tmp_path / "mirror" / "elsewhere").mkdir(parents=True)
    (tmp_path / "mirror" / "elsewhere" / "file").write_bytes(CONTENT)
    mirror = str(tmp_path / "mirror") if kind == "folder" else server.address
    dataset = a_dataset(name="official", copies=(File("copy", checksum=CHECKSUM, mirror="elsewhere/file"),))
    files = fetch(dataset, tmp_path, mirror)
    assert files == {"copy": tmp_path / "set" / "copy"}
    assert files["copy"].read_bytes() == CONTENT


@pytest.mark.parametrize("kind", ["folder", "address"])
def test_what_the_mirror_lacks_comes_from_the_official_address(server, tmp_path, kind):
    mirror = str(tmp_path) if kind == "folder" else server.address
    dataset = a_dataset(server.address + "/elsewhere/file", name="official")
    assert fetch(dataset, tmp_path, mirror)["official"].read_bytes() == CONTENT


def test_a_mirror_that_does_not_exist_is_said(tmp_path):
    with pytest.raises(InputError, match=r"the mirror '.*/nowhere' is neither an http\(s\) address nor a folder"):
        fetch(a_dataset(), tmp_path, str(tmp_path / "nowhere"))


def test_without_a_network_and_a_mirror_one_sentence_says_what_to_do(tmp_path, monkeypatch):
    monkeypatch.setattr(fetching, "PAUSES", (0.0, 0.0))
    monkeypatch.delenv("MANYBANDITS_MIRROR", raising=False)
    with pytest.raises(InputError) as error:
        fetch(a_dataset("http://127.0.0.1:9/file"), tmp_path)
    message = str(error.value)
    assert message.startswith("http://127.0.0.1:9/file could not be downloaded (")
    assert message.endswith(f"MANYBANDITS_MIRROR, or place file in {tmp_path / 'set'} by hand.")
    assert "\n" not in message


def test_a_file_that_only_mirrors_hold_says_where_they_hold_it(tmp_path, monkeypatch):
    monkeypatch.delenv("MANYBANDITS_MIRROR", raising=False)
    with pytest.raises(
        InputError, match="no official address: name a mirror that holds set/file by MANYBANDITS_MIRROR"
    ):
        fetch(a_dataset(), tmp_path)


def test_what_an_address_does_not_have_is_said(server, tmp_path):
    with pytest.raises(InputError, match=r"answers 404: place file in .* by hand"):
        fetch(a_dataset(server.address + "/other"), tmp_path)


def test_a_licence_that_forbids_downloads_says_what_to_place_where(tmp_path, monkeypatch):
    monkeypatch.delenv("MANYBANDITS_MIRROR", raising=False)
    with pytest.raises(InputError, match=r"set is not downloaded automatically: place it in .*/set"):
        fetch(a_dataset(by_hand="place it in {folder}."), tmp_path)


def test_yelp_reviews_ask_to_be_placed_by_hand_and_name_their_terms(server, tmp_path, capsys):
    with pytest.raises(SystemExit) as exit_:
        run_script(main, ["tidy", "yelp-academic", "--raw", str(tmp_path / "raw"), "--out", str(tmp_path)])
    assert exit_.value.code == 2
    message = capsys.readouterr().err
    assert "accept its terms at https://www.yelp.com/dataset" in message
    assert f"place yelp_academic_dataset_review.json in {tmp_path / 'raw' / 'yelp-academic'}." in message
    assert message.count("\n") == 1
    assert not server.requests
