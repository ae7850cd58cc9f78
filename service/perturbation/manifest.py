"""The list of what was changed, one error a line: the call, the segment, the type, the text before and after."""

import orjson

from service.perturbation.plan import Injection


def encode_injection(injection: Injection) -> bytes:
    """One line of a manifest, without the line's end. It holds transcript text."""
    return orjson.dumps(
        {
            "id": injection.id,
            "call_id": injection.call_id,
            "sequence": injection.sequence,
            "type": injection.type,
            "original": injection.original,
            "altered": injection.altered,
        }
    )
