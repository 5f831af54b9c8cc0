"""A server of files on this machine, for as long as a test asks it for something."""

from __future__ import annotations

import http.server
import threading
from collections.abc import Iterator
from contextlib import contextmanager


class Handler(http.server.BaseHTTPRequestHandler):
    """A handler of requests that writes no log; what it answers is in its subclasses."""

    def log_message(self, *given: object) -> None:
        pass


class Server(http.server.ThreadingHTTPServer):
    """A server that says nothing of clients that hung up. released: set when the test ends, so that no answer waits."""

    def __init__(self, handler: type[Handler]) -> None:
        super().__init__(("127.0.0.1", 0), handler)
        self.address = f"http://127.0.0.1:{self.server_port}"
        self.released = threading.Event()

    def handle_error(self, *given: object) -> None:
        pass


@contextmanager
def serving(handler: type[Handler]) -> Iterator[Server]:
    """Start a server in a thread, on a free port, and stop it in the end."""
    with Server(handler) as server:
        thread = threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True)
        thread.start()
        yield server
        server.released.set()
        server.shutdown()
        thread.join()
