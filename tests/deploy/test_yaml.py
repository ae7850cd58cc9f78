"""The YAML that people write is clean by yamllint."""

import subprocess
import sys

from deploy.chart import ROOT

WRITTEN = ("compose.yaml", "deploy/compose", "helm/Chart.yaml", "helm/values.yaml", "helm/ci", "helm/tests")


def test_yamllint_has_nothing_to_say() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "yamllint", "--strict", *WRITTEN],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stdout) == (0, "")
