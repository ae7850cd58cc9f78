"""Where built models lie: finds them, checks their files, and builds what is missing.

A model's folder is named after its id and its entry's fingerprint, so that a changed entry is simply not built
yet, and an older service goes on with the older files.
"""

import hashlib
import os
import shutil
import tempfile
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from importlib import metadata
from pathlib import Path

from filelock import FileLock, Timeout

from models.artifacts import DOWNLOAD, Fetching, fetch_files
from models.building.registry import BUILDERS, Builder
from models.errors import ModelBuildFailed, ModelHashMismatch, ModelMissing
from models.hashing import file_sha256
from models.manifest import BuiltOrigin, FolderOrigin, Manifest, ModelEntry, load_manifest
from models.progress import Report, silent
from models.receipt import Receipt, read_receipt, record_files

LOCK_SECONDS = 1800.0
"""Longest wait for another process that builds the same model."""

_BUILD_PACKAGES = ("onnx", "numpy", "protobuf", "gguf")


@dataclass(frozen=True, slots=True)
class ModelState:
    """What is there of a model.

    Attributes:
        entry: Its manifest entry.
        built: Whether its files are there.
        size: Of its files, in bytes; 0 when not built.
    """

    entry: ModelEntry
    built: bool
    size: int


class ModelStore:
    """The models of one manifest in one folder.

    Args:
        root: The folder; created by the first build.
        manifest: The known models.
        fetching: How source packages are obtained.
        builders: Builders by name.
    """

    def __init__(
        self,
        root: Path,
        manifest: Manifest,
        fetching: Fetching = DOWNLOAD,
        builders: Mapping[str, Builder] = BUILDERS,
    ) -> None:
        self.root = root
        self.manifest = manifest
        self._fetching = fetching
        self._builders = builders
        self._verified: set[Path] = set()

    def state(self, model_id: str) -> ModelState:
        """What is there of a model; its files are not read.

        Raises:
            ModelUnknown: no manifest entry has this id.
        """
        entry = self.manifest.entry(model_id)
        folder = self._folder(entry)
        if isinstance(entry.origin, FolderOrigin):
            files = [folder / name for name in entry.files]
            built = all(path.is_file() for path in files)
            return ModelState(entry, built, sum(path.stat().st_size for path in files) if built else 0)
        receipt = read_receipt(folder)
        return ModelState(entry, receipt is not None, receipt.size if receipt else 0)

    def path(self, model_id: str) -> Path:
        """The folder of a model, its files checked once in this process.

        Raises:
            ModelUnknown: no manifest entry has this id.
            ModelMissing: it has not been built.
            ModelHashMismatch: a file is not what was built, or not what the manifest pins.
        """
        folder = self._folder(self.manifest.entry(model_id))
        if folder not in self._verified:
            self.verify(model_id)
        return folder

    def verify(self, model_id: str) -> None:
        """Reads every file of a model and checks its hash.

        Raises:
            ModelUnknown: no manifest entry has this id.
            ModelMissing: it has not been built.
            ModelHashMismatch: a file is not what was built, or not what the manifest pins.
        """
        entry = self.manifest.entry(model_id)
        folder = self._folder(entry)
        for name, expected in self._expected_hashes(entry, folder).items():
            try:
                found = file_sha256(folder / name)
            except FileNotFoundError:
                raise ModelMissing(f"{folder / name} is missing. {_remedy(entry)}") from None
            if found != expected:
                raise ModelHashMismatch(
                    f"{folder / name} is not the file that belongs to {entry.id}: "
                    f"expected sha256 {expected}, found {found}. {_remedy(entry)}"
                )
        self._verified.add(folder)

    def build(self, model_id: str, report: Report = silent, *, again: bool = False) -> Path:
        """Builds a model unless it is there, and returns its folder.

        Another process that builds the same model is waited for. The folder appears complete or not at all.

        Args:
            model_id: Which model.
            report: Told each step and how much of it is done.
            again: Whether to build it anew even if it is there.

        Raises:
            ModelUnknown: no manifest entry has this id.
            ArtifactUnavailable: a source package cannot be had.
            ModelBuildFailed: the builder failed, or is not known.
            ModelHashMismatch: the result is not what the manifest pins.
            ModelMissing: the model's files should lie in a folder of the user's, and do not.
        """
        entry = self.manifest.entry(model_id)
        folder = self._folder(entry)
        if isinstance(entry.origin, BuiltOrigin) and (again or read_receipt(folder) is None):
            self.root.mkdir(parents=True, exist_ok=True)
            with _only_builder(folder):
                if again or read_receipt(folder) is None:  # another process may have been first
                    self._build(entry, entry.origin, folder, report)
        return self.path(model_id)

    def _build(self, entry: ModelEntry, origin: BuiltOrigin, folder: Path, report: Report) -> None:
        builder = self._builders.get(origin.builder)
        if builder is None:
            raise ModelBuildFailed(f"{entry.id} names an unknown builder, {origin.builder!r}.")
        with tempfile.TemporaryDirectory(dir=self.root, prefix=f".{folder.name}-") as workspace:
            sources, output = Path(workspace, "sources"), Path(workspace, "output")
            sources.mkdir()
            output.mkdir()
            files = fetch_files(origin.sources, sources, self._fetching, report)
            _run(builder, entry, files, output, report)
            receipt = Receipt(model=entry.id, built_with=_versions(), files=record_files(output))
            _check_pinned(entry, receipt)
            receipt.write(output)
            self._verified.discard(folder)
            shutil.rmtree(folder, ignore_errors=True)
            output.rename(folder)

    def _folder(self, entry: ModelEntry) -> Path:
        if isinstance(entry.origin, FolderOrigin):
            return entry.origin.path
        builder = self._builders.get(entry.origin.builder)
        ingredients = _folder_digest(builder.ingredients) if builder and builder.ingredients else ""
        return self.root / f"{entry.id}-{entry.fingerprint(ingredients)}"

    def _expected_hashes(self, entry: ModelEntry, folder: Path) -> Mapping[str, str]:
        if isinstance(entry.origin, FolderOrigin):
            return entry.files
        receipt = read_receipt(folder)
        if receipt is None:
            raise ModelMissing(f"The model {entry.id} is not in {self.root}. {_remedy(entry)}")
        return {name: record.sha256 for name, record in receipt.files.items()} | entry.files


