from pathlib import Path

import orjson

from service.calibration.consultation_words import count_words, read_turns
from service.repair.consultation_words import SHIPPED_COUNTS
from tests.service.repair.small_lexicon import LEXICON


def test_english_words_that_were_said_more_than_once_are_listed_with_their_count() -> None:
    content = count_words(["Any pain?", "um, the pain", "so so smithers smithers"], LEXICON.english_words)

    assert content["counts"] == {"pain": 2, "so": 2}
    assert content["counted"] == 8


def test_the_turns_of_every_dialogue_are_read(tmp_path: Path) -> None:
    dialogues = tmp_path / "dialogues.jsonl"
    dialogues.write_text(
        '{"turns": [{"text": "any pain"}, {"text": "no"}]}\n\n{"turns": [{"text": "hello"}]}\n'
    )

    assert read_turns(dialogues) == ["any pain", "no", "hello"]


def test_the_shipped_counts_are_those_of_the_shared_dialogues(shared_data: Path) -> None:
    shipped = orjson.loads(SHIPPED_COUNTS.read_bytes())
    counted = count_words(read_turns(shared_data / "dialogues.jsonl"), english=shipped["counts"])

    assert (counted["counted"], counted["counts"]) == (shipped["counted"], shipped["counts"])
