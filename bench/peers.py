"""Other truecasers and language-model tools, measured in the same run as ours.

A peer that is not installed is no failure: `PeerMissing` says what to install, and the benchmark
that wanted it is skipped with that sentence.
"""

import json
import os
import subprocess
import sys
import time
from collections.abc import Mapping
from pathlib import Path

import processes

SERVER = Path(__file__).with_name("peer_server.py")


class PeerMissing(Exception):
    """A peer cannot be run; the message says what is missing."""


class PythonPeer:
    """A Python truecaser in an environment of its own, spoken to over pipes.

    Parameters
    ----------
    name : str
        Key of ``PEERS`` in peer_server.py.
    python : str
        Interpreter of the environment that the peer is installed in.
    settings : mapping
        What the peer is made with; must go into JSON.
    package : Path, optional
        Folder that holds the peer's package, instead of the one of the environment.

    Attributes
    ----------
    version : str
    load_s : float
        Seconds to import the peer and load its model, if it brings one.
    """

    def __init__(
        self,
        name: str,
        python: str = sys.executable,
        settings: Mapping[str, object] | None = None,
        package: Path | None = None,
    ) -> None:
        if not Path(python).exists():
            raise PeerMissing(f"{name}: no interpreter at {python}")
        self.name = name
        # Ours is not to be found there.
        environment = {k: v for k, v in os.environ.items() if k != "PYTHONPATH"}
        if package is not None:
            environment["PYTHONPATH"] = str(package)
        self.process = subprocess.Popen(
            [python, str(SERVER), name, json.dumps(dict(settings or {}))],
            env=environment,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        hello = self.process.stdout.readline()
        if not hello:
            reason = self.process.communicate()[1].strip().splitlines()[-1:]
            raise PeerMissing(f"{name} does not start under {python}: {' '.join(reason)}")
        facts = json.loads(hello)
        self.version, self.load_s = facts["version"], facts["load_s"]

    def request(self, do: str, path: Path, out: Path | None = None) -> dict[str, float]:
        """Train on (``train``) or case (``case``) a file, the result to `out` if it is named.

        ``seconds`` and ``cpu`` of what comes back are as the peer measured them.
        """
        wanted = {"do": do, "path": str(path), **({"out": str(out)} if out else {})}
        return self._ask(wanted)

    def size(self) -> int:
        """Bytes that the peer's model has on disk."""
        return int(self._ask({"do": "size"})["bytes"])

    def _ask(self, wanted: Mapping[str, str]) -> dict[str, float]:
        self.process.stdin.write(json.dumps(wanted) + "\n")
        self.process.stdin.flush()
        answer = self.process.stdout.readline()
        if not answer:
            raise RuntimeError(f"{self.name} died: {self.process.communicate()[1]}")
        return json.loads(answer)

    def close(self) -> None:
        """End the peer."""
        self.process.stdin.close()
        self.process.wait()
        self.process.stdout.close()
        self.process.stderr.close()


def older_truecase(where: str, settings: Mapping[str, object]) -> PythonPeer:
    """Another truecase than the one that is imported here, in a process of its own.

    Parameters
    ----------
    where : str
        A checkout that is built in place, an environment, or an interpreter.
    settings : mapping
        ``model``, a file or None, and ``decode_with``.
    """
    path = Path(where)
    python: Path | None = path if path.is_file() else None
    if (path / "truecase" / "__init__.py").exists():
        return PythonPeer("truecase", sys.executable, settings, path)
    for folder in ("bin/python", "Scripts/python.exe"):
        python = python or (path / folder if (path / folder).exists() else None)
    if python is None:
        raise PeerMissing(f"--against {where}: neither a checkout nor an environment")
    return PythonPeer("truecase", str(python), settings)


def this_truecase(settings: Mapping[str, object]) -> PythonPeer:
    """The truecase that is imported here, in a process of its own."""
    import truecase

    return PythonPeer(
        "truecase", sys.executable, settings, Path(truecase.__file__).resolve().parents[1]
    )


class KenLM:
    """KenLM's programs, as built from its sources into one folder."""

    def __init__(self, folder: str | None) -> None:
        if not folder:
            raise PeerMissing("KenLM: --kenlm-bin names no folder with lmplz, build_binary, query")
        self.folder = Path(folder)

    def program(self, name: str) -> str:
        """Path of one of its programs."""
        path = self.folder / name
        if not path.exists():
            raise PeerMissing(f"KenLM: no {name} in {self.folder}")
        return str(path)

    def estimate(self, text: Path, arpa: Path, order: int) -> float:
        """Run lmplz on space-separated text; returns wall seconds."""
        command = [self.program("lmplz"), "-o", str(order), "-S", "2G", "-T", str(arpa.parent)]
        command += ["--discount_fallback", "--text", str(text), "--arpa", str(arpa)]
        start = time.perf_counter()
        subprocess.run(command, check=True, stderr=subprocess.DEVNULL)
        return time.perf_counter() - start

    def binary(self, arpa: Path) -> Path:
        """Make the probing data structure of an ARPA file."""
        binary = arpa.with_suffix(".probing")
        subprocess.run(
            [self.program("build_binary"), "probing", str(arpa), str(binary)],
            check=True,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        return binary

    def score(self, binary: Path, text: Path) -> processes.Cost:
        """Score text, nothing printed word by word: what the process takes, loading included."""
        command = [self.program("query"), "-v", "summary", str(binary)]
        return processes.run(command, given=text)
