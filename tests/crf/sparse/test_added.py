"""Weights that a domain adds to those of sparse features: kernels, learning, files, both ways."""

import pickle
import random

import numpy as np
import pytest
from examples import examples
from hypothesis import given
from hypothesis import strategies as st
from parts import compiled
from recipes import sparse_trainer
from small_model import training_text
from truecase_testing import find, look_at_sparse

from truecase.cli import main
from truecase.errors import ModelError, TrainingError
from truecase.kernels._components import AddedFeatures
from truecase.model.model import Model
from truecase.training.adapt import adapt, interpolate_lm
from truecase.training.recipe import Adaptation
from truecase.training.sparse import TABLES, Sparse, pack_weights
from truecase.truecaser import Truecaser

pytestmark = pytest.mark.filterwarnings("ignore:Kneser-Ney")

WORDS = training_text(60, seed=9).split()
WORDS += 'krzt Zq-Xv 3dtv foobar quxctl ( ) " , . ! … don’t ΟΔΟΣ łódź İx ﬁn 1984 u.s.'.split()
lines = st.lists(st.sampled_from(WORDS), min_size=1, max_size=14).map(" ".join)
TAG_IU, TAG_MX = 1, 3


def domain_text(n, seed):
    """Lines with words of their own, and others cased in their own way."""
    draw = random.Random(seed)
    words = ["FooBar", "quxctl", "Zork", "Bridge", "tool", "run", "open", "of", "the", "and"]
    line = "Open the Bridge tool of FooBar and run quxctl on Bridge in Zork .\n"
    return "".join(
        line if draw.random() < 0.5 else f"The {' '.join(draw.choices(words, k=6))} .\n"
        for _ in range(n)
    )


@pytest.fixture(scope="module")
def base(sparse_model_file):
    return Model.load(sparse_model_file)


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    path = tmp_path_factory.mktemp("domain")
    (path / "corpus.txt").write_text(domain_text(500, 1), encoding="utf-8")
    (path / "dev.txt").write_text(domain_text(80, 2), encoding="utf-8")
    (path / "general.txt").write_text(training_text(500, seed=21), encoding="utf-8")
    return path


@pytest.fixture(scope="module")
def adapted(base, folder):
    return adapt(base, folder / "corpus.txt", general=folder / "general.txt")


