"""Calibrated probabilities: the plain twin's, the same everywhere, and nothing else changes."""

import json
import pickle
from itertools import product

import numpy as np
import pytest
from calibrations import calibrated, calibration, random_calibration
from examples import examples
from hypothesis import example, given
from hypothesis import strategies as st
from reference.calibration import calibrated as plain_calibrated
from reference.calibration import traits
from small_model import training_text

from truecase import SentenceCaser, Truecaser, name_list
from truecase.cli import main
from truecase.errors import ModelError
from truecase.evaluation._posteriors import line_confidences
from truecase.kernels._components import Calibration
from truecase.model.model import Model
from truecase.truecaser.agreed_names import with_agreed_names

pa = pytest.importorskip("pyarrow")

WORDS = [
    "mary", "ahmed", "london", "the", "bridge", "post", "bill", "us", "nasa", "iphone", "in",
    "never", "zyzzyva", "foo-bar", "3dtv", "2009", ",", "it", "is", "seen", "i",
]  # fmt: skip
LINES = st.lists(
    st.one_of(st.sampled_from(WORDS), st.sampled_from([".", "?", "http://foo.bar/baz"])),
    min_size=1,
    max_size=12,
).map(" ".join)
# Sums of probabilities may be off by so much.
CERTAIN = 1 - 1e-12
TEXT = training_text(40, seed=4).lower() + "zyzzyva is at http://foo.bar/baz . nasa ? 2009\n"


@pytest.fixture(scope="module", params=["ngram", "crf-neural", "unigram"])
def model(request, model_file, neural_model_file):
    loaded = Truecaser.load(neural_model_file if request.param == "crf-neural" else model_file)
    return Truecaser(loaded.model.only("unigram")) if request.param == "unigram" else loaded


@pytest.fixture(scope="module")
def neural(neural_model_file):
    return Truecaser.load(neural_model_file)


def sentences_of(model, line):
    """The words of a line, sentence by sentence."""
    words = iter(model.posteriors(line)[0])
    return [
        [next(words) for word in sentence.words if not word.is_end]
        for sentence in model.explain(line).sentences
    ]


@examples(60)
@given(line=LINES, seed=st.integers(0, 1000))
@example(line="iphone", seed=405)
def test_like_its_plain_twin(model, line, seed):
    sure = calibrated(model, seed)
    arrays = sure.model.calibration.arrays
    several, one = arrays["several"].tolist(), arrays["one"].tolist()

    def count_of(word, shift):
        # `training_count` is rounded, and the kernel's count is not.
        count = model.training_count(word.text)
        return count and count + shift

    for plain, after in zip(sentences_of(model, line), sentences_of(sure, line), strict=True):
        cased = [word for word in plain if word.tag != "AN"]
        for word, other in zip(plain, after, strict=True):
            assert other[:4] == word[:4]
            if word.tag == "AN" or "://" in word.text:
                assert other == word and word.posterior > CERTAIN
                continue
            expected = [
                plain_calibrated(
                    several,
                    one,
                    len(word.candidates),
                    word.posterior,
                    count_of(word, of_word),
                    traits(
                        [count_of(each, of_sentence) for each in cased],
                        [each.posterior for each in cased],
                    ),
                )
                for of_word, of_sentence in product((-0.5, 0, 0.5), repeat=2)
            ]
            assert min(expected) - 1e-4 <= other.posterior <= max(expected) + 1e-4


def test_others_share_what_is_left(neural):
    n_several = n_one = 0
    for line, sure in zip(
        neural.posteriors(TEXT), calibrated(neural).posteriors(TEXT), strict=True
    ):
        for word, other in zip(line, sure, strict=True):
            assert [c[:2] for c in other.candidates] == [c[:2] for c in word.candidates]
            assert other.candidates[0].posterior == other.posterior
            rest = [c.posterior for c in word.candidates[1:]]
            if not rest:
                n_one += word.tag != "AN"
                assert len(other.candidates) == 1 and 0 < other.posterior <= 1
                continue
            n_several += 1
            assert sum(c.posterior for c in other.candidates) == pytest.approx(1)
            factor = (1 - other.posterior) / sum(rest)
            expected = [p * factor for p in rest]
            assert [c.posterior for c in other.candidates[1:]] == pytest.approx(expected)
    assert n_several > 20 and n_one > 20


