"""All that a truecaser does, at once in many threads: the same as one thing after the other.

Under the thread sanitizer, and without a GIL, this is the test that tells (CONTRIBUTING.md).
"""

import copy
import gc
import os
import pickle
import subprocess
import sys
import sysconfig
import textwrap
import threading
import warnings
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path

import pytest
from language_texts import text_of
from mark_models import punctuating
from raw_arrow import column_of_texts
from recipes import estimated, trained
from small_bitext import bitext
from small_model import training_text
from truecase_testing import kept_bytes

import truecase
from truecase import CaseBridge, MultilingualTruecaser, SentenceCaser
from truecase.rules.moses import MosesModel, MosesTruecaser
from truecase.truecaser import Truecaser

N_THREADS = 8
#: How often each thread does everything.
N_ROUNDS = int(os.environ.get("TRUECASE_ROUNDS", "1"))

LINES = training_text(120, seed=21).lower().splitlines()
BLOCK = "\n".join(LINES * 12).encode()
TEXT = training_text(150, seed=5).encode()


def words_of(truecaser):
    return [
        [(word.start, word.tag, word.posterior) for word in words]
        for words in truecaser.posteriors("\n".join(LINES[:20]))
    ]


def column_of(truecaser):
    text, sure = truecaser.column(column_of_texts(LINES * 12), threads=2, confidence=True)
    return text.to_pylist(), sure.to_pylist()


def session_of(truecaser):
    session = truecaser.session(latency=1)
    return "".join([session.push(f"{line} ") for line in LINES[:10]]) + session.close()


def path_of(truecaser):
    return truecaser.model.origin.path


def constructed_again(truecaser):
    """The constructors of what others are using: the truecaser, its kernels, its components."""
    other = Truecaser.load(path_of(truecaser)).model
    truecaser._compiled.__init__(other)
    parts = other.components()
    for name, part in truecaser.model.components().items():
        part.__init__(parts[name].arrays, parts[name].settings)
    truecaser.__init__(truecaser.model)
    return truecaser(LINES[0])


def loaded_and_left(truecaser):
    cased = [Truecaser.load(path_of(truecaser), copy=copied)(LINES[1]) for copied in (False, True)]
    gc.collect(0)
    return cased


def trained_and_used(truecaser):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return [trained(TEXT, preset)(LINES[2]) for preset in ("ngram", "unigram")]


WORK = {
    "one by one": lambda tc: [tc(line) for line in LINES],
    "short texts": lambda tc: [tc(line[:20]) for line in LINES],
    "no ascii": lambda tc: [tc(f"{line} – ý") for line in LINES],
    "batch": lambda tc: tc.batch(LINES * 12, threads=2),
    "block": lambda tc: tc.case_block(BLOCK, threads=3),
    "given case": lambda tc: tc.case_block(BLOCK, input_case="auto"),
    "title": lambda tc: tc.case_block(BLOCK, style="title"),
    "upper": lambda tc: tc.batch(LINES, style="upper"),
    "column": column_of,
    "tags": lambda tc: [[word.tag for word in line] for line in tc.tags(LINES[0])],
    "posteriors": words_of,
    "explain": lambda tc: str(tc.explain(LINES[3])),
    "table": lambda tc: tc.table_block(BLOCK[:2_000], with_posteriors=True),
    "session": session_of,
    "document": lambda tc: tc.document(LINES[:40]),
    "evaluate": lambda tc: str(tc.evaluate(training_text(30, seed=8).splitlines())),
    "counts": lambda tc: tc.training_counts(BLOCK[:1_000]),
    "names": lambda tc: tc.with_names(truecase.name_list(["iPod Nano"]))("an ipod nano"),
    "pickle": lambda tc: pickle.loads(pickle.dumps(tc))(LINES[4]),
    "copy": lambda tc: copy.deepcopy(tc)(LINES[4]),
    "kept memory": lambda tc: kept_bytes(tc._compiled) >= 0,
    "load": loaded_and_left,
    "train": trained_and_used,
    "construct again": constructed_again,
}


@pytest.fixture(scope="module")
def model(neural_model_file):
    return Truecaser.load(neural_model_file)


