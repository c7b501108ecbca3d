"""Components of a model: checked as they are made, exchanged, described."""

import pickle

import numpy as np
import pytest
from calibrations import calibrated
from recipes import estimated, trained
from truecaser_text import HARBOUR_LINES

from truecase.base._component import Component
from truecase.base.model_file import write_model
from truecase.errors import ModelError, WrongTypeError
from truecase.kernels._lexicon import Lexicon
from truecase.kernels._ngrams import Domain
from truecase.kernels.text import primary_language
from truecase.model.model import Model, TextSettings
from truecase.ngram.kept_words import KeptWords
from truecase.rules.language import read_rules
from truecase.training.exchange import to_arpa, to_mapping
from truecase.truecaser import Truecaser

TEXT = "\n".join(HARBOUR_LINES).encode()
SMALLER = "\n".join(HARBOUR_LINES[:20]).encode()


@pytest.fixture(scope="module")
def models(crf_model_file, neural_model_file, bilingual_model_file):
    return {
        "adapted": Model.load(crf_model_file),
        "neural": calibrated(Truecaser.load(neural_model_file)).model,
        "bilingual": Model.load(bilingual_model_file),
        "portage": trained(TEXT, "portage", min_count=1, keep_ngrams=True).model,
    }


def all_components(models):
    return [
        (f"{name}/{part}", component)
        for name, model in models.items()
        for part, component in model.components().items()
    ]


def test_every_kind_of_component_is_among_them(models):
    kinds = {name.partition("/")[2] for name, _ in all_components(models)}
    assert kinds >= {
        "lexicon", "lm", "dense", "source", "tables", "portage", "domain", "words", "network",
        "calibration",
    }  # fmt: skip


def test_components_say_what_they_are(models):
    for name, component in all_components(models):
        about = component.info()
        assert about["is"] == component.about, name
        assert about["bytes"] == component.n_bytes > 0, name
        assert type(component).__name__ in repr(component), name
    for model in models.values():
        assert set(model.info()) == {"text", "notes", *model.components()}


def test_components_can_be_pickled(models):
    for name, component in all_components(models):
        again = pickle.loads(pickle.dumps(component))
        assert type(again) is type(component)
        assert again.settings == component.settings
        for key, array in component.arrays.items():
            np.testing.assert_array_equal(again.arrays[key], array, err_msg=f"{name}/{key}")
    model = models["adapted"]
    copied = model.replace(
        **{k: pickle.loads(pickle.dumps(v)) for k, v in model.components().items()}
    )
    text = "\n".join(HARBOUR_LINES).lower()
    assert Truecaser(copied)(text) == Truecaser(model)(text)


def test_each_array_that_is_needed_is_named(models):
    optional = {"neighbour_log_odds", "case_context", "suffixes", "dense_weights", "case"}
    for name, component in all_components(models):
        part = name.partition("/")[2]
        for key in component.arrays.keys() - optional:
            arrays = {k: v for k, v in component.arrays.items() if k != key}
            called = key if part == "domain" else f"{part}/{key}"
            with pytest.raises(ModelError, match=called):
                type(component)(arrays, component.settings)


def test_a_component_keeps_what_its_struct_points_into(models):
    """The memory of the arrays is the component's, whatever becomes of the dict."""
    lexicon = models["portage"].lexicon
    own = Lexicon({k: np.array(v) for k, v in lexicon.arrays.items()}, lexicon.settings)
    truecaser = Truecaser(models["portage"].replace(lexicon=own))
    text = "\n".join(HARBOUR_LINES).lower()
    before = truecaser(text)
    own.arrays.clear()
    rubbish = [np.full(100_000, 255, np.uint8) for _ in range(100)]
    assert truecaser(text) == before
    assert len(rubbish) == 100


def strided(array):
    return np.repeat(array, 2)[::2]


def off_by_a_byte(array):
    room = np.zeros(array.nbytes + 1, np.uint8)
    room[1:] = array.view(np.uint8)
    return room[1:].view(array.dtype)


@pytest.mark.parametrize("lay_out", [strided, off_by_a_byte, memoryview])
def test_arrays_may_lie_in_any_way(models, lay_out):
    model = models["portage"]
    parts = {name: getattr(model, name) for name in ("lexicon", "lm", "portage")}
    again = {
        name: type(part)({k: lay_out(v) for k, v in part.arrays.items()}, part.settings)
        for name, part in parts.items()
    }
    text = "\n".join(HARBOUR_LINES).lower()
    assert Truecaser(model.replace(**again))(text) == Truecaser(model)(text)


