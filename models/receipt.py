"""What a build produced: written beside the files, and what they are checked against ever after."""

from pathlib import Path
from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field

from models.hashing import file_sha256
from models.wheel import Sha256

RECEIPT = "receipt.json"


class FileRecord(BaseModel):
    """One file.

    Attributes:
        sha256: Of its content.
        size: In bytes.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    sha256: Sha256
    size: Annotated[int, Field(ge=0)]


class Receipt(BaseModel):
    """All files of one built model.

    Attributes:
        model: Id of the model.
        built_with: Version of each package that the bytes may depend on.
        files: What was written, by file name.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    model: str
    built_with: dict[str, str]
    files: dict[str, FileRecord]

    @property
    def size(self) -> int:
        """Of all files, in bytes."""
        return sum(record.size for record in self.files.values())

    def write(self, folder: Path) -> None:
        """Writes the receipt into the model's folder."""
        (folder / RECEIPT).write_text(self.model_dump_json(indent=2) + "\n", encoding="utf-8")


def record_files(folder: Path) -> dict[str, FileRecord]:
    """Hash and size of every file in a folder, by file name."""
    return {
        path.name: FileRecord(sha256=file_sha256(path), size=path.stat().st_size)
        for path in sorted(folder.iterdir())
        if path.name != RECEIPT
    }


def read_receipt(folder: Path) -> Receipt | None:
    """The receipt of a built model; None where nothing was built or the receipt is unreadable."""
    try:
        return Receipt.model_validate_json((folder / RECEIPT).read_bytes())
    except (OSError, ValueError):
        return None
