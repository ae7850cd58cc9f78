import pytest

from service.grammar.errors import errors_in


@pytest.mark.parametrize(
    ("said", "reason"),
    [
        ("he have a fever", "agreement"),
        ("they has gone", "agreement"),
        ("i have the my tablets", "doubled_determiner"),
        ("it takes a hour", "article"),
        ("i have an headache", "article"),
    ],
)
def test_a_sure_error_is_found(said: str, reason: str) -> None:
    assert [error.reason for error in errors_in(said.split())] == [reason]


@pytest.mark.parametrize(
    "said",
    [
        "does he have a fever",
        "i saw her take one",
        "have you has it ever been checked",
        "this is a an emergency",
        "it takes an hour",
        "a history of asthma",
        "if she need more",
        "",
    ],
)
def test_spoken_english_is_no_error(said: str) -> None:
    assert list(errors_in(said.split())) == []
