"""The command `truecase`, run by the server of tests/commands.py, which has imported it.

It imports little, since it runs for each command of a page. TRUECASE_SERVER is the descriptor of
the connection to the server.
"""

import json
import os
import signal
import socket
import sys


def main():
    request = {"arguments": sys.argv[1:], "cwd": os.getcwd(), "env": dict(os.environ)}
    answer, reply = os.pipe()
    with socket.socket(fileno=int(os.environ["TRUECASE_SERVER"])) as server:
        socket.send_fds(server, [json.dumps(request).encode()], [0, 1, 2, reply])
    for end in (0, 1, 2, reply):
        os.close(end)
    with os.fdopen(answer) as answers:
        _, code = map(int, answers)
    if code < 0:
        signal.signal(-code, signal.SIG_DFL)
        os.kill(os.getpid(), -code)
    os._exit(code)


main()
