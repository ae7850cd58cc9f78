"""`auscult serve --check`: the effective settings, secrets hidden; a wrong one named."""

import tomllib

import pytest
from typer.testing import CliRunner

from service.commands import app

SECRET = "correct-horse"  # noqa: S105 - a test's


def test_check_prints_the_effective_settings_without_secrets(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("AUSCULT_KAFKA__GROUP", "north")
    monkeypatch.setenv("AUSCULT_KAFKA__SECURITY__MECHANISM", "PLAIN")
    monkeypatch.setenv("AUSCULT_KAFKA__SECURITY__USERNAME", "monitor")
    monkeypatch.setenv("AUSCULT_KAFKA__SECURITY__PASSWORD", SECRET)
    result = CliRunner().invoke(app, ["serve", "--check"])
    assert result.exit_code == 0
    assert SECRET not in result.output
    assert tomllib.loads(result.stdout)["kafka"]["group"] == "north"


def test_a_wrong_setting_ends_it_with_one_line(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("AUSCULT_KAFKA__SECURITY__PASSWORD", SECRET)
    result = CliRunner().invoke(app, ["serve", "--check"])
    assert result.exit_code == 2
    assert result.stderr.strip() == "auscult: kafka.security: username and password need a mechanism"
