"""Helm as the tests use it: values in, objects out. Skips where Helm cannot be had."""

import subprocess
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import pytest
import yaml

from deploy.chart import CHART
from deploy.go_tools import ToolUnavailable, go_tool

KUBERNETES = "1.33.0"
"""What is rendered for: the program itself believes in a version that the chart no longer runs on."""

VALUE_SETS = (
    "default",
    *sorted(path.name.removesuffix("-values.yaml") for path in CHART.glob("ci/*-values.yaml")),
)
"""The chart as it is, and with each file of `helm/ci`."""

Object = dict[str, Any]


@dataclass(frozen=True)
class Rendered:
    """What an installation would be given."""

    objects: tuple[Object, ...]

    def of(self, kind: str) -> list[Object]:
        return [each for each in self.objects if each["kind"] == kind]

    def one(self, kind: str) -> Object:
        (only,) = self.of(kind)
        return only


def tool(name: str) -> Path:
    """A program of `deploy/tools`; skips with the reason where it cannot be had."""
    try:
        return go_tool(name)
    except ToolUnavailable as error:
        pytest.skip(f"needs {name}: {error}")


def helm(*arguments: str) -> subprocess.CompletedProcess[str]:
    """Runs Helm; its failure is the caller's to judge."""
    return subprocess.run([tool("helm"), *arguments], capture_output=True, text=True, check=False)


def values_of(name: str) -> list[str]:
    """The options that choose a set of values."""
    return [] if name == "default" else ["--values", str(CHART / "ci" / f"{name}-values.yaml")]


@cache
def rendered(values: str, *options: str) -> Rendered:
    """The chart with a set of values, and with further options."""
    done = helm("template", "north", str(CHART), "--kube-version", KUBERNETES, *values_of(values), *options)
    assert done.returncode == 0, done.stderr
    return Rendered(tuple(each for each in yaml.safe_load_all(done.stdout) if each))
