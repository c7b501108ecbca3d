"""Runs inside a peer's own environment and measures the peer there.

Started as ``PYTHON peer_server.py NAME SETTINGS``, SETTINGS in JSON; reads one JSON request a line
and answers with one JSON object a line. The seconds it reports cover text in, cased text out, and
nothing of the pipe, the start or the loading. A request to case a text may name a file, ``out``,
that gets what comes out; one for the ``size`` is answered with the bytes of the peer's model on
disk. Knows only the standard library and the peer.
"""

import importlib.metadata
import json
import os
import sys
import tempfile
import time


class Sacremoses:
    """Moses' truecaser in Python; its words are what stands between spaces."""

    package = "sacremoses"

    def __init__(self):
        import sacremoses

        self.truecaser = sacremoses.MosesTruecaser()

    def train(self, text):
        self.truecaser.train([line.split() for line in text.splitlines()])

    def case(self, line):
        return self.truecaser.truecase(line, return_str=True)

    def size(self):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "model")
            self.truecaser.save_model(path)
            return os.path.getsize(path)


class SacremosesSentences(Sacremoses):
    """The same, and then the capital that Moses gives back to first words of sentences."""

    def __init__(self):
        super().__init__()
        import sacremoses

        self.detruecaser = sacremoses.MosesDetruecaser()

    def case(self, line):
        return self.detruecaser.detruecase(super().case(line), return_str=True)


class Truecase:
    """Our package, as it is or as it was in an older version; with the files of a source or not."""

    package = None

    def __init__(self, model=None, decode_with=None, source=None, alignment=None):
        import truecase

        self.version = truecase.__version__
        self.truecaser = truecase.Truecaser.load(model, decode_with=decode_with)
        self.source, self.alignment = None, None
        if source:
            with open(source, "rb") as stream:
                self.source = stream.read()
        if alignment:
            with open(alignment, "rb") as stream:
                self.alignment = stream.read()

    def case_block(self, data):
        if self.source is None:
            return self.truecaser.case_block(data, threads=1)
        phrases = None
        if self.alignment is not None:
            from truecase.alignment.link_formats import parse_pharaoh
            from truecase.kernels._segment import count_words

            phrases = parse_pharaoh(self.alignment, count_words(self.source), count_words(data))
        return self.truecaser.case_block(data, threads=1, source=self.source, phrases=phrases)


class PypiTruecase:
    """The package of the index that has our import name.

    Its tokenizer needs a download and is bypassed: words are what stands between spaces.
    """

    package = "truecase"

    def __init__(self):
        from truecase.TrueCaser import TrueCaser

        self.truecaser = TrueCaser()

    def case(self, line):
        return " ".join(self.truecaser.get_true_case_from_tokens(line.split()))

    def size(self):
        import truecase

        return os.path.getsize(
            os.path.join(os.path.dirname(truecase.__file__), "data/english.dist")
        )


class PypiTruecaseRaw(PypiTruecase):
    """The same, as its `get_true_case` treats raw text: tokenised, cased, detokenised.

    Only the sentence splitter, whose data wants a download, is left out: a line is a sentence.
    """

    def __init__(self):
        super().__init__()
        from nltk.tokenize import NLTKWordTokenizer

        self.tokenizer = NLTKWordTokenizer()

    def case(self, line):
        tokens = self.truecaser.get_true_case_from_tokens(self.tokenizer.tokenize(line))
        return self.truecaser.detknzr.detokenize(tokens)


class PypiTruecaseTokens(PypiTruecaseRaw):
    """The same without detokenising: the tokens, which tell their place in the text."""

    def case(self, line):
        tokens = self.truecaser.get_true_case_from_tokens(self.tokenizer.tokenize(line))
        return " ".join('"' if token in ("``", "''") else token for token in tokens)


class TruecasingIt:
    """Italian: words that a list of lowercase forms does not have get a capital."""

    package = "truecasingIT"

    def __init__(self):
        from truecasingIT import Truecaser

        self.truecaser = Truecaser()
        # A list is searched from its start for every word; a set gives the same.
        self.truecaser.surface_forms = set(self.truecaser.surface_forms)

    def case(self, line):
        return self.truecaser.truecase(line)

    def size(self):
        import truecasingIT

        return os.path.getsize(
            os.path.join(os.path.dirname(truecasingIT.__file__), "wordforms.txt")
        )


PEERS = {
    "truecase": Truecase,
    "sacremoses": Sacremoses,
    "sacremoses-sentences": SacremosesSentences,
    "pypi-truecase": PypiTruecase,
    "pypi-truecase-raw": PypiTruecaseRaw,
    "pypi-truecase-tokens": PypiTruecaseTokens,
    "truecasingit": TruecasingIt,
}


def main():
    start = time.perf_counter()
    peer = PEERS[sys.argv[1]](**json.loads(sys.argv[2]))
    loaded = time.perf_counter() - start
    version = importlib.metadata.version(peer.package) if peer.package else peer.version
    print(json.dumps({"version": version, "load_s": loaded}))
    sys.stdout.flush()
    for line in sys.stdin:
        request = json.loads(line)
        if request["do"] == "size":
            print(json.dumps({"bytes": peer.size()}))
            sys.stdout.flush()
            continue
        with open(request["path"], "rb") as stream:
            data = stream.read()
        start, cpu = time.perf_counter(), time.process_time()
        if request["do"] == "train":
            peer.train(data.decode("utf-8"))
            result = b""
        elif hasattr(peer, "case_block"):
            result = peer.case_block(data)
        else:
            lines = data.decode("utf-8").removesuffix("\n").split("\n")
            result = ("\n".join([peer.case(line) for line in lines]) + "\n").encode("utf-8")
        seconds, cpu = time.perf_counter() - start, time.process_time() - cpu
        if request.get("out"):
            with open(request["out"], "wb") as stream:
                stream.write(result)
        print(json.dumps({"seconds": seconds, "cpu": cpu}))
        sys.stdout.flush()


if __name__ == "__main__":
    main()
