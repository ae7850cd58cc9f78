"""Settings: where they come from, what wins, that a wrong one is named, and that no secret is ever shown."""

import os
import tomllib
from pathlib import Path

import pytest
from pydantic import ValidationError

from service.settings import InvalidSettings, Settings, load_settings
from service.settings_text import HIDDEN, effective
from streams.adapters.conversion import RecogniserFormat
from streams.connection import Login

SECRET = "correct-horse"  # noqa: S105 - a test's


@pytest.fixture(autouse=True)
def clean_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in list(os.environ):
        if name.startswith("AUSCULT_"):
            monkeypatch.delenv(name)


def test_the_defaults_are_valid_and_frozen() -> None:
    settings = load_settings()
    assert settings.kafka.topics.names().segments == "transcripts.segments"
    assert settings.kafka.connection().bootstrap_servers == ("localhost:9092",)
    assert settings.limits.decoding().nesting == 16
    with pytest.raises(ValidationError):
        settings.http.port = 1  # type: ignore[misc]


def test_a_variable_wins_over_the_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "auscult.toml"
    file.write_text('[kafka]\ngroup = "from-file"\nclient_id = "kept"\n[http]\nport = 1234\n')
    monkeypatch.setenv("AUSCULT_KAFKA__GROUP", "from-variable")
    settings = load_settings(file)
    assert (settings.kafka.group, settings.kafka.client_id) == ("from-variable", "kept")
    assert settings.http.port == 1234


