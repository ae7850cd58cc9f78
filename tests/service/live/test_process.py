"""The service as a process: it stops when told, it says in one line why it cannot run, and it never quotes a call."""

import asyncio
import os
import signal
import sys
import urllib.request
from asyncio.subprocess import PIPE, Process
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace

import orjson
import pytest

from streams.administration import create_topics
from streams.connection import Connection
from streams.dead_letters import ORIGIN_HEADER_PREFIX
from streams.topics import TopicNames
from tests.kafka import Message, committed, receive, segment, send
from tests.service.live.conftest import Bench

CANARY = "xylocanary"


@asynccontextmanager
async def serving(**settings: str) -> AsyncIterator[Process]:
    """Runs the process; kills it if the test has not ended it."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith("AUSCULT_")}
    process = await asyncio.create_subprocess_exec(
        sys.executable,
        "-m",
        "tests.service.live.plain_serve",
        env=kept | {f"AUSCULT_{name}": value for name, value in settings.items()},
        stdout=PIPE,
        stderr=PIPE,
    )
    try:
        yield process
    finally:
        if process.returncode is None:
            process.kill()
            await process.wait()


def on(bench: Bench) -> dict[str, str]:
    """Settings of a process that works on a test's topics."""
    return {
        "KAFKA__BOOTSTRAP_SERVERS": bench.address,
        "KAFKA__GROUP": bench.prefix,
        "KAFKA__TOPICS__PREFIX": f"{bench.prefix}.",
        "KAFKA__IDEMPOTENCE": "false",
        "KAFKA__SESSION_SECONDS": "6",
        "KAFKA__HEARTBEAT_SECONDS": "1",
        "HTTP__HOST": "127.0.0.1",
        "HTTP__PORT": "0",
        "LOGS__LEVEL": "debug",
    }


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
async def test_it_stops_in_order_and_what_was_said_is_in_no_log_and_no_metric(
    bench: Bench, number: signal.Signals
) -> None:
    messages = [
        segment(0, f"{CANARY} flag me", CANARY),
        segment(1, CANARY, start=CANARY),
        Message(b"\xff" + CANARY.encode(), headers=((CANARY, b"\xff"),)),
        segment(2, CANARY, speaker=CANARY, tenant=CANARY, asr={"provider": CANARY}, language=CANARY),
        Message(orjson.dumps({"type": "call.ended", "call_id": CANARY}), CANARY.encode()),
    ]
    async with serving(**on(bench)) as process:
        assert process.stderr is not None
        await send(bench.address, bench.names.segments, messages)
        await receive(bench.address, bench.names.assessments, 2)
        letters = await receive(bench.address, bench.names.dead_letters, 2)
        await receive(bench.address, bench.names.calls, 1)
        logged = await process.stderr.readuntil(b'"listening"')
        logged += await process.stderr.readline()
        port = orjson.loads(logged.splitlines()[-1])["port"]
        metrics = await asyncio.to_thread(fetch, f"http://127.0.0.1:{port}/metrics")
        process.send_signal(number)
        written, rest = await asyncio.wait_for(process.communicate(), 30)
    assert process.returncode == 0
    assert b'"stopped"' in rest
    assert b"partitions assigned" in logged + rest
    assert b"auscult_dead_letters_total" in metrics
    for line in (logged + rest).splitlines():
        assert orjson.loads(line)["level"]
    forwarded = f"{ORIGIN_HEADER_PREFIX}{CANARY}"
    assert [dict(letter.headers).get(forwarded) for letter in letters] == [None, b"\xff"]
    ours = [header for letter in letters for header in letter.headers if header[0] != forwarded]
    for output in (written, logged, rest, metrics, repr(ours).encode()):
        assert CANARY.encode() not in output
    offsets = await committed(bench.address, bench.names.segments, bench.prefix)
    assert sum(offsets.values()) == len(messages)


@pytest.mark.parametrize(
    ("changed", "explained"),
    [
        ({"KAFKA__BOOTSTRAP_SERVERS": "127.0.0.1:1"}, "127.0.0.1:1: no connection"),
        ({"KAFKA__TOPICS__PREFIX": "absent."}, "no topic absent.transcripts.segments"),
        (
            {"KAFKA__RECOGNISER_TOPICS": '{"asr.absent": {"format": "aws"}}'},
            "no topic asr.absent: create it",
        ),
        (
            {"KAFKA__SECURITY__TLS": "true", "KAFKA__SECURITY__CA_FILE": "/no/ca.pem"},
            "/no/ca.pem: no such file",
        ),
        ({"HTTP__PORT": "-1"}, "http.port: Input should be greater than or equal to 0"),
    ],
)
async def test_it_says_in_one_line_why_it_cannot_run(
    bench: Bench, changed: dict[str, str], explained: str
) -> None:
    async with serving(**{**on(bench), "LOGS__LEVEL": "error", **changed}) as process:
        _, errors = await asyncio.wait_for(process.communicate(), 60)
    assert process.returncode == 2
    last = errors.decode().splitlines()[-1]
    assert last.startswith("auscult: ")
    assert explained in last
    assert "Traceback" not in errors.decode()


async def test_a_state_topic_with_fewer_partitions_than_the_segments_is_refused(bench: Bench) -> None:
    more = replace(TopicNames().prefixed(f"{bench.prefix}.more."), segments=f"{bench.prefix}.wide")
    await create_topics(Connection((bench.address,)), more, partitions=4, replication=1)
    async with serving(**on(bench), KAFKA__TOPICS__SEGMENTS="wide") as process:
        _, errors = await asyncio.wait_for(process.communicate(), 60)
    assert process.returncode == 2
    assert errors.decode().splitlines()[-1] == f"auscult: {bench.names.state} has 3 partitions and needs 4"


def fetch(url: str) -> bytes:
    with urllib.request.urlopen(url, timeout=10) as answer:  # noqa: S310 - a local http address
        body: bytes = answer.read()
        return body
