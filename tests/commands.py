"""Runs the command ``truecase`` in processes of their own, forked from one that has imported it.

Importing NumPy, SciPy and the package takes most of the time of a command on a few lines. Where
there is no `fork`, or with options of `subprocess.run`, a command starts from nothing.
"""

import atexit
import contextlib
import gc
import importlib
import json
import os
import pkgutil
import select
import signal
import socket
import subprocess
import sys
import threading
from functools import cache

SERVER = os.path.abspath(__file__)
TIMEOUT = 300
CAN_FORK = sys.platform.startswith("linux")
MODULES = ("cli", "training", "truecaser", "formats", "evaluation", "alignment", "ngram")


def run(*arguments, text=b"", cwd=None, **options):
    """Run the command to its end; return a `subprocess.CompletedProcess`."""
    arguments = [str(argument) for argument in arguments]
    if options or not CAN_FORK:
        command = [sys.executable, "-m", "truecase", *arguments]
        return run_anew(command, text=text, cwd=cwd, **options)
    return _run_forked(arguments, text, cwd)


def run_anew(command, text=b"", cwd=None, **options):
    """Run any command, which starts from nothing, to its end."""
    return subprocess.run(
        command, input=text, capture_output=True, timeout=TIMEOUT, check=False, cwd=cwd, **options
    )


def _run_forked(arguments, text, cwd):
    request = {"arguments": arguments, "cwd": str(cwd or os.getcwd()), "env": dict(os.environ)}
    with _Pipe() as stdin, _Pipe() as stdout, _Pipe() as stderr, _Pipe() as reply:
        ends = [stdin.out, stdout.into, stderr.into, reply.into]
        socket.send_fds(server(), [json.dumps(request).encode()], ends)
        stdin.close("out")
        for pipe in (stdout, stderr, reply):
            pipe.close("into")
        threads = [
            threading.Thread(target=stdin.write, args=(text,)),
            threading.Thread(target=stdout.read),
        ]
        for thread in threads:
            thread.start()
        with open(reply.ends.pop("out")) as answers:
            process = int(answers.readline())
            timer = threading.Timer(TIMEOUT, os.kill, (process, signal.SIGKILL))
            timer.start()
            stderr.read()
            code = int(answers.readline())
            timer.cancel()
        for thread in threads:
            thread.join()
    return subprocess.CompletedProcess(["truecase", *arguments], code, stdout.data, stderr.data)


class _Pipe:
    def __enter__(self):
        self.ends = dict(zip(("out", "into"), os.pipe(), strict=True))
        self.data = b""
        return self

    def __exit__(self, *_):
        for name in list(self.ends):
            self.close(name)

    def __getattr__(self, name):
        return self.ends[name]

    def close(self, name):
        os.close(self.ends.pop(name))

    def write(self, data):
        try:
            with open(self.ends.pop("into"), "wb") as file:
                file.write(data)
        except BrokenPipeError:
            pass

    def read(self):
        with open(self.ends.pop("out"), "rb") as file:
            self.data = file.read()


@cache
def server():
    """The connection to the process that forks, which ends when this one does."""
    here, there = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    process = subprocess.Popen(
        # NumPy's threads are at rest when it forks.
        [sys.executable, "-W", "ignore::DeprecationWarning:__main__", SERVER, str(there.fileno())],
        pass_fds=[there.fileno()],
        stdin=subprocess.DEVNULL,
    )
    there.close()
    atexit.register(process.wait)
    atexit.register(here.close)
    return here


def _serve(connection):
    import truecase

    for package in MODULES:
        folder = [f"{truecase.__path__[0]}/{package}"]
        for module in pkgutil.iter_modules(folder, f"truecase.{package}."):
            importlib.import_module(module.name)
    gc.freeze()
    ended, woken = os.pipe()
    os.set_blocking(woken, False)
    signal.set_wakeup_fd(woken)
    signal.signal(signal.SIGCHLD, lambda *_: None)
    replies = {}  # by process
    while True:
        ready, _, _ = select.select([connection, ended], [], [])
        if ended in ready:
            os.read(ended, 1 << 10)
            for process in list(replies):
                done, status = os.waitpid(process, os.WNOHANG)
                if done:
                    _reply(replies[process], os.waitstatus_to_exitcode(status))
                    os.close(replies.pop(process))
        if connection in ready:
            message, ends, _, _ = socket.recv_fds(connection, 1 << 20, 4)
            if not message:
                return
            process = os.fork()
            if process == 0:
                signal.set_wakeup_fd(-1)
                signal.signal(signal.SIGCHLD, signal.SIG_DFL)
                connection.close()
                for end in (ended, woken, ends.pop(), *replies.values()):
                    os.close(end)
                _become(ends, **json.loads(message))
            replies[process] = ends.pop()
            for end in ends:
                os.close(end)
            _reply(replies[process], process)


def _reply(end, number):
    # Who asked may be gone.
    with contextlib.suppress(BrokenPipeError):
        os.write(end, b"%d\n" % number)


def _become(ends, arguments, cwd, env):
    """Run the command with these standard streams, and end this process as it ends."""
    for number, end in enumerate(ends):
        os.dup2(end, number)
        os.close(end)
    sys.stdin, sys.stdout = os.fdopen(0), os.fdopen(1, "w")
    sys.stderr = os.fdopen(2, "w", buffering=1)
    os.environ.clear()
    os.environ.update(env)
    os.chdir(cwd)
    sys.argv = ["truecase", *arguments]
    from truecase.__main__ import main

    try:
        sys.exit(main())
    except SystemExit as end:
        code = end.code if isinstance(end.code, int) else end.code is not None
    except BaseException:
        sys.excepthook(*sys.exc_info())
        code = 1
    atexit._run_exitfuncs()
    for stream in (sys.stdout, sys.stderr):
        try:
            stream.flush()
        except OSError:
            code = code or 120
    os._exit(code)


if __name__ == "__main__":
    _serve(socket.socket(fileno=int(sys.argv[1])))
