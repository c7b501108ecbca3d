"""Every way into the package by itself: the same input always gives the same bytes."""

import pickle
import sys
import threading
from collections.abc import Callable
from pathlib import Path

import truecase
from truecase import Truecaser

sys.path.insert(0, str(Path(__file__).parents[1]))

from small_bitext import bitext, pharaoh
from small_model import random_block, training_text

#: Bytes of the long line, which is worked on in pieces.
LONG = 3 << 20

_CUES = "1\n00:00:01,000 --> 00:00:02,000\n{}\n\n2\n00:00:02,000 --> 00:00:03,000\n{}\n\n"
_PO_HEAD = 'msgid ""\nmsgstr "Content-Type: text/plain; charset=UTF-8\\n"'
_PO = 'msgid "Ouvrir le fichier {0}"\nmsgstr "open the file {1} in london"'
_BIB = "@book{{b{}, title = {{The Post of London and the Bridge of Lyon}}, year = 2001}}\n"


class Ways:
    """The ways, by name.

    Parameters
    ----------
    folder : Path
        For files.
    model_file : Path
        A model of the preset crf-neural, to be loaded again and again.
    """

    def __init__(self, folder: Path, model_file: Path) -> None:
        self._folder = folder
        self._model_file = model_file
        self.model = Truecaser.load()
        self._small = Truecaser.load(model_file)
        self._names = truecase.name_list(["FooBar", "Post of Lyon", "!npm"])
        text = training_text(400, seed=3)
        self._lines = text.lower().splitlines()
        self._text = text.lower().encode()
        self._any = random_block(60_000, 5)
        words = self._text.replace(b"\n", b" ")
        self._long = (words * (LONG // len(words) + 1))[:LONG]
        pairs = bitext(200)
        self._targets = pairs.target.decode().lower().splitlines()
        self._sources = pairs.source.decode().splitlines()
        self._links = pharaoh(pairs).decode().splitlines()
        self._write_files()

    def _write_files(self) -> None:
        lines = self._lines
        quoted = ['"{}"'.format(line.replace("\\", "").replace('"', "'")) for line in lines]
        contents = {
            "t.srt": "".join(_CUES.format(*pair) for pair in zip(lines, lines[1:], strict=False)),
            "t.po": "\n\n".join([_PO_HEAD, *(_PO.format(i, i) for i in range(99))]) + "\n",
            "t.bib": "".join(_BIB.format(i) for i in range(50)),
            "t.json": "{" + ",".join(f'"k{i}": {q}' for i, q in enumerate(quoted)) + "}",
            "t.html": "".join(f"<p>{line} <b>of london</b></p>\n" for line in lines),
            "t.csv": "id,text\n" + "".join(f"{i},{q}\n" for i, q in enumerate(quoted)),
            "t.jsonl": "".join(f'{{"text": {q}}}\n' for q in quoted),
            "t.txt": "\n".join(lines) + "\n",
        }
        for name, content in contents.items():
            (self._folder / name).write_text(content, encoding="utf-8")

    def _out(self, name: str) -> Path:
        return self._folder / f"{threading.get_ident()}-{name}"

    def _file(self, name: str, **options: object) -> bytes:
        out = self._out(name)
        truecase.case_file(self._folder / name, out, self.model, **options)  # type: ignore[arg-type]
        return _taken(out)

    def _table(self, name: str) -> bytes:
        out = self._out(name)
        truecase.case_table(self._folder / name, out, "text", self.model, threads=2)
        return _taken(out)

    def _bibliography(self) -> bytes:
        out = self._out("t.bib")
        truecase.case_bibliography(self._folder / "t.bib", out, self.model)
        return _taken(out)

    def _session(self) -> bytes:
        session = self.model.session(latency=2)
        pieces = [session.push(line + "\n") for line in self._lines[:100]]
        return "".join([*pieces, session.close()]).encode()

    def _marked_session(self) -> bytes:
        session = self.model.session(latency=2, punctuate=True)
        pieces = [session.push(line + "\n") for line in self._lines[:100]]
        return "".join([*pieces, session.close()]).encode()

    def _bridge(self) -> bytes:
        bridge = truecase.CaseBridge(self.model)
        lines, records = bridge.before(self._sources)
        return "\n".join(lines + bridge.after(self._targets, records)).encode()

    def _load(self) -> bytes:
        made = [Truecaser.load(self._model_file, copy=copy) for copy in (True, False)]
        return "".join(one(self._lines[0]) for one in made).encode()

    def _save(self) -> bytes:
        out = self._out("saved.truecase")
        self._small.save(out)
        return _taken(out)

    def _pickle(self) -> bytes:
        named = self.model.with_names(self._names)
        return "\n".join(pickle.loads(pickle.dumps(named)).batch(self._lines[:20])).encode()

    def _refused(self) -> bytes:
        """Errors must not keep anything either."""
        out = self._out("bad.truecase")
        said = []
        for data in (b"", b"no model at all", self._model_file.read_bytes()[:5000]):
            out.write_bytes(data)
            try:
                Truecaser.load(out)
            except truecase.ModelError as error:
                said.append(str(error).removeprefix(str(out)))
        out.unlink()
        try:
            self.model.batch(["a", 3])  # type: ignore[list-item]
        except TypeError as error:
            said.append(str(error))
        return "\n".join(said).encode()

    def _by_command(self, *arguments: str) -> bytes:
        """The command inside this process; one thread at a time, as it has one standard output."""
        from truecase.cli import main

        out = self._out("command")
        with _COMMAND:
            code = main([*arguments, "-o", str(out)])
        return b"%d " % code + _taken(out)

    def by_name(self) -> dict[str, Callable[[], bytes]]:
        """The ways, each of which gives the same bytes whenever it is gone."""
        model, lines, text = self.model, self._lines, self._text
        file = str(self._folder / "t.txt")

        def joined(some: list[str]) -> bytes:
            return "\n".join(some).encode()

        return {
            "call": lambda: joined([model(line) for line in lines]),
            "truecase": lambda: joined([truecase.truecase(line) for line in lines]),
            "batch": lambda: joined(model.batch(lines, threads=2)),
            "case_block": lambda: model.case_block(text, threads=2),
            "case_block, any bytes": lambda: model.case_block(self._any, input_case="auto"),
            "case_block, title": lambda: model.case_block(text, style="title"),
            "a long line": lambda: model.case_block(self._long)[-9999:],
            "with a source": lambda: joined(
                model.batch(self._targets, source=self._sources, alignment=self._links)
            ),
            "posteriors": lambda: repr([model.posteriors(line) for line in lines[:20]]).encode(),
            "tags": lambda: repr([model.tags(line) for line in lines[:40]]).encode(),
            "explain": lambda: repr([model.explain(line).to_dict() for line in lines[:4]]).encode(),
            "table_block": lambda: model.table_block(text[:9000], with_posteriors=True),
            "document": lambda: joined(model.document(lines)),
            "session": self._session,
            "session, marks": self._marked_session,
            "punctuate": lambda: model.punctuate_block(text),
            "probabilities of marks": lambda: repr(model.mark_probabilities(lines[0])).encode(),
            "column": lambda: joined(model.column(_arrow(lines), threads=2).to_pylist()),
            "names": lambda: joined(model.with_names(self._names).batch(lines)),
            "sentence_case": lambda: joined(truecase.sentence_case(lines[:50], truecaser=model)),
            "bridge": self._bridge,
            "normalize": lambda: truecase.normalize(text),
            "capitalize": lambda: truecase.capitalize(text),
            "evaluate": lambda: repr(model.evaluate(lines[:100])).encode(),
            "load": self._load,
            "save": self._save,
            "pickle": self._pickle,
            "refused": self._refused,
            "subtitles": lambda: self._file("t.srt"),
            "catalogue": lambda: self._file("t.po", target_language="en"),
            "json": lambda: self._file("t.json", target_language="en"),
            "html": lambda: self._file("t.html"),
            "bibliography": self._bibliography,
            "csv": lambda: self._table("t.csv"),
            "jsonl": lambda: self._table("t.jsonl"),
            "command apply": lambda: self._by_command("-i", file, "-j", "2", "-q"),
            "command apply, documents": lambda: self._by_command(
                "-i", file, "--context", "document", "-q"
            ),
        }


_COMMAND = threading.Lock()


def _arrow(lines: list[str]) -> object:
    import pyarrow

    return pyarrow.array(lines)


def _taken(path: Path) -> bytes:
    data = path.read_bytes()
    path.unlink()
    return data
