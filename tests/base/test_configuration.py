"""YAML is read strictly: what YAML would let pass in silence stops with the file and the line."""

import pytest

from manybandits.base.configuration import read_yaml
from manybandits.base.exceptions import InputError


def read(tmp_path, text):
    path = tmp_path / "paper.yaml"
    path.write_text(text)
    return read_yaml(path)


def test_a_key_that_is_given_twice_is_refused_with_its_line(tmp_path):
    with pytest.raises(InputError, match=r"paper\.yaml cannot be read: the key 'b' is there twice .* line 3"):
        read(tmp_path, "a:\n  b: 1\n  b: 2\n")


def test_a_key_overrides_what_is_merged_from_elsewhere(tmp_path):
    found = read(tmp_path, "a: &a {b: 1, c: 1}\nd: {<<: *a, b: 2}\ne: &e {<<: *a, c: 3}\nf: {<<: *e, b: 4}\n")
    assert found["d"] == {"b": 2, "c": 1}
    assert found["f"] == {"b": 4, "c": 3}


@pytest.mark.parametrize(("text", "words"), [("- a\n", "no keys"), ("a: [1\n", "cannot be read"), ("", "no keys")])
def test_what_is_no_mapping_is_refused(tmp_path, text, words):
    with pytest.raises(InputError, match=words):
        read(tmp_path, text)
