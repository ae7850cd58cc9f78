"""`auscult topics`: what is missing is created, once, under the names of the settings."""

import pytest
from typer.testing import CliRunner

from service.commands import app
from streams.topics import TopicNames
from tests.kafka import broker_address

__all__ = ["broker_address"]


@pytest.fixture
def broker_of_the_settings(broker_address: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("AUSCULT_KAFKA__BOOTSTRAP_SERVERS", broker_address)
    monkeypatch.setenv("AUSCULT_KAFKA__TOPICS__PREFIX", "made-")
    monkeypatch.setenv("AUSCULT_KAFKA__PARTITIONS", "2")
    monkeypatch.setenv("AUSCULT_KAFKA__REPLICATION", "1")


@pytest.mark.usefixtures("broker_of_the_settings")
def test_missing_topics_are_created_and_named_and_then_nothing_is_missing() -> None:
    first = CliRunner().invoke(app, ["topics"])
    second = CliRunner().invoke(app, ["topics"])

    names = TopicNames().prefixed("made-")
    assert (first.exit_code, second.exit_code) == (0, 0)
    assert set(first.stdout.split()) == {getattr(names, field) for field in TopicNames.__dataclass_fields__}
    assert second.stdout == ""


def test_a_broker_that_is_not_there_is_one_line(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("AUSCULT_KAFKA__BOOTSTRAP_SERVERS", "127.0.0.1:1")
    result = CliRunner().invoke(app, ["topics"])

    assert result.exit_code == 2
    assert result.stderr.startswith("auscult: 127.0.0.1:1: no connection.")
    assert result.stderr.count("\n") == 1
