"""The life of truecasers: whatever happens to one, to its file and to others, it cases alike."""

import gc
import os
import pickle
import shutil
import tempfile
import threading
import warnings
from pathlib import Path

import pytest
from examples import examples
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    Bundle,
    RuleBasedStateMachine,
    consumes,
    initialize,
    invariant,
    multiple,
    rule,
    run_state_machine_as_test,
)
from recipes import trained
from small_model import training_text

import truecase
from truecase import ModelError, Truecaser

LINES = tuple(training_text(40, seed=8).lower().splitlines())
TEXT = "\n".join(LINES)
DOMAIN = training_text(120, seed=9).replace("bridge", "Bridge").encode()
NAMES = ("FooBar", "Post of Lyon", "!npm")


class Being:
    """A truecaser, and what it has made of the text from the beginning."""

    def __init__(self, truecaser: Truecaser) -> None:
        self.truecaser = truecaser
        self.cased = truecaser(TEXT)

    def like(self, truecaser: Truecaser) -> "Being":
        """Another one that has to case alike."""
        made = Being.__new__(Being)
        made.truecaser, made.cased = truecaser, self.cased
        return made


class Life(RuleBasedStateMachine):
    """Files of models, and truecasers that came of them or of others.

    What is loaded with ``copy=False`` is mapped, so that its file is only ever replaced.
    """

    #: Files of trained models; set by the test.
    models: tuple[Path, ...] = ()

    beings = Bundle("beings")

    def __init__(self) -> None:
        super().__init__()
        self.folder = Path(tempfile.mkdtemp())
        self.files: dict[str, str] = {}  # what a truecaser of the file makes of the text
        self.mapped: set[str] = set()

    @initialize(target=beings)
    def begin(self):
        made = []
        for number, model in enumerate(self.models):
            being = Being(Truecaser.load(model))
            self._write(being, f"{number}")
            made.append(being)
        return multiple(*made)

    def _write(self, being: Being, name: str) -> None:
        being.truecaser.save(self.folder / name)
        self.files[name] = being.cased

    name = st.sampled_from("012")

    @rule(target=beings, name=name, copy=st.sampled_from([None, False, True]), verify=st.booleans())
    def load(self, name, copy, verify):
        if name not in self.files:
            with pytest.raises((FileNotFoundError, ModelError)):
                Truecaser.load(self.folder / name, copy=copy, verify=verify)
            return multiple()
        made = Truecaser.load(self.folder / name, copy=copy, verify=verify)
        if copy is False:
            self.mapped.add(name)
        being = Being(made)
        assert being.cased == self.files[name]
        return being

    @rule(being=beings, threads=st.integers(1, 3))
    def case(self, being, threads):
        assert being.truecaser(TEXT) == being.cased
        assert "\n".join(being.truecaser.batch(LINES, threads=threads)) == being.cased
        assert being.truecaser.case_block(TEXT.encode(), threads) == being.cased.encode()

    @rule(being=beings)
    def case_in_threads(self, being):
        found = []
        threads = [
            threading.Thread(target=lambda: found.append(being.truecaser(TEXT))) for _ in range(3)
        ]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert found == [being.cased] * 3

    @rule(target=beings, being=beings)
    def pickle_it(self, being):
        return being.like(pickle.loads(pickle.dumps(being.truecaser)))

    @rule(being=beings, name=name)
    def send_and_replace(self, being, name):
        """What is sent by path arrives, or one sentence says that its file is another one."""
        data = pickle.dumps(being.truecaser)
        self._write(being, name)
        try:
            arrived = pickle.loads(data)
        except ModelError as error:
            said = str(error)
        except FileNotFoundError as error:
            said = str(error)
        else:
            said = ""
            assert arrived(TEXT) == being.cased
        assert not said or "is another one here" in said or "no such file here" in said

    if hasattr(os, "fork"):

        @rule(being=beings)
        def fork(self, being):
            with warnings.catch_warnings():
                warnings.simplefilter("ignore", DeprecationWarning)  # there may be threads
                child = os.fork()
            if not child:
                is_right = False
                try:
                    cased = "\n".join(being.truecaser.batch(LINES, threads=2))
                    is_right = cased == being.cased and being.truecaser(TEXT) == cased
                finally:
                    os._exit(0 if is_right else 1)
            assert os.waitpid(child, 0)[1] == 0

    @rule(target=beings, being=beings)
    def with_names(self, being):
        made = being.truecaser.with_names(truecase.name_list(NAMES))
        assert made("the npm of foobar") == "The npm of FooBar"
        return Being(made)

    @rule(target=beings, being=beings, what=st.sampled_from(["ngram", "unigram"]))
    def of_a_part(self, being, what):
        model = being.truecaser.model
        if model.lm is None:
            with pytest.raises(ModelError):
                model.only("ngram")
            what = "unigram"
        return Being(Truecaser(model.only(what)))

    @rule(target=beings, being=beings)
    def adapt(self, being):
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            try:
                made = being.truecaser.adapt(lambda: [DOMAIN])
            except (ModelError, truecase.TrainingError):
                # One of n-grams alone has no weights, and one that is adapted has its domain.
                return multiple()
        return Being(made)

    @rule(being=beings, name=name)
    def save(self, being, name):
        self._write(being, name)

    @rule(name=name)
    def cut_short(self, name):
        """Nobody has it mapped: those that were read do not mind."""
        if name in self.files and name not in self.mapped:
            path = self.folder / name
            os.truncate(path, path.stat().st_size // 2)
            del self.files[name]

    @rule(name=name, source=name)
    def copy_over(self, name, source):
        """Another file's bytes come into the very file, as `cp` does it."""
        if name != source and source in self.files and name not in self.mapped:
            shutil.copyfile(self.folder / source, self.folder / name)
            self.files[name] = self.files[source]

    @rule(name=name)
    def delete(self, name):
        (self.folder / name).unlink(missing_ok=True)
        self.files.pop(name, None)
        self.mapped.discard(name)

    @rule(being=consumes(beings))
    def unload(self, being):
        del being.truecaser
        gc.collect()

    @invariant()
    def no_temporary_file_is_left(self):
        assert set(os.listdir(self.folder)) <= {"0", "1", "2"}

    def teardown(self):
        shutil.rmtree(self.folder)


@pytest.mark.hypothesis
@pytest.mark.skipif(os.name == "nt", reason="there, a file that is mapped cannot be replaced")
def test_life(model_file, neural_model_file, tmp_path):
    crf = tmp_path / "crf.truecase"
    trained(training_text(400).encode(), "crf").save(crf)
    Life.models = (model_file, neural_model_file, crf)
    run_state_machine_as_test(Life, settings=settings(examples(12), stateful_step_count=25))
