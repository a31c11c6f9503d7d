"""Tests of the manifest for KubeRay, as far as they are possible without Kubernetes: it is parsed, not applied."""

from pathlib import Path
from typing import Any

import pytest
from ruamel.yaml import YAML

MANIFEST = Path(__file__).parents[2] / "docs" / "kuberay.yaml"


@pytest.fixture(scope="module")
def parts() -> dict[str, Any]:
    """The documents of the manifest by their kind."""
    return {part["kind"]: part for part in YAML(typ="safe").load_all(MANIFEST.read_text("utf-8"))}


def pods(cluster: Any) -> list[Any]:
    """The specs of the pods of all groups."""
    groups = [cluster["spec"]["headGroupSpec"], *cluster["spec"]["workerGroupSpecs"]]
    return [group["template"]["spec"] for group in groups]


def test_only_the_cluster_itself_can_reach_its_ports(parts: dict[str, Any]) -> None:
    """Tokens are on, the dashboard is inside its pod, and the policy lets in the pods of this cluster alone."""
    spec = parts["RayCluster"]["spec"]
    assert spec["authOptions"] == {"mode": "token"}
    assert spec["headGroupSpec"]["rayStartParams"]["dashboard-host"] == "127.0.0.1"
    assert spec["headGroupSpec"]["serviceType"] == "ClusterIP"
    named = {"ray.io/cluster": parts["RayCluster"]["metadata"]["name"]}
    policy = parts["NetworkPolicy"]["spec"]
    assert policy["podSelector"]["matchLabels"] == named
    assert policy["ingress"] == [{"from": [{"podSelector": {"matchLabels": named}}]}]


def test_all_pods_share_the_image_the_ledger_and_the_folder(parts: dict[str, Any]) -> None:
    """What the engine checks before it gives a machine work."""
    claim = parts["PersistentVolumeClaim"]
    assert claim["spec"]["accessModes"] == ["ReadWriteMany"]
    for pod in pods(parts["RayCluster"]):
        (container,) = pod["containers"]
        assert container["image"] == "IMAGE"
        assert {"name": "output", "mountPath": "/batch"} in container["volumeMounts"]
        assert pod["volumes"][0]["persistentVolumeClaim"]["claimName"] == claim["metadata"]["name"]
        (ledger,) = (one for one in container["env"] if one["name"] == "SIGHTLINE_LEDGER")
        assert ledger["valueFrom"]["secretKeyRef"]["name"] == "sightline-ledger"


def test_pods_have_no_more_rights_than_they_need(parts: dict[str, Any]) -> None:
    """Pages are strangers' input."""
    for pod in pods(parts["RayCluster"]):
        assert pod["securityContext"]["runAsNonRoot"]
        (container,) = pod["containers"]
        assert container["securityContext"] == {"allowPrivilegeEscalation": False, "capabilities": {"drop": ["ALL"]}}
