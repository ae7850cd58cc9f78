"""The manifest: every model, where it comes from, under which licence, how it is built, and what must come out.

The built-in manifest is `manifest.toml` beside this file. A user's own file adds entries, or replaces built-in
ones by their id; an exported model is such an entry whose files lie in a folder.
"""

import hashlib
import tomllib
from collections.abc import Iterable
from pathlib import Path
from typing import Annotated, Literal, Self

from pydantic import BaseModel, ConfigDict, Field, ValidationError, field_validator, model_validator

from models.errors import ManifestInvalid, ModelUnknown
from models.wheel import Sha256, Wheel

Purpose = Literal["language_model", "embedding", "contradiction", "lexicon"]

BUILT_IN = Path(__file__).with_name("manifest.toml")

_ModelId = Annotated[str, Field(pattern=r"^[a-z0-9][a-z0-9.-]*$")]
_FileName = Annotated[str, Field(pattern=r"^[A-Za-z0-9][A-Za-z0-9._-]*$")]


class _Frozen(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class BuiltOrigin(_Frozen):
    """A model that is built here from pinned wheels.

    Attributes:
        builder: Name of the function that builds it.
        revision: Raised when the builder comes to write something else from the same sources.
        sources: The wheels and the files taken from them.
    """

    kind: Literal["built"]
    builder: str
    revision: Annotated[int, Field(ge=1)] = 1
    sources: Annotated[tuple[Wheel, ...], Field(min_length=1)]

    @model_validator(mode="after")
    def _roles_differ(self) -> Self:
        roles = [role for wheel in self.sources for role in wheel.files]
        if len(roles) != len(set(roles)):
            raise ValueError("two source files have the same role")
        return self


class FolderOrigin(_Frozen):
    """A model whose files already lie in a folder, such as an exported one.

    Attributes:
        path: The folder; a relative one starts at the manifest's own folder.
    """

    kind: Literal["folder"]
    path: Path


class ModelEntry(_Frozen):
    """One model.

    Attributes:
        id: Its name in settings, metrics and on the command line.
        purpose: What the service uses it for.
        title: What it is, for people.
        licence: SPDX expression of the model, or `NOASSERTION` where the package states none.
        licence_note: Where the licence is stated, or what is unclear about it.
        optional: Whether the service runs without it by default.
        max_tokens: Longest input in tokens; longer ones are cut. None: the model's own limit.
        origin: Where it comes from.
        files: Pinned SHA-256 of built files. A file that is not named here is checked against what the build
            recorded; for a folder every file must be named.
    """

    id: _ModelId
    purpose: Purpose
    title: str
    licence: str
    licence_note: str = ""
    optional: bool = False
    max_tokens: Annotated[int, Field(gt=0)] | None = None
    origin: Annotated[BuiltOrigin | FolderOrigin, Field(discriminator="kind")]
    files: dict[_FileName, Sha256] = {}

    @model_validator(mode="after")
    def _folders_are_pinned(self) -> Self:
        if isinstance(self.origin, FolderOrigin) and not self.files:
            raise ValueError("a model in a folder must name its files with their sha256")
        return self

    def fingerprint(self, ingredients: str = "") -> str:
        """Changes when the origin, a pinned file or the ingredients change: twelve hexadecimal digits.

        Args:
            ingredients: Digest of what the builder reads beside the sources.
        """
        identity = self.model_dump_json(include={"origin", "files"}) + ingredients
        return hashlib.sha256(identity.encode()).hexdigest()[:12]


class Manifest(_Frozen):
    """All known models, each id once."""

    models: tuple[ModelEntry, ...] = ()

    @field_validator("models")
    @classmethod
    def _ids_differ(cls, models: tuple[ModelEntry, ...]) -> tuple[ModelEntry, ...]:
        ids = [entry.id for entry in models]
        if len(ids) != len(set(ids)):
            raise ValueError("two models have the same id")
        return models

    def entry(self, model_id: str) -> ModelEntry:
        """The entry of a model.

        Raises:
            ModelUnknown: there is none.
        """
        for entry in self.models:
            if entry.id == model_id:
                return entry
        known = ", ".join(entry.id for entry in self.models)
        raise ModelUnknown(f"No manifest has a model {model_id!r}. Known models: {known}.")

    def replaced_by(self, other: "Manifest") -> "Manifest":
        """Both manifests' entries; where an id is in both, the other's entry."""
        merged = {entry.id: entry for entry in (*self.models, *other.models)}
        return Manifest(models=tuple(merged.values()))


def load_manifest(additional: Iterable[Path] = ()) -> Manifest:
    """The built-in manifest with the user's own on top.

    Raises:
        ManifestInvalid: a file cannot be read or an entry in it is wrong; names the file and the field.
    """
    manifest = _read(BUILT_IN)
    for path in additional:
        manifest = manifest.replaced_by(_read(path))
    return manifest


def _read(path: Path) -> Manifest:
    try:
        content = tomllib.loads(path.read_text(encoding="utf-8"))
        manifest = Manifest.model_validate(content)
    except OSError as error:
        raise ManifestInvalid(f"The model manifest {path} cannot be read: {error.strerror}.") from error
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise ManifestInvalid(f"The model manifest {path} is not valid TOML: {error}.") from error
    except ValidationError as error:
        raise ManifestInvalid(f"The model manifest {path} is wrong: {_explain(error)}.") from None
    return Manifest(models=tuple(_resolved(entry, path.parent) for entry in manifest.models))


def _resolved(entry: ModelEntry, folder: Path) -> ModelEntry:
    if isinstance(entry.origin, BuiltOrigin):
        return entry
    origin = entry.origin.model_copy(update={"path": folder / entry.origin.path.expanduser()})
    return entry.model_copy(update={"origin": origin})


def _explain(error: ValidationError) -> str:
    return "; ".join(f"{_place(detail['loc'])}: {detail['msg']}" for detail in error.errors())


def _place(location: tuple[int | str, ...]) -> str:
    return ".".join(map(str, location)) or "manifest"