def tables(hashes, rng):
    """Weights for some of the hashes, of each tag."""
    made = []
    for _ in TABLES:
        chosen = rng.choice(np.array(hashes, np.uint64), len(hashes) // 2, replace=False)
        weights = rng.choice([-2.0, -0.5, 0.75, 1.5], len(chosen)).astype(np.float32)
        made.append(Sparse(chosen, weights, np.ones(len(chosen), np.float32)))
    return made


def stored(component, table, hashes):
    """What a component's table has for some hashes."""
    own = component.settings[table]
    codes = find(
        component.arrays[f"{table}.slots"], own["n_slots"], own["fingerprint_bits"],
        own["weight_bits"], (1 << own["weight_bits"]) - 1, own["max_probes"],
        np.array(hashes, np.uint64),
    )  # fmt: skip
    return component.arrays[f"{table}.weight"][codes.astype(int)]


@pytest.mark.parametrize("seed", range(4))
def test_weights_of_both_tables_are_summed(learned, seed):
    rng = np.random.default_rng(seed)
    line = " ".join(rng.permutation(WORDS)[:20]).encode()
    before = look_at_sparse(compiled(learned), line)
    hashes = sorted({h for word in before for h in word.get("hashes", ())})
    added = AddedFeatures(*pack_weights(tables(hashes, rng)))
    after = look_at_sparse(compiled(Truecaser(learned.model.replace(sparse_domain=added))), line)
    n_scores = 0
    for one, other in zip(before, after, strict=True):
        for tag, was, now in zip(
            *(one.get(key, ()) for key in ("tags", "scores")), other.get("scores", ()), strict=True
        ):
            expected = was
            if TAG_IU <= tag <= TAG_MX:
                expected += stored(added, TABLES[tag - 1], one["hashes"]).sum()
                n_scores += 1
            assert now == pytest.approx(expected, abs=1e-4)
    assert n_scores


@examples(40)
@given(line=lines)
def test_no_weights_added_change_nothing(learned, line):
    none = AddedFeatures(*pack_weights([Sparse.empty() for _ in TABLES]))
    with_none = Truecaser(learned.model.replace(sparse_domain=none))
    assert with_none(line) == learned(line)


@examples(60)
@given(line=lines)
def test_only_case_changes(adapted, line):
    out = Truecaser(adapted.model)(line)
    assert out.casefold() == line.casefold()


def test_the_domain_is_learned_and_the_rest_is_kept(base, adapted):
    domain, general = adapted.comparisons["domain"], adapted.comparisons["general"]
    assert domain.words > 100 and domain.after < domain.before / 2
    assert general.words > 100 and general.after <= general.before + 5
    tc = Truecaser(adapted.model)
    assert tc("open foobar and run quxctl in zork .") == "Open FooBar and run quxctl in Zork ."
    assert "FooBar" not in Truecaser(base)("open foobar and run quxctl in zork .")
    # The base's own are as they were.
    for name in ("lexicon", "lm", "sparse"):
        assert getattr(adapted.model, name) is getattr(base, name)


def test_what_is_held_out_is_not_learned(base, folder):
    found = adapt(base, folder / "corpus.txt", development=folder / "dev.txt")
    assert set(found.comparisons) == {"domain"}
    n_words = len((folder / "dev.txt").read_text(encoding="utf-8").split())
    assert found.comparisons["domain"].words == n_words
    # Of the corpus nothing is held out then.
    assert found.model.notes["adapted"]["corpus"]["lines"] == 500
    held = adapt(base, folder / "corpus.txt").model.notes["adapted"]
    assert 400 <= held["corpus"]["lines"] < 500
    assert held["errors"]["domain"].keys() == {"words", "before", "after"}


def test_weights_are_learned_beside_those_of_the_base(base):
    """A pass that learns nothing judges as the model itself decides."""
    trainer = sparse_trainer(l1=0.5, lm_weight=0.0, edge_rate=0.5)
    model = compiled(Truecaser(base))
    trainer.stand_beside(model)
    text = training_text(100, seed=44).encode()
    trainer.learn([(model, text, None, None)], admit=False)
    alone = trainer.progress()
    assert alone["errors"] < 0.2 * alone["choices"] and alone["features"] == 0
    before = trainer.edge_weights()
    trainer.learn([(model, domain_text(50, 3).encode(), None, None)])
    n_features = trainer.progress()["features"]
    assert n_features > 0
    trainer.learn([(model, text, None, None)], admit=False)
    assert trainer.progress()["features"] == n_features
    trainer.learn([(model, text, None, None)])
    assert trainer.progress()["features"] > n_features
    after = trainer.edge_weights()
    assert before[0] == after[0] != 0 and (before[1] == after[1]).all()


def test_a_file_holds_it(adapted, tmp_path):
    adapted.model.save(tmp_path / "m.truecase")
    loaded = Truecaser.load(tmp_path / "m.truecase", verify=True)
    block = (domain_text(50, 4) + training_text(50, seed=5)).lower().encode()
    expected = Truecaser(adapted.model).case_block(block)
    assert loaded.case_block(block) == expected
    assert pickle.loads(pickle.dumps(loaded)).case_block(block) == expected
    assert loaded.model.info()["sparse_domain"]["features"] > 0
    ngram = Truecaser.load(tmp_path / "m.truecase", decode_with="ngram")
    assert ngram.model.sparse_domain is None and ngram.model.domain is None
    found = loaded.posteriors("open foobar in zork")
    assert found[0][1].text == "FooBar" and 0.5 < found[0][1].posterior <= 1


def test_explanations_tell_of_it(adapted):
    word = Truecaser(adapted.model).explain("the bridge tool of foobar").words[1]
    upper = next(candidate for candidate in word.candidates if candidate.tag == "IU")
    names = {c.feature for c in upper.contributions}
    assert any(name.startswith("domain:") for name in names)


def test_sparse_features_are_needed(adapted, base):
    added = adapted.model.sparse_domain
    with pytest.raises(ModelError, match="sparse_domain adds to sparse features"):
        base.replace(sparse=None, sparse_domain=added)


def changed(component, arrays=None, settings=None):
    new = {**component.arrays, **(arrays or {})}
    return AddedFeatures(
        {name: array for name, array in new.items() if array is not None},
        {**component.settings, **(settings or {})},
    )


@pytest.mark.parametrize(
    "arrays, settings, message",
    [
        ({"iu.slots": None}, {}, "sparse_domain/iu.slots is missing"),
        ({"mx.weight": None}, {}, "sparse_domain/mx.weight is missing"),
        ({"iu.slots": np.zeros(3, np.uint8)}, {}, "sparse_domain/iu.slots"),
        ({"iu.weight": np.zeros(63, np.float32)}, {}, "sparse_domain/iu.weight"),
        ({"iu.weight": np.zeros(64, np.float64)}, {}, "sparse_domain/iu.weight"),
        ({"iu.weight": np.full(64, np.nan, np.float32)}, {}, "sparse_domain/iu.weight"),
        ({"iu.weight": np.full(64, 1e30, np.float32)}, {}, "sparse_domain/iu.weight"),
        ({}, {"iu": {}}, "sparse_domain.iu"),
        ({}, {"au": None}, "sparse_domain.au"),
    ],
)
def test_a_broken_section_gets_one_sentence(adapted, arrays, settings, message):
    with pytest.raises(ModelError, match=message) as caught:
        changed(adapted.model.sparse_domain, arrays, settings)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    "name, value",
    [
        ("n_slots", 2**40), ("n_slots", -1), ("max_probes", 2**33), ("weight_bits", 17),
        ("fingerprint_bits", 99), ("n_entries", -5), ("weight_bits", "6"),
    ],
)  # fmt: skip
def test_settings_are_checked(adapted, name, value):
    component = adapted.model.sparse_domain
    broken = {**component.settings["iu"], name: value}
    with pytest.raises(ModelError, match=r"sparse_domain"):
        changed(component, settings={"iu": broken})


