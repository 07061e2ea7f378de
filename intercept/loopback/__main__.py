"""``python -m intercept.loopback [--port N]``: the loopback provider in the foreground."""

from __future__ import annotations

import argparse
import sys
import threading

from intercept.loopback.provider import Provider


def main() -> None:
    """Serve until interrupted; the first line printed is the URL."""
    parser = argparse.ArgumentParser(prog="python -m intercept.loopback", description=__doc__)
    parser.add_argument("--port", type=int, default=0, help="port on 127.0.0.1 (default: a free one)")
    port: int = parser.parse_args().port
    with Provider(port=port) as provider:
        sys.stdout.write(provider.url + "\n")
        sys.stdout.flush()
        try:
            threading.Event().wait()
        except KeyboardInterrupt:
            return


if __name__ == "__main__":
    main()
