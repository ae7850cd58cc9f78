"""Dead letters: the original is forwarded, its origin and error are in the headers, its text is not."""

from streams.dead_letters import (
    FORWARDED_BYTES,
    FORWARDED_HEADER_BYTES,
    FORWARDED_KEY_BYTES,
    Origin,
    dead_letter,
)
from streams.decoding import MalformedRecord

ORIGIN = Origin("transcripts.segments", 3, 42, 1_700_000_000_000, b"c1")


def test_the_original_is_forwarded_with_its_origin_and_error() -> None:
    letter = dead_letter(ORIGIN, b"xylocanary", MalformedRecord("wrong_type", "words[3].start"))
    assert (letter.key, letter.value) == (b"c1", b"xylocanary")
    assert letter.headers == {
        "origin-topic": "transcripts.segments",
        "origin-partition": "3",
        "origin-offset": "42",
        "origin-timestamp": "1700000000000",
        "error-kind": "wrong_type",
        "error-place": "words[3].start",
        "content-type": "application/octet-stream",
    }
    assert "xylocanary" not in repr(letter)


def test_a_record_in_a_recognisers_format_names_its_adapter() -> None:
    error = MalformedRecord("missing_field", "Transcript.Results", "aws")
    assert dead_letter(ORIGIN, b"{}", error).headers["error-adapter"] == "aws"
    assert str(error) == "aws: missing_field at Transcript.Results"


def test_what_is_too_big_is_cut_and_its_size_noted() -> None:
    origin = Origin("t", 0, 0, 0, b"k" * (FORWARDED_KEY_BYTES + 7))
    letter = dead_letter(origin, b"v" * (FORWARDED_BYTES + 5), MalformedRecord("record_too_large"))
    assert letter.key is not None
    assert (len(letter.key), len(letter.value)) == (FORWARDED_KEY_BYTES, FORWARDED_BYTES)
    assert letter.headers["truncated-value-bytes"] == str(FORWARDED_BYTES + 5)
    assert letter.headers["truncated-key-bytes"] == str(FORWARDED_KEY_BYTES + 7)


def test_a_record_without_a_key_stays_without() -> None:
    assert dead_letter(Origin("t", 0, 0, 0), b"", MalformedRecord("not_json")).key is None


def test_the_originals_headers_are_forwarded_under_names_of_their_own() -> None:
    own = (("auscult-tenant", b"north"), ("error-kind", b"xylocanary"), ("trace", b"\xff"), ("trace", None))
    letter = dead_letter(Origin("t", 0, 0, 0, None, own), b"", MalformedRecord("not_json"))
    assert letter.forwarded == (
        ("origin-header-auscult-tenant", b"north"),
        ("origin-header-error-kind", b"xylocanary"),
        ("origin-header-trace", b"\xff"),
        ("origin-header-trace", None),
    )
    assert letter.headers["error-kind"] == "not_json"
    assert "xylocanary" not in repr(letter)


def test_headers_that_are_too_big_are_left_out_and_their_size_noted() -> None:
    fits = ("h", b"v" * (FORWARDED_HEADER_BYTES - 1))
    assert dead_letter(Origin("t", 0, 0, 0, None, (fits,)), b"", MalformedRecord("not_json")).forwarded
    letter = dead_letter(Origin("t", 0, 0, 0, None, (fits, ("x", b""))), b"", MalformedRecord("not_json"))
    assert letter.forwarded == ()
    assert letter.headers["truncated-header-bytes"] == str(FORWARDED_HEADER_BYTES + 1)
