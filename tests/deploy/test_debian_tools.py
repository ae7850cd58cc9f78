"""Programs from Debian's packages: where there are none, one on the path is taken, or it is said what is missing."""

from pathlib import Path

import pytest

from deploy.debian_tools import debian_tool
from deploy.go_tools import ToolUnavailable


@pytest.fixture
def bare(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """A machine without apt and with nothing in its cache; gives the only folder of its path."""
    programs = tmp_path / "bin"
    programs.mkdir()
    monkeypatch.setenv("PATH", str(programs))
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    return programs


def test_without_debians_packages_the_program_on_the_path_is_taken(bare: Path) -> None:
    own = bare / "promtool"
    own.touch(mode=0o755)
    assert debian_tool("promtool") == own


def test_where_there_is_neither_it_says_which_package_is_missing(bare: Path) -> None:
    with pytest.raises(ToolUnavailable, match=r"prometheus-alertmanager=.* cannot be had here"):
        debian_tool("amtool")


def test_what_was_unpacked_before_is_not_fetched_again(bare: Path, tmp_path: Path) -> None:
    with pytest.raises(ToolUnavailable, match="prometheus=") as unavailable:
        debian_tool("prometheus")
    package = str(unavailable.value).split()[2]
    unpacked = tmp_path / "cache" / "auscult" / "tools" / package / "usr" / "bin" / "prometheus"
    unpacked.parent.mkdir(parents=True)
    unpacked.touch(mode=0o755)
    assert debian_tool("prometheus") == unpacked