def default_root() -> Path:
    """The user's cache folder for models: below `$XDG_CACHE_HOME`, or below `~/.cache`."""
    cache = os.environ.get("XDG_CACHE_HOME")
    return (Path(cache) if cache else Path.home() / ".cache") / "auscult" / "models"


def open_store(
    root: Path | None = None, manifests: Iterable[Path] = (), fetching: Fetching = DOWNLOAD
) -> ModelStore:
    """The store of the built-in and the user's models.

    Args:
        root: Its folder; None: the user's cache folder.
        manifests: The user's own manifests.
        fetching: How source packages are obtained.

    Raises:
        ManifestInvalid: a manifest cannot be read or is wrong.
    """
    return ModelStore(root or default_root(), load_manifest(manifests), fetching)


@cache
def _folder_digest(folder: Path) -> str:
    listed = "".join(
        f"{path.name} {file_sha256(path)}\n" for path in sorted(folder.iterdir()) if path.is_file()
    )
    return hashlib.sha256(listed.encode()).hexdigest()


@contextmanager
def _only_builder(folder: Path) -> Iterator[None]:
    """Waits until no other process builds this folder, and clears away what an interrupted one left."""
    try:
        with FileLock(folder.with_name(f".{folder.name}.lock"), timeout=LOCK_SECONDS):
            for leftover in folder.parent.glob(f".{folder.name}-*"):
                shutil.rmtree(leftover)
            yield
    except Timeout:
        raise ModelBuildFailed(
            f"Another process has been building {folder.name} for {LOCK_SECONDS:.0f} s. See whether it still runs."
        ) from None


def _run(
    builder: Builder, entry: ModelEntry, files: Mapping[str, Path], output: Path, report: Report
) -> None:
    try:
        builder.build(files, output, report)
    except ModuleNotFoundError as error:
        raise ModelBuildFailed(
            f"Building {entry.id} needs the package {error.name}. Run: pip install 'auscult[build]'"
        ) from error
    except Exception as error:
        raise ModelBuildFailed(f"Building {entry.id} failed: {type(error).__name__}: {error}") from error


def _check_pinned(entry: ModelEntry, receipt: Receipt) -> None:
    for name, expected in entry.files.items():
        record = receipt.files.get(name)
        found = record.sha256 if record else "no such file"
        if found != expected:
            raise ModelHashMismatch(
                f"Building {entry.id} gave another {name} than the manifest pins: expected sha256 {expected}, "
                f"found {found}. It was built with {_listed(receipt.built_with)}; another version of these "
                "may write the same graph in other bytes."
            )


def _versions() -> dict[str, str]:
    found = {}
    for package in _BUILD_PACKAGES:
        try:
            found[package] = metadata.version(package)
        except metadata.PackageNotFoundError:
            continue
    return found


def _listed(versions: Mapping[str, str]) -> str:
    return ", ".join(f"{package} {version}" for package, version in versions.items())


def _remedy(entry: ModelEntry) -> str:
    if isinstance(entry.origin, FolderOrigin):
        return "Put its files back, or correct its entry in your manifest."
    return f"Run: auscult models build {entry.id}"