def test_python_and_the_command_line_adapt_to_the_same_model(base, folder, tmp_path, capsys):
    base.save(tmp_path / "base")
    tc = Truecaser.load(tmp_path / "base")
    corpus, dev = folder / "corpus.txt", folder / "dev.txt"
    command = ["train", "adapt", str(tmp_path / "base"), "-o", str(tmp_path / "command")]
    for how, recipe, arguments in (
        ({}, None, []),
        ({"general": folder / "general.txt"}, None, ["--general", str(folder / "general.txt")]),
        (
            {"development": dev},
            Adaptation(passes=1, min_count=2, max_size=30_000),
            ["--dev", str(dev), "--passes", "1", "--min-count", "2", "--max-size", "30K"],
        ),
    ):
        assert main([*command, "--corpus", str(corpus), *arguments]) == 0
        told = capsys.readouterr().err
        made = tc.adapt(corpus, recipe, **how)
        made.save(tmp_path / "python")
        assert (tmp_path / "python").read_bytes() == (tmp_path / "command").read_bytes()
        for one in made.model.notes["adapted"]["errors"].values():
            assert f"{one['words']:,} {one['before']:8,} {one['after']:8,}" in told
    size = (tmp_path / "command").stat().st_size - (tmp_path / "base").stat().st_size
    assert size < 36_000


def test_threads_change_nothing(base, folder, tmp_path):
    for threads in (1, 2):
        made = adapt(
            base, folder / "corpus.txt", general=folder / "general.txt", threads=threads
        ).model
        made.save(tmp_path / str(threads))
    assert (tmp_path / "1").read_bytes() == (tmp_path / "2").read_bytes()


def test_what_has_no_effect_is_refused(base, adapted, folder, tmp_path, capsys):
    corpus = folder / "corpus.txt"
    with pytest.raises(TrainingError, match=r"^sigma: "):
        adapt(base, corpus, Adaptation(sigma=0.3))
    with pytest.raises(TrainingError, match="learns from `text`"):
        adapt(base, development=corpus)
    with pytest.raises(ModelError, match="adapted already"):
        adapt(adapted.model, corpus)
    with pytest.raises(ModelError, match="has no dense features"):
        interpolate_lm(base, [b"a\n"], b"a\n")
    with pytest.raises(TrainingError, match="passes 0"):
        Adaptation(passes=0)
    base.save(tmp_path / "base")
    command = ["train", "adapt", str(tmp_path / "base"), "-o", str(tmp_path / "m")]
    assert main([*command, "--dev", str(corpus), "--general", str(folder / "dev.txt")]) == 2
    assert "--general: is beside --corpus" in capsys.readouterr().err
    both = ["--corpus", str(corpus), "--general", str(folder / "dev.txt")]
    assert main([*command, *both, "--dev", str(folder / "dev.txt")]) == 2
    assert "--dev and --general: a model is not to be judged" in capsys.readouterr().err
    assert main([*command, "--names", str(corpus), "--passes", "3"]) == 2
    assert "--passes: is about --corpus" in capsys.readouterr().err
    assert not (tmp_path / "m").exists()


def test_dense_models_have_no_use_for_them(crf_model_file, folder):
    base = Model.load(crf_model_file).replace(domain=None)
    corpus = folder / "corpus.txt"
    with pytest.raises(TrainingError, match=r"^passes: "):
        adapt(base, corpus, Adaptation(passes=3))
    with pytest.raises(TrainingError, match=r"^general: "):
        adapt(base, corpus, general=corpus)


def test_models_that_look_at_a_source_are_refused(folder, tmp_path):
    from recipes import trained
    from small_bitext import bitext

    made = trained(bitext(200), "bilingual-sparse", folds=2, sparse_size=20_000)
    with pytest.raises(ModelError, match="look at a source"):
        adapt(made.model, folder / "corpus.txt")


def test_too_little_text(base, tmp_path):
    (tmp_path / "few.txt").write_text("One line of text .\n" * 3, encoding="utf-8")
    with pytest.raises(TrainingError, match="domain text: the text has 256 lines or fewer"):
        adapt(base, tmp_path / "few.txt")
    with pytest.raises(TrainingError, match="too few to learn from"):
        adapt(base, tmp_path / "few.txt", development=tmp_path / "few.txt")
