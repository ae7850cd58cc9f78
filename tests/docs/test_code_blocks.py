"""The code in the documents is right: it parses, it loads, and commands and variables it names exist."""

import ast
import json
import os
import re
import shlex
import tomllib
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path
from typing import Any, Final

import orjson
import pytest
import typer

from service.commands import app
from service.settings import CONFIG_VARIABLE, ENVIRONMENT_PREFIX, Settings, load_settings
from streams.adapters.registry import ADAPTERS
from streams.decoding import Limits, decode
from tests.docs.markdown import ROOT, Block, blocks, documents, prose

SHELL: Final = ("", "console", "sh", "bash")
LANGUAGES: Final = {*SHELL, "json", "toml", "python", "mermaid", "text"}
"""Text is what something printed."""
_FLOWCHART_WORDS: Final = {"call", "class", "click", "default", "end", "graph", "href", "style", "subgraph"}
_EXPORT: Final = f"export {ENVIRONMENT_PREFIX}"
_VARIABLE: Final = re.compile(rf"\b{ENVIRONMENT_PREFIX}[A-Z_]*[A-Z]\b")
_SETTING: Final = re.compile(rf"`((?:{'|'.join(Settings.model_fields)})\.[a-z_.]+[a-z])`")
_INLINE: Final = re.compile(r"`(auscult [^`]+|make [a-z][^`]*|python -m [^`]+)`")
_INDENTED: Final = re.compile(r"^    (?:\$ )?((?:auscult|make|python -m) .*)$", re.MULTILINE)
_TARGETS: Final = set(
    re.findall(r"^([a-z-]+):", (ROOT / "Makefile").read_text(encoding="utf-8"), re.MULTILINE)
)


def _shell_lines() -> Iterator[tuple[Path, str]]:
    """The commands of shell blocks, continued lines joined, prompts and comments left out."""
    for block in blocks(*SHELL):
        for line in block.content.replace("\\\n", " ").splitlines():
            if block.language != "console" or line.startswith("$ "):
                yield block.file, line.removeprefix("$ ")


def _written_commands() -> Iterator[tuple[Path, str]]:
    """Every command of ours that a document names: in blocks, indented, or in a sentence."""
    yield from _shell_lines()
    for path in documents():
        for found in (*_INLINE.findall(prose(path)), *_INDENTED.findall(prose(path))):
            yield path, found


def _calls(program: str) -> list[tuple[Path, list[str]]]:
    """The arguments of every call of a program, also behind pipes and assignments."""
    calls = []
    for path, line in _written_commands():
        for part in re.split(r"[|;]|&&", line):
            words = _words(part)
            while words and re.fullmatch(r"[A-Z_]+=.*", words[0]):
                words = words[1:]
            if words[: len(program.split())] == program.split():
                calls.append((path, words[len(program.split()) :]))
    return calls


def _words(line: str) -> list[str]:
    try:
        return shlex.split(line.replace("\n", " "), comments=True)
    except ValueError:  # an apostrophe of a sentence
        return []


def _ids(call: tuple[Path, list[str]]) -> str:
    return f"{call[0].relative_to(ROOT)}: {' '.join(call[1])}"


def test_blocks_are_found() -> None:
    counts = {language: len(blocks(language)) for language in ("json", "toml", "console", "mermaid")}
    assert min(counts.values()) > 0, counts
    assert len(list(_written_commands())) > 40


def test_every_block_is_in_a_language_that_is_looked_at() -> None:
    assert {block.language for block in blocks()} - LANGUAGES == set()


@pytest.mark.parametrize("block", blocks("json"), ids=str)
def test_json_is_json_and_segments_are_read(block: Block) -> None:
    record = json.loads(block.content)
    if isinstance(record, dict) and (
        ("sequence" in record and "text" in record) or record.get("type") == "call.ended"
    ):
        decode(orjson.dumps(record), Limits())


@pytest.fixture
def no_variables(monkeypatch: pytest.MonkeyPatch) -> None:
    """An environment in which nothing is set."""
    for name in [name for name in os.environ if name.startswith(ENVIRONMENT_PREFIX)]:
        monkeypatch.delenv(name)