def test_words_that_the_model_does_not_decide_stay_certain(neural):
    sure = calibrated(neural)

    def certain(line, **options):
        return [w.text for w in sure.posteriors(line, **options)[0] if w.posterior > CERTAIN]

    line = "the bridge of London ( see http://foo.bar/baz ) in 2009 ."
    held = ["(", "http://foo.bar/baz", ")", "2009", "."]
    assert certain(line) == held
    assert certain(line, input_case="keep") == ["London", *held]
    # Of a line in mixed case, the first word alone is decided.
    assert certain(line, input_case="auto") == ["bridge", "of", "London", "(", "see", *held[1:3],
                                                "in", *held[3:]]  # fmt: skip
    named = sure.with_names(name_list(["BioNTech", "!Of"]))
    words = named.posteriors("biontech of london")[0]
    assert [w.text for w in words] == ["BioNTech", "Of", "London"]
    assert [w.posterior > CERTAIN for w in words] == [True, True, False]
    assert all(word.posterior == 1.0 for word in sure.posteriors(line, style="upper")[0])


def test_the_same_numbers_everywhere(neural, tmp_path, capsysbinary):
    sure = calibrated(neural)
    path, text = tmp_path / "sure.truecase", tmp_path / "text.txt"
    sure.save(path)
    text.write_text(TEXT)
    lines = sure.posteriors(TEXT)
    rows = []
    start = 0
    for words, line in zip(lines, TEXT.split("\n"), strict=False):
        rows += [
            f"{w.start - start}\t{w.end - start}\t{w.text}\t{w.tag}\t{w.posterior:.6f}\n"
            for w in words
        ]
        rows.append("\n")
        start += len(line) + 1
    table = "".join(rows).encode()
    assert sure.table_block(TEXT.encode(), with_posteriors=True) == table
    assert main(["apply", "-m", str(path), "-i", str(text), "--confidence"]) == 0
    assert capsysbinary.readouterr().out == table
    least = [min((w.posterior for w in words), default=1.0) for words in lines]
    column = sure.column(pa.array(TEXT.split("\n")[:-1]), confidence=True)
    assert pa.array(column.confidence).to_pylist() == pytest.approx(least, abs=1e-12)
    for line, words in list(zip(TEXT.split("\n"), lines, strict=False))[:5]:
        explanation = sure.explain(line)
        assert explanation.is_calibrated
        assert [w.posterior for w in explanation.words] == [w.posterior for w in words]
        assert not neural.explain(line).is_calibrated
    assert main(["explain", "-m", str(path), "the bridge"]) == 0
    shown = capsysbinary.readouterr().out.decode()
    assert "sure: how often such words are right" in " ".join(shown.split())
    assert f"{sure.posteriors('the bridge')[0][1].posterior:.3f}\n" in shown.replace("   ", "\n")
    assert main(["explain", "-m", str(path), "--json", "the bridge"]) == 0
    told = json.loads(capsysbinary.readouterr().out)
    assert told["is_calibrated"] and told["sentences"][0]["words"][0]["posterior"] < 1


def test_case_does_not_change(neural):
    sure = calibrated(neural)
    block = TEXT.encode()
    assert sure.case_block(block) == neural.case_block(block)
    assert sure.tags(TEXT) == neural.tags(TEXT)
    lines = TEXT.split("\n")
    assert sure.document(lines) == neural.document(lines)
    texts = ["we met qorlan in london.\nqorlan was late.\n"]
    agreed = [with_agreed_names(model, texts).batch(texts) for model in (sure, neural)]
    assert agreed[0] == agreed[1]
    titles = ["The Bridge of London", "MARY AND THE POST", "iPhone Bills in Peru"]
    assert SentenceCaser(sure).batch(titles) == SentenceCaser(neural).batch(titles)


def test_beside_a_source(neural):
    block, source = "the bridge of london\n", "le pont de Londres\n"
    sure = calibrated(neural)
    plain, after = (model.posteriors(block, source=source)[0] for model in (neural, sure))
    assert [word[:4] for word in plain] == [word[:4] for word in after]
    arrays = sure.model.calibration.arrays
    counts = [neural.training_count(word.text) for word in plain]
    sentence = traits(counts, [word.posterior for word in plain])
    for word, other in zip(plain, after, strict=True):
        expected = plain_calibrated(
            arrays["several"].tolist(), arrays["one"].tolist(), len(word.candidates),
            word.posterior, neural.training_count(word.text), sentence,
        )  # fmt: skip
        assert other.posterior == pytest.approx(expected, abs=2e-3)
    words = sure.explain("the bridge of london", source="le pont de Londres").words
    assert [word.posterior for word in words] == [word.posterior for word in after]


