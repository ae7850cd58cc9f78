"""An altered call is the recorded one but for the texts of its errors."""

from pathlib import Path
from typing import Any

import orjson
import pytest

from service.perturbation.copies import CopiesInTheWay, open_folder, write_copy
from service.perturbation.plan import Injection
from tests.service.perturbation.consultations import SAID, call

ERROR = Injection("c1", 3, "negation_flip", SAID[3][1], "Yes, I have had fever.")


def written(path: Path) -> list[dict[str, Any]]:
    return [orjson.loads(line) for line in path.read_bytes().splitlines()]


def test_one_text_changes_and_its_words_go_with_it(tmp_path: Path) -> None:
    call_ = call()

    copy = written(write_copy(tmp_path, call_, [ERROR], ERROR.id))

    before = [line.fields | {"call_id": ERROR.id} for line in call_.lines]
    changed = [at for at, (old, new) in enumerate(zip(before, copy, strict=True)) if old != new]
    assert changed == [3]
    expected = {name: value for name, value in before[3].items() if name != "words"}
    assert copy[3] == expected | {"text": ERROR.altered}
    assert copy[-1] == {"type": "call.ended", "call_id": ERROR.id}


def test_a_call_id_that_is_no_file_name_is_encoded(tmp_path: Path) -> None:
    path = write_copy(tmp_path, call("ward/7"), [], "ward/7")

    assert path.parent == tmp_path
    assert path.name == "ward%2F7.jsonl"


def test_other_files_are_not_mixed_in(tmp_path: Path) -> None:
    folder = tmp_path / "new" / "copies"
    assert open_folder(folder).is_dir()

    (folder / "old.jsonl").touch()
    with pytest.raises(CopiesInTheWay, match="not empty"):
        open_folder(folder)
