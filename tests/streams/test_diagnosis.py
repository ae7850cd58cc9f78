import socket
import struct
import threading
from pathlib import Path

import pytest
import trustme

from streams.connection import Connection, Encryption
from streams.diagnosis import handshake_failure


@pytest.fixture
def authority(tmp_path: Path) -> Path:
    file = tmp_path / "ca.pem"
    trustme.CA().cert_pem.write_to_path(str(file))
    return file


@pytest.mark.parametrize("reset", [True, False])
def test_a_listener_that_hangs_up_in_the_handshake_is_one_without_tls(authority: Path, reset: bool) -> None:
    with socket.create_server(("127.0.0.1", 0)) as listener:

        def hang_up() -> None:
            answered, _ = listener.accept()
            with answered:
                answered.recv(1)
                if reset:
                    answered.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))

        threading.Thread(target=hang_up, daemon=True).start()
        port = listener.getsockname()[1]
        failure = handshake_failure(
            Connection((f"127.0.0.1:{port}",), encryption=Encryption(ca_file=authority))
        )

    assert failure is not None


def test_nobody_listening_says_nothing_of_tls(authority: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as closed:
        port = closed.getsockname()[1]

    assert (
        handshake_failure(Connection((f"127.0.0.1:{port}",), encryption=Encryption(ca_file=authority)))
        is None
    )