@pytest.mark.parametrize(
    "other",
    [lambda a: a.astype(a.dtype.newbyteorder()), lambda a: a.reshape(2, -1), list, lambda a: a > 0],
)
def test_what_is_no_vector_is_refused(models, other):
    lexicon = models["portage"].lexicon
    arrays = {**lexicon.arrays, "probability_ln": other(lexicon.arrays["probability_ln"])}
    with pytest.raises(ModelError, match="lexicon/probability_ln is not a vector of float32"):
        Lexicon(arrays, lexicon.settings)


@pytest.mark.parametrize("is_own", [True, False])
def test_numbers_that_are_not_aligned(models, is_own):
    """Then NumPy names the order of bytes, and whichever it is must not be taken for the other."""
    lexicon = models["portage"].lexicon
    numbers = np.asarray(lexicon.arrays["probability_ln"])
    order = numbers.dtype.newbyteorder("=" if is_own else "S")
    moved = np.frombuffer(b"." + numbers.astype(order).tobytes(), order, offset=1)
    arrays = {**lexicon.arrays, "probability_ln": moved}
    if is_own:
        found = Lexicon(arrays, lexicon.settings).arrays["probability_ln"]
        assert np.array_equal(found, numbers)
    else:
        with pytest.raises(ModelError, match="probability_ln is not a vector of float32"):
            Lexicon(arrays, lexicon.settings)


def test_a_model_cannot_be_changed(models):
    model = models["portage"]
    for record, name in ((model, "lm"), (model.text, "language")):
        with pytest.raises(AttributeError, match=f"{name} of a {type(record).__name__}"):
            setattr(record, name, None)
        with pytest.raises(AttributeError, match=f"{name} of a {type(record).__name__}"):
            delattr(record, name)
    german = model.text.replace(language="de")
    assert german != model.text == german.replace(language=model.text.language)
    assert hash(model.text) == hash(model.text.replace()) and "language='de'" in repr(german)
    assert model == model.replace() != model.replace(text=german)


@pytest.mark.parametrize("preset", ["crf", "portage"])
def test_arrays_by_record_belong_to_one_lexicon(preset):
    part = {"crf": "dense", "portage": "portage"}[preset]
    one = estimated(TEXT, preset, min_count=1).model
    other = estimated(SMALLER, preset, min_count=1).model
    with pytest.raises(ModelError, match=rf"the arrays of {part} describe \d+ forms"):
        one.replace(**{part: getattr(other, part)})


def test_a_domain_has_the_order_of_the_model(models):
    model = models["adapted"]
    bigrams = estimated(TEXT, "ngram", order=2, min_count=1).model
    assert model.order == 3
    with pytest.raises(ModelError, match="domain are of order 2, and the model's of order 3"):
        model.replace(domain=Domain.of(0.5, bigrams.lexicon, bigrams.lm))
    for share in (0.0, 1.0, float("nan")):
        with pytest.raises(ModelError, match=r"domain\.share"):
            Domain.of(share, bigrams.lexicon, bigrams.lm)


@pytest.mark.parametrize("part", ["dense", "network", "source", "tables", "domain"])
def test_models_of_case_stand_beside_n_grams_alone(models, part, tmp_path):
    owner = {"dense": "bilingual", "source": "bilingual", "tables": "bilingual",
             "network": "neural", "domain": "adapted"}[part]  # fmt: skip
    component = getattr(models[owner], part)
    assert component is not None
    message = f"portage goes with n-grams alone, and the model also has {part}: "
    case_models = estimated(TEXT, "portage", min_count=1).model
    if part == "dense":
        # Of the same lexicon, so that nothing else is wrong.
        other = estimated(TEXT, "crf", min_count=1).model
        case_models = case_models.replace(lexicon=other.lexicon)
        component = getattr(other, part)
    with pytest.raises(ModelError, match=message):
        case_models.replace(**{part: component})
    # The same in a file.
    arrays, metadata = case_models.to_arrays()
    arrays.update({f"{part}/{name}": array for name, array in component.arrays.items()})
    sections = {**metadata["sections"], part: component.settings}
    write_model(tmp_path / "both.truecase", arrays, {**metadata, "sections": sections})
    with pytest.raises(ModelError, match=rf"both\.truecase: {message}") as raised:
        Model.load(tmp_path / "both.truecase")
    assert "\n" not in str(raised.value)