@pytest.mark.usefixtures("no_variables")
@pytest.mark.parametrize("block", blocks("toml"), ids=str)
def test_toml_is_settings(block: Block) -> None:
    assert Settings(**tomllib.loads(block.content)) != Settings()


@pytest.mark.usefixtures("no_variables")
@pytest.mark.parametrize("block", [block for block in blocks(*SHELL) if _EXPORT in block.content], ids=str)
def test_exported_variables_load(block: Block, monkeypatch: pytest.MonkeyPatch) -> None:
    for line in block.content.splitlines():
        if line.startswith(_EXPORT):
            name, _, value = shlex.split(line, comments=True)[1].partition("=")
            monkeypatch.setenv(name, value)
    load_settings()


@pytest.mark.parametrize("block", blocks("python"), ids=str)
def test_python_parses_and_imports_what_there_is(block: Block) -> None:
    for node in ast.walk(ast.parse(block.content)):
        if isinstance(node, ast.ImportFrom):
            assert node.module is not None
            module = __import__(node.module, fromlist=[alias.name for alias in node.names])
            assert all(hasattr(module, alias.name) for alias in node.names)


@pytest.mark.parametrize("block", blocks("mermaid"), ids=str)
def test_a_flow_names_no_node_by_a_word_of_its_language(block: Block) -> None:
    first, *lines = block.content.splitlines()
    assert re.fullmatch(r"flowchart (LR|TB)", first)
    # Labels aside, what is left are nodes and arrows.
    plain = [re.sub(r"\|[^|]*\||[\[({]+.*?[\])}]+", " ", line) for line in lines]
    statements = [line for line in plain if line.split()[:1] not in (["subgraph"], ["end"])]
    assert statements
    assert {word for line in statements for word in re.findall(r"[a-z]+", line)} & _FLOWCHART_WORDS == set()


@pytest.mark.parametrize("call", _calls("auscult"), ids=_ids)
def test_a_command_and_its_options_exist(call: tuple[Path, list[str]]) -> None:
    command: Any = typer.main.get_command(app)
    words = call[1]
    while words and words[0] in getattr(command, "commands", ()):
        command, words = command.commands[words[0]], words[1:]
    assert not hasattr(command, "commands") or not words or words[0].startswith("-"), "no such command"
    options = {name for parameter in command.params for name in (*parameter.opts, *parameter.secondary_opts)}
    named = {word.partition("=")[0].rstrip(",.") for word in words if re.match(r"--?[a-z]", word)}
    assert named <= options | {"--help"}


@pytest.mark.parametrize("call", _calls("make"), ids=_ids)
def test_a_make_target_exists(call: tuple[Path, list[str]]) -> None:
    targets = [word for word in call[1] if "=" not in word]
    assert set(targets) <= _TARGETS


@pytest.mark.parametrize("call", _calls("python -m"), ids=_ids)
def test_a_module_that_is_run_exists(call: tuple[Path, list[str]]) -> None:
    module = call[1][0].rstrip(".,")
    assert module in {"pip", "venv"} or find_spec(module) is not None


@pytest.mark.parametrize("path", documents(), ids=lambda path: path.relative_to(ROOT).as_posix())
def test_variables_exist(path: Path) -> None:
    named = {found for found in _VARIABLE.findall(prose(path)) if "__" in found}
    assert {name for name in named if not _is_setting(name)} == set()


@pytest.mark.parametrize("path", documents(), ids=lambda path: path.relative_to(ROOT).as_posix())
def test_settings_that_are_named_exist(path: Path) -> None:
    named = _SETTING.findall(prose(path))
    assert {name for name in named if not _is_setting(name.replace(".", "__"))} == set()


def test_a_recogniser_of_every_format_is_documented() -> None:
    adapters = prose(ROOT / "docs/adapters.md")
    assert {name for name in ADAPTERS if f"`{name}`" not in adapters} == set()


def _is_setting(variable: str) -> bool:
    """Whether a variable, or a table of settings, exists."""
    table: object = Settings()
    for part in variable.removeprefix(ENVIRONMENT_PREFIX).lower().split("__"):
        if not hasattr(table, part):
            return variable == CONFIG_VARIABLE
        table = getattr(table, part)
    return True
