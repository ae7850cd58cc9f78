"""The examples of docs/adapters.md are settings that load and messages that are read."""

import json
import re
import tomllib
from pathlib import Path

import pytest

from service.settings import Settings
from streams.adapters import delivery
from streams.adapters.conversion import RecogniserFormat, convert
from streams.adapters.delivery import Delivery
from streams.adapters.registry import ADAPTERS, Format
from streams.fields import Limits
from streams.messages import Segment

DOCUMENT = (Path(__file__).parents[2] / "docs" / "adapters.md").read_text(encoding="utf-8")
SECTIONS: dict[str, Format] = {
    "Deepgram": "deepgram",
    "Amazon Transcribe and Transcribe Medical": "aws",
    "Google Speech-to-Text v2": "google",
    "Azure Speech": "azure",
    "AssemblyAI": "assemblyai",
    "Whisper": "whisper",
}


def blocks(language: str, text: str = DOCUMENT) -> list[str]:
    return re.findall(rf"```{language}\n(.*?)```", text, re.DOTALL)


def section(title: str) -> str:
    return DOCUMENT.split(f"\n### {title}\n")[1].split("\n#")[0]


def test_every_adapter_has_a_section() -> None:
    assert set(SECTIONS.values()) == set(ADAPTERS)


@pytest.mark.parametrize("title", SECTIONS)
def test_the_example_of_a_recogniser_is_read(title: str) -> None:
    (example,) = blocks("json", section(title))
    converted = convert(example.encode(), Delivery(b"c1"), RecogniserFormat(name=SECTIONS[title]), Limits())
    assert isinstance(converted.messages, tuple)
    assert all(isinstance(message, Segment) and message.text for message in converted.messages)


def test_the_example_settings_load() -> None:
    (example,) = blocks("toml")
    assert set(Settings(**tomllib.loads(example)).kafka.formats()) == {"asr.deepgram", "asr.azure"}


def test_the_example_variable_loads(monkeypatch: pytest.MonkeyPatch) -> None:
    variable = next(block for block in blocks("sh") if block.startswith("export"))
    name, _, value = variable.removeprefix("export ").strip().partition("=")
    monkeypatch.setenv(name, value.strip("'"))
    assert set(Settings().kafka.formats()) == set(json.loads(value.strip("'")))


def test_every_header_is_documented() -> None:
    headers = {value for name, value in vars(delivery).items() if name.endswith("_HEADER")}
    assert {f"`{header}`" for header in headers} <= set(re.findall(r"`auscult-[a-z-]+`", DOCUMENT))