def wrong_at_once(work, wanted):
    """What gives another result, or an exception, where all threads do everything at once."""
    names, wrong, start = list(work), [], threading.Barrier(N_THREADS)

    def do_all(first):
        start.wait()
        for place in range(N_ROUNDS * len(names)):
            name = names[(first * len(names) // N_THREADS + place) % len(names)]
            try:
                if work[name]() != wanted[name]:
                    wrong.append((name, "another result"))
            except Exception as error:
                wrong.append((name, repr(error)))

    threads = [threading.Thread(target=do_all, args=(i,)) for i in range(N_THREADS)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return wrong


def test_all_at_once(model):
    work = {name: partial(do, model) for name, do in WORK.items()}
    wanted = {name: do() for name, do in work.items()}
    assert wrong_at_once(work, wanted) == []


def test_all_kinds_at_once(
    model, model_file, crf_model_file, portage_model_file, bilingual_model_file, tmp_path
):
    """Models of all kinds, and what is built of truecasers, each one in all threads."""
    kinds = [Truecaser.load(path) for path in (model_file, crf_model_file, portage_model_file)]
    bilingual = Truecaser.load(bilingual_model_file)
    aligned = bitext(200, seed=31)
    multilingual = MultilingualTruecaser(
        {code: estimated(text_of(code), min_count=1, language=code) for code in ("de", "fr", "tr")}
    )
    mixed = "\n".join(text_of(code).decode() for code in ("tr", "fr", "de")).lower()
    titles = SentenceCaser(model)
    bridge = CaseBridge(model, target_language="tr", emphasis=True)
    shouted = [line.upper() for line in LINES[:40]] + [line.title() for line in LINES[40:80]]
    words = Counter(TEXT.split())
    moses = MosesTruecaser(MosesModel([(n, [(word, n)]) for word, n in words.items()]))
    marked = punctuating(model)
    spoken = "\n\n".join(LINES[:60])

    def captions():
        session = marked.session(punctuate=True)
        return "".join([session.push(f"{line} ") for line in LINES[:20]]) + session.close()

    subtitles = tmp_path / "a.srt"
    cues = (
        f"{n}\n00:00:{n:02},000 --> 00:00:{n:02},900\n<i>{line}</i>\n\n"
        for n, line in enumerate(LINES[:50], 1)
    )
    subtitles.write_text("".join(cues), encoding="utf-8")

    def cased_file():
        out = tmp_path / f"{threading.get_ident()}.srt"
        truecase.case_file(subtitles, out, model)
        return out.read_bytes()

    work = {
        "ngram": lambda: kinds[0].case_block(BLOCK, threads=2),
        "ngram, short": lambda: [kinds[0](line[:20]) for line in LINES],
        "crf": lambda: kinds[1].case_block(BLOCK, threads=2),
        "portage": lambda: kinds[2].case_block(BLOCK, threads=2),
        "bilingual": lambda: bilingual.case_block(
            aligned.target, source=aligned.source, phrases=aligned.phrases, threads=2
        ),
        "bilingual, alone": lambda: [bilingual(line) for line in LINES],
        "multilingual": lambda: multilingual(mixed),
        "titles": lambda: [titles(line) for line in shouted],
        "bridge": lambda: bridge.after(LINES[:80], bridge.before(shouted)[1]),
        "moses": lambda: [moses(line) for line in LINES],
        "subtitles": cased_file,
        "marks": lambda: marked.punctuate(spoken, lines="sentences"),
        "marks, block": lambda: marked.punctuate_block(BLOCK[:20_000], marks=",."),
        "marks, probabilities": lambda: marked.mark_probabilities(spoken),
        "marks, missing": lambda: marked.missing_marks(LINES[:60]),
        "marks, session": captions,
        "marks, pickle": lambda: pickle.loads(pickle.dumps(marked)).punctuate(spoken),
    }
    wanted = {name: do() for name, do in work.items()}
    assert wrong_at_once(work, wanted) == []


@pytest.mark.filterwarnings("ignore:Kneser-Ney")  # in threads, what `trained` ignores is told
def test_trainings_at_once(model, tmp_path):
    """Each preset in a thread, while others case: the same files, byte for byte."""
    text = training_text(300, seed=5).encode()
    material = dict.fromkeys(("ngram", "unigram", "portage", "crf", "crf-neural"), text)
    material["bilingual"] = bitext(300)

    def file_of(preset):
        path = tmp_path / f"{preset} {threading.get_ident()}"
        trained(material[preset], preset).save(path)
        return path.read_bytes()

    wanted = {preset: file_of(preset) for preset in material}
    cased = [model(line) for line in LINES]
    with ThreadPoolExecutor(2 * len(material)) as pool:
        casing = [pool.submit(lambda: [model(line) for line in LINES]) for _ in range(4)]
        training = {preset: pool.submit(file_of, preset) for preset in material}
        assert {preset: done.result() for preset, done in training.items()} == wanted
        assert all(done.result() == cased for done in casing)


@pytest.mark.skipif(
    not sysconfig.get_config_var("Py_GIL_DISABLED"), reason="this Python has a GIL for good"
)
def test_no_module_brings_the_gil_back():
    package = Path(truecase.__file__).parent
    suffix = sysconfig.get_config_var("EXT_SUFFIX")
    modules = sorted(
        "truecase." + path.relative_to(package).as_posix().removesuffix(suffix).replace("/", ".")
        for path in package.rglob(f"*{suffix}")
    )
    assert modules
    # In a process of its own: what else the tests import may have brought it back here.
    program = f"""
        import sys
        from importlib import import_module
        for name in {modules!r}:
            import_module(name)
            if sys._is_gil_enabled():
                sys.exit(name + " needs the GIL")
    """
    done = subprocess.run(
        [sys.executable, "-W", "ignore", "-c", textwrap.dedent(program)],
        capture_output=True, text=True, timeout=300, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