@pytest.mark.parametrize(
    ("components", "error", "message"),
    [
        (
            {"foo": 1},
            ModelError,
            "a model has no component foo: expected one of text, lexicon, lm, dense, "
            "source, tables, portage, domain, titles, words, names, network, marks, "
            "calibration, trust, notes",
        ),
        ({"dense": 3}, WrongTypeError, "dense: expected DenseFeatures or None, found int"),
        ({"lm": {}}, WrongTypeError, "lm: expected LanguageModel or None, found dict"),
        ({"lexicon": None}, WrongTypeError, "lexicon: expected Lexicon, found NoneType"),
        ({"text": "raw"}, WrongTypeError, "text: expected TextSettings, found str"),
        ({"notes": None}, WrongTypeError, "notes: expected dict, found NoneType"),
    ],
)
def test_what_is_no_component_is_refused(models, components, error, message):
    with pytest.raises(error, match=f"^{message}$"):
        models["portage"].replace(**components)


def test_components_can_be_left_out(models):
    text = "\n".join(HARBOUR_LINES).lower()
    for model in models.values():
        alone = model.only("ngram")
        assert set(alone.components()) <= {"lexicon", "lm", "titles", "words"}
        bare = model.replace(
            **{name: None for name in model.components() if name not in ("lexicon", "lm")}
        )
        assert Truecaser(alone)(text) == Truecaser(bare)(text)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"segmentation": "words"}, "expected one of raw, space"),
        ({"casing": "elvish"}, "expected one of default, turkic"),
        ({"unicode": "1.0"}, r"lowercased by Unicode 1\.0"),
    ],
)
def test_settings_of_text_are_checked(change, message):
    with pytest.raises(ModelError, match=message):
        TextSettings(**{"segmentation": "raw", "casing": "default", **change})


@pytest.mark.parametrize(
    ("language", "has_rules"),
    [("en", True), ("en-GB", True), ("EN_us", True), ("", False), ("eng", False), ("lt", False)],
)
def test_rules_are_known_by_their_language(language, has_rules):
    assert bool(read_rules(primary_language(language))) is has_rules


def test_a_component_by_itself():
    part = Component({"x": np.zeros(3, np.uint8)})
    assert part.info() == {"is": "a part of a model", "bytes": 3}
    assert part.settings == {}


@pytest.mark.parametrize(
    ("name", "change", "message"),
    [
        ("blob", lambda a: a[:-1], r"words/offsets does not lead from 0 to the end of words/blob"),
        ("offsets", lambda a: a[:3], r"words/offsets does not lead from 0"),
        ("words2", lambda a: a[:-1], r"words/words2 does not have 2 words per n-gram"),
        ("words3", lambda a: a[:-3], r"words/log_prob3 has \d+ entries, expected \d+"),
        ("log_backoff1", lambda a: a[:-1], r"words/log_backoff1 has \d+ entries"),
        (
            "log_prob2",
            lambda a: a.astype(np.float64),
            r"words/log_prob2 is not a vector of float32",
        ),
        ("case", lambda a: np.ones(10**6, np.float32), r"words/case describes more than the \d+"),
    ],
)
def test_kept_words_of_other_lengths_are_refused(models, name, change, message):
    words = models["portage"].words
    with pytest.raises(ModelError, match=message):
        KeptWords({**words.arrays, name: change(words.arrays[name])})


@pytest.mark.parametrize(
    ("write", "name", "number", "message"),
    [
        (to_arpa, "offsets", 2**63, "words/offsets does not rise"),
        (to_arpa, "words3", 10**6, r"words/words3 has a word beyond the \d+"),
        (to_arpa, "log_prob1", np.nan, "words/log_prob1 has an entry that is no number"),
        (to_mapping, "offsets", 2**40, "words/offsets does not rise"),
        (to_mapping, "case", 1.5, r"words/case has an entry outside 0 … 1"),
    ],
)
def test_kept_words_are_checked_as_they_are_written(models, write, name, number, message, tmp_path):
    model = models["portage"]
    array = np.array(model.words.arrays[name])
    array[5] = number
    damaged = model.replace(words=KeptWords({**model.words.arrays, name: array}))
    with pytest.raises(ModelError, match=message):
        write(damaged, tmp_path / "written")
    assert not any(tmp_path.iterdir())
