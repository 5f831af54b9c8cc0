"""The chain with all files in a bucket, on a server of this machine, and a dry run of the profile for Kubernetes."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from typing import Any, NamedTuple
from urllib.request import Request, urlopen

import pytest

from tests.chain import checkout, planned, results, run

boto3 = pytest.importorskip("boto3", reason="boto3 is not installed: make test-cloud installs it")
pytest.importorskip("snakemake_storage_plugin_s3", reason="the storage plugin of Snakemake is not installed")
server = pytest.importorskip("moto.server", reason="moto, a server of buckets for tests, is not installed")

KEYS = {f"SNAKEMAKE_STORAGE_S3_{kind}_KEY": "test" for kind in ("ACCESS", "SECRET")}


class Bucket(NamedTuple):
    """An empty bucket on this machine. client: of boto3."""

    address: str
    client: Any

    def options(self) -> list[str]:
        """Return the options by which Snakemake keeps all files there."""
        where = ["--default-storage-prefix", "s3://results/chain", "--storage-s3-endpoint-url", self.address]
        return ["--default-storage-provider", "s3", *where]

    def files(self) -> dict[str, bytes]:
        """Return the content of all files, by their paths in a checkout."""
        pages = self.client.get_paginator("list_objects_v2").paginate(Bucket="results", Prefix="chain/")
        keys = [found["Key"] for page in pages for found in page.get("Contents", [])]
        return {
            key.removeprefix("chain/"): self.client.get_object(Bucket="results", Key=key)["Body"].read() for key in keys
        }


@pytest.fixture
def bucket() -> Iterator[Bucket]:
    serving = server.ThreadedMotoServer(ip_address="127.0.0.1", port=0)
    serving.start()
    address = "http://{}:{}".format(*serving.get_host_and_port())
    keys = {"aws_access_key_id": "test", "aws_secret_access_key": "test", "region_name": "us-east-1"}
    client = boto3.client("s3", endpoint_url=address, **keys)
    client.create_bucket(Bucket="results")
    yield Bucket(address, client)
    # All servers of a process share what they store.
    urlopen(Request(f"{address}/moto-api/reset", method="POST")).close()
    serving.stop()


def test_a_chain_whose_files_are_in_a_bucket_leaves_the_bytes_of_a_local_one_there(bucket, finished, root, tmp_path):
    far = checkout(root, tmp_path / "bucket")
    for kept_back in ("workflow/papers", "notebooks"):  # by Snakemake, which sends rules and configurations with a job
        shutil.rmtree(far / kept_back)
    done = run(far, *bucket.options(), **KEYS)
    assert done.returncode == 0, done.stderr
    local, stored = results(finished), bucket.files()
    assert [name for name in local if local[name] != stored.get(name)] == []
    assert not (far / "reports").exists()
    again = run(far, "--dry-run", *bucket.options(), **KEYS)
    assert "Nothing to be done" in again.stdout + again.stderr


def test_the_profile_for_kubernetes_plans_the_whole_chain(bucket, root, tmp_path):
    pytest.importorskip("snakemake_executor_plugin_kubernetes", reason="Snakemake's plugin for it is not installed")
    folder = checkout(root, tmp_path / "pods")
    profile = ["--workflow-profile", "profiles/kubernetes", "--container-image", "localhost/manybandits"]
    (tmp_path / "kubeconfig").write_text("apiVersion: v1\nkind: Config\n")
    told = {**KEYS, "KUBECONFIG": str(tmp_path / "kubeconfig"), "HOME": os.environ.get("HOME", str(tmp_path))}
    printed = planned(folder, *profile, *bucket.options(), **told)
    assert "rule page" in printed
    assert "Group job plays_4s" in printed
    assert "s3://results/chain/reports/tiny/index.html" in printed