def test_the_file_may_be_named_by_a_variable(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "auscult.toml"
    file.write_text("[monitor.flags]\nper_segment = 7\n")
    monkeypatch.setenv("AUSCULT_CONFIG", str(file))
    assert load_settings().monitor.flags.per_segment == 7


def test_lists_are_separated_by_commas(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("AUSCULT_KAFKA__BOOTSTRAP_SERVERS", "a:9092, b:9093")
    monkeypatch.setenv("AUSCULT_LABELS__TENANT", "north,south")
    settings = load_settings()
    assert settings.kafka.bootstrap_servers == ("a:9092", "b:9093")
    assert settings.labels.tenant == ("north", "south")


def test_what_is_left_out_under_load_is_separated_by_commas(monkeypatch: pytest.MonkeyPatch) -> None:
    assert load_settings().kafka.shedding.signals == ()
    monkeypatch.setenv("AUSCULT_KAFKA__SHEDDING__SIGNALS", "embedding_drift, entity_validity")
    assert load_settings().kafka.shedding.signals == ("embedding_drift", "entity_validity")


def test_a_prefix_is_put_before_every_topic(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("AUSCULT_KAFKA__TOPICS__PREFIX", "staging.")
    monkeypatch.setenv("AUSCULT_KAFKA__TOPICS__FLAGS", "flags")
    names = load_settings().kafka.topics.names()
    assert (names.flags, names.calls) == ("staging.flags", "staging.transcripts.calls")


def test_only_the_models_that_are_named_are_used(monkeypatch: pytest.MonkeyPatch) -> None:
    without = load_settings().models.used
    monkeypatch.setenv("AUSCULT_MODELS__CONTRADICTION", "own-classifier")

    assert load_settings().models.used == (*without[:2], "own-classifier", *without[2:])


def test_an_empty_model_id_means_none(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("AUSCULT_MODELS__CONTRADICTION", "")
    assert load_settings().models.contradiction is None


def with_login(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("AUSCULT_KAFKA__SECURITY__MECHANISM", "SCRAM-SHA-512")
    monkeypatch.setenv("AUSCULT_KAFKA__SECURITY__USERNAME", "monitor")
    monkeypatch.setenv("AUSCULT_KAFKA__SECURITY__PASSWORD", SECRET)


def test_a_login_reaches_the_connection(monkeypatch: pytest.MonkeyPatch) -> None:
    with_login(monkeypatch)
    login = load_settings().kafka.connection().login
    assert login == Login("SCRAM-SHA-512", "monitor", SECRET)


def test_the_effective_settings_hide_secrets_and_are_toml(monkeypatch: pytest.MonkeyPatch) -> None:
    with_login(monkeypatch)
    settings = load_settings()
    shown = effective(settings)
    assert SECRET not in shown
    assert SECRET not in repr(settings)
    written = tomllib.loads(shown)
    assert written["kafka"]["security"]["password"] == HIDDEN
    assert written["kafka"]["batch"]["records"] == 64
    written["kafka"]["security"]["password"] = SECRET
    assert Settings(**written) == settings


def test_topics_of_recognisers_are_read_beside_the_segments(tmp_path: Path) -> None:
    file = tmp_path / "auscult.toml"
    file.write_text(
        '[kafka.recogniser_topics."asr.deepgram"]\nformat = "deepgram"\nlanguage = "en-GB"\n'
        'channels = { 0 = "clinician", 1 = "patient" }\n'
        '[kafka.recogniser_topics."asr.azure"]\nformat = "azure"\nsessions_end_calls = false\n'
    )
    settings = load_settings(file)
    assert settings.kafka.input_topics() == ("transcripts.segments", "asr.deepgram", "asr.azure")
    formats = settings.kafka.formats()
    assert formats["asr.deepgram"] == RecogniserFormat(
        name="deepgram", channels={"0": "clinician", "1": "patient"}, language="en-GB"
    )
    assert formats["asr.azure"] == RecogniserFormat(name="azure", sessions_end_calls=False)
    assert Settings(**tomllib.loads(effective(settings))) == settings


@pytest.mark.parametrize(
    ("name", "value", "explained"),
    [
        ("AUSCULT_HTTP__PORT", "eighty", "http.port: Input should be a valid integer"),
        ("AUSCULT_KAFKA__GRUOP", "a", "kafka.gruop: Extra inputs are not permitted"),
        ("AUSCULT_KAFAK__GROUP", "a", "AUSCULT_KAFAK__GROUP: there is no such setting"),
        (
            "AUSCULT_KAFKA__BOOTSTRAP_SERVERS",
            "broker",
            "kafka.bootstrap_servers: each server must be host:port",
        ),
        ("AUSCULT_KAFKA__SECURITY__MECHANISM", "PLAIN", "kafka.security: a mechanism needs username"),
        (
            "AUSCULT_KAFKA__SECURITY__PASSWORD",
            SECRET,
            "kafka.security: username and password need a mechanism",
        ),
        ("AUSCULT_KAFKA__SECURITY__CA_FILE", "ca.pem", "kafka.security: certificate files need tls"),
        ("AUSCULT_KAFKA__SECURITY", SECRET, 'parsing value for field "kafka"'),
        ("AUSCULT_KAFKA__SESSION_SECONDS", "4", "kafka: session_seconds must be at least twice"),
        ("AUSCULT_KAFKA__SHEDDING__SIGNALS", SECRET, "kafka.shedding.signals.0: Input should be"),
        ("AUSCULT_KAFKA__SHEDDING__UNTIL_SECONDS", "31", "kafka.shedding: until_seconds must not be more"),
        (
            "AUSCULT_KAFKA__RECOGNISER_TOPICS",
            '{"asr": {"format": "acme"}}',
            "kafka.recogniser_topics.asr.format: Input should be 'assemblyai', 'aws', 'azure', 'deepgram'",
        ),
        (
            "AUSCULT_KAFKA__RECOGNISER_TOPICS",
            '{"asr": {"format": "aws", "channels": {"ch_0": "nurse"}}}',
            "kafka.recogniser_topics.asr.channels.ch_0: Input should be 'patient', 'clinician'",
        ),
        (
            "AUSCULT_KAFKA__RECOGNISER_TOPICS",
            '{"transcripts.flags": {"format": "aws"}}',
            "kafka: recogniser_topics names a topic that Auscult has for its own messages",
        ),
        (
            "AUSCULT_KAFKA__RECOGNISER_TOPICS",
            '{"asr deepgram": {"format": "aws"}}',
            "kafka: recogniser_topics has a name that no topic can have",
        ),
        ("AUSCULT_LIMITS__RECORD_BYTES", "1", "limits.record_bytes: Input should be greater"),
        ("AUSCULT_LOGS__LEVEL", SECRET, "logs.level: Input should be 'debug'"),
    ],
)
def test_a_wrong_setting_is_named_without_its_value(
    monkeypatch: pytest.MonkeyPatch, name: str, value: str, explained: str
) -> None:
    monkeypatch.setenv(name, value)
    with pytest.raises(InvalidSettings) as caught:
        load_settings()
    assert explained in str(caught.value)
    assert SECRET not in str(caught.value)


@pytest.mark.parametrize(
    ("content", "explained"),
    [
        (b"[kafka\n", "not valid TOML"),
        (b"\xff", "not UTF-8"),
        (b"[nothing]\n", "nothing: Extra inputs are not permitted"),
        (b'[monitor.call]\nlanguages = ["en-GB"]\n', "monitor.call.languages.0: String should match"),
        (b'[kafka.security]\npassword = ["correct-horse"]\n', "kafka.security.password: Input should be"),
    ],
)
def test_a_wrong_file_is_explained(tmp_path: Path, content: bytes, explained: str) -> None:
    file = tmp_path / "auscult.toml"
    file.write_bytes(content)
    with pytest.raises(InvalidSettings) as caught:
        load_settings(file)
    assert explained in str(caught.value)
    assert SECRET not in str(caught.value)


def test_a_missing_file_is_named(tmp_path: Path) -> None:
    with pytest.raises(InvalidSettings, match=r"missing\.toml: No such file"):
        load_settings(tmp_path / "missing.toml")
