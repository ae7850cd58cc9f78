"""The recognisers' formats by name."""

from collections.abc import Mapping
from typing import Final, Literal

from streams.adapters.assemblyai import read_assemblyai
from streams.adapters.aws import read_aws
from streams.adapters.azure import read_azure
from streams.adapters.deepgram import read_deepgram
from streams.adapters.google import read_google
from streams.adapters.result import Adapter
from streams.adapters.whisper import read_whisper

Format = Literal["assemblyai", "aws", "azure", "deepgram", "google", "whisper"]
"""The name of a recogniser's format, and the `asr.provider` of its segments."""

ADAPTERS: Final[Mapping[Format, Adapter]] = {
    "assemblyai": read_assemblyai,
    "aws": read_aws,
    "azure": read_azure,
    "deepgram": read_deepgram,
    "google": read_google,
    "whisper": read_whisper,
}