def test_without_calibration(neural):
    sure = calibrated(neural)
    plain = sure.without_calibration()
    assert plain.posteriors(TEXT) == Truecaser(neural.model.only("whole")).posteriors(TEXT)
    assert plain.without_calibration().posteriors(TEXT) == plain.posteriors(TEXT)
    assert (line_confidences(plain._compiled, TEXT.encode()) <= 1.0).all()


def test_a_model_with_other_scores_has_none(neural, crf_model_file):
    sure = calibrated(neural).model
    other = random_calibration(2)
    assert sure.only("ngram").calibration is None
    assert sure.only("unigram").calibration is None
    assert sure.only("whole").calibration is sure.calibration
    for name in ("network",):
        assert sure.replace(**{name: None}).calibration is None
        assert sure.replace(**{name: None, "calibration": other}).calibration is other
        assert sure.replace(**{name: getattr(sure, name)}).calibration is sure.calibration
    kept = sure.replace(names=name_list(["BioNTech"]), titles=None)
    assert kept.calibration is sure.calibration
    assert sure.with_notes(a=1).calibration is sure.calibration
    domain = Model.load(crf_model_file).domain
    assert sure.replace(domain=domain).calibration is None


def test_in_a_file(neural, tmp_path):
    sure = calibrated(neural)
    sure.save(tmp_path / "sure.truecase")
    loaded = Truecaser.load(tmp_path / "sure.truecase", verify=True)
    assert loaded.posteriors(TEXT) == sure.posteriors(TEXT)
    assert pickle.loads(pickle.dumps(sure)).posteriors(TEXT) == sure.posteriors(TEXT)
    about = loaded.model.info()["calibration"]
    assert about["is"] == "a calibration of probabilities" and about["bytes"] == 68
    assert about["one"] == dict(
        zip(about["one"], loaded.model.calibration.arrays["one"].tolist(), strict=True)
    )
    assert list(about["several"]) == [
        "constant", "log_odds_of_rare_words", "log_odds_of_common_words", "seen", "seen_squared",
        "unseen", "familiar", "length", "doubt",
        "moderate_log_odds",
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("name", "change", "message"),
    [
        ("several", lambda a: a[:-1], "calibration/several has 9 entries, expected 10"),
        ("one", lambda a: np.append(a, a), "calibration/one has 14 entries, expected 7"),
        ("one", lambda a: a * np.nan, "calibration/one has an entry that is no number"),
        ("several", lambda a: a * np.inf, "calibration/several has an entry that is no number"),
        ("one", lambda a: a + 1e7, r"calibration/one has an entry .* beyond ±1e\+06"),
        ("several", lambda a: a.astype(float), "calibration/several is not a vector of float32"),
        ("several", lambda a: -np.abs(a), "calibration/several has a negative weight of log-odds"),
    ],
)
def test_weights_are_checked(name, change, message):
    arrays = dict(random_calibration(3).arrays)
    with pytest.raises(ModelError, match=message):
        Calibration({**arrays, name: change(arrays[name])})
    with pytest.raises(ModelError, match=f"the array calibration/{name} is missing"):
        Calibration({other: array for other, array in arrays.items() if other != name})


def test_weights_from_before_length_and_doubt_leave_these_out(neural):
    arrays = random_calibration(4).arrays
    n_before = {"several": 7, "one": 5}
    old = {name: arrays[name][:n] for name, n in n_before.items()}
    same = {name: [*old[name], *[0] * (len(arrays[name]) - n)] for name, n in n_before.items()}
    models = [neural.model.replace(calibration=calibration(**each)) for each in (old, same)]
    one, other = (Truecaser(model).posteriors(TEXT) for model in models)
    assert one == other
    assert list(models[0].calibration.info()["one"])[-1] == "familiar"


@pytest.mark.parametrize("weight", [-1e6, 1e6])
def test_extreme_weights_give_probabilities(neural, weight):
    several = [weight, 1e6, 1e6, *[weight] * 6, 1e6]
    extreme = Truecaser(neural.model.replace(calibration=calibration(several, [weight] * 7)))
    for line in extreme.posteriors(TEXT):
        for word in line:
            assert all(0 <= c.posterior <= 1 for c in word.candidates)
    assert extreme.table_block(TEXT.encode(), with_posteriors=True).count(b"\n") > 100
