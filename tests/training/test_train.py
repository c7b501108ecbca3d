"""Training: repeatable, bounded in size, and clear about what it cannot use."""

import random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from recipes import recipe, trained
from truecaser_text import HARBOUR_LINES

from truecase.cli import main
from truecase.errors import ModelError, TrainingError
from truecase.model.model import Model
from truecase.ngram.arpa import read_arpa
from truecase.ngram.estimate import estimate_arpa
from truecase.ngram.vocabulary import FIRST_WORD
from truecase.training.estimate import count
from truecase.training.exchange import from_arpa, to_arpa
from truecase.training.recipe import TextRecipe
from truecase.training.train import train as train_model
from truecase.truecaser import Truecaser

TEXT = ("\n".join(HARBOUR_LINES) + "\n").encode()


def train(text=TEXT, memory=None, **options):
    made = recipe(**{"min_count": 1, **options})
    return Truecaser(train_model(lambda: [text], made, memory=memory).model)


def test_the_same_text_gives_the_same_bytes(tmp_path):
    paths = [tmp_path / name for name in "abc"]
    train().save(paths[0])
    train().save(paths[1])
    half = TEXT.index(b"\n", len(TEXT) // 2) + 1
    trained([TEXT[:half], TEXT[half:]], min_count=1).save(paths[2])
    first, *others = [path.read_bytes() for path in paths]
    assert all(other == first for other in others)


def test_a_memory_limit_gives_the_same_bytes(tmp_path):
    train().save(tmp_path / "a")
    train(memory=1 << 20).save(tmp_path / "b")
    assert (tmp_path / "a").read_bytes() == (tmp_path / "b").read_bytes()


def test_a_size_limit_holds_and_keeps_what_matters(tmp_path):
    rng = random.Random(2)
    words = [name + end for name in ("Kol", "mar", "Tev", "sun", "Pra") for end in "aeiouy"]
    lines = [" ".join(rng.choices([*words, *map(str.lower, words)], k=12)) for _ in range(2000)]
    text = "\n".join(lines).encode()
    train(text).save(tmp_path / "full")
    size = (tmp_path / "full").stat().st_size
    for limit in (size // 2, size // 4):
        train(text, max_size=limit).save(tmp_path / "small")
        assert 0.8 * limit < (tmp_path / "small").stat().st_size <= limit
    with pytest.raises(TrainingError, match="its lexicon alone takes"):
        train(text, max_size=1000)


def test_dropping_what_can_change_no_decision_changes_no_decision(monkeypatch):
    import truecase.training.estimate as module

    # Wide fingerprints: what is found by mistake differs from table to table.
    options = {"min_share": 0.0, "fingerprint_bits": 24}
    pruned = train(**options)
    monkeypatch.setattr(module, "prune_to_fit", lambda scored, *_: scored)
    whole = train(**options)
    n_kept, n_all = (made.model.info()["lm"]["ngram3"] for made in (pruned, whole))
    assert n_kept < n_all
    lines = [line.lower() for line in HARBOUR_LINES]
    lines += [" ".join(reversed(line.split())) for line in lines]
    assert pruned.batch(lines) == whole.batch(lines)


@pytest.mark.parametrize("text", [b"", b"\n\n", b" \t \n"])
def test_text_without_words_is_refused(text):
    with pytest.raises(TrainingError, match="no word"):
        train(text)


@pytest.mark.parametrize(
    "options",
    [
        {"order": 0}, {"order": 6}, {"segmentation": "bpe"},
        {"candidates": "all"}, {"candidates": "full", "min_share": 0.1}, {"prune": (0, 0, 0, 1)},
        {"min_count": 0}, {"min_share": 1.0}, {"prune": (-1,)}, {"load": 1.0},
        {"fingerprint_bits": 40}, {"probability_bits": 1},
    ],
)  # fmt: skip
def test_bad_options_are_refused(options):
    with pytest.raises(TrainingError):
        recipe(**options)


def test_forms_below_min_count_are_left_to_their_class():
    model = train(min_count=3)
    assert model.training_count("bakery") > 0
    assert model.training_count("coal") == 0


class TestNames:
    LINES = b"Anna and Piet met in Rome .\nThe town of rome is small .\nPiet left .\n" * 9

    def forms(self, names=b""):
        counts = count([self.LINES], TextRecipe(), names=names)
        places = range(FIRST_WORD, len(counts.vocabulary))
        return {
            counts.vocabulary.surface(place): (
                int(counts.forms.count[place]),
                int(counts.forms.initial_count[place]),
            )
            for place in places
        }

    @given(st.lists(st.sampled_from(["Oslo", "Piet", "The", "van der Berg"]), max_size=5))
    def test_begin_no_sentences_and_leave_the_text_as_it_is(self, names):
        alone = self.forms()
        beside = self.forms("".join(f"{name}\n" for name in names).encode())
        for form, (n, n_first) in beside.items():
            listed = sum(name.split().count(form.decode()) for name in names)
            before = alone.get(form, (0, 0))
            assert (n - listed, n_first) == before

    def test_are_known_then(self, tmp_path):
        path = tmp_path / "names.txt"
        path.write_text("McGregor\nNew Zealand\n")
        text = tmp_path / "text.txt"
        text.write_bytes(TEXT)
        made = train_model(text, recipe(min_count=2), names=[path]).model
        cased = Truecaser(made)("and then mcgregor saw new zealand")
        assert cased.split()[2:] == ["McGregor", "saw", "New", "Zealand"]
        assert Truecaser(made).training_count("mcgregor") == 2
        made.save(tmp_path / "here")
        train_model(text, recipe(min_count=2), names=str(path)).model.save(tmp_path / "one")
        assert (tmp_path / "one").read_bytes() == (tmp_path / "here").read_bytes()
        out = tmp_path / "there"
        assert main(["train", str(text), "--names", str(path), "-o", str(out)]) == 0
        assert out.read_bytes() == (tmp_path / "here").read_bytes()

    def test_are_of_no_use_beside_counts(self, tmp_path):
        (tmp_path / "names.txt").write_text("Anna\n")
        (tmp_path / "counts").write_text("")
        with pytest.raises(TrainingError, match="names: they are counted with the text"):
            train_model(counts=tmp_path / "counts", names=[tmp_path / "names.txt"])


class TestArpa:
    def test_a_model_from_an_arpa_file_cases_text(self, tmp_path):
        tokenised = tmp_path / "text"
        lines = [line.replace(".", " .").replace(",", " ,") for line in HARBOUR_LINES]
        tokenised.write_text("\n".join(lines))
        estimate_arpa([str(tokenised)], str(tmp_path / "lm.arpa"))
        model = Truecaser(from_arpa(tmp_path / "lm.arpa", "space"))
        assert model("the company sent her to port ellis .") == (
            "The company sent her to Port Ellis ."
        )
        assert model.evaluate(lines).accuracy > 0.97
        model.save(tmp_path / "m")
        assert Truecaser.load(tmp_path / "m").batch(["anna berg"]) == ["Anna Berg"]

    def test_kept_ngrams_are_written_and_read_again(self, tmp_path):
        model = train(keep_ngrams=True)
        to_arpa(model.model, tmp_path / "out.arpa")
        vocabulary, ngrams = read_arpa(tmp_path / "out.arpa")
        surfaces = set(vocabulary)
        assert {b"Ellis", b"harbour", b"O'Brien"} <= surfaces
        assert ngrams.order == 3
        settings = model.model.lm.settings
        assert ngrams.n_ngrams[1:] == [settings[f"ngram{k}"]["n_entries"] for k in (2, 3)]
        assert all(np.isfinite(p).all() for p in ngrams.log10_prob)
        model.save(tmp_path / "m")
        to_arpa(Model.load(tmp_path / "m"), tmp_path / "again.arpa")
        assert (tmp_path / "again.arpa").read_bytes() == (tmp_path / "out.arpa").read_bytes()

    def test_a_model_without_words_says_so(self, tmp_path):
        with pytest.raises(ModelError, match="--keep-ngrams"):
            to_arpa(train().model, tmp_path / "out.arpa")
