import pytest

from service.hallucination.captions import caption_in, web_address_in


def test_a_caption_is_found_where_it_stands() -> None:
    assert caption_in("okay thanks for watching bye".split()) == (1, 3)


def test_the_longest_caption_is_taken() -> None:
    assert caption_in("thanks for watching this video".split()) == (0, 4)


@pytest.mark.parametrize(
    "said", ["thank you for seeing me", "i was watching tv", "thanks for watchingham", "thank you", ""]
)
def test_what_patients_say_is_no_caption(said: str) -> None:
    assert caption_in(said.split()) is None


def test_a_web_address_is_found() -> None:
    assert web_address_in("visit www beadaholique com".split()) == (1, 3)


def test_a_mail_address_is_none() -> None:
    assert web_address_in("it's ada at gmail dot com".split()) is None
