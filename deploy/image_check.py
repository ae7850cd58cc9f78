"""Runs the Dockerfile's build without Docker, in an empty folder, and looks at what would be in the image.

`python -m deploy.image_check [--variant cuda] [--folder FOLDER]`. The commands are those of the stage `build`, read
from the Dockerfile, with the folder in place of the root. Only the base images are not looked at.
"""

import argparse
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from deploy.chart import ROOT
from deploy.dockerfile import Stage, read_stages, variables

UNWANTED: Final = ("torch", "transformers", "optimum", "onnx", "gguf", "pip", "setuptools", "spacy", "pytest")
"""None of these packages may be in the image: they build models or tests."""

_DRIVER: Final = "libcuda.so.1"
"""Of the host; every other library of CUDA is in the image."""

_IN_ROOT: Final = re.compile(r"(?<![\w./-])/(opt|source)\b")
_SEGMENT: Final = {
    "call_id": "c1",
    "sequence": 0,
    "speaker": "patient",
    "text": "no fever, and no chest pain",
}


class ImageWrong(Exception):
    """The image would not be what it should be."""


@dataclass(frozen=True, slots=True)
class Sizes:
    """What the image holds, in bytes.

    Attributes:
        packages: Of everything in site-packages, by the name of its folder or file, the largest first.
        models: Of each model's folder.
    """

    packages: dict[str, int]
    models: dict[str, int]


def build(folder: Path, variant: str) -> None:
    """Runs the stage `build` with `folder` in place of the root.

    Raises:
        CalledProcessError: a command failed.
    """
    stage = _stage("build")
    environment = {**_plain_environment(), "VARIANT": variant}
    place = folder
    for instruction in stage.instructions:
        value = _rooted(instruction.value, folder)
        if instruction.name == "ENV":
            environment |= variables(value)
        elif instruction.name == "WORKDIR":
            place = Path(value)
            place.mkdir(parents=True)
        elif instruction.name == "COPY":
            *sources, target = value.split()
            _copy([ROOT / source for source in sources], place / target, several=target.endswith("/"))
        elif instruction.name == "RUN":
            sys.stdout.write(f"$ {instruction.value}\n")
            sys.stdout.flush()
            subprocess.run(["/bin/sh", "-c", value], cwd=place, env=environment, check=True)  # noqa: S603


def check(folder: Path, variant: str) -> Sizes:
    """Looks at what was built and runs it, with the variables of the image.

    Raises:
        ImageWrong: something is there that should not be, or the service does not run from it.
    """
    packages = next((folder / "opt/venv/lib").glob("python*/site-packages"))
    there = {re.split(r"[-.]", path.name)[0].lower() for path in packages.iterdir()}
    if unwanted := sorted(there & set(UNWANTED)):
        raise ImageWrong(f"in site-packages: {', '.join(unwanted)}")
    environment = _image_environment(folder, variant)
    _check_libraries(packages, environment)
    before = _files(folder / "opt")
    auscult = str(folder / "opt/venv/bin/auscult")
    _run([auscult, "models", "verify"], environment)
    _run([auscult, "serve", "--check"], environment)
    assessed = _run([auscult, "score"], environment, json.dumps(_SEGMENT) + "\n")
    if not 0 <= json.loads(assessed)["risk"] <= 1:
        raise ImageWrong("a segment was not assessed")
    if written := sorted(map(str, _files(folder / "opt") - before)):
        raise ImageWrong(f"running it writes {', '.join(written)}, but its root will be read-only")
    models = folder / "opt/cache/auscult/models"
    return Sizes(_sizes(packages), {name: size for name, size in _sizes(models).items() if size})


def _check_libraries(packages: Path, environment: dict[str, str]) -> None:
    """That everything which the CUDA provider is linked to is found; the image for CPUs has no such provider."""
    for provider in packages.glob("onnxruntime/capi/libonnxruntime_providers_cuda.so"):
        linked = _run(["ldd", str(provider)], environment)
        missing = set(re.findall(r"(\S+) => not found", linked)) - {_DRIVER}
        if missing:
            raise ImageWrong(f"the CUDA provider does not find {', '.join(sorted(missing))}")


def report(sizes: Sizes) -> Iterator[str]:
    """Lines that say what the image holds."""
    for what, parts in (("site-packages", sizes.packages), ("models", sizes.models)):
        yield f"{what}: {sum(parts.values()) / 1e6:.0f} MB"
        yield from (f"  {size / 1e6:7.1f} MB  {name}" for name, size in list(parts.items())[:12])


def _image_environment(folder: Path, variant: str) -> dict[str, str]:
    """The variables of the last stage and of the one that it begins with."""
    stages = [_stage(f"runtime-{variant}"), read_stages((ROOT / "Dockerfile").read_text())[-1]]
    set_there = {
        name: value.replace("$PATH", os.environ["PATH"])
        for stage in stages
        for env in stage.values("ENV")
        for name, value in variables(env).items()
    }
    rooted = {name: _rooted(value, folder) for name, value in set_there.items()}
    return {**_plain_environment(), **rooted}


def _plain_environment() -> dict[str, str]:
    """This process's, without what is set for Auscult and for Python."""
    ours = ("AUSCULT_", "PYTHON", "VIRTUAL_ENV", "XDG_CACHE_HOME")
    return {name: value for name, value in os.environ.items() if not name.startswith(ours)}


def _stage(name: str) -> Stage:
    return next(each for each in read_stages((ROOT / "Dockerfile").read_text()) if each.name == name)


def _rooted(value: str, folder: Path) -> str:
    # After a colon too: a path of several folders.
    return ":".join(_IN_ROOT.sub(lambda found: f"{folder}{found[0]}", part) for part in value.split(":"))


def _copy(sources: Sequence[Path], target: Path, *, several: bool) -> None:
    ignored = shutil.ignore_patterns("__pycache__")
    for source in sources:
        if source.is_dir():
            shutil.copytree(source, target, ignore=ignored, dirs_exist_ok=True)
        else:
            shutil.copy2(source, target / source.name if several else target)


def _run(command: Sequence[str], environment: dict[str, str], given: str = "") -> str:
    done = subprocess.run(  # noqa: S603
        command, env=environment, input=given, capture_output=True, text=True, check=False
    )
    if done.returncode:
        raise ImageWrong(f"{' '.join(command[1:])}: {done.stderr.strip()}")
    return done.stdout


def _files(folder: Path) -> set[Path]:
    return {path for path in folder.rglob("*") if path.is_file()}


def _sizes(folder: Path) -> dict[str, int]:
    sizes = {path.name: _size(path) for path in folder.iterdir()}
    return dict(sorted(sizes.items(), key=lambda named: -named[1]))


def _size(path: Path) -> int:
    files = path.rglob("*") if path.is_dir() else (path,)
    return sum(file.stat().st_size for file in files if file.is_file() and not file.is_symlink())


def main(arguments: Sequence[str] | None = None) -> Any:
    """Builds, checks, and prints the sizes."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--variant", choices=("cpu", "cuda"), default="cpu")
    parser.add_argument("--folder", type=Path, help="Where to build; empty or absent, and kept.")
    chosen = parser.parse_args(arguments)
    with tempfile.TemporaryDirectory() as temporary:
        folder = (chosen.folder or Path(temporary)).resolve()
        build(folder, chosen.variant)
        sys.stdout.writelines(f"{line}\n" for line in report(check(folder, chosen.variant)))


if __name__ == "__main__":
    main()
