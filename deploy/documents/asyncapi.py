"""`docs/asyncapi.yaml`: every topic and message as an AsyncAPI 3.0 document, for tools that read such.

The running service answers with what it itself reads and writes at `/asyncapi`; this one adds what only the
deployment knows: retention, keys, headers, examples.
"""

from collections.abc import Mapping
from datetime import timedelta
from importlib.metadata import version
from pathlib import Path
from typing import Any, Final, Literal, NamedTuple

import orjson
import yaml

from deploy.documents.message_schemas import message_schema
from service.settings import Settings
from streams.topics import COMPACTION, RETENTION, TopicNames

_HEADER: Final = "# Made by `make docs` from streams/schemas.py and streams/topics.py.\n"


class _Topic(NamedTuple):
    """What a topic holds and what the service does with it, by its field of `TopicNames`."""

    field: str
    action: Literal["receive", "send"]
    what: str
    messages: tuple[str, ...]


_TOPICS: Final = (
    _Topic(
        "segments", "receive", "Final segments of calls, and that calls are over.", ("segment", "call-ended")
    ),
    _Topic("assessments", "send", "One for each segment.", ("assessment",)),
    _Topic("flags", "send", "Reasons for a person to look.", ("flag",)),
    _Topic("calls", "send", "What each call came to, when it ends or falls silent.", ("call",)),
    _Topic("state", "send", "Open calls, so that another replica can go on with them.", ("call-state",)),
    _Topic("dead_letters", "send", "Records that could not be read, as they were.", ("dead-letter",)),
)
_DEAD_LETTER: Final = "dead-letter"
_HEADERS: Final = "dead-letter-headers"


def asyncapi_document(examples: Path) -> dict[str, Any]:
    """The document as plain data.

    Args:
        examples: Folder with a file `NAME.json` for each message.
    """
    names = TopicNames()
    return {
        "asyncapi": "3.0.0",
        "info": {
            "title": "Auscult",
            "version": version("auscult"),
            "description": "Reads live telehealth transcripts and says which calls were misheard. "
            "Topics have their default names.",
            "license": {"name": "Apache-2.0", "url": "https://www.apache.org/licenses/LICENSE-2.0"},
        },
        "defaultContentType": "application/json",
        "servers": {
            "kafka": {
                "host": Settings.model_fields["kafka"].default.bootstrap_servers[0],
                "protocol": "kafka",
                "description": "`kafka.bootstrap_servers` of the settings.",
            }
        },
        "channels": {topic.field: _channel(topic, getattr(names, topic.field)) for topic in _TOPICS},
        "operations": {
            f"{topic.action}_{topic.field}": {
                "action": topic.action,
                "channel": {"$ref": f"#/channels/{topic.field}"},
                "summary": topic.what,
            }
            for topic in _TOPICS
        },
        "components": {
            "messages": {
                name: _dead_letter(examples) if name == _DEAD_LETTER else _message(name, examples)
                for topic in _TOPICS
                for name in topic.messages
            }
        },
    }


def asyncapi_file(examples: Path) -> bytes:
    """The same as the bytes of its file."""
    document = yaml.safe_dump(asyncapi_document(examples), sort_keys=False, allow_unicode=True, width=110)
    return (_HEADER + document).encode()


def _channel(topic: _Topic, address: str) -> dict[str, Any]:
    return {
        "address": address,
        "description": topic.what,
        "messages": {name: {"$ref": f"#/components/messages/{name}"} for name in topic.messages},
        "bindings": {"kafka": {"topicConfiguration": _retention(RETENTION[topic.field])}},
    }


def _retention(kept: timedelta | None) -> Mapping[str, Any]:
    if kept is None:
        return {"cleanup.policy": ["compact"], "delete.retention.ms": int(COMPACTION["delete.retention.ms"])}
    return {"cleanup.policy": ["delete"], "retention.ms": int(kept / timedelta(milliseconds=1))}


def _message(name: str, examples: Path) -> dict[str, Any]:
    key = {"type": "string", "description": "The call id, so that a call stays in one partition, in order."}
    return {
        "name": name,
        "summary": message_schema(name)["description"],
        "payload": {"$ref": f"./schemas/{name}.json"},
        "bindings": {"kafka": {"key": key}},
        "examples": [{"payload": orjson.loads((examples / f"{name}.json").read_bytes())}],
    }


def _dead_letter(examples: Path) -> dict[str, Any]:
    return {
        "name": _DEAD_LETTER,
        "summary": message_schema(_HEADERS)["description"],
        "contentType": "application/octet-stream",
        "headers": {"$ref": f"./schemas/{_HEADERS}.json"},
        "payload": {"description": "The original's bytes; cut where they are too long to be forwarded."},
        "bindings": {"kafka": {"key": {"description": "The original's key."}}},
        "examples": [{"headers": orjson.loads((examples / f"{_HEADERS}.json").read_bytes())}],
    }
