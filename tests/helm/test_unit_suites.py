"""The chart's own unit tests, `helm/tests`, run by helm-unittest."""

import subprocess

from deploy.chart import CHART
from tests.helm.rendering import tool


def test_the_charts_own_tests_pass() -> None:
    done = subprocess.run(
        [tool("helm-unittest"), "--color=false", str(CHART)], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout
    assert " 0 total" not in done.stdout.split("Snapshot:")[0]
