from dataclasses import replace

from tests.service.moments import moment_of


def test_a_running_text_keeps_its_name_while_its_context_grows() -> None:
    first = moment_of("hello")
    second = moment_of("any fever", [("patient", "hello")])
    third = moment_of("no", [("patient", "hello"), ("clinician", "any fever")])
    assert first.stream == second.stream == third.stream


def test_two_calls_are_two_running_texts() -> None:
    one = moment_of("hello")
    assert replace(one, segment=replace(one.segment, call_id="other")).stream != one.stream
