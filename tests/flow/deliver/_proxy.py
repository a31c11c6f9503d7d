"""A proxy before PostgreSQL that loses commits, or the answers to them."""

import socket
import threading
from pathlib import Path


class Proxy:
    """Passes bytes between a client and the server; it cuts them when COMMIT comes by, after `spared` ones."""

    def __init__(self, server: Path, *, cuts: int, passed_on: bool, spared: int = 0) -> None:
        self._server, self._cuts, self._passed_on = server, cuts, passed_on
        self._spared = spared
        self._listening = socket.create_server(("127.0.0.1", 0))
        self.port = self._listening.getsockname()[1]
        threading.Thread(target=self._accept, daemon=True).start()

    def _accept(self) -> None:
        while True:
            try:
                client, _ = self._listening.accept()
            except OSError:
                return
            threading.Thread(target=self._serve, args=(client,), daemon=True).start()

    def _serve(self, client: socket.socket) -> None:
        with client, socket.socket(socket.AF_UNIX) as server:
            server.connect(str(self._server))
            threading.Thread(target=_pass, args=(server, client), daemon=True).start()
            while sent := client.recv(1 << 16):
                is_commit = b"COMMIT" in sent
                if is_commit and self._spared:
                    self._spared -= 1
                elif is_commit and self._cuts:
                    self._cuts -= 1
                    client.shutdown(socket.SHUT_RDWR)  # before the answer can come
                    if self._passed_on:
                        server.sendall(sent)
                    else:
                        server.shutdown(socket.SHUT_RDWR)
                    return
                server.sendall(sent)

    def close(self) -> None:
        """Take no more connections."""
        self._listening.close()


def _pass(server: socket.socket, client: socket.socket) -> None:
    try:
        while said := server.recv(1 << 16):
            client.sendall(said)
    except OSError:
        return
